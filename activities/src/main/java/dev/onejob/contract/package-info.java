/** Operations and the catalog of what may serve them. */
@NullMarked
package dev.onejob.contract;

import org.jspecify.annotations.NullMarked;
