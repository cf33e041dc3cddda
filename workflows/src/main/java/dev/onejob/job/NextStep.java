package dev.onejob.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job does next: a pure function of what the ledger holds and of what its operation allows.
 */
public sealed interface NextStep {

  /** Start attempt {@code number} at {@code provider}, after {@code delayMillis}. */
  record Try(int number, String provider, boolean unproven, long delayMillis) implements NextStep {}

  /** The attempt is STARTED and nobody is running it: find out, and make it UNKNOWN if so. */
  record CheckLost(int attempt) implements NextStep {}

  /**
   * Wait until the doubt is cleared; after {@code releaseInMillis}, if given, policy lets the
   * attempt go.
   */
  record AwaitClearing(int attempt, @Nullable Long releaseInMillis) implements NextStep {}

  /** Close the job as FAILED. */
  record GiveUp(JobFailure failure) implements NextStep {}

  /** The job is closed. */
  record Done(Outcome outcome) implements NextStep {}

  static NextStep after(JobView job, JobPlan plan) {
    if (job.outcome() != null) {
      return new Done(job.outcome());
    }
    for (AttemptView attempt : job.attempts()) {
      if (attempt.state() == AttemptState.STARTED) {
        return new CheckLost(attempt.number());
      }
      if (attempt.state() == AttemptState.UNKNOWN) {
        return new AwaitClearing(attempt.number(), releaseInMillis(attempt, job, plan));
      }
    }
    if (job.deadlineInMillis() <= 0) {
      return new GiveUp(JobFailure.DEADLINE_PASSED);
    }
    int number = job.attempts().size() + 1;
    if (job.attemptRequested() && job.requestedProvider() != null) {
      return attempt(number, job.requestedProvider(), plan, 0);
    }
    if (!job.attemptRequested() && number > plan.attemptsMax()) {
      return new GiveUp(JobFailure.ATTEMPTS_EXHAUSTED);
    }
    String provider = nextProvider(job.attempts(), plan);
    if (provider == null) {
      return new GiveUp(
          plan.failover() == Failover.CERTIFIED && plan.route().size() > 1
              ? JobFailure.NO_CERTIFIED_PROVIDER
              : JobFailure.REFUSED);
    }
    long delay = job.attemptRequested() ? 0 : delayMillis(provider, job.attempts(), plan);
    return attempt(number, provider, plan, Math.min(delay, job.deadlineInMillis()));
  }

  private static NextStep attempt(int number, String provider, JobPlan plan, long delayMillis) {
    return new Try(number, provider, !provider.equals(plan.route().getFirst()), delayMillis);
  }

  /**
   * Silence releases only where the operation says so, and only for the sake of another attempt:
   * the last one that is allowed is listened to until the deadline.
   */
  private static @Nullable Long releaseInMillis(AttemptView attempt, JobView job, JobPlan plan) {
    if (plan.releaseAfterSilenceMillis() == null) {
      return null;
    }
    long silence = plan.releaseAfterSilenceMillis() - attempt.agoMillis();
    boolean another =
        job.attempts().size() < plan.attemptsMax() && silence < job.deadlineInMillis();
    return Math.max(0, another ? silence : Math.max(silence, job.deadlineInMillis()));
  }

  /**
   * The provider behind the one tried last, in the order of the route and around it; null when all
   * are out.
   */
  private static @Nullable String nextProvider(List<AttemptView> attempts, JobPlan plan) {
    List<String> eligible =
        plan.failover() == Failover.ANY ? plan.route() : plan.route().subList(0, 1);
    int after = attempts.isEmpty() ? -1 : eligible.indexOf(attempts.getLast().provider());
    for (int i = 1; i <= eligible.size(); i++) {
      String candidate = eligible.get((after + i) % eligible.size());
      if (attempts.stream().noneMatch(past -> refusedForGood(past, candidate))) {
        return candidate;
      }
    }
    return null;
  }

  private static boolean refusedForGood(AttemptView past, String provider) {
    return past.provider().equals(provider)
        && past.state() == AttemptState.FAILED
        && Boolean.FALSE.equals(past.retryable());
  }

  private static long delayMillis(String provider, List<AttemptView> attempts, JobPlan plan) {
    List<AttemptView> there =
        attempts.stream()
            .filter(past -> past.provider().equals(provider) && past.state() == AttemptState.FAILED)
            .toList();
    if (there.isEmpty()) {
      return 0;
    }
    AttemptView last = there.getLast();
    long asked = last.retryInMillis() == null ? 0 : last.retryInMillis();
    return Math.max(0, Math.max(asked, plan.backoffMillis(there.size()) - last.agoMillis()));
  }
}
