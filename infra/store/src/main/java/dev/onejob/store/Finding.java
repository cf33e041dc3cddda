package dev.onejob.store;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What was found out about an attempt. */
public sealed interface Finding {

  /**
   * The provider produced the result.
   *
   * @param result its exact text
   */
  record Answered(
      String result,
      @Nullable String model,
      @Nullable String providerRef,
      @Nullable BigDecimal cost)
      implements Finding {}

  /**
   * The attempt definitely did not produce the result.
   *
   * @param retryable whether another attempt at the same provider makes sense
   * @param retryAfter how long the provider asked to wait
   */
  record Failed(String why, boolean retryable, @Nullable Duration retryAfter) implements Finding {}

  /** It may or may not have happened. */
  record Unclear(String why, @Nullable String providerRef) implements Finding {}
}
