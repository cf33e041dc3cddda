package dev.onejob.contract;

import dev.onejob.json.StrictJson;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * How an input becomes the body of a request. Rendering is one pass over the template's own text:
 * what an input holds is copied and never looked at, so text that looks like a placeholder stays
 * text.
 */
public final class RequestTemplate {

  /** The input as it is, character by character. */
  static final RequestTemplate INPUT = new RequestTemplate(List.of());

  /** Alternating literal JSON and values; empty stands for the input itself. */
  private final List<Piece> pieces;

  private RequestTemplate(List<Piece> pieces) {
    this.pieces = List.copyOf(pieces);
  }

  private sealed interface Piece {
    /** JSON text of the template itself. */
    record Literal(String json) implements Piece {}

    /** A placeholder alone in its value: the value keeps its type and its spelling. */
    record Value(Placeholder placeholder) implements Piece {}

    /** A text with placeholders in it, or plain parts of such a text. */
    record Text(List<Part> parts) implements Piece {}
  }

  private sealed interface Part {
    record Plain(String text) implements Part {}

    record Filled(Placeholder placeholder) implements Part {}
  }

  /**
   * The body for an input.
   *
   * @throws RenderRefused when a placeholder has no value
   */
  public String render(StrictJson.Document input) throws RenderRefused {
    if (pieces.isEmpty()) {
      return input.text();
    }
    StringBuilder body = new StringBuilder();
    for (Piece piece : pieces) {
      switch (piece) {
        case Piece.Literal literal -> body.append(literal.json());
        case Piece.Value value -> body.append(value.placeholder().json(input));
        case Piece.Text text -> body.append(Placeholder.quoted(join(text.parts(), input)));
      }
    }
    return body.toString();
  }

  private static String join(List<Part> parts, StrictJson.Document input) throws RenderRefused {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      switch (part) {
        case Part.Plain plain -> text.append(plain.text());
        case Part.Filled filled -> text.append(filled.placeholder().text(input));
      }
    }
    return text.toString();
  }

  /** Compiles {@code request.body}; what is wrong in it is told to the source. */
  static RequestTemplate compile(Node body, Source source) {
    Compiler compiler = new Compiler(source);
    compiler.add(body);
    compiler.flush();
    return new RequestTemplate(compiler.pieces);
  }

  private static final class Compiler {

    private final Source source;
    private final List<Piece> pieces = new ArrayList<>();
    private final StringBuilder literal = new StringBuilder();

    Compiler(Source source) {
      this.source = source;
    }

    void add(Node node) {
      switch (node) {
        case MappingNode mapping -> {
          String separator = "{";
          for (NodeTuple tuple : mapping.getValue()) {
            String name = ((ScalarNode) tuple.getKeyNode()).getValue();
            if (name.contains("{{")) {
              source.problem(tuple.getKeyNode(), "a placeholder cannot be a member's name");
            }
            literal.append(separator).append(Placeholder.quoted(name)).append(':');
            add(tuple.getValueNode());
            separator = ",";
          }
          literal.append(mapping.getValue().isEmpty() ? "{}" : "}");
        }
        case SequenceNode sequence -> {
          String separator = "[";
          for (Node item : sequence.getValue()) {
            literal.append(separator);
            add(item);
            separator = ",";
          }
          literal.append(sequence.getValue().isEmpty() ? "[]" : "]");
        }
        case ScalarNode scalar -> addScalar(scalar);
        default -> throw new IllegalStateException("no such node: " + node.getNodeType());
      }
    }

    private void addScalar(ScalarNode scalar) {
      if (!scalar.getTag().equals(Tag.STR)) {
        literal.append(YamlJson.scalar(scalar, source));
        return;
      }
      if (Interpolation.wants(scalar.getValue())) {
        source.problem(
            scalar, "settings and secrets belong into the provider's file, not into a body");
        return;
      }
      List<Part> parts = parts(scalar);
      if (parts.size() == 1 && parts.getFirst() instanceof Part.Filled only) {
        flush();
        pieces.add(new Piece.Value(only.placeholder()));
      } else if (parts.stream().allMatch(Part.Plain.class::isInstance)) {
        literal.append(Placeholder.quoted(scalar.getValue()));
      } else {
        flush();
        pieces.add(new Piece.Text(parts));
      }
    }

    private List<Part> parts(ScalarNode scalar) {
      List<Part> parts = new ArrayList<>();
      String text = scalar.getValue();
      Matcher matcher = Placeholder.PATTERN.matcher(text);
      int at = 0;
      while (matcher.find()) {
        plain(parts, text.substring(at, matcher.start()));
        try {
          parts.add(new Part.Filled(Placeholder.parse(matcher.group(1))));
        } catch (IllegalArgumentException e) {
          source.problem(scalar, String.valueOf(e.getMessage()));
        }
        at = matcher.end();
      }
      String rest = text.substring(at);
      if (rest.contains("{{")) {
        source.problem(scalar, "'{{' without '}}'");
      }
      plain(parts, rest);
      return List.copyOf(parts);
    }

    private static void plain(List<Part> parts, String text) {
      if (!text.isEmpty()) {
        parts.add(new Part.Plain(text));
      }
    }

    void flush() {
      if (!literal.isEmpty()) {
        pieces.add(new Piece.Literal(literal.toString()));
        literal.setLength(0);
      }
    }
  }
}
