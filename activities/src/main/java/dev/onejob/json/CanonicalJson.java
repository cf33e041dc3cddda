package dev.onejob.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * One text for all spellings of a value. Strings and names are framed by their length in UTF-8
 * bytes, numbers are {@code digits e exponent} without trailing zeros, so no zeros are expanded.
 */
final class CanonicalJson {
  private CanonicalJson() {}

  static String of(JsonNode node) {
    StringBuilder out = new StringBuilder();
    write(node, out);
    return out.toString();
  }

  private static void write(JsonNode node, StringBuilder out) {
    if (node.isObject()) {
      List<String> names = new ArrayList<>(node.propertyNames());
      // UTF-8 bytes sort as code points do; UTF-16, as String.compareTo has it, does not.
      names.sort(
          (a, b) ->
              Arrays.compareUnsigned(
                  a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
      out.append('{');
      for (String name : names) {
        string(name, out);
        write(node.required(name), out);
      }
      out.append('}');
    } else if (node.isArray()) {
      out.append('[');
      for (JsonNode element : node) {
        write(element, out);
      }
      out.append(']');
    } else if (node.isString()) {
      string(node.stringValue(), out);
    } else if (node.isNumber()) {
      BigDecimal value = node.decimalValue().stripTrailingZeros();
      out.append('#').append(value.unscaledValue()).append('e').append(-(long) value.scale());
      out.append(';');
    } else if (node.isBoolean()) {
      out.append(node.booleanValue() ? 't' : 'f');
    } else if (node.isNull()) {
      out.append('n');
    } else {
      throw new IllegalArgumentException("not JSON: " + node.getNodeType());
    }
  }

  private static void string(String text, StringBuilder out) {
    out.append('"').append(text.getBytes(StandardCharsets.UTF_8).length).append(':').append(text);
  }
}
