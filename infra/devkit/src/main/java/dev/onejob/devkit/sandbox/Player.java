package dev.onejob.devkit.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Plays the script of one request: chooses it, walks its steps, ends the exchange as it says. */
final class Player {

  private static final byte[] GARBAGE =
      "{\"result\": <html>502 Bad Gatew".getBytes(StandardCharsets.UTF_8);

  private final Ledger ledger;
  private final Gates gates;
  private final Scripts scripts;
  private final Callbacks callbacks;
  private final ExecutorService background;

  Player(
      Ledger ledger,
      Gates gates,
      Scripts scripts,
      Callbacks callbacks,
      ExecutorService background) {
    this.ledger = ledger;
    this.gates = gates;
    this.scripts = scripts;
    this.callbacks = callbacks;
    this.background = background;
  }

  /** One request on its connection. */
  private record Exchange(
      String provider, Wire.Request request, Connection connection, Ledger.Entry entry) {}

  /**
   * Answers, or does what the script says instead.
   *
   * @return whether the connection can take another request
   */
  boolean play(String provider, Wire.Request request, Connection connection)
      throws IOException, InterruptedException {
    JsonNode input = null;
    List<Step> script = scripts.take(provider);
    boolean scripted = script != null;
    String refusal = null;
    try {
      input = Json.MAPPER.readTree(request.body());
      String typed = Json.scriptIn(input);
      if (script == null) {
        script = typed == null ? Steps.DEFAULT : Steps.parse(List.of(typed));
      }
    } catch (BadScript bad) {
      refusal = String.valueOf(bad.getMessage());
    } catch (JacksonException notJson) {
      refusal = script == null ? "the body is not JSON" : null;
    }
    if (script == null) {
      script = List.of();
    }
    Ledger.Entry entry =
        ledger.receive(
            provider,
            request.header("Idempotency-Key"),
            sha256(request.body()),
            input == null ? Json.MAPPER.createObjectNode() : Json.resultOf(input),
            script.stream().noneMatch(Step.NoDedup.class::isInstance));
    Exchange exchange = new Exchange(provider, request, connection, entry);
    if (refusal != null) {
      return send(exchange, 400, Map.of(), error(refusal));
    }
    // A provider that remembers the key answers at once, unless it was told to behave otherwise.
    if (!scripted && ledger.deduplicated(entry)) {
      script = List.of(Step.Answer.NORMAL);
    }
    for (int i = 0; i < script.size(); i++) {
      Step step = script.get(i);
      if (step instanceof Step.Ending ending) {
        return end(exchange, ending, script.subList(i + 1, script.size()));
      }
      quiet(exchange, step);
    }
    throw new IllegalStateException("a script without an end");
  }

  /** A step that the client does not see. */
  private void quiet(Exchange exchange, Step step) throws InterruptedException {
    switch (step) {
      case Step.Delay delay -> Thread.sleep(delay.time());
      case Step.Gate gate -> gates.pass(gate.name());
      case Step.Execute _ -> ledger.execute(exchange.entry());
      case Step.NoDedup _ -> {}
      case Step.CallbackBeforeAnswer _ -> callBack(exchange);
      case Step.Callback callback ->
          inBackground(
              () -> {
                Thread.sleep(callback.after());
                for (int i = 0; i < callback.times(); i++) {
                  callBack(exchange);
                }
              });
      case Step.Ending ending -> throw new IllegalStateException("ends twice: " + ending);
    }
  }

  /** A callback tells that the work is done: if nothing did it before, it happens now. */
  private void callBack(Exchange exchange) throws InterruptedException {
    ledger.execute(exchange.entry());
    byte[] body =
        Json.MAPPER
            .writeValueAsString(ledger.describe(exchange.entry()))
            .getBytes(StandardCharsets.UTF_8);
    callbacks.call(exchange.provider(), exchange.request().header("Callback-Url"), body);
  }

  private boolean end(Exchange exchange, Step.Ending ending, List<Step> rest)
      throws IOException, InterruptedException {
    Connection connection = exchange.connection();
    Ledger.Entry entry = exchange.entry();
    try {
      return switch (ending) {
        case Step.Answer answer -> answer(exchange, answer);
        case Step.Accept _ -> {
          ledger.accept(entry);
          ObjectNode body = Json.MAPPER.createObjectNode();
          body.put("id", entry.work.id).put("status", "working");
          yield send(exchange, 202, Map.of(), bytes(body));
        }
        case Step.Garbage _ -> send(exchange, 200, Map.of(), GARBAGE);
        case Step.Hang _ -> {
          ledger.answered(entry, "hang");
          playRest(exchange, rest);
          connection.awaitClientLeaving();
          ledger.clientLeft(entry);
          yield false;
        }
        case Step.Drop _ -> {
          ledger.answered(entry, "dropped");
          yield false;
        }
        case Step.Reset _ -> {
          ledger.answered(entry, "reset");
          connection.resetOnClose();
          yield false;
        }
        case Step.Truncate truncate -> {
          ledger.answered(entry, "truncated");
          connection.truncated(normal(entry), truncate.bytes());
          yield false;
        }
        case Step.Trickle trickle -> {
          ledger.answered(entry, "200");
          connection.trickled(normal(entry), trickle.perByte(), exchange.request().keepAlive());
          yield exchange.request().keepAlive();
        }
      };
    } catch (IOException gone) {
      ledger.leftUnanswered(entry);
      return false;
    } finally {
      if (!(ending instanceof Step.Hang)) {
        playRest(exchange, rest);
      }
    }
  }

  private boolean answer(Exchange exchange, Step.Answer asked) throws IOException {
    Step.Answer answer = ledger.settle(exchange.entry(), asked);
    byte[] body;
    if (answer.body() != null) {
      body = answer.body().getBytes(StandardCharsets.UTF_8);
    } else if (answer.status() / 100 == 2) {
      body = normal(exchange.entry());
    } else {
      body = error("scripted " + answer.status());
    }
    return send(exchange, answer.status(), answer.headers(), body);
  }

  private boolean send(Exchange exchange, int status, Map<String, String> headers, byte[] body)
      throws IOException {
    if (exchange.connection().clientLeft()) {
      throw new IOException("the client left");
    }
    // Before the bytes: whoever has the answer may ask the ledger at once.
    ledger.answered(exchange.entry(), Integer.toString(status));
    exchange.connection().answer(status, headers, body, exchange.request().keepAlive());
    return exchange.request().keepAlive();
  }

  private void playRest(Exchange exchange, List<Step> rest) {
    if (!rest.isEmpty()) {
      inBackground(
          () -> {
            for (Step step : rest) {
              quiet(exchange, step);
            }
          });
    }
  }

  private interface Interruptible {
    void run() throws InterruptedException;
  }

  private void inBackground(Interruptible work) {
    background.execute(
        () -> {
          try {
            work.run();
          } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static byte[] normal(Ledger.Entry entry) {
    ObjectNode body = Json.MAPPER.createObjectNode();
    body.put("id", entry.work.id).put("status", "done");
    body.set("result", entry.work.result);
    return bytes(body.put("cost", 0.01));
  }

  static byte[] error(String why) {
    return bytes(Json.MAPPER.createObjectNode().put("error", why));
  }

  static byte[] bytes(JsonNode json) {
    return Json.MAPPER.writeValueAsBytes(json);
  }

  private static String sha256(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
