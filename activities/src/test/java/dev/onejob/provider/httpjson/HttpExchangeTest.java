package dev.onejob.provider.httpjson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.provider.Exchange;
import dev.onejob.provider.Finish;
import dev.onejob.provider.Outbound;
import dev.onejob.provider.Timeouts;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class HttpExchangeTest {

  private static final Timeouts SHORT =
      new Timeouts(Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofMillis(200));

  @Test
  void theResultIsTheProvidersOwnTextByteForByte() throws Exception {
    String result = "{ \"pages\" : 1.10, \"n\":9007199254740993, \"t\":\"\\u0041ä\" }";
    String body = "{\"id\":\"prt_1\",\"result\":" + result + " ,\"cost\":0.010}";
    try (RawServer server = new RawServer(ok(body))) {
      Exchange exchange =
          Printers.at(server.url()).prepare(new Outbound("{\"copies\": 1.10}", "job_1/0"));
      assertThat(exchange.sent()).isFalse();

      Finish.Answered answered = (Finish.Answered) exchange.run();

      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      assertThat(answered.resultText()).isEqualTo(result);
      assertThat(answered.reference()).isEqualTo("prt_1");
      assertThat(answered.cost()).isEqualTo(new BigDecimal("0.010"));
      assertThat(answered.bytes()).isEqualTo(bytes.length);
      assertThat(answered.sha256()).isEqualTo(MessageDigest.getInstance("SHA-256").digest(bytes));
      assertThat(answered.model()).isEqualTo("m1");
      assertThat(exchange.sent()).isTrue();
      assertThat(exchange.reference()).isEqualTo("prt_1");
      assertThat(server.requests())
          .singleElement()
          .asString()
          .startsWith("POST /print HTTP/1.1\r\n")
          .contains("\r\nIdempotency-Key: job_1/0\r\n")
          .contains("\r\nAuthorization: Bearer s3cr3t-value\r\n")
          .contains("\r\nContent-Type: application/json\r\n")
          .endsWith("\r\n\r\n{\"copies\": 1.10}");
    }
  }

  @Test
  void withoutAResultPathTheWholeBodyIsTheResult() throws Exception {
    String body = " {\"pages\": 1.10} ";
    try (RawServer server = new RawServer(ok(body))) {
      HttpJsonProvider provider =
          new HttpJsonProvider(
              Printers.settings(
                  server.url(),
                  ContentType.JSON,
                  new AnswerPaths(null, null, null),
                  Map.of(),
                  Printers.PATIENT),
              Printers.CLOCK);
      assertThat(((Finish.Answered) Printers.run(provider)).resultText()).isEqualTo(body);
    }
  }

  @Test
  void aFormBodyIsFlat() throws Exception {
    try (RawServer server = new RawServer(ok("{\"result\":1}"))) {
      HttpJsonProvider provider =
          new HttpJsonProvider(
              Printers.settings(
                  server.url(), ContentType.FORM, Printers.PATHS, Map.of(), Printers.PATIENT),
              Printers.CLOCK);

      assertThat(
              provider
                  .prepare(new Outbound("{\"a b\":\"x&y=ä\",\"n\":1.10,\"t\":true}", null))
                  .run())
          .isInstanceOf(Finish.Answered.class);
      assertThat(server.requests().getFirst())
          .contains("Content-Type: application/x-www-form-urlencoded\r\n")
          .doesNotContain("Idempotency-Key")
          .endsWith("\r\n\r\na+b=x%26y%3D%C3%A4&n=1.10&t=true");
      for (String body : new String[] {"{\"a\":{}}", "{\"a\":[1]}", "{\"a\":null}", "[1]", "{"}) {
        assertThat(provider.prepare(new Outbound(body, null)).run())
            .isEqualTo(new Finish.NotSent("FORM_NOT_FLAT"));
      }
      assertThat(server.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | EMPTY_BODY",
        "{\"result\":1 | UNPARSABLE_BODY",
        "<html>ok</html> | UNPARSABLE_BODY",
        "{\"result\":1}{} | UNPARSABLE_BODY",
        "{\"result\":1,\"result\":2} | UNPARSABLE_BODY",
        "{\"result\":NaN} | UNPARSABLE_BODY",
        "{\"error\":\"upstream died\"} | NO_RESULT_MEMBER",
        "[] | NO_RESULT_MEMBER",
        "7 | NO_RESULT_MEMBER",
      })
  void anAnswerThatSaysNothingIsUnclear(String body, String why) throws Exception {
    try (RawServer server = new RawServer(ok(body))) {
      assertThat(Printers.run(Printers.at(server.url()))).isEqualTo(new Finish.Unclear(why));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"id\":7,\"result\":null,\"cost\":\"0.5\"} | 7 | 0.5",
        "{\"id\":{},\"result\":null,\"cost\":[]} | |",
        "{\"id\":\"\\u0000\",\"result\":null,\"cost\":\"much\"} | |",
        "{\"id\":\" \",\"result\":null,\"cost\":1e900} | |",
        "{\"result\":null} | |",
      })
  void anOddReferenceOrCostNeverSpoilsAnAnswer(
      String body, @Nullable String reference, @Nullable BigDecimal cost) throws Exception {
    try (RawServer server = new RawServer(ok(body))) {
      Finish.Answered answered = (Finish.Answered) Printers.run(Printers.at(server.url()));
      assertThat(answered.resultText()).isEqualTo("null");
      assertThat(answered.reference()).isEqualTo(reference);
      assertThat(answered.cost()).isEqualTo(cost);
    }
  }

  @Test
  void anAcceptedRequestIsUnclearButItsReferenceIsKnown() throws Exception {
    try (RawServer server =
        new RawServer(
            RawServer.text("HTTP/1.1 202 X\r\nContent-Length: 14\r\n\r\n{\"id\":\"prt_9\"}"))) {
      Exchange exchange = Printers.at(server.url()).prepare(new Outbound("{}", null));
      assertThat(exchange.run()).isEqualTo(new Finish.Unclear("ACCEPTED_202"));
      assertThat(exchange.reference()).isEqualTo("prt_9");
    }
  }

  @Test
  void informationalAnswersAreNotTheAnswer() throws Exception {
    try (RawServer server =
        new RawServer(
            RawServer.text(
                "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"result\":1}"))) {
      assertThat(Printers.run(Printers.at(server.url()))).isInstanceOf(Finish.Answered.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n{\"result\":1}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nc\r\n{\"result\":1}\r\n",
      })
  void aTruncatedBodyIsUnclearHoweverWellItParses(String answer) throws Exception {
    try (RawServer server = new RawServer(RawServer.text(answer))) {
      assertThat(Printers.run(Printers.at(server.url())))
          .isEqualTo(new Finish.Unclear("TRUNCATED_BODY"));
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void aHugeBodyIsUnclearWhetherDeclaredOrNot() throws Exception {
    try (RawServer server =
        new RawServer(RawServer.text("HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\n{"))) {
      assertThat(Printers.run(Printers.at(server.url())))
          .isEqualTo(new Finish.Unclear("BODY_TOO_LARGE"));
    }
    try (RawServer server =
        new RawServer(
            socket -> {
              RawServer.text("HTTP/1.1 200 OK\r\n\r\n").write(socket);
              byte[] much = new byte[1024 * 1024];
              for (int i = 0; i < 40; i++) {
                socket.getOutputStream().write(much);
              }
            })) {
      assertThat(Printers.run(Printers.at(server.url())))
          .isEqualTo(new Finish.Unclear("BODY_TOO_LARGE"));
    }
  }

  @Test
  void fiveMegabytesArrive() throws Exception {
    String result = "\"" + "x".repeat(5_000_000) + "\"";
    try (RawServer server = new RawServer(ok("{\"result\":" + result + "}"))) {
      Finish.Answered answered = (Finish.Answered) Printers.run(Printers.at(server.url()));
      assertThat(answered.resultText()).hasSize(5_000_002).isEqualTo(result);
    }
  }

  @Test
  void aServerThatHangsUpAfterTheRequestLeavesItUnclearAndIsAskedOnce() throws Exception {
    try (RawServer server = new RawServer(socket -> {})) {
      assertThat(Printers.run(Printers.at(server.url())))
          .isEqualTo(new Finish.Unclear("CONNECTION_LOST"));
      assertThat(server.requests()).hasSize(1);
    }
    try (RawServer server = new RawServer(socket -> socket.setSoLinger(true, 0))) {
      assertThat(Printers.run(Printers.at(server.url())))
          .isEqualTo(new Finish.Unclear("CONNECTION_LOST"));
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void aServerThatDropsKeptConnectionsNeverSeesARequestTwice() throws Exception {
    try (RawServer server = new RawServer(ok("{\"result\":1}"))) {
      HttpJsonProvider provider = Printers.at(server.url());
      for (int i = 0; i < 5; i++) {
        // Without Connection: close the client would keep the connection that the server closes.
        assertThat(Printers.run(provider)).isInstanceOf(Finish.Answered.class);
      }
      assertThat(server.requests()).hasSize(5);
    }
  }

  @Test
  void anAnswerThatIsNoHttpIsUnclear() throws Exception {
    try (RawServer server = new RawServer(RawServer.text("SSH-2.0-x\r\n\r\n"))) {
      assertThat(Printers.run(Printers.at(server.url())))
          .isEqualTo(new Finish.Unclear("PROTOCOL_ERROR"));
    }
  }

  @Test
  void silenceEndsAfterCallAndLinger() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (RawServer server = new RawServer(socket -> never.await())) {
      long start = System.nanoTime();
      assertThat(Printers.run(Printers.at(server.url(), SHORT)))
          .isEqualTo(new Finish.Unclear("READ_TIMEOUT"));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(390));
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void aTrickleDoesNotOutliveTheDeadline() throws Exception {
    try (RawServer server =
        new RawServer(
            socket -> {
              RawServer.text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n").write(socket);
              while (true) {
                socket.getOutputStream().write(' ');
                TimeUnit.MILLISECONDS.sleep(10); // the pace of the trickle, nothing waits for it
              }
            })) {
      assertThat(Printers.run(Printers.at(server.url(), SHORT)))
          .isEqualTo(new Finish.Unclear("READ_TIMEOUT"));
    }
  }

  @Test
  void nobodyListeningIsNotSent() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Exchange exchange =
        Printers.at("http://127.0.0.1:" + port).prepare(new Outbound("{}", "job_1/0"));
    assertThat(exchange.run()).isEqualTo(new Finish.NotSent("CONNECT_REFUSED"));
    assertThat(exchange.sent()).isFalse();
  }

  @Test
  void anUnknownNameIsNotSent() {
    assertThat(Printers.run(Printers.at("http://nobody.invalid")))
        .isIn(new Finish.NotSent("DNS"), new Finish.NotSent("CONNECT_TIMEOUT"));
  }

  @Test
  void aTlsFailureIsNotSent() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (var socket = listener.accept()) {
                  socket.getInputStream().read();
                  socket
                      .getOutputStream()
                      .write("HTTP/1.1 400 plain\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                  // Nothing to clean up.
                }
              });
      assertThat(Printers.run(Printers.at("https://127.0.0.1:" + listener.getLocalPort())))
          .isEqualTo(new Finish.NotSent("TLS"));
    }
  }

  @Test
  void aTlsHandshakeThatHangsIsNotSentAfterTheConnectTimeout() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Timeouts timeouts =
          new Timeouts(Duration.ofMillis(200), Duration.ofSeconds(10), Duration.ofSeconds(10));
      assertThat(
              Printers.run(Printers.at("https://127.0.0.1:" + listener.getLocalPort(), timeouts)))
          .isEqualTo(new Finish.NotSent("CONNECT_TIMEOUT"));
    }
  }

  @Test
  void interruptingTheThreadHangsUpAndKeepsTheFlag() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (RawServer server = new RawServer(socket -> never.await())) {
      CompletableFuture<String> finish = new CompletableFuture<>();
      Thread caller =
          Thread.ofVirtual()
              .start(
                  () ->
                      finish.complete(
                          Printers.run(Printers.at(server.url()))
                              + " "
                              + Thread.currentThread().isInterrupted()));
      server.awaitRequest();
      caller.interrupt();
      assertThat(finish.get(5, TimeUnit.SECONDS)).isEqualTo("Unclear[why=ABORTED] true");
    }
  }

  @Test
  void abortHangsUpFromAnotherThread() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (RawServer server = new RawServer(socket -> never.await())) {
      Exchange exchange = Printers.at(server.url()).prepare(new Outbound("{}", null));
      CompletableFuture<Finish> finish = new CompletableFuture<>();
      Thread.ofVirtual().start(() -> finish.complete(exchange.run()));
      server.awaitRequest();
      exchange.abort();
      exchange.abort();
      assertThat(finish.get(5, TimeUnit.SECONDS)).isEqualTo(new Finish.Unclear("ABORTED"));
    }
  }

  @Test
  void anExchangeAbortedBeforeItRunsSendsNothing() throws Exception {
    try (RawServer server = new RawServer(ok("{\"result\":1}"))) {
      Exchange exchange = Printers.at(server.url()).prepare(new Outbound("{}", null));
      exchange.abort();
      assertThat(exchange.run()).isEqualTo(new Finish.NotSent("ABORTED"));
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void anExchangeIsGoodForOneRequest() throws Exception {
    try (RawServer server = new RawServer(ok("{\"result\":1}"))) {
      Exchange exchange = Printers.at(server.url()).prepare(new Outbound("{}", null));
      exchange.run();
      assertThatThrownBy(exchange::run).isInstanceOf(IllegalStateException.class);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void nothingThatIsPrintedHoldsASecretOrTheOwnersData() throws Exception {
    try (RawServer server = new RawServer(ok("{\"result\":\"private\"}"))) {
      HttpJsonProvider provider = Printers.at(server.url());
      assertThat(
              provider
                  + " "
                  + Printers.run(provider)
                  + " "
                  + new Outbound("private", "job_1/0")
                  + " "
                  + Printers.settings(
                      server.url(), ContentType.JSON, Printers.PATHS, Map.of(), Printers.PATIENT))
          .doesNotContain("s3cr3t-value")
          .doesNotContain("private");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a\r\nX: y", "", "ä"})
  void aKeyThatCouldSplitAHeaderIsRefused(String key) {
    assertThatThrownBy(() -> new Outbound("{}", key)).isInstanceOf(IllegalArgumentException.class);
  }

  /** A whole answer; without a length for the connection to be closed on. */
  private static RawServer.Answer ok(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return socket -> {
      RawServer.text("HTTP/1.1 200 OK\r\nContent-Length: " + bytes.length + "\r\n\r\n")
          .write(socket);
      socket.getOutputStream().write(bytes);
    };
  }
}
