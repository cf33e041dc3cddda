package dev.onejob.api.jobs;

import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.Refusal;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The Idempotency-Key header: 1 to 255 visible ASCII characters, bare or as the quoted string of
 * the IETF draft (draft-ietf-httpapi-idempotency-key-header, a structured-field string of RFC
 * 8941). Both forms of one key are the same key; a comma is part of a key and separates nothing.
 */
final class KeyHeader {

  static final String NAME = "Idempotency-Key";

  private static final Pattern KEY = Pattern.compile("[!-~]{1,255}");

  private KeyHeader() {}

  /**
   * @param values every header line of that name, as it came
   */
  static String parse(List<String> values) {
    if (values.isEmpty()) {
      throw new Refusal(Problem.IDEMPOTENCY_KEY_MISSING, "the request has no Idempotency-Key");
    }
    if (values.size() > 1) {
      throw invalid("the request has " + values.size() + " Idempotency-Key headers");
    }
    String value = values.getFirst().strip();
    String key = value.startsWith("\"") ? unquoted(value) : value;
    if (key.isEmpty()) {
      throw invalid("the Idempotency-Key is empty");
    }
    if (!KEY.matcher(key).matches()) {
      throw invalid(
          key.length() > 255
              ? "the Idempotency-Key has " + key.length() + " characters"
              : "the Idempotency-Key holds a character that is not visible ASCII");
    }
    return key;
  }

  private static String unquoted(String value) {
    StringBuilder key = new StringBuilder();
    for (int i = 1; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"') {
        if (i != value.length() - 1) {
          throw invalid("the quoted Idempotency-Key goes on after its closing quote");
        }
        return key.toString();
      }
      if (c == '\\') {
        i++;
        if (i == value.length() || (value.charAt(i) != '"' && value.charAt(i) != '\\')) {
          throw invalid("the quoted Idempotency-Key holds an escape that is not \\\" or \\\\");
        }
        c = value.charAt(i);
      }
      key.append(c);
    }
    throw invalid("the quoted Idempotency-Key has no closing quote");
  }

  private static Refusal invalid(String detail) {
    return new Refusal(Problem.IDEMPOTENCY_KEY_INVALID, detail);
  }
}
