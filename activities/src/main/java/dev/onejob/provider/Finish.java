package dev.onejob.provider;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How an exchange ended. Every {@code why} is one short constant word ({@code READ_TIMEOUT}, {@code
 * REFUSED_422}), never text that the provider wrote.
 */
public sealed interface Finish {

  /**
   * The provider did it and said so.
   *
   * @param resultText the result's JSON exactly as the provider wrote it, byte for byte
   * @param reference the provider's name for the request
   * @param cost what the provider charged, in its own currency
   * @param sha256 hash of the whole answer body, 32 bytes
   * @param bytes length of the whole answer body
   * @param model the model that answered
   */
  @SuppressWarnings("ArrayRecordComponent") // stored as bytea; compared by content below
  record Answered(
      String resultText,
      @Nullable String reference,
      @Nullable BigDecimal cost,
      byte[] sha256,
      long bytes,
      @Nullable String model)
      implements Finish {

    public Answered {
      if (sha256.length != 32) {
        throw new IllegalArgumentException("sha256 of " + sha256.length + " bytes");
      }
      if (bytes < 0) {
        throw new IllegalArgumentException("bytes=" + bytes);
      }
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Answered that
          && resultText.equals(that.resultText)
          && Arrays.equals(sha256, that.sha256);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(sha256);
    }

    /** Without the result: it is the owner's. */
    @Override
    public String toString() {
      return "Answered[reference=" + reference + ", cost=" + cost + ", bytes=" + bytes + "]";
    }
  }

  /**
   * The provider did not do it, and said so.
   *
   * @param retryable whether the same request could be taken later
   * @param retryAfter how long the provider asks to be left alone, at most an hour
   */
  record Refused(String why, boolean retryable, @Nullable Duration retryAfter) implements Finish {}

  /** The provider never saw the request. */
  record NotSent(String why) implements Finish {}

  /** It may or may not have happened. Whatever is not certain ends here. */
  record Unclear(String why) implements Finish {}
}
