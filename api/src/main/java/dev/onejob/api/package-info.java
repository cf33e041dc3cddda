/** The front door and the process. */
@NullMarked
package dev.onejob.api;

import org.jspecify.annotations.NullMarked;
