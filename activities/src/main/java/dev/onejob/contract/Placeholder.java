package dev.onejob.contract;

import dev.onejob.json.JsonPath;
import dev.onejob.json.StrictJson;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * One {@code {{ input.a.b[0] }}} of a template.
 *
 * @param name as written, for messages
 * @param path into the input
 */
record Placeholder(String name, JsonPath path) {

  static final Pattern PATTERN = Pattern.compile("\\{\\{(.*?)}}", Pattern.DOTALL);

  private static final Pattern NAME =
      Pattern.compile("input((?:\\.[A-Za-z_][A-Za-z0-9_-]*|\\[(?:0|[1-9][0-9]{0,8})\\])*)");

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /**
   * @throws IllegalArgumentException when it names anything but the input
   */
  static Placeholder parse(String inside) {
    String name = inside.strip();
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'{{ "
              + name
              + " }}' names nothing: a placeholder is input, input.member or input.list[0]");
    }
    return new Placeholder(name, JsonPath.parse("$" + matcher.group(1)));
  }

  /** The value's JSON text exactly as it was sent. */
  String json(StrictJson.Document input) throws RenderRefused {
    String slice = input.slice(path);
    if (slice == null) {
      throw new RenderRefused("placeholder " + name + " has no value");
    }
    return slice;
  }

  /** The value as text inside a longer text: a string without its quotes, anything else as JSON. */
  String text(StrictJson.Document input) throws RenderRefused {
    String slice = json(input);
    return slice.startsWith("\"") ? JSON.readValue(slice, String.class) : slice;
  }

  /** A text as a JSON string. */
  static String quoted(String text) {
    return JSON.writeValueAsString(text);
  }
}
