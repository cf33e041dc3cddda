package dev.onejob.devkit.sandbox;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Everything that is not a request to a provider: scripts, gates, the ledger, lookups. */
final class Control {

  static final int SCRIPT_BYTES_MAX = 16 * 1024 * 1024;
  private static final String PROVIDER = "[a-z][a-z0-9-]*";

  @SuppressWarnings("ArrayRecordComponent") // never compared, never kept
  record Reply(int status, byte[] body) {
    static Reply ok(JsonNode body) {
      return new Reply(200, Player.bytes(body));
    }

    static Reply ok() {
      return ok(Json.MAPPER.createObjectNode().put("status", "ok"));
    }

    static Reply refused(int status, String why) {
      return new Reply(status, Player.error(why));
    }
  }

  private final Ledger ledger;
  private final Gates gates;
  private final Scripts scripts;
  private final Callbacks callbacks;

  Control(Ledger ledger, Gates gates, Scripts scripts, Callbacks callbacks) {
    this.ledger = ledger;
    this.gates = gates;
    this.scripts = scripts;
    this.callbacks = callbacks;
  }

  /** The provider that is to play this request, or null if the request is not for one. */
  static @Nullable String providerOf(Wire.Request request) {
    String[] parts = request.path().split("/", -1);
    return request.method().equals("POST")
            && parts.length == 3
            && parts[1].matches(PROVIDER)
            && parts[2].equals("print")
        ? parts[1]
        : null;
  }

  Reply reply(Wire.Request request) {
    try {
      String[] parts = request.path().substring(1).split("/", -1);
      return parts[0].equals("_sandbox") ? control(request, parts) : lookup(request, parts);
    } catch (BadScript bad) {
      return Reply.refused(400, String.valueOf(bad.getMessage()));
    } catch (JacksonException notJson) {
      return Reply.refused(400, "the body is not JSON");
    } catch (IllegalArgumentException bad) {
      return Reply.refused(400, String.valueOf(bad.getMessage()));
    }
  }

  private Reply control(Wire.Request request, String[] parts) {
    String method = request.method();
    if (parts.length == 2 && method.equals("GET") && parts[1].equals("health")) {
      return Reply.ok();
    }
    if (parts.length == 2 && parts[1].equals("executions")) {
      return switch (method) {
        case "GET" -> Reply.ok(executions(request.query()));
        case "DELETE" -> {
          ledger.clear();
          yield Reply.ok();
        }
        default -> Reply.refused(405, "GET or DELETE");
      };
    }
    if (parts.length != 3) {
      return unknown(request);
    }
    boolean put = method.equals("PUT");
    if (!put && !method.equals("DELETE")) {
      return unknown(request);
    }
    if (parts[1].equals("gates")) {
      String gate = Steps.gate(parts[2], "gate " + parts[2]);
      if (put) {
        gates.open(gate);
      } else {
        gates.shut(gate);
      }
      return Reply.ok();
    }
    if (!parts[1].matches(PROVIDER)) {
      return unknown(request);
    }
    return switch (parts[2]) {
      case "script" -> {
        if (put) {
          yield putScript(parts[1], request.body());
        }
        scripts.clear(parts[1]);
        yield Reply.ok();
      }
      case "callback" -> {
        if (put) {
          JsonNode body = Json.MAPPER.readTree(request.body());
          String url = body.path("url").asString("");
          if (url.isEmpty()) {
            yield Reply.refused(400, "url is missing");
          }
          callbacks.put(parts[1], new Callbacks.Target(url, body.path("secret").asString("")));
        } else {
          callbacks.clear(parts[1]);
        }
        yield Reply.ok();
      }
      default -> unknown(request);
    };
  }

  private Reply putScript(String provider, byte[] body) {
    if (body.length > SCRIPT_BYTES_MAX) {
      return Reply.refused(413, "a script has at most " + SCRIPT_BYTES_MAX + " bytes");
    }
    JsonNode script = Json.MAPPER.readTree(body);
    List<String> steps = new ArrayList<>();
    if (script.path("steps").isString()) {
      steps.add(script.path("steps").stringValue());
    } else if (script.path("steps").isArray()) {
      script.path("steps").forEach(step -> steps.add(step.asString("")));
    } else {
      return Reply.refused(400, "steps is missing: a list of strings");
    }
    JsonNode times = script.path("times");
    if (!times.isMissingNode() && !(times.isInt() && times.intValue() > 0)) {
      return Reply.refused(400, "times is a number of requests, 1 or more");
    }
    scripts.put(provider, Steps.parse(steps), times.isMissingNode() ? 0 : times.intValue());
    return Reply.ok();
  }

  private ObjectNode executions(String query) {
    Map<String, String> filter = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      String[] sides = pair.split("=", 2);
      if (sides.length == 2 && !sides[1].isEmpty()) {
        filter.put(sides[0], URLDecoder.decode(sides[1], StandardCharsets.UTF_8));
      }
    }
    List<Received> all =
        ledger.received(filter.get("provider"), filter.get("key"), filter.get("job"));
    ObjectNode told = Json.MAPPER.createObjectNode();
    ArrayNode list = told.putArray("received");
    for (Received received : all) {
      ObjectNode one = list.addObject();
      one.put("n", received.n())
          .put("provider", received.provider())
          .put("key", received.key())
          .put("job", received.job())
          .put("at", received.at().toString())
          .put("bodySha256", received.bodySha256())
          .put("executed", received.executed())
          .put("deduplicated", received.deduplicated());
      String answered = received.answered();
      if (answered != null && answered.matches("\\d+")) {
        one.put("answered", Integer.parseInt(answered));
      } else {
        one.put("answered", answered);
      }
      one.put("clientLeft", received.clientLeft());
    }
    return told.put("executions", all.stream().filter(Received::executed).count());
  }

  /** The provider's own lookup; a key's slash may come encoded or raw. */
  private Reply lookup(Wire.Request request, String[] parts) {
    String provider = parts[0];
    if (!request.method().equals("GET") || parts.length < 3 || !parts[1].equals("print")) {
      return unknown(request);
    }
    boolean isKey = parts.length > 3 && parts[2].equals("by-key");
    String prefix = "/" + provider + (isKey ? "/print/by-key/" : "/print/");
    // '+' is itself in a path; URLDecoder would read it as a blank.
    String name =
        URLDecoder.decode(
            request.path().substring(prefix.length()).replace("+", "%2B"), StandardCharsets.UTF_8);
    ObjectNode found = ledger.lookup(provider, name, isKey);
    return found == null ? Reply.refused(404, "not known here: " + name) : Reply.ok(found);
  }

  private static Reply unknown(Wire.Request request) {
    return Reply.refused(404, "nothing at " + request.method() + " " + request.path());
  }
}
