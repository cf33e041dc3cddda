package dev.onejob.provider;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a provider is declared to be able to do. Lookup, cancel and callbacks join this record when
 * they can be configured.
 *
 * @param idempotency how it deduplicates; null: it does not
 */
public record Capabilities(@Nullable Idempotency idempotency) {

  /** Whether the same key sent twice is executed once. */
  public boolean deduplicates() {
    return idempotency != null;
  }

  /**
   * A declared deduplication.
   *
   * @param header the header that takes the key
   * @param window how long the provider remembers a key
   */
  public record Idempotency(String header, Duration window) {

    public Idempotency {
      if (header.isBlank()) {
        throw new IllegalArgumentException("header is blank");
      }
      if (!window.isPositive()) {
        throw new IllegalArgumentException("window=" + window);
      }
    }
  }
}
