package dev.onejob.provider.httpjson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.provider.Finish;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.SocketEffect;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only HTTP/2 does: streams that are refused, and bodies that end early without an error. */
@Timeout(30)
class Http2Test {

  private final MockWebServer server = new MockWebServer();

  @BeforeEach
  void start() throws IOException {
    server.setProtocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
    server.start();
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void anAnswerArrives() {
    server.enqueue(new MockResponse.Builder().body("{\"result\": 1}").build());
    assertThat(Printers.run(provider())).isInstanceOf(Finish.Answered.class);
  }

  @Test
  void aStreamThatEndsShortOfItsDeclaredLengthIsTruncated() {
    server.enqueue(
        new MockResponse.Builder()
            .body("{\"result\": 1}")
            .setHeader("Content-Length", "40")
            .build());
    assertThat(Printers.run(provider())).isEqualTo(new Finish.Unclear("TRUNCATED_BODY"));
    assertThat(server.getRequestCount()).isEqualTo(1);
  }

  /**
   * REFUSED_STREAM (7), INTERNAL_ERROR (2), CANCEL (8): a client may take them as leave to resend.
   */
  @ParameterizedTest
  @ValueSource(ints = {7, 2, 8})
  void aResetStreamIsUnclearAndAskedForOnce(int code) {
    for (int i = 0; i < 3; i++) {
      server.enqueue(
          new MockResponse.Builder().onResponseStart(new SocketEffect.CloseStream(code)).build());
    }
    assertThat(Printers.run(provider())).isEqualTo(new Finish.Unclear("CONNECTION_LOST"));
    assertThat(server.getRequestCount()).isEqualTo(1);
  }

  private HttpJsonProvider provider() {
    return new HttpJsonProvider(
        Printers.settings(
            "http://127.0.0.1:" + server.getPort(),
            ContentType.JSON,
            Printers.PATHS,
            Map.of(),
            Printers.PATIENT),
        Printers.CLOCK,
        OneShotClient.BASE.newBuilder().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE)).build());
  }
}
