package dev.onejob.flow;

import io.temporal.common.SearchAttributeKey;

/**
 * Names that other programs see: task queues, workflow types. Changing one breaks running
 * workflows.
 */
public final class Names {
  /** The task queue of job workflows and of their activities. */
  public static final String TASK_QUEUE = "onejob";

  /** The workflow type of a job; the workflow id is the job id. */
  public static final String JOB_WORKFLOW = "Job";

  /** Search attribute: the operation of a job, for example {@code print-document}. */
  public static final SearchAttributeKey<String> OPERATION =
      SearchAttributeKey.forKeyword("OneJobOperation");

  /** Search attribute: {@code UNKNOWN} while an attempt of the job is, else absent. */
  public static final SearchAttributeKey<String> STATE =
      SearchAttributeKey.forKeyword("OneJobState");

  private Names() {}
}
