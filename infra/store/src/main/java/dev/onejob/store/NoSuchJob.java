package dev.onejob.store;

/** There is no job of this id. */
public final class NoSuchJob extends RuntimeException {
  public NoSuchJob(String jobId) {
    super("no job " + jobId);
  }
}
