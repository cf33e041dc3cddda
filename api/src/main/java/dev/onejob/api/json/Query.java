package dev.onejob.api.json;

import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of a query: known ones alone, each at most once. Read from the address itself: the
 * container's own parameters would take those of a form's body for the query's, and the body away
 * from whoever reads it.
 */
public final class Query {

  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private final Map<String, String> values;

  private Query(Map<String, String> values) {
    this.values = values;
  }

  public static Query of(HttpServletRequest request, String... known) {
    Set<String> names = Set.of(known);
    Map<String, String> values = new HashMap<>();
    String query = request.getQueryString();
    for (String parameter : query == null ? new String[0] : query.split("&")) {
      if (parameter.isEmpty()) {
        continue;
      }
      int equals = parameter.indexOf('=');
      String name = decoded(equals < 0 ? parameter : parameter.substring(0, equals));
      if (!names.contains(name)) {
        throw new Refusal(
                Problem.UNKNOWN_MEMBER,
                "the query has an unknown parameter " + Members.printable(name))
            .with("known", List.of(known));
      }
      String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
      if (values.put(name, value) != null) {
        throw wrong(name, "given once");
      }
    }
    return new Query(values);
  }

  /** Percent-encoded UTF-8, a plus for a space; nothing is guessed. */
  private static String decoded(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), 16);
        if (low < 0) {
          throw malformed();
        }
        bytes.write(high * 16 + low);
        i += 2;
      } else {
        bytes.write(c == '+' ? ' ' : c);
      }
    }
    try {
      String decoded =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes.toByteArray()))
              .toString();
      // PostgreSQL keeps no NUL, and no parameter has a use for the others.
      if (decoded.chars().anyMatch(Character::isISOControl)) {
        throw malformed();
      }
      return decoded;
    } catch (CharacterCodingException notUtf8) {
      throw malformed();
    }
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  public Optional<Instant> instant(String name) {
    return text(name)
        .map(
            value -> {
              try {
                Instant instant = Instant.parse(value);
                if (!instant.isBefore(FIRST) && !instant.isAfter(LAST)) {
                  return instant;
                }
              } catch (DateTimeParseException unreadable) {
                // refused below
              }
              throw wrong(name, "an RFC 3339 time such as 2026-12-01T10:00:00Z");
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

  private static Refusal malformed() {
    return new Refusal(
        Problem.MALFORMED_JSON,
        "the query must be percent-encoded UTF-8 without control characters");
  }
}
