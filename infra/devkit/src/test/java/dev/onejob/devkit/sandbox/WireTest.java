package dev.onejob.devkit.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What arrives on the wire, step by step. */
class WireTest {

  private static final Sandbox SANDBOX = Sandbox.start();
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @AfterAll
  static void close() {
    SANDBOX.close();
  }

  private static String scripted(String job, String steps) {
    return Raw.print(
        "inkjet",
        job + "/0",
        "{\"document\": \"sandbox: " + steps.replace("\"", "\\\"") + "\", \"copies\": 2}");
  }

  private static Raw send(String job, String steps) throws IOException {
    return new Raw(SANDBOX).send(scripted(job, steps));
  }

  @Test
  void theNormalAnswerIsExecutedOnceAndKeepsTheConnection() throws Exception {
    try (Raw raw = new Raw(SANDBOX)) {
      String first = raw.send(Raw.print("inkjet", "job_n/0", "{\"document\": \"hello\"}")).answer();
      assertThat(first)
          .startsWith("HTTP/1.1 200 OK\r\n")
          .contains("\"id\":\"prt_")
          .contains("\"status\":\"done\",\"result\":{\"pages\":1},\"cost\":0.01}");
      String second = raw.send(Raw.print("laser", "job_n/0", "{\"text\": \"é\"}")).answer();
      assertThat(second).contains("\"result\":{\"summary\":\"é\",\"severity\":\"low\"}");
    }
    assertThat(SANDBOX.executions("job_n")).isEqualTo(2);
    assertThat(SANDBOX.received("job_n"))
        .extracting(Received::provider, Received::answered)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("inkjet", "200"),
            org.assertj.core.groups.Tuple.tuple("laser", "200"));
  }

  @Test
  void hangNeverAnswersAndNoticesTheClientLeaving() throws Exception {
    try (Raw raw = send("job_h", "execute, hang")) {
      SANDBOX.awaitReceived(r -> "job_h".equals(r.job()) && "hang".equals(r.answered()), PATIENCE);
      raw.socket.setSoTimeout(200);
      assertThatThrownBy(raw::all).isInstanceOf(SocketTimeoutException.class);
    }
    Received left = SANDBOX.awaitReceived(r -> "job_h".equals(r.job()) && r.clientLeft(), PATIENCE);
    assertThat(left.executed()).isTrue();
  }

  @Test
  void dropClosesWithoutAByte() throws Exception {
    try (Raw raw = send("job_d", "drop")) {
      assertThat(raw.all()).isEmpty();
    }
    assertThat(SANDBOX.executions("job_d")).isZero();
    assertThat(SANDBOX.received("job_d").getFirst().answered()).isEqualTo("dropped");
  }

  @Test
  void resetIsATcpReset() throws Exception {
    try (Raw raw = send("job_r", "execute, reset")) {
      assertThatThrownBy(raw::all)
          .isInstanceOf(SocketException.class)
          .hasMessageContaining("reset");
    }
  }

  @Test
  void truncateDeclaresMoreThanItSends() throws Exception {
    try (Raw raw = send("job_t", "execute, truncate 40")) {
      String[] parts = raw.all().split("\r\n\r\n", 2);
      int declared = Integer.parseInt(parts[0].replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
      assertThat(parts[1]).hasSize(40);
      assertThat(declared).isGreaterThan(40);
    }
    try (Raw raw = send("job_t2", "execute, truncate 4000")) {
      String[] parts = raw.all().split("\r\n\r\n", 2);
      int declared = Integer.parseInt(parts[0].replaceAll("(?s).*Content-Length: (\\d+).*", "$1"));
      assertThat(declared).isGreaterThan(parts[1].length());
    }
  }

  @Test
  void trickleSendsTheHeadAtOnceAndTheBodySlowly() throws Exception {
    long start = System.nanoTime();
    try (Raw raw = send("job_tr", "execute, trickle 5ms")) {
      String answer = raw.answer();
      assertThat(answer).endsWith("\"cost\":0.01}");
      int body = answer.length() - answer.indexOf("\r\n\r\n") - 4;
      assertThat(System.nanoTime() - start).isGreaterThan(body * 5_000_000L);
    }
  }

  @Test
  void garbageClaimsToBeJson() throws Exception {
    try (Raw raw = send("job_g", "execute, garbage")) {
      String answer = raw.answer();
      assertThat(answer).startsWith("HTTP/1.1 200").contains("application/json");
      String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
      assertThatThrownBy(() -> Json.MAPPER.readTree(body))
          .isInstanceOf(tools.jackson.core.JacksonException.class);
    }
  }

  @Test
  void anAnswerIsExactlyAsScripted() throws Exception {
    try (Raw raw = send("job_a", "answer 503 retry-after=2")) {
      assertThat(raw.answer()).startsWith("HTTP/1.1 503 ").contains("\r\nretry-after: 2\r\n");
    }
    assertThat(SANDBOX.executions("job_a")).isZero();
    try (Raw raw =
        send("job_a2", "execute, answer 200 {\"result\": {\"pages\": 1.50}, \"a\": 1}")) {
      assertThat(raw.answer()).endsWith("\r\n\r\n{\"result\": {\"pages\": 1.50}, \"a\": 1}");
    }
  }

  @Test
  void delayHoldsTheAnswerBack() throws Exception {
    long start = System.nanoTime();
    try (Raw raw = send("job_de", "delay 150ms, execute, answer")) {
      raw.answer();
    }
    assertThat(System.nanoTime() - start).isGreaterThan(150_000_000L);
  }

  @Test
  void aGateHoldsUntilItIsOpened() throws Exception {
    try (Raw raw = send("job_ga", "execute, gate wire.a, answer")) {
      SANDBOX.awaitReceived(r -> "job_ga".equals(r.job()) && r.executed(), PATIENCE);
      assertThat(SANDBOX.received("job_ga").getFirst().answered()).isNull();
      SANDBOX.open("wire.a");
      assertThat(raw.answer()).startsWith("HTTP/1.1 200");
    }
    SANDBOX.shut("wire.a");
    try (Raw raw = send("job_gb", "gate wire.a")) {
      SANDBOX.awaitReceived("job_gb", PATIENCE);
      raw.socket.setSoTimeout(100);
      assertThatThrownBy(raw::answer).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void anAnswerToAClientThatLeftIsNotCountedAsAnswered() throws Exception {
    try (Raw unused = send("job_l", "execute, gate wire.left, answer")) {
      SANDBOX.awaitReceived("job_l", PATIENCE);
    }
    SANDBOX.open("wire.left");
    Received left =
        SANDBOX.awaitReceived(r -> "job_l".equals(r.job()) && r.answered() != null, PATIENCE);
    assertThat(left.answered()).isEqualTo("client-left");
    assertThat(left.clientLeft()).isTrue();
  }

  @Test
  void anUnknownStepIsRefusedByName() throws Exception {
    try (Raw raw = send("job_u", "execute, explode")) {
      assertThat(raw.answer())
          .startsWith("HTTP/1.1 400")
          .contains("unknown step 'explode'")
          .contains("no-dedup");
    }
    assertThat(SANDBOX.executions("job_u")).isZero();
  }

  @Test
  void chunkedBodiesAndExpectAreUnderstood() throws Exception {
    String head =
        "POST /inkjet/print HTTP/1.1\r\nHost: s\r\nIdempotency-Key: job_c/0\r\n"
            + "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n";
    try (Raw raw = new Raw(SANDBOX).send(head)) {
      byte[] permission = raw.socket.getInputStream().readNBytes(25);
      assertThat(new String(permission, java.nio.charset.StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      raw.send("5\r\n{\"doc\r\n");
      raw.send("a;x=y\r\nument\": 1}\r\n0\r\nTrailer: t\r\n\r\n");
      assertThat(raw.answer()).contains("\"pages\":1");
    }
  }

  @Test
  void nonsenseIsRefusedAndTheConnectionClosed() throws Exception {
    for (String nonsense :
        new String[] {
          "hello\r\n\r\n",
          "GET / HTTP/1.1\r\nno colon\r\n\r\n",
          "POST /inkjet/print HTTP/1.1\r\nContent-Length: many\r\n\r\n",
          "POST /inkjet/print HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
          "POST /inkjet/print HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n",
        }) {
      try (Raw raw = new Raw(SANDBOX).send(nonsense)) {
        assertThat(raw.all()).as(nonsense).startsWith("HTTP/1.1 400").contains("Connection: close");
      }
    }
    try (Raw raw =
        new Raw(SANDBOX).send("POST /inkjet/print HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n")) {
      assertThat(raw.all()).startsWith("HTTP/1.1 413");
    }
    try (Raw raw = new Raw(SANDBOX).send(Raw.print("inkjet", "job_x/0", "not json"))) {
      assertThat(raw.answer()).startsWith("HTTP/1.1 400").contains("not JSON");
    }
    try (Raw raw = new Raw(SANDBOX).send("GET /nowhere HTTP/1.1\r\n\r\n")) {
      assertThat(raw.answer()).startsWith("HTTP/1.1 404").contains("\"error\"");
    }
  }

  @Test
  void closingEndsEverythingThatHangs() throws Exception {
    Sandbox sandbox = Sandbox.start();
    Raw hanging = new Raw(sandbox).send(scripted("job_1", "hang"));
    Raw waiting = new Raw(sandbox).send(scripted("job_2", "gate never"));
    try (hanging;
        waiting) {
      sandbox.awaitReceived("job_1", PATIENCE);
      sandbox.awaitReceived("job_2", PATIENCE);
      assertThat(sandbox.connections()).isEqualTo(2);
      sandbox.close();
      assertThat(sandbox.connections()).isZero();
    }
  }
}
