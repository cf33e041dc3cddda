package dev.onejob.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A random JSON value that can be written in many ways. */
sealed interface Value {

  record Text(String text) implements Value {}

  record Number(BigDecimal number) implements Value {}

  record Word(String word) implements Value {}

  record Elements(List<Value> values) implements Value {}

  record Members(Map<String, Value> values) implements Value {}

  static Value random(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 3 : 5)) {
      case 0 -> new Text(text(random));
      case 1 ->
          new Number(BigDecimal.valueOf(random.nextInt(2_000) - 1_000, random.nextInt(9) - 4));
      case 2 -> new Word(List.of("true", "false", "null").get(random.nextInt(3)));
      case 3 -> {
        List<Value> values = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          values.add(random(random, depth - 1));
        }
        yield new Elements(values);
      }
      default -> {
        Map<String, Value> values = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          values.put(text(random), random(random, depth - 1));
        }
        yield new Members(values);
      }
    };
  }

  private static String text(Random random) {
    int[] alphabet = {
      'a', 'b', '"', '\\', '/', '\n', 0xe9, 0x301, 0x2028, 0xffff, 0x1f389, ':', '1'
    };
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(5); i > 0; i--) {
      text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
    }
    return text.toString();
  }

  /** The same value but for one thing in it. */
  default Value changed(Random random) {
    return switch (this) {
      case Text(String text) -> new Text(text + "!");
      case Number(BigDecimal number) -> new Number(number.add(new BigDecimal("1e-7")));
      case Word(String word) -> new Word(word.equals("true") ? "false" : "true");
      case Elements(List<Value> values) -> {
        List<Value> other = new ArrayList<>(values);
        if (other.isEmpty()) {
          other.add(new Word("null"));
        } else {
          int at = random.nextInt(other.size());
          other.set(at, other.get(at).changed(random));
        }
        yield new Elements(other);
      }
      case Members(Map<String, Value> values) -> {
        Map<String, Value> other = new LinkedHashMap<>(values);
        if (other.isEmpty()) {
          other.put("", new Word("null"));
        } else {
          String name = other.keySet().iterator().next();
          other.computeIfPresent(name, (same, value) -> value.changed(random));
        }
        yield new Members(other);
      }
    };
  }

  default String write(Random random) {
    return space(random)
        + switch (this) {
          case Text(String text) -> quoted(text, random);
          case Number(BigDecimal number) -> spelled(number, random);
          case Word(String word) -> word;
          case Elements(List<Value> values) ->
              "["
                  + String.join(
                      space(random) + ",",
                      values.stream().map(value -> value.write(random)).toList())
                  + space(random)
                  + "]";
          case Members(Map<String, Value> values) -> {
            List<String> members = new ArrayList<>();
            values.forEach(
                (name, value) ->
                    members.add(
                        space(random)
                            + quoted(name, random)
                            + space(random)
                            + ":"
                            + value.write(random)));
            Collections.shuffle(members, random);
            yield "{" + String.join(",", members) + space(random) + "}";
          }
        }
        + space(random);
  }

  private static String space(Random random) {
    return List.of("", "", " ", "\n\t", "\r ").get(random.nextInt(5));
  }

  private static String spelled(BigDecimal number, Random random) {
    int shift = random.nextInt(7) - 3;
    BigDecimal padded = number.setScale(Math.max(number.scale(), 0) + random.nextInt(3));
    return random.nextBoolean()
        ? padded.toPlainString()
        : number.movePointLeft(shift).toPlainString() + (random.nextBoolean() ? "e" : "E") + shift;
  }

  private static String quoted(String text, Random random) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              if (c < 0x20 || random.nextInt(4) == 0) {
                String escape = random.nextBoolean() ? "\\u%04x" : "\\u%04X";
                for (char half : Character.toChars(c)) {
                  quoted.append(escape.formatted((int) half));
                }
              } else if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append('"').toString();
  }
}
