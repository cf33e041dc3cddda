package dev.onejob.contract;

/** Which providers may stand in for the intended one. */
public enum Failover {
  /** Only such as hold a valid certificate for the operation's contract. */
  CERTIFIED,
  /** Any of the route; each such attempt is marked as unproven. */
  ANY,
  /** None. */
  NEVER
}
