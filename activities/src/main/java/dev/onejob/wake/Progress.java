package dev.onejob.wake;

import dev.onejob.job.JobView;

/**
 * What becomes of the jobs that this process pokes: the waker takes no more than the engine gets
 * done.
 */
public interface Progress {

  /** The job's workflow has read the ledger: its wakeup is gone. */
  void reached(String jobId);

  /**
   * An activity hands this view to the workflow; if the job is closed, the workflow has only to
   * end.
   */
  void handed(String jobId, JobView view);

  /** The workflow has ended. */
  void ended(String jobId);
}
