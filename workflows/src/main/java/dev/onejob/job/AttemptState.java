package dev.onejob.job;

import java.util.EnumSet;
import java.util.Set;

/**
 * The states of one attempt and the one table of legal moves between them. PostgreSQL repeats the
 * table as a trigger on {@code attempts}; a test holds both against each other.
 */
public enum AttemptState {
  /** The row is committed; the request may be on its way. */
  STARTED,
  /** It may or may not have happened. Not a failure. */
  UNKNOWN,
  /** It won the result slot. */
  SUCCEEDED,
  /** Known not to have produced the result. */
  FAILED,
  /** Let go while its outcome was unknown; its request may still be executing. */
  RELEASED,
  /** It finished after another attempt won, or after the job closed. */
  LATE;

  /** The states that this one may be left for; empty for a state that is final. */
  public Set<AttemptState> next() {
    return switch (this) {
      case STARTED -> EnumSet.of(UNKNOWN, SUCCEEDED, FAILED, LATE);
      case UNKNOWN -> EnumSet.of(SUCCEEDED, FAILED, RELEASED, LATE);
      case RELEASED -> EnumSet.of(SUCCEEDED, LATE);
      case SUCCEEDED, FAILED, LATE -> EnumSet.noneOf(AttemptState.class);
    };
  }

  public boolean mayBecome(AttemptState next) {
    return next().contains(next);
  }

  /** While one attempt of a job is unresolved no other can start. */
  public boolean unresolved() {
    return this == STARTED || this == UNKNOWN;
  }
}
