/** The Temporal workflow of a job: contracts, implementation, names. */
@NullMarked
package dev.onejob.flow;

import org.jspecify.annotations.NullMarked;
