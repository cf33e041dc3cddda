package dev.onejob.contract;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A JSON Schema 2020-12 of an operation. Nothing is ever fetched from elsewhere. */
final class ContractSchema {

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  private static final Schema META =
      REGISTRY.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  /** A list with a thousand wrong items is told about once, not a thousand times. */
  private static final int VIOLATIONS_MAX = 100;

  private final Schema schema;

  private ContractSchema(Schema schema) {
    this.schema = schema;
  }

  List<Violation> validate(JsonNode value) {
    return schema.validate(value).stream()
        .limit(VIOLATIONS_MAX)
        .map(e -> new Violation(e.getInstanceLocation().toString(), e.getMessage()))
        .toList();
  }

  /** Null when the node is no schema; each place where it goes wrong is told with its line. */
  static @Nullable ContractSchema read(Node node, String where, Source source) {
    if (!(node instanceof MappingNode)) {
      source.problem(node, "'" + where + "' must be a JSON Schema, a mapping");
      return null;
    }
    JsonNode tree = JSON.readTree(YamlJson.of(node, source));
    List<Error> errors = META.validate(tree);
    for (Error error : errors) {
      Node at = find(node, error.getInstanceLocation().toString());
      source.problem(at, "'" + where + "' is no JSON Schema: " + error.getMessage());
    }
    if (!errors.isEmpty()) {
      return null;
    }
    try {
      Schema schema = REGISTRY.getSchema(tree);
      // Reads every keyword now: a broken pattern or reference must not wait for the first job.
      schema.initializeValidators();
      return new ContractSchema(schema);
    } catch (RuntimeException e) {
      source.problem(node, "'" + where + "' is no usable JSON Schema");
      return null;
    }
  }

  /** Follows a JSON Pointer as far as the nodes go. */
  private static Node find(Node root, String pointer) {
    Node at = root;
    for (String raw : pointer.split("/", -1)) {
      String step = raw.replace("~1", "/").replace("~0", "~");
      Node next = raw.isEmpty() ? null : child(at, step);
      at = next == null ? at : next;
    }
    return at;
  }

  private static @Nullable Node child(Node node, String step) {
    if (node instanceof MappingNode mapping) {
      for (NodeTuple tuple : mapping.getValue()) {
        if (tuple.getKeyNode() instanceof ScalarNode key && key.getValue().equals(step)) {
          return tuple.getValueNode();
        }
      }
    }
    if (node instanceof SequenceNode sequence && step.matches("[0-9]{1,6}")) {
      int index = Integer.parseInt(step);
      return index < sequence.getValue().size() ? sequence.getValue().get(index) : null;
    }
    return null;
  }
}
