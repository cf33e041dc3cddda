package dev.onejob.json;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A path to one value: {@code $}, {@code $.a.b}, {@code $['x']}, {@code $.a[0]}; no escapes. */
public record JsonPath(List<Object> steps) {
  private static final Pattern STEP =
      Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_-]*)|\\['([^'\\\\]*)'\\]|\\[(0|[1-9][0-9]{0,8})\\]");

  public JsonPath {
    steps = List.copyOf(steps);
    for (Object step : steps) {
      if (!(step instanceof String) && !(step instanceof Integer i && i >= 0)) {
        throw new IllegalArgumentException("step=" + step);
      }
    }
  }

  /**
   * @throws IllegalArgumentException naming the position, from 0, where the path goes wrong
   */
  public static JsonPath parse(String path) {
    if (!path.startsWith("$")) {
      throw new IllegalArgumentException("path must start with $ at position 0");
    }
    List<Object> steps = new ArrayList<>();
    Matcher m = STEP.matcher(path);
    int at = 1;
    while (at < path.length()) {
      if (!m.region(at, path.length()).lookingAt()) {
        throw new IllegalArgumentException("expected .name, ['name'] or [index] at position " + at);
      }
      if (m.group(1) != null) {
        steps.add(m.group(1));
      } else if (m.group(2) != null) {
        steps.add(m.group(2));
      } else {
        steps.add(Integer.valueOf(m.group(3)));
      }
      at = m.end();
    }
    return new JsonPath(steps);
  }
}
