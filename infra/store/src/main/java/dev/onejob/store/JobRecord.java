package dev.onejob.store;

import dev.onejob.job.AttemptState;
import dev.onejob.job.JobState;
import dev.onejob.job.Outcome;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job with its attempts, as it is shown: one consistent reading. Holds the result, not the input.
 */
public record JobRecord(
    String id,
    String ownerId,
    String idempotencyKey,
    String operation,
    @Nullable String provider,
    boolean failover,
    int version,
    OffsetDateTime createdAt,
    OffsetDateTime deadlineAt,
    @Nullable Outcome outcome,
    @Nullable String result,
    @Nullable String failure,
    @Nullable Integer completedBy,
    @Nullable OffsetDateTime completedAt,
    List<AttemptRecord> attempts) {

  public JobState state() {
    return JobState.of(outcome, attempts.stream().map(AttemptRecord::state).toList());
  }

  /** Grows with every transition of any of the job's attempts. */
  public int attemptsRevision() {
    return attempts.stream().mapToInt(AttemptRecord::revision).sum();
  }

  /** The attempt that blocks the job, or null. */
  public @Nullable AttemptRecord unresolved() {
    return attempts.stream()
        .filter(attempt -> attempt.state().unresolved())
        .findFirst()
        .orElse(null);
  }

  /** The attempt that is UNKNOWN, or null. */
  public @Nullable AttemptRecord unknown() {
    AttemptRecord unresolved = unresolved();
    return unresolved != null && unresolved.state() == AttemptState.UNKNOWN ? unresolved : null;
  }
}
