package dev.onejob.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job's operation allows, as the workflow needs it: names, counts and durations in
 * milliseconds. Taken from the configuration when the workflow starts and constant for its run.
 *
 * @param route the intended provider, then the operation's others in order
 * @param callMillisMax the longest call deadline of the route's providers
 * @param releaseAfterSilenceMillis how long after its start an unresolved attempt is let go; null
 *     where a second execution would be felt in the world
 */
public record JobPlan(
    String operation,
    List<String> route,
    Failover failover,
    int attemptsMax,
    long backoffMillisMin,
    long backoffMillisMax,
    long heartbeatMillis,
    long callMillisMax,
    @Nullable Long releaseAfterSilenceMillis) {

  public JobPlan {
    if (route.isEmpty()) {
      throw new IllegalArgumentException("route is empty");
    }
    if (attemptsMax < 1) {
      throw new IllegalArgumentException("attemptsMax=" + attemptsMax);
    }
    if (backoffMillisMin < 1 || backoffMillisMax < backoffMillisMin) {
      throw new IllegalArgumentException("backoff=" + backoffMillisMin + ".." + backoffMillisMax);
    }
    if (heartbeatMillis < 1) {
      throw new IllegalArgumentException("heartbeatMillis=" + heartbeatMillis);
    }
    if (callMillisMax < 1) {
      throw new IllegalArgumentException("callMillisMax=" + callMillisMax);
    }
    if (releaseAfterSilenceMillis != null && releaseAfterSilenceMillis < 1) {
      throw new IllegalArgumentException("releaseAfterSilenceMillis=" + releaseAfterSilenceMillis);
    }
    route = List.copyOf(route);
  }

  /**
   * How long to wait at a provider after its {@code failures}-th definite failure, in milliseconds.
   */
  long backoffMillis(int failures) {
    long doubled = backoffMillisMin << Math.min(failures - 1, 30);
    return Math.min(doubled, backoffMillisMax);
  }
}
