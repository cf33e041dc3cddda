package dev.onejob.provider.httpjson;

/** Our words for a foreign status code. */
public enum StatusWord {
  /** The provider did not do it and would not do it later either. */
  REFUSED,
  /** The provider did not do it but may do it later. */
  REFUSED_RETRYABLE,
  /** The provider never saw the request: only for a gateway that is known to mean it. */
  NOT_SENT,
  /** It may or may not have happened. */
  UNKNOWN
}
