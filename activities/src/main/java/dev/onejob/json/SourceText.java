package dev.onejob.json;

import org.jspecify.annotations.Nullable;

/** Finds values in a text that is known to be strict JSON, by its characters alone. */
final class SourceText {

  private final String text;

  SourceText(String text) {
    this.text = text;
  }

  /** The value at the path, character by character; null if there is none. */
  @Nullable String at(JsonPath path) {
    int start = skipSpace(0);
    for (Object step : path.steps()) {
      char open = text.charAt(start);
      if (open == '{' && step instanceof String name) {
        start = member(start, name);
      } else if (open == '[' && step instanceof Integer index) {
        start = element(start, index);
      } else {
        return null;
      }
      if (start < 0) {
        return null;
      }
    }
    return text.substring(start, endOfValue(start));
  }

  /** Where the member's value starts, or -1. */
  private int member(int open, String name) {
    int at = skipSpace(open + 1);
    while (text.charAt(at) != '}') {
      int endOfName = endOfString(at);
      int value = skipSpace(skipSpace(endOfName) + 1);
      if (unescaped(at + 1, endOfName - 1).equals(name)) {
        return value;
      }
      at = behindComma(endOfValue(value));
    }
    return -1;
  }

  /** Where the element starts, or -1. */
  private int element(int open, int index) {
    int at = skipSpace(open + 1);
    for (int i = 0; text.charAt(at) != ']'; i++) {
      if (i == index) {
        return at;
      }
      at = behindComma(endOfValue(at));
    }
    return -1;
  }

  private int behindComma(int endOfValue) {
    int at = skipSpace(endOfValue);
    return text.charAt(at) == ',' ? skipSpace(at + 1) : at;
  }

  private int endOfValue(int start) {
    int depth = 0;
    int at = start;
    while (true) {
      char c = text.charAt(at);
      if (c == '"') {
        at = endOfString(at);
      } else if (c == '{' || c == '[') {
        depth++;
        at++;
      } else if (c == '}' || c == ']') {
        depth--;
        at++;
      } else if (depth == 0) {
        return endOfWord(at);
      } else {
        at++;
      }
      if (depth == 0) {
        return at;
      }
    }
  }

  /** Of a number, true, false or null. */
  private int endOfWord(int start) {
    int at = start;
    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return at;
  }

  /** Behind the closing quote. */
  private int endOfString(int open) {
    int at = open + 1;
    while (text.charAt(at) != '"') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    return at + 1;
  }

  private int skipSpace(int start) {
    int at = start;
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }

  private String unescaped(int start, int end) {
    String raw = text.substring(start, end);
    if (raw.indexOf('\\') < 0) {
      return raw;
    }
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c != '\\') {
        name.append(c);
        continue;
      }
      char escape = raw.charAt(++i);
      switch (escape) {
        case 'b' -> name.append('\b');
        case 'f' -> name.append('\f');
        case 'n' -> name.append('\n');
        case 'r' -> name.append('\r');
        case 't' -> name.append('\t');
        case 'u' -> {
          name.append((char) Integer.parseInt(raw, i + 1, i + 5, 16));
          i += 4;
        }
        default -> name.append(escape);
      }
    }
    return name.toString();
  }
}
