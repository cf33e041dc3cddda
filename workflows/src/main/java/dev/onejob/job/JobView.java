package dev.onejob.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job as the ledger had it when it was read: all that the next step is decided from. Holds no
 * payload.
 *
 * @param outcome null while the job is open
 * @param deadlineInMillis what was left of the job's deadline; zero or less when it had passed
 * @param attemptRequested whether somebody asked for another attempt, at {@code requestedProvider}
 *     if named
 */
public record JobView(
    @Nullable Outcome outcome,
    int version,
    long deadlineInMillis,
    boolean attemptRequested,
    @Nullable String requestedProvider,
    List<AttemptView> attempts) {

  public JobView {
    attempts = List.copyOf(attempts);
  }

  /** A job that is closed: nothing else of it matters to the workflow. */
  public static JobView closed(Outcome outcome, int version) {
    return new JobView(outcome, version, 0, false, null, List.of());
  }
}
