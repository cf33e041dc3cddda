package dev.onejob.api.json;

import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.Refusal;
import dev.onejob.json.JsonPath;
import dev.onejob.json.StrictJson;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The members of one JSON object, each asked for by name and type. A member that is null is not
 * absent.
 */
public final class Members {

  private final StrictJson.Document document;
  private final ObjectNode object;
  private final String pointer;

  private Members(StrictJson.Document document, ObjectNode object, String pointer) {
    this.document = document;
    this.object = object;
    this.pointer = pointer;
  }

  static Members of(StrictJson.Document document) {
    if (document.tree() instanceof ObjectNode object) {
      return new Members(document, object, "");
    }
    throw malformed("the body must be a JSON object");
  }

  /** Refuses members that are not among the known ones. */
  public Members only(String... known) {
    Set<String> names = Set.of(known);
    for (String name : object.propertyNames()) {
      if (!names.contains(name)) {
        // RFC 6901, section 3
        String at = pointer + "/" + printable(name).replace("~", "~0").replace("/", "~1");
        throw new Refusal(Problem.UNKNOWN_MEMBER, "the body has an unknown member at " + at)
            .with("pointer", at)
            .with("known", List.of(known));
      }
    }
    return this;
  }

  public Optional<String> string(String name) {
    return value(name, "a string", JsonNode::isString).map(JsonNode::asString);
  }

  public String requiredString(String name) {
    return string(name).orElseThrow(() -> missing(name));
  }

  public Optional<Boolean> bool(String name) {
    return value(name, "true or false", JsonNode::isBoolean).map(JsonNode::asBoolean);
  }

  public Optional<Integer> integer(String name) {
    return value(name, "an integer", node -> node.isIntegralNumber() && node.canConvertToInt())
        .map(JsonNode::asInt);
  }

  public Optional<Members> object(String name) {
    return value(name, "an object", JsonNode::isObject)
        .map(node -> new Members(document, (ObjectNode) node, pointer + "/" + name));
  }

  public boolean has(String name) {
    return object.has(name);
  }

  public JsonNode required(String name) {
    JsonNode node = object.get(name);
    if (node == null) {
      throw missing(name);
    }
    return node;
  }

  /** The exact text of a member of the outermost object. */
  public String text(String name) {
    String text = document.slice(new JsonPath(List.of(name)));
    if (text == null) {
      throw missing(name);
    }
    return text;
  }

  private Optional<JsonNode> value(
      String name, String what, java.util.function.Predicate<JsonNode> is) {
    JsonNode node = object.get(name);
    if (node == null) {
      return Optional.empty();
    }
    if (!is.test(node)) {
      throw malformed(pointer + "/" + name + " must be " + what);
    }
    return Optional.of(node);
  }

  private Refusal missing(String name) {
    return malformed("the member " + pointer + "/" + name + " is missing");
  }

  private static Refusal malformed(String detail) {
    return new Refusal(Problem.MALFORMED_JSON, detail);
  }

  static String printable(String name) {
    String shown =
        name.codePoints()
            .limit(60)
            .collect(
                StringBuilder::new,
                (text, c) -> text.appendCodePoint(Character.isISOControl(c) ? '?' : c),
                StringBuilder::append)
            .toString();
    return shown.length() < name.length() ? shown + "…" : shown;
  }
}
