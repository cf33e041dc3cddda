package dev.onejob.job;

/** What a person may say of an attempt whose outcome is unknown. */
public enum Verdict {
  /** It never happened: the attempt is FAILED. */
  NOT_EXECUTED,
  /** It happened, and this is its result: the attempt takes the result slot. */
  EXECUTED,
  /** Nobody can tell; another attempt may start although this one may still execute: RELEASED. */
  ACCEPT_DUPLICATE_RISK
}
