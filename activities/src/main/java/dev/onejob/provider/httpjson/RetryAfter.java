package dev.onejob.provider.httpjson;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code Retry-After} header (RFC 9110, section 10.2.3): seconds, here also with a fraction, or
 * an HTTP date.
 */
final class RetryAfter {

  /** A provider may ask for patience, not take a job hostage. */
  static final Duration MAX = Duration.ofHours(1);

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,18}(\\.[0-9]{1,9})?");

  private RetryAfter() {}

  /** Whether the header is there, however badly it is written. */
  static boolean isPresent(@Nullable String header) {
    return header != null && !header.isBlank();
  }

  /** From zero to {@link #MAX}; null when absent or nonsense. */
  static @Nullable Duration read(@Nullable String header, Instant now) {
    if (header == null) {
      return null;
    }
    String text = header.strip();
    if (SECONDS.matcher(text).matches()) {
      BigDecimal millis = new BigDecimal(text).movePointRight(3).setScale(0, RoundingMode.CEILING);
      return millis.compareTo(BigDecimal.valueOf(MAX.toMillis())) >= 0
          ? MAX
          : Duration.ofMillis(millis.longValueExact());
    }
    try {
      Instant until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return bounded(Duration.between(now, until));
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }

  private static Duration bounded(Duration wait) {
    if (wait.isNegative()) {
      return Duration.ZERO;
    }
    return wait.compareTo(MAX) > 0 ? MAX : wait;
  }
}
