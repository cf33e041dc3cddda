package dev.onejob.wake;

import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.unsafe.WorkflowUnsafe;

/** Sees the workflows of this worker end. */
final class EndWatch extends WorkerInterceptorBase {

  private final Progress progress;

  EndWatch(Progress progress) {
    this.progress = progress;
  }

  @Override
  public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
    return new WorkflowInboundCallsInterceptorBase(next) {
      @Override
      public WorkflowOutput execute(WorkflowInput input) {
        WorkflowOutput output = super.execute(input);
        if (!WorkflowUnsafe.isReplaying()) {
          progress.ended(Workflow.getInfo().getWorkflowId());
        }
        return output;
      }
    };
  }
}
