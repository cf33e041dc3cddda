package dev.onejob.store;

import dev.onejob.job.JobView;
import java.time.Duration;

/** What an entry about an attempt came to. Each carries the ledger as it was afterwards. */
public sealed interface Settlement {

  JobView job();

  /** The attempt took the result slot. */
  record Won(JobView job) implements Settlement {}

  /**
   * The slot was taken or the job closed: the attempt is LATE, its payload thrown away, its arrival
   * recorded.
   */
  record Lost(JobView job, Duration behind) implements Settlement {}

  /** The attempt has definitely failed. */
  record Failed(JobView job) implements Settlement {}

  /** The attempt is UNKNOWN. */
  record Unclear(JobView job) implements Settlement {}

  /** A person had said otherwise: recorded as a contradiction; the slot is untouched. */
  record Contradicted(JobView job) implements Settlement {}

  /** The attempt had been settled before; nothing was written. */
  record Unchanged(JobView job) implements Settlement {}
}
