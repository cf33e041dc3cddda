package dev.onejob.devkit.sandbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Reads scripts as people type them: {@code execute, delay 5s, answer 503 retry-after=2}. */
final class Steps {

  static final String KNOWN =
      "delay 5s, execute, hang, drop, reset, answer, answer 503 retry-after=2, answer 200 {json},"
          + " truncate 40, trickle, trickle 100ms, accept, callback, callback 3s, callback-twice,"
          + " callback-before-answer, garbage, gate NAME, no-dedup";

  static final List<Step> DEFAULT = List.of(new Step.Execute(), Step.Answer.NORMAL);

  private static final int STEPS_MAX = 100;
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
  private static final Pattern HEADER = Pattern.compile("([A-Za-z][A-Za-z0-9-]*)=(\\S*)");
  private static final Pattern GATE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private Steps() {}

  /**
   * The steps of a script, complete: one that says nothing about how it ends gets the normal
   * answer, and the execution too if it only waits.
   *
   * @throws BadScript naming the step that is not understood
   */
  static List<Step> parse(List<String> texts) {
    List<Step> steps = new ArrayList<>();
    for (String text : texts) {
      for (String piece : split(text)) {
        if (steps.size() == STEPS_MAX) {
          throw new BadScript("more than " + STEPS_MAX + " steps");
        }
        steps.add(step(piece));
      }
    }
    long endings = steps.stream().filter(Step.Ending.class::isInstance).count();
    if (endings > 1) {
      throw new BadScript(
          "more than one step that ends the exchange: " + shorten(texts.toString()));
    }
    if (endings == 0) {
      if (steps.stream().noneMatch(Step.Execute.class::isInstance)) {
        steps.add(new Step.Execute());
      }
      steps.add(Step.Answer.NORMAL);
    }
    return List.copyOf(steps);
  }

  /** At commas, but not at those inside a JSON body. */
  private static List<String> split(String text) {
    List<String> pieces = new ArrayList<>();
    int depth = 0;
    boolean quoted = false;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          quoted = false;
        }
      } else if (c == '"') {
        quoted = depth > 0;
      } else if (c == '{' || c == '[') {
        depth++;
      } else if (c == '}' || c == ']') {
        depth--;
      } else if (c == ',' && depth <= 0) {
        pieces.add(text.substring(from, i).strip());
        from = i + 1;
      }
    }
    pieces.add(text.substring(from).strip());
    pieces.removeIf(String::isEmpty);
    return pieces;
  }

  private static Step step(String text) {
    String[] words = text.split("\\s+", 2);
    String argument = words.length > 1 ? words[1].strip() : null;
    String verb = words[0].toLowerCase(Locale.ROOT);
    Step plain = argument == null ? plain(verb) : null;
    if (plain != null) {
      return plain;
    }
    return switch (verb) {
      case "delay" -> new Step.Delay(time(argument, text));
      case "trickle" ->
          new Step.Trickle(argument == null ? Duration.ofSeconds(1) : time(argument, text));
      case "callback" -> callback(argument, text, 1);
      case "callback-twice" -> callback(argument, text, 2);
      case "truncate" -> new Step.Truncate(number(argument, text));
      case "gate" -> new Step.Gate(gate(argument, text));
      case "answer" -> answer(argument == null ? "" : argument, text);
      default -> throw unknown(text);
    };
  }

  /** A step that is one word. */
  private static @Nullable Step plain(String verb) {
    return switch (verb) {
      case "execute" -> new Step.Execute();
      case "hang" -> new Step.Hang();
      case "drop" -> new Step.Drop();
      case "reset" -> new Step.Reset();
      case "answer" -> Step.Answer.NORMAL;
      case "accept" -> new Step.Accept();
      case "garbage" -> new Step.Garbage();
      case "no-dedup" -> new Step.NoDedup();
      case "callback-before-answer" -> new Step.CallbackBeforeAnswer();
      default -> null;
    };
  }

  private static Step callback(@Nullable String argument, String text, int times) {
    return new Step.Callback(argument == null ? Duration.ZERO : time(argument, text), times);
  }

  private static Duration time(@Nullable String argument, String text) {
    Matcher matcher = TIME.matcher(argument == null ? "" : argument);
    if (!matcher.matches()) {
      throw unknown(text);
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }

  private static int number(@Nullable String argument, String text) {
    if (argument == null || !argument.matches("\\d{1,8}")) {
      throw unknown(text);
    }
    return Integer.parseInt(argument);
  }

  static String gate(@Nullable String argument, String text) {
    if (argument == null || !GATE.matcher(argument).matches()) {
      throw unknown(text);
    }
    return argument;
  }

  private static Step answer(String argument, String text) {
    int status = 200;
    Map<String, String> headers = new LinkedHashMap<>();
    String rest = argument;
    for (boolean first = true; !rest.isEmpty(); first = false) {
      String word = rest.startsWith("{") || rest.startsWith("[") ? rest : rest.split("\\s+", 2)[0];
      Matcher header = HEADER.matcher(word);
      if (first && word.matches("[2-5]\\d\\d")) {
        status = Integer.parseInt(word);
      } else if (header.matches()) {
        headers.put(header.group(1), header.group(2));
      } else if (rest.matches("(?s)[\\[{\"].*")) {
        return new Step.Answer(status, Map.copyOf(headers), json(rest, text));
      } else {
        throw unknown(text);
      }
      rest = rest.substring(word.length()).strip();
    }
    return new Step.Answer(status, Map.copyOf(headers), null);
  }

  private static String json(String body, String text) {
    try {
      Json.MAPPER.readTree(body);
      return body;
    } catch (JacksonException notJson) {
      throw new BadScript(
          "step '" + shorten(text) + "': the body is not JSON; the steps are: " + KNOWN);
    }
  }

  private static BadScript unknown(String text) {
    return new BadScript("unknown step '" + shorten(text) + "'; the steps are: " + KNOWN);
  }

  private static String shorten(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }
}
