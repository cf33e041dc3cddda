/**
 * Operations, and the catalog of what may serve them, read from a configuration directory as a
 * whole: all of it is valid or none of it is taken. Nothing here calls a provider.
 */
@NullMarked
package dev.onejob.contract;

import org.jspecify.annotations.NullMarked;
