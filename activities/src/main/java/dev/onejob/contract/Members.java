package dev.onejob.contract;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * The members of one mapping, taken one by one. What nobody took is unknown, and an error: a typo
 * must not turn a setting off silently. Every problem is told and reading goes on.
 */
final class Members {

  private final Source source;
  private final MappingNode mapping;
  private final String where;
  private final Map<String, Node> values = new LinkedHashMap<>();
  private final Map<String, Node> keys = new LinkedHashMap<>();
  private final Set<String> taken = new HashSet<>();

  /**
   * @param where the mapping's own place, {@code timeouts.}, or empty at the top
   */
  Members(Source source, MappingNode mapping, String where) {
    this.source = source;
    this.mapping = mapping;
    this.where = where;
    for (NodeTuple tuple : mapping.getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode key) {
        values.put(key.getValue(), tuple.getValueNode());
        keys.put(key.getValue(), key);
      }
    }
  }

  Source source() {
    return source;
  }

  /** The member's value; null where it is absent. */
  @Nullable Node take(String name) {
    taken.add(name);
    return values.get(name);
  }

  /** The same, and absence is a problem. */
  @Nullable Node require(String name) {
    Node node = take(name);
    if (node == null) {
      source.problem(mapping, "'" + where + name + "' is missing");
    }
    return node;
  }

  /** A member that is a mapping itself. */
  @Nullable Members takeMembers(String name) {
    Node node = take(name);
    return node == null ? null : membersOf(node, name);
  }

  @Nullable Members requireMembers(String name) {
    Node node = require(name);
    return node == null ? null : membersOf(node, name);
  }

  private @Nullable Members membersOf(Node node, String name) {
    if (node instanceof MappingNode inner) {
      return new Members(source, inner, where + name + ".");
    }
    source.problem(node, "'" + where + name + "' must be a mapping");
    return null;
  }

  /** A text with its settings filled in. */
  @Nullable String takeText(String name) {
    Node node = take(name);
    return node == null ? null : text(node, where + name);
  }

  @Nullable String requireText(String name) {
    Node node = require(name);
    return node == null ? null : text(node, where + name);
  }

  private @Nullable String text(Node node, String name) {
    if (!(node instanceof ScalarNode scalar) || scalar.getTag().equals(Tag.NULL)) {
      source.problem(node, "'" + name + "' must be a text");
      return null;
    }
    try {
      String text = source.interpolation().fill(scalar.getValue());
      if (text.isBlank()) {
        source.problem(node, "'" + name + "' is empty");
        return null;
      }
      return text;
    } catch (Interpolation.Refused e) {
      source.problem(node, String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** A name: plain text, because messages quote it and what is filled in may be a secret. */
  @Nullable String requireName(String name) {
    Node node = require(name);
    return node == null ? null : name(node, where + name);
  }

  private @Nullable String name(Node node, String name) {
    if (node instanceof ScalarNode scalar && Interpolation.wants(scalar.getValue())) {
      source.problem(node, "'" + name + "' takes no ${…}");
      return null;
    }
    return text(node, name);
  }

  /** One of a few words. Null when absent or refused. */
  @Nullable String takeWord(String name, List<String> words) {
    String text = takeText(name);
    if (text == null || words.contains(text)) {
      return text;
    }
    problem(name, "must be one of " + String.join(", ", words));
    return null;
  }

  @Nullable Boolean requireBoolean(String name) {
    Node node = require(name);
    if (node == null) {
      return null;
    }
    if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.BOOL)) {
      return Boolean.valueOf(scalar.getValue());
    }
    source.problem(node, "'" + where + name + "' must be true or false");
    return null;
  }

  int takeInt(String name, int min, int max, int absent) {
    Node node = take(name);
    if (node == null) {
      return absent;
    }
    if (node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.INT)) {
      BigDecimal value = new BigDecimal(scalar.getValue());
      if (value.compareTo(BigDecimal.valueOf(min)) >= 0
          && value.compareTo(BigDecimal.valueOf(max)) <= 0) {
        return value.intValueExact();
      }
    }
    source.problem(
        node, "'" + where + name + "' must be a whole number from " + min + " to " + max);
    return absent;
  }

  Duration takeDuration(String name, Duration min, Duration max, Duration absent) {
    String text = takeText(name);
    if (text == null) {
      return absent;
    }
    Duration duration = Durations.parse(text);
    if (duration == null) {
      problem(name, "must be a duration such as 250ms, 30s, 15m, 24h, 7d");
      return absent;
    }
    if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
      problem(name, "must be from " + min + " to " + max);
      return absent;
    }
    return duration;
  }

  /** A list of names. Null when absent or refused. */
  @Nullable List<NameAt> requireNames(String name) {
    Node node = require(name);
    if (node == null) {
      return null;
    }
    if (!(node instanceof SequenceNode sequence) || sequence.getValue().isEmpty()) {
      source.problem(node, "'" + where + name + "' must be a list with at least one name");
      return null;
    }
    List<NameAt> names = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      String text = name(item, where + name);
      if (text != null) {
        names.add(new NameAt(text, item));
      }
    }
    return names;
  }

  /** A name and its place. */
  record NameAt(String name, Node node) {}

  /** Every member's name, for mappings whose names are free. */
  Set<String> names() {
    return keys.keySet();
  }

  /** Members that the documentation names but this version does not know. */
  void notYet(String... names) {
    for (String name : names) {
      Node key = keys.get(name);
      if (key != null) {
        taken.add(name);
        source.problem(key, "'" + where + name + "' is not supported yet by this version");
      }
    }
  }

  /** To be called last: whatever was not taken is a typo. */
  void nothingElse() {
    keys.forEach(
        (name, key) -> {
          if (!taken.contains(name)) {
            source.problem(key, "unknown member '" + where + name + "'");
          }
        });
  }

  /** A problem of a member, at its value, or at the mapping where it is absent. */
  void problem(String name, String reason) {
    Node node = values.get(name);
    source.problem(node == null ? mapping : node, "'" + where + name + "' " + reason);
  }

  /** A problem at the name of a member. */
  void problemAtName(String name, String reason) {
    Node key = keys.get(name);
    source.problem(key == null ? mapping : key, reason);
  }

  int line(String name) {
    Node node = values.get(name);
    return Source.line(node == null ? mapping : node);
  }
}
