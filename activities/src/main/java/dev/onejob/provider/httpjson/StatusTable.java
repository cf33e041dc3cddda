package dev.onejob.provider.httpjson;

import dev.onejob.provider.Finish;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one table from HTTP status codes (RFC 9110, section 15) to our words. What is not listed
 * means UNKNOWN. A provider's {@code statuses} replace single rows, except for success: an answer
 * is what its body says.
 */
final class StatusTable {

  private final Map<Integer, StatusWord> overrides;
  private final Clock clock;

  StatusTable(Map<Integer, StatusWord> overrides, Clock clock) {
    this.overrides = Map.copyOf(overrides);
    this.clock = clock;
  }

  /** Whether the body of this status is an answer to be read. */
  static boolean answers(int status) {
    return status == 200 || status == 201 || status == 203;
  }

  /** Whether the body of this status may at least name the provider's reference. */
  static boolean acknowledges(int status) {
    return status == 202;
  }

  /** What a status that is no answer means. */
  Finish read(int status, @Nullable String retryAfter) {
    StatusWord declared = overrides.get(status);
    if (declared != null) {
      return say(declared, status, retryAfter);
    }
    return switch (status) {
      // Known refusals: the provider looked at the request and did not take it.
      case 400, 401, 402, 403, 404, 405, 406, 410, 411, 412, 413, 414, 415, 416, 417 ->
          say(StatusWord.REFUSED, status, retryAfter);
      case 421, 422, 426, 428, 431, 451, 501, 505 -> say(StatusWord.REFUSED, status, retryAfter);
      case 429 -> say(StatusWord.REFUSED_RETRYABLE, status, retryAfter);
      // Only with Retry-After does a 503 speak for the provider itself; without, it may be a
      // gateway
      // that lost the answer on its way back.
      case 503 ->
          RetryAfter.isPresent(retryAfter)
              ? say(StatusWord.REFUSED_RETRYABLE, status, retryAfter)
              : new Finish.Unclear("UNAVAILABLE_503");
      // A conflict may be about our own earlier request: done, or still being done.
      case 409 -> new Finish.Unclear("CONFLICT_409");
      // A server that waited in vain for the request may have waited for its last byte only.
      case 408 -> new Finish.Unclear("REQUEST_TIMEOUT_408");
      case 202 -> new Finish.Unclear("ACCEPTED_202");
      case 204, 205 -> new Finish.Unclear("EMPTY_BODY");
      case 300, 301, 302, 303, 304, 305, 307, 308 -> new Finish.Unclear("REDIRECT");
      case 502, 504 -> new Finish.Unclear("GATEWAY_" + status);
      case 500 -> new Finish.Unclear("SERVER_ERROR_500");
      default ->
          status >= 520 && status <= 530
              ? new Finish.Unclear("GATEWAY_" + status)
              : new Finish.Unclear("STATUS_" + status);
    };
  }

  private Finish say(StatusWord word, int status, @Nullable String retryAfter) {
    return switch (word) {
      case REFUSED -> new Finish.Refused("REFUSED_" + status, false, null);
      case REFUSED_RETRYABLE ->
          new Finish.Refused(
              retryableWhy(status), true, RetryAfter.read(retryAfter, clock.instant()));
      case NOT_SENT -> new Finish.NotSent("NOT_SENT_" + status);
      case UNKNOWN -> new Finish.Unclear("STATUS_" + status);
    };
  }

  private static String retryableWhy(int status) {
    return switch (status) {
      case 429 -> "RATE_LIMITED_429";
      case 503 -> "UNAVAILABLE_503";
      default -> "REFUSED_" + status;
    };
  }
}
