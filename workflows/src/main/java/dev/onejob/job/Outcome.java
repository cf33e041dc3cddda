package dev.onejob.job;

/** How a job closed. Written once, by compare-and-swap on the job's row. */
public enum Outcome {
  SUCCEEDED,
  FAILED,
  CANCELLED
}
