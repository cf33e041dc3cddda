package dev.onejob.contract;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** YAML nodes as JSON text, numbers spelled as they were. Members are sorted by name. */
final class YamlJson {

  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]{0,999})(\\.[0-9]{1,1000})?([eE][+-]?[0-9]{1,3})?");

  private YamlJson() {}

  static String of(Node node, Source source) {
    StringBuilder json = new StringBuilder();
    write(node, source, json);
    return json.toString();
  }

  private static void write(Node node, Source source, StringBuilder json) {
    switch (node) {
      case MappingNode mapping -> {
        Map<String, Node> members = new TreeMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
          members.put(((ScalarNode) tuple.getKeyNode()).getValue(), tuple.getValueNode());
        }
        json.append('{');
        String separator = "";
        for (Map.Entry<String, Node> member : members.entrySet()) {
          json.append(separator).append(Placeholder.quoted(member.getKey())).append(':');
          write(member.getValue(), source, json);
          separator = ",";
        }
        json.append('}');
      }
      case SequenceNode sequence -> {
        json.append('[');
        String separator = "";
        for (Node item : sequence.getValue()) {
          json.append(separator);
          write(item, source, json);
          separator = ",";
        }
        json.append(']');
      }
      case ScalarNode scalar -> json.append(scalar(scalar, source));
      default -> throw new IllegalStateException("no such node: " + node.getNodeType());
    }
  }

  /** One scalar; a number that JSON cannot say is a problem. */
  static String scalar(ScalarNode scalar, Source source) {
    Tag tag = scalar.getTag();
    String text = scalar.getValue();
    if (tag.equals(Tag.NULL)) {
      return "null";
    }
    if (tag.equals(Tag.BOOL)) {
      return text;
    }
    if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
      if (NUMBER.matcher(text).matches()) {
        return text;
      }
      source.problem(scalar, "a number that JSON cannot say");
      return "0";
    }
    return Placeholder.quoted(text);
  }
}
