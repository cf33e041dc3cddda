package dev.onejob.provider.httpjson;

import dev.onejob.json.JsonLimits;
import dev.onejob.json.JsonPath;
import dev.onejob.json.JsonRefused;
import dev.onejob.json.StrictJson;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;

/** Writes a flat JSON object as {@code application/x-www-form-urlencoded}. */
final class FormBody {

  private FormBody() {}

  /** A body that is no object, or holds an object, an array or a null. */
  static final class NotFlat extends Exception {
    NotFlat() {
      super("form bodies are flat", null, false, false);
    }
  }

  static String encode(String json) throws NotFlat {
    StrictJson.Document document;
    try {
      document = StrictJson.parse(json.getBytes(StandardCharsets.UTF_8), JsonLimits.ANSWER);
    } catch (JsonRefused e) {
      throw new NotFlat();
    }
    if (!document.tree().isObject()) {
      throw new NotFlat();
    }
    StringJoiner form = new StringJoiner("&");
    for (Map.Entry<String, JsonNode> member : document.tree().properties()) {
      form.add(encoded(member.getKey()) + "=" + encoded(value(document, member)));
    }
    return form.toString();
  }

  private static String value(StrictJson.Document document, Map.Entry<String, JsonNode> member)
      throws NotFlat {
    JsonNode node = member.getValue();
    if (node.isString()) {
      return node.stringValue();
    }
    if (node.isNumber() || node.isBoolean()) {
      // The source text: 1.10 must not become 1.1.
      String slice = document.slice(new JsonPath(List.of(member.getKey())));
      if (slice != null) {
        return slice;
      }
    }
    throw new NotFlat();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
