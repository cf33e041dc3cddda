package dev.onejob.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JobStateTest {

  @Test
  void theStateOfAnOpenJobFollowsFromItsAttempts() {
    assertThat(JobState.of(null, List.of())).isEqualTo(JobState.QUEUED);
    assertThat(JobState.of(null, List.of(AttemptState.STARTED))).isEqualTo(JobState.RUNNING);
    assertThat(JobState.of(null, List.of(AttemptState.UNKNOWN))).isEqualTo(JobState.UNKNOWN);
    assertThat(JobState.of(null, List.of(AttemptState.FAILED))).isEqualTo(JobState.WAITING);
    assertThat(JobState.of(null, List.of(AttemptState.RELEASED))).isEqualTo(JobState.WAITING);
    assertThat(JobState.of(null, List.of(AttemptState.RELEASED, AttemptState.STARTED)))
        .isEqualTo(JobState.RUNNING);
  }

  @Test
  void theOutcomeIsTheStateOfAClosedJob() {
    for (Outcome outcome : Outcome.values()) {
      assertThat(JobState.of(outcome, List.of(AttemptState.LATE)).name()).isEqualTo(outcome.name());
    }
  }

  @Test
  void aFailuresSlugNamesIt() {
    for (JobFailure failure : JobFailure.values()) {
      assertThat(JobFailure.ofSlug(failure.slug())).isEqualTo(failure);
    }
    assertThat(JobFailure.NO_CERTIFIED_PROVIDER.slug()).isEqualTo("no-certified-provider");
  }
}
