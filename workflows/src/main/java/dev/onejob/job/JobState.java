package dev.onejob.job;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The state of a job: its outcome once it has one, else derived from its attempts. Never stored.
 */
public enum JobState {
  QUEUED,
  RUNNING,
  UNKNOWN,
  WAITING,
  SUCCEEDED,
  FAILED,
  CANCELLED;

  public static JobState of(@Nullable Outcome outcome, Collection<AttemptState> attempts) {
    if (outcome != null) {
      return switch (outcome) {
        case SUCCEEDED -> SUCCEEDED;
        case FAILED -> FAILED;
        case CANCELLED -> CANCELLED;
      };
    }
    if (attempts.contains(AttemptState.UNKNOWN)) {
      return UNKNOWN;
    }
    if (attempts.contains(AttemptState.STARTED)) {
      return RUNNING;
    }
    return attempts.isEmpty() ? QUEUED : WAITING;
  }
}
