package dev.onejob.api;

import static dev.onejob.api.Front.assertProblem;
import static dev.onejob.api.Front.body;
import static dev.onejob.api.Front.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.devkit.Api.Answer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bad input is a 4xx that says why, never a 500, and leaves no row behind. */
class BadInputIT {

  private static final String PRINT = body("print", "{\"document\":\"x\"}");

  private final Front front = Front.shared();
  private String before = "";

  @BeforeEach
  void count() {
    before = front.rows();
  }

  @AfterEach
  void nothingWasStored() {
    assertThat(front.rows()).isEqualTo(before);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("", "malformed-json"),
        Arguments.of(" ", "malformed-json"),
        Arguments.of("{", "malformed-json"),
        Arguments.of("nul", "malformed-json"),
        Arguments.of("[]", "malformed-json"),
        Arguments.of("null", "malformed-json"),
        Arguments.of("\"print\"", "malformed-json"),
        Arguments.of(PRINT + "{}", "malformed-json"),
        Arguments.of(PRINT + ",", "malformed-json"),
        Arguments.of("\uFEFF" + PRINT, "malformed-json"),
        Arguments.of("{'operation':'print'}", "malformed-json"),
        Arguments.of("{\"operation\":\"print\",\"input\":{},}", "malformed-json"),
        Arguments.of(
            "{\"operation\":\"print\",\"operation\":\"print\",\"input\":{}}", "malformed-json"),
        Arguments.of(body("anything", "{\"a\":1,\"a\":1}"), "malformed-json"),
        Arguments.of(body("anything", "{\"a\":1,\"\\u0061\":1}"), "malformed-json"),
        Arguments.of(body("anything", "\"\\u0000\""), "malformed-json"),
        Arguments.of(body("anything", "\"\\ud800\""), "malformed-json"),
        Arguments.of(body("anything", "\"a\nb\""), "malformed-json"),
        Arguments.of(body("anything", "NaN"), "malformed-json"),
        Arguments.of(body("anything", "01"), "malformed-json"),
        Arguments.of(body("anything", "1."), "malformed-json"),
        Arguments.of(body("anything", "// no\n1"), "malformed-json"),
        Arguments.of(body("anything", "1e1001"), "limit-exceeded"),
        Arguments.of(body("anything", "1e-99999999999999999999"), "limit-exceeded"),
        Arguments.of(body("anything", "1".repeat(1_001)), "limit-exceeded"),
        Arguments.of(body("anything", "[".repeat(100) + "]".repeat(100)), "limit-exceeded"),
        Arguments.of(body("anything", "[".repeat(100_000)), "limit-exceeded"),
        Arguments.of("{\"input\":{}}", "malformed-json"),
        Arguments.of("{\"operation\":\"print\"}", "malformed-json"),
        Arguments.of("{\"operation\":null,\"input\":{}}", "malformed-json"),
        Arguments.of("{\"operation\":1,\"input\":{}}", "malformed-json"),
        Arguments.of("{\"operation\":\"print\",\"provider\":null,\"input\":{}}", "malformed-json"),
        Arguments.of("{\"operation\":\"print\",\"provider\":[],\"input\":{}}", "malformed-json"),
        Arguments.of("{\"operation\":\"print\",\"inputs\":{}}", "unknown-member"),
        Arguments.of("{\"operation\":\"print\",\"input\":{},\"a/b~\":1}", "unknown-member"),
        Arguments.of(options("null"), "malformed-json"),
        Arguments.of(options("[]"), "malformed-json"),
        Arguments.of(options("{\"prioritty\":1}"), "unknown-member"),
        Arguments.of(options("{\"priority\":0}"), "malformed-json"),
        Arguments.of(options("{\"priority\":6}"), "malformed-json"),
        Arguments.of(options("{\"priority\":\"3\"}"), "malformed-json"),
        Arguments.of(options("{\"priority\":3.5}"), "malformed-json"),
        Arguments.of(options("{\"priority\":99999999999999999999}"), "malformed-json"),
        Arguments.of(options("{\"priority\":null}"), "malformed-json"),
        Arguments.of(options("{\"failover\":\"true\"}"), "malformed-json"),
        Arguments.of(options("{\"failover\":1}"), "malformed-json"),
        Arguments.of(options("{\"deadline\":\"tomorrow\"}"), "malformed-json"),
        Arguments.of(options("{\"deadline\":\"2030-01-01\"}"), "malformed-json"),
        Arguments.of(options("{\"deadline\":\"2030-01-01T00:00:00\"}"), "malformed-json"),
        Arguments.of(options("{\"deadline\":\"+999999999-12-31T23:59:59Z\"}"), "malformed-json"),
        Arguments.of(options("{\"deadline\":\"2030-02-30T00:00:00Z\"}"), "malformed-json"),
        Arguments.of(options("{\"deadline\":1893456000}"), "malformed-json"));
  }

  private static String options(String options) {
    return "{\"operation\":\"print\",\"input\":{\"document\":\"x\"},\"options\":" + options + "}";
  }

  @ParameterizedTest
  @MethodSource
  void refused(String sent, String slug) {
    assertProblem(front.submit(key("bad"), sent), 400, slug);
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    for (String bytes : new String[] {"\u00ff", "\u00c0\u00af", "\u00ed\u00a0\u0080", "\u00e9"}) {
      byte[] sent = body("anything", "\"" + bytes + "\"").getBytes(StandardCharsets.ISO_8859_1);
      assertProblem(
          front.owner().post("/v1/jobs", sent, "Idempotency-Key", key("utf8")),
          400,
          "malformed-json");
    }
    byte[] wide = PRINT.getBytes(StandardCharsets.UTF_16);
    assertProblem(
        front.owner().post("/v1/jobs", wide, "Idempotency-Key", key("utf16")),
        400,
        "malformed-json");
  }

  @Test
  void mutilatedBodiesAreNeverA500() {
    Random random = new Random(3);
    byte[] whole =
        "{\"operation\":\"gone\",\"provider\":\"laser\",\"input\":{\"a\":[1,\"é\"]},\"options\":{\"priority\":2}}"
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 300; i++) {
      byte[] sent = whole.clone();
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        sent[random.nextInt(sent.length)] = (byte) random.nextInt(256);
      }
      Answer answer = front.owner().post("/v1/jobs", sent, "Idempotency-Key", key("mutilated"));
      assertThat(answer.status())
          .as(new String(sent, StandardCharsets.UTF_8) + answer.text())
          .isBetween(400, 422);
    }
  }

  @Test
  void keysThatAreNoKeysAreRefused() {
    assertProblem(front.owner().post("/v1/jobs", PRINT), 400, "idempotency-key-missing");
    assertProblem(front.submit("", PRINT), 400, "idempotency-key-invalid");
    assertProblem(front.submit("\"\"", PRINT), 400, "idempotency-key-invalid");
    assertProblem(front.submit("k".repeat(256), PRINT), 400, "idempotency-key-invalid");
    assertProblem(
        front.owner().post("/v1/jobs", PRINT, "Idempotency-Key", "k", "Idempotency-Key", "k"),
        400,
        "idempotency-key-invalid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=iso-8859-1",
        "application/problem+json",
        "json",
        ";"
      })
  void anotherContentTypeIsRefused(String type) {
    assertProblem(
        front.owner().post("/v1/jobs", PRINT, "Idempotency-Key", key("type"), "Content-Type", type),
        415,
        "unsupported-media-type");
  }

  @Test
  void whoMayNotIsToldSoBeforeAnythingIsRead() {
    for (Answer answer :
        new Answer[] {
          front.anonymous().post("/v1/jobs", "{", "Idempotency-Key", "k"),
          front.as("wrong").post("/v1/jobs", "{", "Idempotency-Key", "k"),
          front.as("k".repeat(2_000)).get("/v1/jobs/x"),
          front.anonymous().get("/v1/nothing"),
          front.anonymous().get("/v1/jobs/x", "Authorization", "Basic dTpw"),
          front.anonymous().get("/v1/jobs/x", "Authorization", "Bearer"),
          front.anonymous().get("/%761/jobs/x"),
        }) {
      assertProblem(answer, 401, "unauthenticated");
      assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
    }
    assertProblem(
        front.as(Front.WATCHER).post("/v1/jobs", PRINT, "Idempotency-Key", "k"), 403, "forbidden");
  }

  @Test
  void whatIsNotThereIsNotFound() {
    for (String path :
        new String[] {
          "/v1/jobs/job_01JZZZZZZZZZZZZZZZZZZZZZZZ",
          "/v1/jobs/x",
          "/v1/jobs/%00",
          "/v1/jobs/x%00y",
          "/v1/jobs/",
          "/v1/nothing",
          "/v1/jobs/x/y",
          "/nothing",
          "/",
          "/problems/nothing",
          "/v1/jobs/%E2%82%AC"
        }) {
      Answer answer = front.owner().get(path);
      assertThat(answer.status()).as(path + answer.text()).isIn(400, 404);
      assertThat(answer.header("Content-Type")).as(path).startsWith("application/problem+json");
      assertThat(answer.header("X-Request-Id")).as(path).isNotBlank();
    }
  }

  @Test
  void anotherMethodIsToldWhichWouldDo() {
    Answer deleted = front.owner().delete("/v1/jobs/x");
    assertProblem(deleted, 405, "method-not-allowed");
    assertThat(deleted.header("Allow")).contains("GET");
    assertProblem(front.owner().put("/v1/jobs", PRINT), 405, "method-not-allowed");
    assertProblem(front.owner().get("/v1/jobs/x/attempts"), 405, "method-not-allowed");
    assertProblem(front.anonymous().delete("/openapi.json"), 405, "method-not-allowed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"wait=%zz", "%=1", "idempotencyKey=%ff", "idempotencyKey=%00", "a=%"})
  void queriesThatAreNotProperlyEncodedAreRefused(String query) throws Exception {
    var answer =
        RawHttp.send(
            front.port(),
            "GET /v1/jobs?"
                + query
                + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
                + Front.SUBMIT
                + "\r\n\r\n");
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
  }
}
