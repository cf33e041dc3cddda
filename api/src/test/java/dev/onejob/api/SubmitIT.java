package dev.onejob.api;

import static dev.onejob.api.Front.assertProblem;
import static dev.onejob.api.Front.body;
import static dev.onejob.api.Front.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.devkit.Api.Answer;
import dev.onejob.job.JobFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubmitIT {

  private static final String PRINT = body("print", "{\"document\":\"x\"}");

  private final Front front = Front.shared();

  @Test
  void theFirstTimeIs201AndEveryRepetitionIsTheSameJob() {
    String key = key("first");
    Answer first = front.submit(key, PRINT);
    assertThat(first.status()).as(first.text()).isEqualTo(201);
    String id = first.body().get("id").asString();
    assertThat(id).matches("job_[0-9A-HJKMNP-TV-Z]{26}");
    assertThat(first.header("Location")).isEqualTo("/v1/jobs/" + id);
    assertThat(first.header("Idempotency-Replayed")).isNull();
    assertThat(first.body().get("state").asString()).isEqualTo("QUEUED");
    assertThat(first.body().get("links").get("workflow").asString())
        .isEqualTo("http://ui.example/namespaces/default/workflows/" + id);
    Answer again = front.submit("\"" + key + "\"", PRINT);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(front.count("SELECT count(*) FROM wakeups WHERE job_id = '" + id + "'")).isOne();
  }

  @Test
  void aReplayAttachesToTheJobAtEveryStageOfItsLife() {
    String key = key("stages");
    String id = front.submit(key, PRINT).body().get("id").asString();
    front.begin(id, 1, "inkjet");
    assertReplay(key, id, "RUNNING");
    front.doubt(id, 1);
    assertReplay(key, id, "UNKNOWN");
    front
        .operator()
        .post(
            "/v1/jobs/" + id + "/attempts/1/resolution",
            "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"r\",\"expectedVersion\":1}");
    assertReplay(key, id, "WAITING");
    front.begin(id, 2, "inkjet");
    front.answer(id, 2, "{\"pages\":1}");
    assertReplay(key, id, "SUCCEEDED");
  }

  @Test
  void aReplayOfAFailedJobIsThatFailedJob() {
    String key = key("failed");
    String id = front.submit(key, PRINT).body().get("id").asString();
    front.begin(id, 1, "inkjet");
    front.fail(id, 1);
    front.ledger.giveUp(id, JobFailure.REFUSED);
    assertReplay(key, id, "FAILED");
  }

  private void assertReplay(String key, String id, String state) {
    Answer replay = front.submit(key, PRINT);
    assertThat(replay.status()).as(replay.text()).isEqualTo(200);
    assertThat(replay.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(replay.body().get("id").asString()).isEqualTo(id);
    assertThat(replay.body().get("state").asString()).isEqualTo(state);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"input\":{\"copies\":2,\"document\":\"x\"},\"operation\":\"print\"}",
        "{\"operation\":\"print\",\"input\":{\"document\":\"x\",\"copies\":2.0}}",
        " {\"operation\" : \"print\",\n\"input\":{\"document\":\"\\u0078\",\"copies\":20e-1}} ",
        "{\"operation\":\"print\",\"input\":{\"document\":\"x\",\"copies\":2},\"options\":{}}",
        "{\"operation\":\"print\",\"input\":{\"document\":\"x\",\"copies\":2},\"options\":{\"priority\":3,\"failover\":true}}",
      })
  void spellingChangesNoIntent(String spelling) {
    String key = key("spelling");
    Answer first = front.submit(key, body("print", "{\"document\":\"x\",\"copies\":2}"));
    Answer second = front.submit(key, spelling);
    assertThat(second.status()).as(second.text()).isEqualTo(200);
    assertThat(second.body().get("id")).isEqualTo(first.body().get("id"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"operation\":\"print\",\"input\":{\"document\":\"y\"}}",
        "{\"operation\":\"careful\",\"input\":{\"document\":\"x\"}}",
        "{\"operation\":\"print\",\"provider\":\"inkjet\",\"input\":{\"document\":\"x\"}}",
        "{\"operation\":\"print\",\"input\":{\"document\":\"x\",\"more\":null}}",
        "{\"operation\":\"print\",\"input\":{\"document\":\"x\"},\"options\":{\"failover\":false}}",
        "{\"operation\":\"print\",\"input\":{\"document\":\"x\"},\"options\":{\"priority\":1}}",
        "{\"operation\":\"print\",\"input\":{\"document\":\"x\"},\"options\":{\"deadline\":\"2030-01-01T00:00:00Z\"}}",
        "{\"operation\":\"gone\",\"input\":{\"document\":\"x\"}}",
      })
  void anotherIntentUnderTheSameKeyIsAConflictAndWritesNothing(String other) {
    String key = key("conflict");
    String id = front.submit(key, PRINT).body().get("id").asString();
    String before = front.rows();
    Answer conflict = front.submit(key, other);
    assertProblem(conflict, 409, "idempotency-key-conflict");
    assertThat(conflict.body().get("jobId").asString()).isEqualTo(id);
    assertThat(front.rows()).isEqualTo(before);
  }

  @Test
  void ofTwentyParallelPostsWithTwoBodiesOneIntentWins() throws Exception {
    String key = key("race");
    String other = body("print", "{\"document\":\"y\"}");
    List<Callable<Answer>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String sent = i % 2 == 0 ? PRINT : other;
      calls.add(() -> front.submit(key, sent));
    }
    List<Answer> answers = Front.together(calls);
    assertThat(answers.stream().filter(answer -> answer.status() == 201)).hasSize(1);
    assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(9);
    assertThat(answers.stream().filter(answer -> answer.status() == 409)).hasSize(10);
    assertThat(
            answers.stream()
                .map(
                    answer -> answer.body().get(answer.status() == 409 ? "jobId" : "id").asString())
                .distinct())
        .hasSize(1);
    assertThat(front.count("SELECT count(*) FROM jobs WHERE idempotency_key = '" + key + "'"))
        .isOne();
  }

  @Test
  void anotherOwnersSameKeyIsAnotherJobThatTheFirstCannotSee() {
    String key = key("shared");
    String mine = front.submit(key, PRINT).body().get("id").asString();
    Answer theirs = front.as(Front.STRANGER).post("/v1/jobs", PRINT, "Idempotency-Key", key);
    assertThat(theirs.status()).isEqualTo(201);
    String other = theirs.body().get("id").asString();
    assertThat(other).isNotEqualTo(mine);
    assertProblem(front.owner().get("/v1/jobs/" + other), 404, "not-found");
    assertProblem(front.owner().post("/v1/jobs/" + other + "/attempts", ""), 404, "not-found");
    assertThat(front.operator().get("/v1/jobs/" + other).status()).isEqualTo(200);
  }

  @Test
  void aReplayWorksAlsoWhenTheConfigurationHasChangedSince() {
    String gone = key("gone");
    String stricter = key("stricter");
    String anything = body("anything", "[1]");
    String goneId = front.submit(gone, anything).body().get("id").asString();
    String stricterId = front.submit(stricter, PRINT).body().get("id").asString();
    try (Front later = front.beside(FrontConfig.changed())) {
      Answer replayed = later.submit(gone, anything);
      assertThat(replayed.status()).as(replayed.text()).isEqualTo(200);
      assertThat(replayed.body().get("id").asString()).isEqualTo(goneId);
      assertThat(later.submit(stricter, PRINT).body().get("id").asString()).isEqualTo(stricterId);
      assertProblem(later.submit(key("new"), anything), 422, "unknown-operation");
      assertProblem(later.submit(key("new"), PRINT), 422, "input-invalid");
      assertProblem(later.submit(gone, PRINT), 409, "idempotency-key-conflict");
    }
  }

  @Test
  void anInvalidInputNamesEachPlaceByPointer() {
    Answer answer = front.submit(key("invalid"), body("print", "{\"copies\":0}"));
    assertProblem(answer, 422, "input-invalid");
    assertThat(answer.body().get("errors").toString())
        .contains("\"pointer\":\"/copies\"")
        .contains("document");
  }

  @Test
  void unknownOperationsAndProvidersAreRefused() {
    assertProblem(front.submit(key("o"), body("nothing", "{}")), 422, "unknown-operation");
    assertProblem(
        front.submit(
            key("p"),
            "{\"operation\":\"print\",\"provider\":\"plotter\",\"input\":{\"document\":\"x\"}}"),
        422,
        "unknown-provider");
  }

  @Test
  void aDeadlineInThePastIsAcceptedSoThatItsReplayIsToo() {
    String key = key("past");
    String past =
        "{\"operation\":\"print\",\"input\":{\"document\":\"x\"},\"options\":{\"deadline\":\"2020-01-01T01:00:00+01:00\"}}";
    Answer first = front.submit(key, past);
    assertThat(first.status()).as(first.text()).isEqualTo(201);
    assertThat(first.body().get("deadlineAt").asString()).isEqualTo("2020-01-01T00:00:00Z");
    assertThat(
            front
                .submit(key, past.replace("2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00Z"))
                .status())
        .isEqualTo(200);
  }

  @Test
  void notificationsAreRefusedAsLongAsTheyAreNotDelivered() {
    Answer answer =
        front.submit(
            key("notify"),
            "{\"operation\":\"print\",\"input\":{\"document\":\"x\"},\"options\":{\"notify\":\"https://a.example\"}}");
    assertProblem(answer, 400, "unknown-member");
    assertThat(answer.body().get("detail").asString())
        .contains("/options/notify")
        .contains("not available yet");
  }

  @Test
  void anInputOfOneMebibyteComesBackByteForByte() {
    int frame = body("anything", "\"\"").length();
    String input = "\"" + "é".repeat((1_048_576 - frame) / 2) + "\"";
    String text = body("anything", input);
    Answer accepted = front.submit(key("large"), text);
    assertThat(accepted.status()).isEqualTo(201);
    Answer read =
        front.owner().get("/v1/jobs/" + accepted.body().get("id").asString() + "?include=input");
    assertThat(read.text()).contains("\"input\":" + input);
    assertProblem(
        front.submit(key("larger"), body("anything", "\"" + "é".repeat(524_288) + "\"")),
        413,
        "payload-too-large");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\u0001',
      delimiter = ' ',
      value = {
        "1.00 1.00",
        "9007199254740993 9007199254740993",
        "1e3 1e3",
        "\"\\u00e9\\/\" \"\\u00e9\\/\"",
        "{\"b\":1,\"a\":[null,true]} {\"b\":1,\"a\":[null,true]}",
        "null null",
        "-0 -0",
      })
  void anInputIsKeptExactlyAsItWasWritten(String input, String shown) {
    Answer accepted = front.submit(key("exact"), body("anything", input));
    assertThat(accepted.status()).as(accepted.text()).isEqualTo(201);
    Answer read =
        front.owner().get("/v1/jobs/" + accepted.body().get("id").asString() + "?include=input");
    assertThat(read.text()).contains("\"input\":" + shown + ",\"links\"");
  }

  @Test
  void keysHoldSlashesCommasAndQuotesAndAreFoundByThem() {
    String key = key("a/b,c?d=e&f#\"%");
    String id = front.submit(key, PRINT).body().get("id").asString();
    Answer found = front.owner().get("/v1/jobs?idempotencyKey=" + encoded(key));
    assertThat(found.status()).as(found.text()).isEqualTo(200);
    assertThat(found.body().get("jobs")).hasSize(1);
    assertThat(found.body().get("jobs").get(0).get("id").asString()).isEqualTo(id);
    assertThat(found.body().get("nextCursor").isNull()).isTrue();
    for (String none : List.of("nobody's", "é/€", "\u0000", "")) {
      Answer empty = front.owner().get("/v1/jobs?idempotencyKey=" + encoded(none));
      assertThat(empty.status()).as(none + empty.text()).isIn(200, 400);
      assertThat(empty.body().path("jobs")).isEmpty();
    }
    assertThat(
            front
                .as(Front.STRANGER)
                .get("/v1/jobs?idempotencyKey=" + encoded(key))
                .body()
                .get("jobs"))
        .isEmpty();
  }

  private static String encoded(String text) {
    return java.net.URLEncoder.encode(text, java.nio.charset.StandardCharsets.UTF_8);
  }
}
