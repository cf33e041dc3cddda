package dev.onejob.devkit.sandbox;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON of the sandbox: the mapper, what is found in an input, and the normal result. */
final class Json {

  static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxStringLength(Wire.BODY_MAX)
                          .maxNestingDepth(1000)
                          .build())
                  .build())
          .build();

  private static final String MARK = "sandbox:";
  private static final int SUMMARY_MAX = 80;

  private Json() {}

  /** What follows {@code sandbox:} in the first string value that holds it. */
  static @Nullable String scriptIn(JsonNode node) {
    if (node.isString()) {
      String text = node.stringValue();
      int at = text.indexOf(MARK);
      return at < 0 ? null : text.substring(at + MARK.length());
    }
    for (JsonNode child : node.values()) {
      String found = scriptIn(child);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** What the provider makes of the input when nothing goes wrong. */
  static ObjectNode resultOf(JsonNode input) {
    ObjectNode result = MAPPER.createObjectNode();
    if (input.has("document")) {
      JsonNode copies = input.path("copies");
      result.put("pages", copies.isInt() ? copies.intValue() : 1);
    } else if (input.has("text")) {
      String text = input.path("text").asString("");
      int length = Math.min(text.length(), text.offsetByCodePoints(0, codePoints(text)));
      result.put("summary", text.substring(0, length)).put("severity", "low");
    }
    return result;
  }

  private static int codePoints(String text) {
    return Math.min(SUMMARY_MAX, text.codePointCount(0, text.length()));
  }
}
