package dev.onejob.job;

/** When a provider other than the intended one may be taken. */
public enum Failover {
  /** Only the intended provider is ever tried. */
  NEVER,
  /** Only providers that hold a certificate for the operation's current contract. */
  CERTIFIED,
  /** Any provider of the route; every such attempt is marked unproven. */
  ANY
}
