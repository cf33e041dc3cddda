package dev.onejob.api;

import static dev.onejob.api.Front.assertProblem;
import static dev.onejob.api.Front.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.devkit.Api.Answer;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperateIT {

  private final Front front = Front.shared();

  // ---- another attempt

  @Test
  void anotherAttemptIsAskedForBetweenAttemptsAndRefusedWhileOneIsUnresolved() {
    String id = front.accepted("print");
    String attempts = "/v1/jobs/" + id + "/attempts";
    front.begin(id, 1, "inkjet");
    Answer running = front.owner().post(attempts, "");
    assertProblem(running, 409, "attempt-unresolved");
    assertThat(running.body().get("attempt").asInt()).isEqualTo(1);
    assertThat(Instant.parse(running.body().get("since").asString())).isNotNull();
    front.doubt(id, 1);
    assertProblem(front.operator().post(attempts, "{}"), 409, "attempt-unresolved");
    resolve(id, "NOT_EXECUTED");
    Answer asked = front.owner().post(attempts, "{\"provider\":\"laser\"}");
    assertThat(asked.status()).as(asked.text()).isEqualTo(202);
    assertThat(asked.body().get("state").asString()).isEqualTo("WAITING");
    assertThat(
            front.count(
                "SELECT count(*) FROM attempt_requests WHERE provider = 'laser' AND requested_by = 'default' AND job_id = '"
                    + id
                    + "'"))
        .isOne();
    front.begin(id, 2, "laser");
    front.answer(id, 2, "{}");
    assertProblem(front.owner().post(attempts, ""), 409, "job-closed");
  }

  @Test
  void aProviderThatProvedNothingIsNotTaken() {
    for (String operation : new String[] {"careful", "never"}) {
      String id = front.accepted(operation);
      assertProblem(
          front.owner().post("/v1/jobs/" + id + "/attempts", "{\"provider\":\"laser\"}"),
          409,
          "provider-not-certified");
      assertThat(
              front
                  .owner()
                  .post("/v1/jobs/" + id + "/attempts", "{\"provider\":\"inkjet\"}")
                  .status())
          .isEqualTo(202);
    }
    String own =
        front
            .submit(
                key("own"),
                "{\"operation\":\"print\",\"provider\":\"laser\",\"input\":{\"document\":\"x\"},\"options\":{\"failover\":false}}")
            .body()
            .get("id")
            .asString();
    assertProblem(
        front.owner().post("/v1/jobs/" + own + "/attempts", "{\"provider\":\"inkjet\"}"),
        409,
        "provider-not-certified");
    assertProblem(
        front.owner().post("/v1/jobs/" + own + "/attempts", "{\"provider\":\"plotter\"}"),
        422,
        "unknown-provider");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{\"provider\":1}",
        "{\"provider\":null}",
        "{",
        "\u0000",
        "{\"provider\":\"\\u0000\"}"
      })
  void aRequestOfAnotherShapeIsRefused(String sent) {
    String id = front.accepted("print");
    assertProblem(front.owner().post("/v1/jobs/" + id + "/attempts", sent), 400, "malformed-json");
    assertProblem(
        front.owner().post("/v1/jobs/" + id + "/attempts", "{\"prvoider\":\"laser\"}"),
        400,
        "unknown-member");
  }

  // ---- resolutions

  @Test
  void aPersonsResultIsKeptByteForByteAndClosesTheJob() {
    String id = doubted();
    String result = "{ \"pages\" : 1.00, \"note\":\"\\u00e9\" }";
    Answer resolved =
        front
            .operator()
            .post(
                "/v1/jobs/" + id + "/attempts/1/resolution",
                "{\"verdict\":\"EXECUTED\",\"result\":"
                    + result
                    + ",\"reason\":\"saw it\",\"evidence\":\"https://tickets.example/1\",\"expectedVersion\":1}");
    assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
    assertThat(resolved.text()).contains("\"result\":" + result + ",");
    assertThat(resolved.body().get("state").asString()).isEqualTo("SUCCEEDED");
    assertThat(resolved.body().get("version").asInt()).isEqualTo(2);
    assertThat(
            front.count(
                "SELECT count(*) FROM audit WHERE job_id = '"
                    + id
                    + "' AND event = 'RESOLVED' AND actor = 'operator' AND NOT claimed"
                    + " AND verdict = 'EXECUTED' AND reason = 'saw it' AND evidence = 'https://tickets.example/1'"))
        .isOne();
    assertProblem(resolve(id, "NOT_EXECUTED"), 409, "attempt-already-resolved");
  }

  @Test
  void acceptingTheRiskReleasesTheAttempt() {
    String id = doubted();
    Answer resolved = resolve(id, "ACCEPT_DUPLICATE_RISK");
    assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
    assertThat(resolved.body().get("attempts").get(0).get("state").asString())
        .isEqualTo("RELEASED");
    assertThat(resolved.body().get("attention").isNull()).isTrue();
  }

  @Test
  void onlyOperatorsResolve() {
    String id = doubted();
    String before = front.rows();
    assertProblem(
        front.owner().post("/v1/jobs/" + id + "/attempts/1/resolution", resolution("NOT_EXECUTED")),
        403,
        "forbidden");
    assertThat(front.rows()).isEqualTo(before);
  }

  @Test
  void aResolutionMeetsTheAttemptAndTheVersionThatWereLookedAt() {
    String id = doubted();
    String path = "/v1/jobs/" + id + "/attempts/";
    for (String number : new String[] {"2", "0", "-1", "x", "99999999999999"}) {
      assertProblem(
          front.operator().post(path + number + "/resolution", resolution("NOT_EXECUTED")),
          404,
          "not-found");
    }
    assertProblem(
        front
            .operator()
            .post(
                "/v1/jobs/job_01JZZZZZZZZZZZZZZZZZZZZZZZ/attempts/1/resolution",
                resolution("NOT_EXECUTED")),
        404,
        "not-found");
    Answer moved =
        front
            .operator()
            .post(path + "1/resolution", resolution("NOT_EXECUTED").replace(":1}", ":7}"));
    assertProblem(moved, 409, "version-moved");
    assertThat(moved.body().get("version").asInt()).isEqualTo(1);
    String running = front.accepted("print");
    front.begin(running, 1, "inkjet");
    assertProblem(resolve(running, "NOT_EXECUTED"), 409, "attempt-already-resolved");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"verdict\":\"EXECUTED\",\"reason\":\"r\",\"expectedVersion\":1}",
        "{\"verdict\":\"NOT_EXECUTED\",\"result\":{},\"reason\":\"r\",\"expectedVersion\":1}",
        "{\"verdict\":\"NOT_EXECUTED\",\"result\":null,\"reason\":\"r\",\"expectedVersion\":1}",
        "{\"verdict\":\"PERHAPS\",\"reason\":\"r\",\"expectedVersion\":1}",
        "{\"verdict\":\"not_executed\",\"reason\":\"r\",\"expectedVersion\":1}",
        "{\"verdict\":1,\"reason\":\"r\",\"expectedVersion\":1}",
        "{\"reason\":\"r\",\"expectedVersion\":1}",
        "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"r\"}",
        "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"r\",\"expectedVersion\":\"1\"}",
        "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"r\",\"expectedVersion\":1.5}",
        "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"r\",\"expectedVersion\":99999999999}",
        "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"\",\"expectedVersion\":1}",
        "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\" \\n\",\"expectedVersion\":1}",
        "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"a\\u0000b\",\"expectedVersion\":1}",
        "{\"verdict\":\"NOT_EXECUTED\",\"expectedVersion\":1}",
        "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"r\",\"evidence\":\"ftp://x\",\"expectedVersion\":1}",
        "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"r\",\"evidence\":\"javascript:alert(1)\",\"expectedVersion\":1}",
        "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"r\",\"evidence\":\"https://\",\"expectedVersion\":1}",
        "{\"verdict\":\"NOT_EXECUTED\",\"reason\":\"r\",\"evidence\":\"https://x/\\u0000\",\"expectedVersion\":1}",
        "[]",
        "",
        "{"
      })
  void aResolutionOfAnotherShapeIsRefusedAndChangesNothing(String sent) {
    String id = doubted();
    String before = front.rows();
    assertProblem(
        front.operator().post("/v1/jobs/" + id + "/attempts/1/resolution", sent),
        400,
        "malformed-json");
    assertThat(front.rows()).isEqualTo(before);
    assertThat(front.owner().get("/v1/jobs/" + id).body().get("state").asString())
        .isEqualTo("UNKNOWN");
  }

  @Test
  void reasonsAndUnknownMembersAreBounded() {
    String id = doubted();
    String path = "/v1/jobs/" + id + "/attempts/1/resolution";
    assertProblem(
        front
            .operator()
            .post(path, resolution("NOT_EXECUTED").replace("looked", "r".repeat(2_001))),
        400,
        "malformed-json");
    assertProblem(
        front.operator().post(path, resolution("NOT_EXECUTED").replace("reason", "raeson")),
        400,
        "unknown-member");
  }

  @Test
  void aResultOfFiveMegabytesMayBeGivenByAPerson() {
    String id = doubted();
    String result = "\"" + "é".repeat(2_500_000) + "\"";
    Answer resolved =
        front
            .operator()
            .post(
                "/v1/jobs/" + id + "/attempts/1/resolution",
                "{\"verdict\":\"EXECUTED\",\"result\":"
                    + result
                    + ",\"reason\":\"saw it\",\"expectedVersion\":1}");
    assertThat(resolved.status()).isEqualTo(200);
    assertThat(resolved.text().contains("\"result\":" + result + ",")).isTrue();
  }

  // ---- the race log

  @Test
  void aLateFinishIsInTheRaceLogWithWhoWon() {
    String id = front.accepted("print");
    front.begin(id, 1, "inkjet");
    front.doubt(id, 1);
    resolve(id, "ACCEPT_DUPLICATE_RISK");
    front.begin(id, 2, "laser");
    front.answer(id, 2, "{\"pages\":2}");
    front.answer(id, 1, "{\"pages\":1}");
    Answer races = front.operator().get("/v1/late-arrivals?jobId=" + id);
    assertThat(races.status()).as(races.text()).isEqualTo(200);
    var race = races.body().get("lateArrivals").get(0);
    assertThat(race.get("attempt").asInt()).isEqualTo(1);
    assertThat(race.get("provider").asString()).isEqualTo("inkjet");
    assertThat(race.get("wonBy").toString()).isEqualTo("{\"attempt\":2,\"provider\":\"laser\"}");
    assertThat(race.get("behindMillis").asLong()).isNotNegative();
    assertThat(race.get("payloadBytes").asLong()).isEqualTo(11);
    assertThat(races.text()).doesNotContain("pages");
    assertThat(front.owner().get("/v1/jobs/" + id).text()).contains("\"result\":{\"pages\":2}");
    assertThat(
            front
                .operator()
                .get("/v1/late-arrivals?provider=laser&jobId=" + id)
                .body()
                .get("lateArrivals"))
        .isEmpty();
    assertThat(
            front
                .operator()
                .get("/v1/late-arrivals?since=2100-01-01T00:00:00Z")
                .body()
                .get("lateArrivals"))
        .isEmpty();
    assertProblem(front.owner().get("/v1/late-arrivals"), 403, "forbidden");
  }

  @Test
  void theRaceLogIsReadPageByPage() {
    for (int i = 0; i < 3; i++) {
      String id = front.accepted("print");
      front.begin(id, 1, "inkjet");
      front.doubt(id, 1);
      resolve(id, "NOT_EXECUTED");
      front.answer(id, 1, "{}");
    }
    Answer first = front.operator().get("/v1/late-arrivals?limit=2");
    assertThat(first.body().get("lateArrivals")).hasSize(2);
    assertThat(first.body().get("lateArrivals").get(0).get("kind").asString())
        .isEqualTo("CONTRADICTION");
    Answer second =
        front
            .operator()
            .get("/v1/late-arrivals?limit=2&cursor=" + first.body().get("nextCursor").asString());
    assertThat(second.body().get("lateArrivals").get(0))
        .isNotIn(first.body().get("lateArrivals").valueStream().toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "limit=0",
        "limit=201",
        "limit=x",
        "limit=",
        "cursor=x",
        "cursor=-1",
        "since=yesterday",
        "since=%2B1000000000-12-31T23:59:59Z",
        "since=-1000000000-01-01T00:00:00Z",
        "jobId=%00",
        "provider=%00",
        "limit=1&limit=1"
      })
  void parametersOfTheRaceLogAreChecked(String query) {
    assertProblem(front.operator().get("/v1/late-arrivals?" + query), 400, "malformed-json");
  }

  // ----

  private String doubted() {
    String id = front.accepted("print");
    front.begin(id, 1, "inkjet");
    front.doubt(id, 1);
    return id;
  }

  private static String resolution(String verdict) {
    return "{\"verdict\":\"" + verdict + "\",\"reason\":\"looked\",\"expectedVersion\":1}";
  }

  private Answer resolve(String id, String verdict) {
    return front.operator().post("/v1/jobs/" + id + "/attempts/1/resolution", resolution(verdict));
  }
}
