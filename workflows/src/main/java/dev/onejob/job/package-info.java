/**
 * What a job is: states and the one table of legal moves, outcomes, verdicts, plans and the next
 * step. Pure: no clock, no I/O, nothing but the JDK.
 */
@NullMarked
package dev.onejob.job;

import org.jspecify.annotations.NullMarked;
