package dev.onejob.flow;

/**
 * Names that other programs see: task queues, workflow types. Changing one breaks running
 * workflows.
 */
public final class Names {
  /** The task queue of job workflows and of their activities. */
  public static final String TASK_QUEUE = "onejob";

  /** The workflow type of a job; the workflow id is the job id. */
  public static final String JOB_WORKFLOW = "Job";

  private Names() {}
}
