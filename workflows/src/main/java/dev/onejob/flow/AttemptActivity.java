package dev.onejob.flow;

import dev.onejob.job.JobView;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** One try at a provider. */
@ActivityInterface
public interface AttemptActivity {

  /**
   * Fence, call, settle. Sends nothing unless it inserted the attempt's row itself. Returns the
   * ledger after the attempt settled, or after it became UNKNOWN at the call deadline (the
   * connection goes on listening then).
   */
  @ActivityMethod(name = "Attempt")
  JobView attempt(AttemptOrder order);
}
