package dev.onejob.job;

import static dev.onejob.job.AttemptState.FAILED;
import static dev.onejob.job.AttemptState.RELEASED;
import static dev.onejob.job.AttemptState.STARTED;
import static dev.onejob.job.AttemptState.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.job.NextStep.AwaitClearing;
import dev.onejob.job.NextStep.CheckLost;
import dev.onejob.job.NextStep.Done;
import dev.onejob.job.NextStep.GiveUp;
import dev.onejob.job.NextStep.Try;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NextStepTest {

  private static final long DAY = 86_400_000;

  @Test
  void aNewJobGoesToItsIntendedProviderAtOnce() {
    assertThat(NextStep.after(open(), plan(Failover.ANY)))
        .isEqualTo(new Try(1, "inkjet", false, 0));
  }

  @ParameterizedTest
  @EnumSource(Outcome.class)
  void aClosedJobIsDone(Outcome outcome) {
    assertThat(NextStep.after(JobView.closed(outcome, 2), plan(Failover.ANY)))
        .isEqualTo(new Done(outcome));
  }

  @Test
  void anUnresolvedAttemptBlocksEverythingElse() {
    JobView asked =
        new JobView(null, 1, -1, true, "laser", List.of(attempt(1, "inkjet", UNKNOWN, null)));
    assertThat(NextStep.after(asked, plan(Failover.ANY))).isEqualTo(new AwaitClearing(1, null));
    assertThat(NextStep.after(open(attempt(1, "inkjet", STARTED, null)), plan(Failover.ANY)))
        .isEqualTo(new CheckLost(1));
  }

  @Test
  void aFailureGoesToTheNextProviderOfTheRouteAtOnceAndComesBackAfterTheBackoff() {
    assertThat(NextStep.after(open(attempt(1, "inkjet", FAILED, true)), plan(Failover.ANY)))
        .isEqualTo(new Try(2, "laser", true, 0));
    assertThat(
            NextStep.after(
                open(attempt(1, "inkjet", FAILED, true), attempt(2, "laser", FAILED, true)),
                plan(Failover.ANY)))
        .isEqualTo(new Try(3, "inkjet", false, 900));
  }

  @ParameterizedTest
  @EnumSource(names = {"NEVER", "CERTIFIED"})
  void withoutAProvenFallbackTheIntendedProviderIsTriedAgainAfterTheBackoff(Failover failover) {
    assertThat(NextStep.after(open(attempt(1, "inkjet", FAILED, true)), plan(failover)))
        .isEqualTo(new Try(2, "inkjet", false, 900));
    assertThat(
            NextStep.after(
                open(attempt(1, "inkjet", FAILED, true), attempt(2, "inkjet", FAILED, true)),
                plan(failover)))
        .isEqualTo(new Try(3, "inkjet", false, 1_900));
  }

  @Test
  void aProviderThatRefusedForGoodIsNotAskedAgain() {
    assertThat(NextStep.after(open(attempt(1, "inkjet", FAILED, false)), plan(Failover.ANY)))
        .isEqualTo(new Try(2, "laser", true, 0));
    assertThat(
            NextStep.after(
                open(attempt(1, "inkjet", FAILED, false), attempt(2, "laser", FAILED, false)),
                plan(Failover.ANY)))
        .isEqualTo(new GiveUp(JobFailure.REFUSED));
    assertThat(NextStep.after(open(attempt(1, "inkjet", FAILED, false)), plan(Failover.NEVER)))
        .isEqualTo(new GiveUp(JobFailure.REFUSED));
    assertThat(NextStep.after(open(attempt(1, "inkjet", FAILED, false)), plan(Failover.CERTIFIED)))
        .isEqualTo(new GiveUp(JobFailure.NO_CERTIFIED_PROVIDER));
  }

  @Test
  void aProvidersRetryAfterIsKept() {
    AttemptView asked = new AttemptView(1, "inkjet", FAILED, "RATE_LIMITED_429", true, 100, 7_000L);
    assertThat(NextStep.after(open(asked), plan(Failover.NEVER)))
        .isEqualTo(new Try(2, "inkjet", false, 7_000));
  }

  @Test
  void theAttemptLimitEndsTheJobUnlessSomebodyAsksForMore() {
    List<AttemptView> three =
        List.of(
            attempt(1, "inkjet", FAILED, true),
            attempt(2, "laser", FAILED, true),
            attempt(3, "inkjet", FAILED, true));
    assertThat(NextStep.after(new JobView(null, 1, DAY, false, null, three), plan(Failover.ANY)))
        .isEqualTo(new GiveUp(JobFailure.ATTEMPTS_EXHAUSTED));
    assertThat(NextStep.after(new JobView(null, 1, DAY, true, null, three), plan(Failover.ANY)))
        .isEqualTo(new Try(4, "laser", true, 0));
    assertThat(NextStep.after(new JobView(null, 1, DAY, true, "inkjet", three), plan(Failover.ANY)))
        .isEqualTo(new Try(4, "inkjet", false, 0));
  }

  @Test
  void theDeadlineEndsAnOpenJobButNotADoubt() {
    JobView passed = new JobView(null, 1, 0, false, null, List.of());
    assertThat(NextStep.after(passed, plan(Failover.ANY)))
        .isEqualTo(new GiveUp(JobFailure.DEADLINE_PASSED));
    JobView doubt =
        new JobView(null, 1, -5, false, null, List.of(attempt(1, "inkjet", UNKNOWN, null)));
    assertThat(NextStep.after(doubt, plan(Failover.ANY))).isEqualTo(new AwaitClearing(1, null));
  }

  @Test
  void aBackoffNeverOutlastsTheDeadline() {
    JobView soon =
        new JobView(null, 1, 50, false, null, List.of(attempt(1, "inkjet", FAILED, true)));
    assertThat(NextStep.after(soon, plan(Failover.NEVER)))
        .isEqualTo(new Try(2, "inkjet", false, 50));
  }

  @Test
  void silenceReleasesOnlyWhereDeclaredAndOnlyForTheSakeOfAnotherAttempt() {
    JobPlan harmless = plan(Failover.ANY, 10_000L);
    assertThat(NextStep.after(open(attempt(1, "inkjet", UNKNOWN, null)), harmless))
        .isEqualTo(new AwaitClearing(1, 9_900L));
    JobView last =
        open(
            attempt(1, "inkjet", RELEASED, null),
            attempt(2, "laser", RELEASED, null),
            attempt(3, "inkjet", UNKNOWN, null));
    assertThat(NextStep.after(last, harmless)).isEqualTo(new AwaitClearing(3, DAY));
  }

  @Test
  void aReleasedAttemptIsFollowedByTheNextProvider() {
    assertThat(NextStep.after(open(attempt(1, "inkjet", RELEASED, null)), plan(Failover.ANY)))
        .isEqualTo(new Try(2, "laser", true, 0));
  }

  private static JobView open(AttemptView... attempts) {
    return new JobView(null, 1, DAY, false, null, List.of(attempts));
  }

  private static AttemptView attempt(
      int number, String provider, AttemptState state, @Nullable Boolean retryable) {
    return new AttemptView(number, provider, state, "WHY", retryable, 100, null);
  }

  static JobPlan plan(Failover failover) {
    return plan(failover, null);
  }

  private static JobPlan plan(Failover failover, @Nullable Long releaseAfterSilence) {
    return new JobPlan(
        "print-document",
        List.of("inkjet", "laser"),
        failover,
        3,
        1_000,
        60_000,
        10_000,
        10_000,
        releaseAfterSilence);
  }
}
