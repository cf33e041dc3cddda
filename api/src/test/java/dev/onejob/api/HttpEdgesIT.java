package dev.onejob.api;

import static dev.onejob.api.Front.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.devkit.Api.Answer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP as no proper client speaks it, and the pages that are open to everybody. */
class HttpEdgesIT {

  private static final String AUTH =
      "Host: x\r\nConnection: close\r\nAuthorization: Bearer " + Front.SUBMIT + "\r\n";

  private final Front front = Front.shared();

  static Stream<Arguments> whatTheContainerRefusesIsAProblemToo() {
    String post = "POST /v1/jobs HTTP/1.1\r\n" + AUTH + "Idempotency-Key: k-edge\r\n";
    String json = "Content-Type: application/json\r\n";
    return Stream.of(
        Arguments.of(
            "bad chunk",
            post + json + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
            400),
        Arguments.of("bad length", post + json + "Content-Length: x\r\n\r\n{}", 400),
        Arguments.of(
            "two lengths", post + json + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
        Arguments.of("bad target", "GET /v1/jobs/{x} HTTP/1.1\r\n" + AUTH + "\r\n", 400),
        Arguments.of("encoded slash", "GET /v1/jobs/a%2Fb HTTP/1.1\r\n" + AUTH + "\r\n", 400),
        Arguments.of("bad escape", "GET /v1/jobs/%zz HTTP/1.1\r\n" + AUTH + "\r\n", 400),
        Arguments.of("no host", "GET /v1/jobs/x HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
        Arguments.of(
            "large header",
            "GET /v1/jobs/x HTTP/1.1\r\n" + AUTH + "X: " + "x".repeat(40_000) + "\r\n\r\n",
            400),
        Arguments.of("trace", "TRACE /v1/jobs/x HTTP/1.1\r\n" + AUTH + "\r\n", 405),
        Arguments.of("unknown method", "BREW /v1/jobs/x HTTP/1.1\r\n" + AUTH + "\r\n", 405),
        Arguments.of("garbage", "\u0016\u0003\u0001 hello\r\n\r\n", 400));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void whatTheContainerRefusesIsAProblemToo(String what, String request, int status)
      throws Exception {
    RawHttp.Answer answer = RawHttp.send(front.port(), request);
    assertThat(answer.status()).as(answer.head() + answer.body()).isEqualTo(status);
    assertThat(answer.header("Content-Type"))
        .as(answer.head())
        .startsWith("application/problem+json");
    assertThat(answer.header("X-Request-Id")).as(answer.head()).isNotBlank();
    assertThat(answer.body()).contains("\"status\":" + status).doesNotContain("Exception");
  }

  @Test
  void aChunkedBodyBeyondTheLimitIsRefusedWhileItIsRead() throws Exception {
    StringBuilder chunks = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      chunks.append("10000\r\n").append(" ".repeat(65_536)).append("\r\n");
    }
    RawHttp.Answer answer =
        RawHttp.send(
            front.port(),
            "POST /v1/jobs HTTP/1.1\r\n"
                + AUTH
                + "Idempotency-Key: k-large\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + chunks
                + "0\r\n\r\n");
    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.body()).contains("payload-too-large");
  }

  @Test
  void aSaneRequestIdIsKeptAndAnotherReplaced() throws Exception {
    assertThat(front.owner().get("/v1/jobs/x", "X-Request-Id", "trace-7").header("X-Request-Id"))
        .isEqualTo("trace-7");
    for (String odd : new String[] {"a b", "x".repeat(129), "\u00e9"}) {
      RawHttp.Answer answer =
          RawHttp.send(
              front.port(),
              "GET /v1/jobs/x HTTP/1.1\r\n" + AUTH + "X-Request-Id: " + odd + "\r\n\r\n");
      assertThat(answer.header("X-Request-Id")).isNotEqualTo(odd).isNotBlank();
    }
  }

  @Test
  void headAnswersWithoutABodyAndOptionsNamesTheMethods() throws Exception {
    String id = front.accepted("print");
    RawHttp.Answer head =
        RawHttp.send(front.port(), "HEAD /v1/jobs/" + id + " HTTP/1.1\r\n" + AUTH + "\r\n");
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("ETag")).isNotBlank();
    assertThat(head.body()).isEmpty();
    RawHttp.Answer options =
        RawHttp.send(front.port(), "OPTIONS /v1/jobs HTTP/1.1\r\n" + AUTH + "\r\n");
    assertThat(options.status()).isEqualTo(200);
    assertThat(options.header("Allow")).contains("POST", "GET");
  }

  @Test
  void everyProblemHasAPage() {
    for (var problem : dev.onejob.api.problem.Problem.values()) {
      Answer page = front.anonymous().get("/problems/" + problem.slug());
      assertThat(page.status()).isEqualTo(200);
      assertThat(page.text()).contains(problem.title(), problem.advice());
    }
    assertProblem(front.anonymous().get("/problems/nothing"), 404, "not-found");
  }

  @Test
  void healthNeedsNoKeyAndNoEngine() {
    assertThat(front.anonymous().get("/livez").status()).isEqualTo(200);
    assertThat(front.anonymous().get("/readyz").status()).isEqualTo(200);
    assertThat(front.anonymous().get("/actuator/env").status()).isEqualTo(404);
  }
}
