package dev.onejob.provider;

import java.time.Duration;

/**
 * Three deadlines of an exchange.
 *
 * @param connect until the connection stands: name lookup, TCP and TLS together (default 2 s)
 * @param call over the whole exchange; then the attempt is believed to be UNKNOWN (default 30 s)
 * @param linger how much longer to go on listening (default 10 min); zero hangs up at {@code call}
 */
public record Timeouts(Duration connect, Duration call, Duration linger) {

  /** The HTTP client counts milliseconds in an int: 24 days. */
  private static final Duration MAX = Duration.ofDays(7);

  public static final Timeouts DEFAULT =
      new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofMinutes(10));

  public Timeouts {
    refuse("connect", connect, !connect.isPositive());
    refuse("call", call, !call.isPositive());
    refuse("linger", linger, linger.isNegative());
    if (connect.compareTo(call) > 0) {
      throw new IllegalArgumentException("connect is longer than call");
    }
  }

  /** From the start of the exchange until the line is hung up. */
  public Duration total() {
    return call.plus(linger);
  }

  private static void refuse(String name, Duration value, boolean tooShort) {
    if (tooShort || value.compareTo(MAX) > 0) {
      throw new IllegalArgumentException(name + " must be positive and at most 7d");
    }
  }
}
