package dev.onejob.contract;

import java.time.Duration;

/**
 * How often and how fast.
 *
 * @param max attempts of a job, 1 to 100 (default 3)
 * @param backoffMin pause after the first definite failure (default 1 s)
 * @param backoffMax pause it grows to (default 1 min)
 * @param heartbeat silence after which a worker is presumed dead (default 10 s)
 */
public record AttemptPolicy(int max, Duration backoffMin, Duration backoffMax, Duration heartbeat) {

  public static final AttemptPolicy DEFAULT =
      new AttemptPolicy(3, Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofSeconds(10));

  public AttemptPolicy {
    if (max < 1 || max > 100) {
      throw new IllegalArgumentException("max=" + max);
    }
    if (!backoffMin.isPositive() || backoffMax.compareTo(backoffMin) < 0) {
      throw new IllegalArgumentException("backoff=" + backoffMin + ".." + backoffMax);
    }
    if (heartbeat.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("heartbeat=" + heartbeat);
    }
  }
}
