/** Attempts at providers: fence, call, settle. */
@NullMarked
package dev.onejob.attempt;

import org.jspecify.annotations.NullMarked;
