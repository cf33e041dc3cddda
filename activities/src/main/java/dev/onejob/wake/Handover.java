package dev.onejob.wake;

import dev.onejob.store.Wakeups;
import java.time.Duration;

/**
 * From the accepting thread to the waker, in memory: saves the clean path a poll and a commit. Only
 * a shortcut: what it loses is found in the outbox when the lease ends.
 */
public interface Handover {

  /** How long a wakeup that was handed over is kept from other wakers. */
  Duration LEASE = Duration.ofSeconds(15);

  /**
   * Whether this process has room to start one more job now. If so, exactly one of {@link #start}
   * and {@link #cancel} must follow.
   */
  boolean reserve();

  /**
   * Starts the job's workflow in the place that was reserved, without making the caller wait for
   * it.
   */
  void start(Wakeups.Leased wakeup);

  /** Gives the reserved place back: there was nothing to start. */
  void cancel();

  /**
   * Something due was committed without a reservation: whoever has room should look. Never blocks,
   * never throws.
   */
  void announce();
}
