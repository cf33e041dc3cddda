/** Takes wakeups from the outbox and starts or signals workflows. */
@NullMarked
package dev.onejob.wake;

import org.jspecify.annotations.NullMarked;
