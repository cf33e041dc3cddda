/** The only SQL in the project. No HTTP, no Temporal. */
@NullMarked
package dev.onejob.store;

import org.jspecify.annotations.NullMarked;
