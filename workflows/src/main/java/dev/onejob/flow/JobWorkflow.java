package dev.onejob.flow;

import dev.onejob.job.JobView;
import dev.onejob.job.Outcome;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import org.jspecify.annotations.Nullable;

/**
 * One job, from its first attempt to its close. The workflow id is the job id. It holds no truth of
 * its own: after whatever happened it reads the ledger and takes the next step.
 */
@WorkflowInterface
public interface JobWorkflow {

  /** Runs until the job is closed; returns how. */
  @WorkflowMethod(name = Names.JOB_WORKFLOW)
  Outcome run(JobStart start);

  /**
   * Something was written to the ledger: read it again. Harmless at any time and any number of
   * times.
   */
  @SignalMethod(name = "wake")
  void wake();

  /** The job as this workflow read it last; null before the first reading. */
  @QueryMethod(name = "state")
  @Nullable JobView state();
}
