/** The one table of problems and how they are answered (RFC 9457). */
@NullMarked
package dev.onejob.api.problem;

import org.jspecify.annotations.NullMarked;
