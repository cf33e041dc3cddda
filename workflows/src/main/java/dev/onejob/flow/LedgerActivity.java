package dev.onejob.flow;

import dev.onejob.job.JobFailure;
import dev.onejob.job.JobView;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** The workflow's own entries in the ledger. Each is conditional and harmless when repeated. */
@ActivityInterface
public interface LedgerActivity {

  /** Reads the ledger and takes note of every wakeup written so far. */
  @ActivityMethod(name = "Read")
  JobView read(String jobId);

  /** The attempt's worker is lost: makes the attempt UNKNOWN unless it has settled meanwhile. */
  @ActivityMethod(name = "Lost")
  JobView lost(String jobId, int attempt);

  /** Policy lets an attempt go that is still UNKNOWN. */
  @ActivityMethod(name = "Release")
  JobView release(String jobId, int attempt);

  /** Closes the job as FAILED unless it is closed or an attempt is unresolved. */
  @ActivityMethod(name = "GiveUp")
  JobView giveUp(String jobId, JobFailure failure);
}
