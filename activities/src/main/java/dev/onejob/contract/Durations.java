package dev.onejob.contract;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code 250ms}, {@code 30s}, {@code 15m}, {@code 24h}, {@code 7d}, or ISO-8601 ({@code PT30S}).
 */
final class Durations {

  private static final Pattern SHORT = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

  /** Longer is a mistyped unit, not a plan. */
  private static final Duration MAX = Duration.ofDays(3650);

  private Durations() {}

  /** Zero or more; null when it is no duration. */
  static @Nullable Duration parse(String text) {
    Duration duration = read(text);
    return duration == null || duration.isNegative() || duration.compareTo(MAX) > 0
        ? null
        : duration;
  }

  private static @Nullable Duration read(String text) {
    Matcher matcher = SHORT.matcher(text);
    if (matcher.matches()) {
      long count = Long.parseLong(matcher.group(1));
      return switch (matcher.group(2)) {
        case "ms" -> Duration.ofMillis(count);
        case "s" -> Duration.ofSeconds(count);
        case "m" -> Duration.ofMinutes(count);
        case "h" -> Duration.ofHours(count);
        default -> Duration.ofDays(count);
      };
    }
    if (!text.startsWith("P")) {
      return null;
    }
    try {
      return Duration.parse(text);
    } catch (DateTimeException | ArithmeticException e) {
      return null;
    }
  }
}
