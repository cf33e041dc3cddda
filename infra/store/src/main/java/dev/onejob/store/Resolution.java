package dev.onejob.store;

import dev.onejob.job.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A person's word on an attempt whose outcome is unknown.
 *
 * @param result the exact text of the result; given if and only if the verdict is EXECUTED
 * @param expectedVersion the version of the job that the person looked at
 * @param actor who, as authenticated
 */
public record Resolution(
    Verdict verdict,
    @Nullable String result,
    String reason,
    @Nullable String evidence,
    int expectedVersion,
    String actor) {

  public Resolution {
    if (reason.isBlank()) {
      throw new IllegalArgumentException("a resolution needs a reason");
    }
    if ((verdict == Verdict.EXECUTED) != (result != null)) {
      throw new IllegalArgumentException("a result belongs to EXECUTED, and to nothing else");
    }
  }
}
