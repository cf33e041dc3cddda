package dev.onejob.api.json;

import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The parameters of a query: known ones alone, each at most once. */
public final class Query {

  private final HttpServletRequest request;

  private Query(HttpServletRequest request) {
    this.request = request;
  }

  public static Query of(HttpServletRequest request, String... known) {
    Set<String> names = Set.of(known);
    request
        .getParameterMap()
        .forEach(
            (name, values) -> {
              if (!names.contains(name)) {
                throw new Refusal(Problem.UNKNOWN_MEMBER, "the query has an unknown parameter")
                    .with("known", List.of(known));
              }
              if (values.length > 1) {
                throw wrong(name, "given once");
              }
            });
    return new Query(request);
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(request.getParameter(name));
  }

  public Optional<Instant> instant(String name) {
    return text(name)
        .map(
            value -> {
              try {
                return Instant.parse(value);
              } catch (DateTimeParseException unreadable) {
                throw wrong(name, "an RFC 3339 time such as 2026-12-01T10:00:00Z");
              }
            });
  }

  public Optional<Long> number(String name, long min, long max) {
    return text(name)
        .map(
            value -> {
              try {
                long number = Long.parseLong(value);
                if (number >= min && number <= max) {
                  return number;
                }
              } catch (NumberFormatException unreadable) {
                // refused below
              }
              throw wrong(name, "a number from " + min + " to " + max);
            });
  }

  public static Refusal wrong(String name, String what) {
    return new Refusal(Problem.MALFORMED_JSON, "the parameter " + name + " must be " + what);
  }
}
