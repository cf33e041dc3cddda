package dev.onejob.store;

/** What recording an intent came to. */
public sealed interface Recorded {

  /** The row is committed: the job is accepted. */
  record Created(JobRecord job) implements Recorded {}

  /** The same owner named the same intent by this key before: this is its job. */
  record Found(JobRecord job) implements Recorded {}

  /** The same owner named another intent by this key before; nothing was written. */
  record Conflict(String jobId) implements Recorded {}
}
