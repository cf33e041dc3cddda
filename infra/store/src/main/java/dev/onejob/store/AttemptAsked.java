package dev.onejob.store;

import java.time.OffsetDateTime;

/** What asking for another attempt came to. */
public sealed interface AttemptAsked {

  /** The workflow will be told. */
  record Accepted() implements AttemptAsked {}

  record Closed() implements AttemptAsked {}

  /** No other attempt can start while this one is STARTED or UNKNOWN. */
  record Unresolved(int attempt, OffsetDateTime since) implements AttemptAsked {}
}
