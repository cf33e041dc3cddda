package dev.onejob.devkit.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.onejob.devkit.Api;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Scripts, ledger, deduplication, lookup and callbacks, as a client sees them. */
class SandboxTest {

  private static final Sandbox SANDBOX = Sandbox.start();
  private static final Api API = new Api(SANDBOX.url(), null);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String HELLO = "{\"document\": \"hello\"}";

  @AfterAll
  static void close() {
    SANDBOX.close();
  }

  private static Api.Answer print(String provider, String key, String body) {
    return API.post("/" + provider + "/print", body, "Idempotency-Key", key);
  }

  private static String text(String steps) {
    return "{\"document\": \"please, sandbox: " + steps + "\"}";
  }

  @Test
  void aRepeatedKeyGetsTheFirstAnswerWithoutASecondExecution() {
    Api.Answer first = print("inkjet", "job_1/0", HELLO);
    Api.Answer second = print("inkjet", "job_1/0", HELLO);
    assertThat(second.text()).isEqualTo(first.text());
    assertThat(SANDBOX.executions("job_1")).isEqualTo(1);
    assertThat(SANDBOX.received("job_1"))
        .extracting(Received::executed, Received::deduplicated)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(true, false),
            org.assertj.core.groups.Tuple.tuple(false, true));
    print("inkjet", "job_1/1", HELLO);
    assertThat(SANDBOX.executions("job_1")).isEqualTo(2);
  }

  @Test
  void aKeyThatWasExecutedButNeverAnsweredIsAnsweredAtTheSecondAsking() throws Exception {
    try (Raw hanging =
        new Raw(SANDBOX).send(Raw.print("inkjet", "job_2/0", text("execute, hang")))) {
      SANDBOX.awaitReceived(r -> "job_2".equals(r.job()) && r.executed(), PATIENCE);
      assertThat(print("inkjet", "job_2/0", text("execute, hang")).status()).isEqualTo(200);
    }
    assertThat(SANDBOX.executions("job_2")).isEqualTo(1);
  }

  @Test
  void whatWasRefusedIsNotRememberedAsDone() {
    SANDBOX.script("refuser", "answer 503", 1);
    assertThat(print("refuser", "job_3/0", HELLO).status()).isEqualTo(503);
    assertThat(print("refuser", "job_3/0", HELLO).status()).isEqualTo(200);
    assertThat(SANDBOX.executions("job_3")).isEqualTo(1);
  }

  @Test
  void noDedupExecutesEveryTime() {
    print("inkjet", "job_4/0", text("no-dedup, execute, answer"));
    print("inkjet", "job_4/0", text("no-dedup, execute, answer"));
    assertThat(SANDBOX.executions("job_4")).isEqualTo(2);
  }

  @Test
  void aProvidersScriptWinsForSoManyRequests() {
    assertThat(
            API.put("/_sandbox/scripted/script", "{\"steps\": [\"answer 429\"], \"times\": 2}")
                .status())
        .isEqualTo(200);
    assertThat(print("scripted", "job_5/0", text("answer 500")).status()).isEqualTo(429);
    assertThat(print("scripted", "job_5/0", HELLO).status()).isEqualTo(429);
    assertThat(print("scripted", "job_5/0", HELLO).status()).isEqualTo(200);
    API.put("/_sandbox/scripted/script", "{\"steps\": [\"answer 429\"]}");
    assertThat(print("scripted", "job_5/1", HELLO).status()).isEqualTo(429);
    API.delete("/_sandbox/scripted/script");
    assertThat(print("scripted", "job_5/2", HELLO).status()).isEqualTo(200);
  }

  @Test
  void badScriptsAreRefused() {
    Api.Answer unknown = API.put("/_sandbox/inkjet/script", "{\"steps\": [\"explode\"]}");
    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.body().path("error").stringValue()).contains("'explode'").contains("gate");
    assertThat(API.put("/_sandbox/inkjet/script", "{\"times\": 1}").status()).isEqualTo(400);
    assertThat(API.put("/_sandbox/inkjet/script", "{\"steps\": [], \"times\": 0}").status())
        .isEqualTo(400);
    assertThat(API.put("/_sandbox/inkjet/script", "{").status()).isEqualTo(400);
  }

  @Test
  void fiveMegabytesPassByteForByte() {
    String result = "{\"result\": {\"pages\": 1, \"text\": \"" + "x,".repeat(2_600_000) + "\"}}";
    String script =
        Json.MAPPER
            .createObjectNode()
            .put("times", 1)
            .set("steps", Json.MAPPER.createArrayNode().add("execute").add("answer 200 " + result))
            .toString();
    assertThat(API.put("/_sandbox/big/script", script).status()).isEqualTo(200);
    assertThat(print("big", "job_6/0", HELLO).text().equals(result)).isTrue();
    JsonNode found = API.get("/big/print/by-key/job_6/0").body();
    assertThat(found.path("result").path("text").stringValue()).hasSize(5_200_000);
  }

  @Test
  void theLedgerIsFilteredAndTellsWhatWasAnswered() {
    print("inkjet", "job_7/0", HELLO);
    print("laser", "job_7/0", HELLO);
    JsonNode all = API.get("/_sandbox/executions?job=job_7").body();
    assertThat(all.path("executions").intValue()).isEqualTo(2);
    JsonNode one = API.get("/_sandbox/executions?provider=laser&key=job_7%2F0").body();
    assertThat(one.path("received").size()).isEqualTo(1);
    JsonNode entry = one.path("received").get(0);
    assertThat(entry.path("answered").intValue()).isEqualTo(200);
    assertThat(entry.path("job").stringValue()).isEqualTo("job_7");
    assertThat(entry.path("bodySha256").stringValue()).hasSize(64);
    assertThat(API.get("/_sandbox/health").status()).isEqualTo(200);
  }

  @Test
  void lookupTellsDoneOrNothing() {
    String id = print("inkjet", "job_8/0", HELLO).body().path("id").stringValue();
    JsonNode found = API.get("/inkjet/print/by-key/job_8%2F0").body();
    assertThat(found.path("status").stringValue()).isEqualTo("done");
    assertThat(found.path("result").path("pages").intValue()).isEqualTo(1);
    assertThat(API.get("/inkjet/print/by-key/job_8/0").body()).isEqualTo(found);
    assertThat(API.get("/inkjet/print/" + id).body()).isEqualTo(found);
    assertThat(API.get("/inkjet/print/by-key/job_8%2F9").status()).isEqualTo(404);
    print("inkjet", "job_9/0", text("answer 503"));
    assertThat(API.get("/inkjet/print/by-key/job_9%2F0").status()).isEqualTo(404);
  }

  @Test
  void acceptedWorkIsFinishedLater() throws Exception {
    Api.Answer accepted = print("inkjet", "job_10/0", text("accept, gate sb.accept, execute"));
    assertThat(accepted.status()).isEqualTo(202);
    assertThat(accepted.body().path("status").stringValue()).isEqualTo("working");
    JsonNode working = API.get("/inkjet/print/by-key/job_10/0").body();
    assertThat(working.path("status").stringValue()).isEqualTo("working");
    assertThat(working.path("id")).isEqualTo(accepted.body().path("id"));
    API.put("/_sandbox/gates/sb.accept", "");
    SANDBOX.awaitReceived(r -> "job_10".equals(r.job()) && r.executed(), PATIENCE);
    assertThat(API.get("/inkjet/print/by-key/job_10/0").body().path("status").stringValue())
        .isEqualTo("done");
    API.delete("/_sandbox/gates/sb.accept");
  }

  private record Call(String signature, String body) {}

  @Test
  void callbacksAreSignedOverTheRawBytes() throws Exception {
    BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    HttpServer owner = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    owner.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          calls.add(new Call(exchange.getRequestHeaders().getFirst("X-Signature"), body));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    owner.start();
    try {
      String url = "http://127.0.0.1:" + owner.getAddress().getPort() + "/callbacks";
      API.put("/_sandbox/caller/callback", "{\"url\": \"" + url + "\", \"secret\": \"s3cret\"}");
      print("caller", "job_11/0", text("accept, callback-twice 10ms"));
      Call call = calls.poll(5, TimeUnit.SECONDS);
      assertThat(calls.poll(5, TimeUnit.SECONDS)).isEqualTo(call);
      JsonNode told = Json.MAPPER.readTree(call.body());
      assertThat(told.path("key").stringValue()).isEqualTo("job_11/0");
      assertThat(told.path("status").stringValue()).isEqualTo("done");
      assertThat(told.path("result").path("pages").intValue()).isEqualTo(1);
      assertThat(call.signature())
          .isEqualTo(Callbacks.signature("s3cret", call.body().getBytes(StandardCharsets.UTF_8)));
      assertThat(SANDBOX.executions("job_11")).isEqualTo(1);

      print("caller", "job_12/0", text("execute, callback-before-answer, answer"));
      assertThat(calls.poll()).as("before the answer").isNotNull();

      API.delete("/_sandbox/caller/callback");
      API.post(
          "/caller/print",
          text("execute, answer, callback"),
          "Idempotency-Key",
          "job_13/0",
          "Callback-Url",
          url);
      assertThat(calls.poll(5, TimeUnit.SECONDS)).isNotNull();
    } finally {
      owner.stop(0);
    }
  }

  @Test
  void clearingStartsAfresh() {
    try (Sandbox own = Sandbox.start()) {
      Api api = new Api(own.url(), null);
      api.post("/inkjet/print", HELLO, "Idempotency-Key", "job_1/0");
      api.delete("/_sandbox/executions");
      assertThat(api.get("/_sandbox/executions").body().path("received").size()).isZero();
      api.post("/inkjet/print", HELLO, "Idempotency-Key", "job_1/0");
      assertThat(own.received()).extracting(Received::n, Received::executed).hasSize(1);
      assertThat(own.executions("job_1")).isEqualTo(1);
    }
  }

  @Test
  void theProcessTellsItsPort(@TempDir Path directory) throws Exception {
    Path portFile = directory.resolve("port");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                SandboxMain.class.getName(),
                "--port",
                "0",
                "--port-file",
                portFile.toString())
            .start();
    try {
      String line = process.inputReader().readLine();
      String url = "http://127.0.0.1:" + Files.readString(portFile);
      assertThat(line).endsWith(url);
      assertThat(new Api(url, null).get("/_sandbox/health").status()).isEqualTo(200);
      process.destroy();
      assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }
}
