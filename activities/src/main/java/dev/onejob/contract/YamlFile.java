package dev.onejob.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads one YAML file as a tree of nodes that know their lines, and refuses YAML's trapdoors. */
final class YamlFile {

  static final int BYTES_MAX = 1024 * 1024;
  static final int DEPTH_MAX = 60;

  private YamlFile() {}

  /** The file's mapping; null when it was refused, with the reasons told to the source. */
  static @Nullable MappingNode read(Path path, Source source) {
    String text = text(path, source);
    if (text == null) {
      return null;
    }
    try {
      if (!shapeIsSane(text, source)) {
        return null;
      }
      Node root = new Compose(settings()).composeString(text).orElse(null);
      if (!(root instanceof MappingNode mapping)) {
        source.problem(1, root == null ? "the file is empty" : "the file must hold a mapping");
        return null;
      }
      return nodesAreSane(mapping, source) ? mapping : null;
    } catch (MarkedYamlEngineException e) {
      // The exception's own message quotes the file, secrets included.
      int line = e.getProblemMark().or(e::getContextMark).map(Mark::getLine).orElse(0) + 1;
      source.problem(line, "not YAML: " + e.getProblem());
      return null;
    } catch (YamlEngineException e) {
      source.problem(1, "not YAML");
      return null;
    }
  }

  private static @Nullable String text(Path path, Source source) {
    try {
      if (Files.size(path) > BYTES_MAX) {
        source.problem(1, "the file is larger than 1 MiB");
        return null;
      }
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
      String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      source.problem(1, "the file is not UTF-8");
      return null;
    } catch (IOException e) {
      source.problem(1, "the file cannot be read");
      return null;
    }
  }

  /**
   * Looks at the events before a tree is built: an alias bomb or a deep nesting never becomes one.
   */
  private static boolean shapeIsSane(String text, Source source) {
    boolean sane = true;
    int depth = 0;
    int documents = 0;
    for (Event event : new Parse(settings()).parseString(text)) {
      int line = event.getStartMark().map(Mark::getLine).orElse(0) + 1;
      if (event instanceof AliasEvent) {
        source.problem(line, "aliases are not allowed");
        return false;
      }
      if (event instanceof DocumentStartEvent && ++documents > 1) {
        source.problem(line, "one document per file");
        return false;
      }
      if (event instanceof CollectionStartEvent && ++depth > DEPTH_MAX) {
        source.problem(line, "nested deeper than " + DEPTH_MAX);
        return false;
      }
      if (event instanceof CollectionEndEvent) {
        depth--;
      }
      // A tag written by hand means code, or a text that only claims to be a number.
      if (tagged(event)) {
        source.problem(line, "tags are not allowed");
        sane = false;
      }
    }
    return sane;
  }

  private static boolean tagged(Event event) {
    return (event instanceof ScalarEvent scalar && scalar.getTag().isPresent())
        || (event instanceof CollectionStartEvent start && start.getTag().isPresent());
  }

  private static boolean nodesAreSane(Node node, Source source) {
    boolean sane = true;
    return switch (node) {
      case MappingNode mapping -> {
        Set<String> keys = new HashSet<>();
        for (NodeTuple tuple : mapping.getValue()) {
          if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
            source.problem(tuple.getKeyNode(), "a member's name must be a text");
            sane = false;
          } else if (!keys.add(key.getValue())) {
            // Told, but the file is read on: it may hold other problems.
            source.problem(key, "duplicate member '" + key.getValue() + "'");
          }
          sane &= nodesAreSane(tuple.getValueNode(), source);
        }
        yield sane;
      }
      case SequenceNode sequence -> {
        for (Node item : sequence.getValue()) {
          sane &= nodesAreSane(item, source);
        }
        yield sane;
      }
      default -> sane;
    };
  }

  private static LoadSettings settings() {
    return LoadSettings.builder()
        .setUseMarks(true)
        .setAllowDuplicateKeys(true) // refused above, with the line
        .setAllowNonScalarKeys(true) // refused above, with the line
        .setMaxAliasesForCollections(0)
        .setCodePointLimit(BYTES_MAX)
        .build();
  }
}
