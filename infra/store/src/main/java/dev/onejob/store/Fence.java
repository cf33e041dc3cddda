package dev.onejob.store;

import dev.onejob.job.JobView;
import java.time.Duration;

/** Who may send. */
public sealed interface Fence {

  /**
   * This sender's row is committed: it, and nobody else, may send.
   *
   * @param providerKey the key that the provider deduplicates by: {@code <job id>/<epoch>}
   * @param input the exact text of the job's input
   * @param deadlineIn what is left of the job's deadline
   */
  record Passed(String operation, String input, String providerKey, Duration deadlineIn)
      implements Fence {}

  /**
   * Nothing may be sent: the attempt exists already, or the job is closed, blocked or past its
   * deadline.
   */
  record Refused(JobView job) implements Fence {}
}
