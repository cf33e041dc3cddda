/** Submissions and reads. */
@NullMarked
package dev.onejob.api.jobs;

import org.jspecify.annotations.NullMarked;
