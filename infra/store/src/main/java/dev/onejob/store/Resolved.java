package dev.onejob.store;

/** What a resolution came to. */
public sealed interface Resolved {

  record Done() implements Resolved {}

  record NoSuchAttempt() implements Resolved {}

  /** The attempt is not unresolved, or no longer. */
  record AlreadyResolved() implements Resolved {}

  /** The job has another version than the one that was looked at. */
  record VersionMoved(int version) implements Resolved {}
}
