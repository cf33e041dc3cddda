package dev.onejob.api.problem;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Every problem that the API answers with: one table of words, statuses and advice. */
public enum Problem {
  IDEMPOTENCY_KEY_MISSING(
      400,
      "Idempotency-Key is missing",
      "Send one Idempotency-Key header that names this intent, and the same one with every repetition."),
  IDEMPOTENCY_KEY_INVALID(
      400,
      "Idempotency-Key is invalid",
      "Send exactly one Idempotency-Key of 1 to 255 visible ASCII characters, bare or in double quotes."),
  MALFORMED_JSON(
      400,
      "The body or a parameter is not as documented",
      "Correct what the detail names; see /openapi.json."),
  UNKNOWN_MEMBER(
      400,
      "A member or parameter is not known",
      "Remove or correct it: a typo must not change an intent silently."),
  LIMIT_EXCEEDED(400, "The body is beyond a limit", "Make it smaller; the detail names the limit."),
  UNAUTHENTICATED(401, "No valid API key", "Send Authorization: Bearer with a valid API key."),
  FORBIDDEN(403, "The API key lacks the role", "Use a key with the role that the detail names."),
  NOT_FOUND(
      404, "There is no such thing", "Check the address; another owner's job is not found either."),
  METHOD_NOT_ALLOWED(
      405, "The method is not allowed here", "Use one of the methods in the Allow header."),
  NOT_ACCEPTABLE(406, "The answer cannot be had in that form", "Accept application/json."),
  IDEMPOTENCY_KEY_CONFLICT(
      409,
      "The key names another intent",
      "This key was used for another intent, the job named by jobId. Use a new key for a new intent."),
  ATTEMPT_UNRESOLVED(
      409,
      "An attempt is unresolved",
      "It may still happen. Wait for its answer, or let an operator resolve it; only then another can start."),
  ATTEMPT_ALREADY_RESOLVED(
      409, "The attempt is not UNKNOWN", "Read the job again: there is nothing to resolve."),
  JOB_CLOSED(
      409,
      "The job is closed",
      "Read the job: its outcome is final. Submit a new intent under a new key."),
  VERSION_MOVED(409, "The job has changed", "Read the job again and decide by what it says now."),
  PROVIDER_NOT_CERTIFIED(
      409,
      "The provider has not proven this operation's contract",
      "Ask for the intended provider, or none."),
  PAYLOAD_TOO_LARGE(
      413, "The body is too large", "Send at most the number of bytes in the detail."),
  UNSUPPORTED_MEDIA_TYPE(
      415, "The body is not application/json", "Send Content-Type: application/json."),
  INPUT_INVALID(422, "The input violates the operation's schema", "Correct what errors point at."),
  UNKNOWN_OPERATION(422, "There is no such operation", "Use one of the configured operations."),
  UNKNOWN_PROVIDER(
      422,
      "The operation is not served by that provider",
      "Name a provider of the operation's route, or none."),
  INTERNAL_ERROR(
      500,
      "Something went wrong here",
      "Send the same request with the same key again; report the X-Request-Id if it stays."),
  DATABASE_UNAVAILABLE(
      503,
      "The database is not available",
      "Send the same request with the same key again after the seconds in Retry-After.");

  private final int status;
  private final String title;
  private final String advice;

  Problem(int status, String title, String advice) {
    this.status = status;
    this.title = title;
    this.advice = advice;
  }

  public int status() {
    return status;
  }

  public String title() {
    return title;
  }

  /** What the reader should do next. */
  public String advice() {
    return advice;
  }

  /** The last part of the type: {@code attempt-unresolved}. */
  public String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String type() {
    return "https://onejob.dev/problems/" + slug();
  }

  public static Optional<Problem> ofSlug(String slug) {
    return Arrays.stream(values()).filter(problem -> problem.slug().equals(slug)).findFirst();
  }
}
