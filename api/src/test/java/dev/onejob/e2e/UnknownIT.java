package dev.onejob.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.devkit.Api;
import dev.onejob.devkit.Api.Answer;
import dev.onejob.devkit.AppProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * A timeout is UNKNOWN: nothing else starts until it clears, and whoever finishes late is discarded
 * and recorded.
 */
class UnknownIT {

  private static Stack stack;
  private static Api owner;
  private static Api operator;

  @BeforeAll
  static void start() {
    stack = Stack.shared();
    AppProcess app = stack.app("api", "worker");
    owner = stack.owner(app);
    operator = stack.operator(app);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void aProviderThatExecutesAndNeverAnswersLeavesTheJobUnknownAndBlocked() {
    String job = submit("hangs", "hasty-print", "execute, hang");
    JsonNode unknown = Stack.settled(owner, job);
    assertThat(Stack.state(unknown)).isEqualTo("UNKNOWN");
    assertThat(unknown.get("attention").get("why").asString()).isEqualTo("READ_TIMEOUT");
    assertThat(unknown.get("attention").get("attempt").asInt()).isEqualTo(1);
    assertThat(Stack.attempts(unknown)).containsExactly("UNKNOWN");

    Answer another = owner.post("/v1/jobs/" + job + "/attempts", "{}");
    assertThat(another.status()).isEqualTo(409);
    assertThat(another.body().get("type").asString()).endsWith("/attempt-unresolved");
    assertThat(another.body().get("attempt").asInt()).isEqualTo(1);
    assertThat(stack.received(job)).isEqualTo(1);

    Answer replay = Stack.submit(owner, "hangs", "hasty-print", input("execute, hang"));
    assertThat(replay.status()).isEqualTo(200);
    assertThat(Stack.state(replay.body())).isEqualTo("UNKNOWN");
  }

  @Test
  void anAnswerAfterTheCallDeadlineStillSettlesTheJob() {
    String job = submit("late-answer", "hasty-print", "execute, gate late-answer, answer");
    assertThat(Stack.state(Stack.settled(owner, job))).isEqualTo("UNKNOWN");
    stack.openGate("late-answer");
    Stack.await("the late answer closes the job", () -> closed(job));
    JsonNode done = Stack.job(owner, job);
    assertThat(Stack.state(done)).isEqualTo("SUCCEEDED");
    assertThat(Stack.attempts(done)).containsExactly("SUCCEEDED");
    assertThat(stack.executions(job)).isEqualTo(1);
    Stack.await("its workflow ends", () -> !stack.running(job));
  }

  @Test
  void inReverseOrderAfterAPersonsReleaseTheSecondAttemptWinsAndTheFirstIsLate() {
    String job = submit("reverse-person", "hasty-print", "gate reverse-person, execute, answer");
    stack.script("laser", "\"execute\",\"answer\"", 1);
    assertThat(Stack.state(Stack.settled(owner, job))).isEqualTo("UNKNOWN");
    Answer resolved = Stack.resolve(operator, job, 1, "ACCEPT_DUPLICATE_RISK");
    assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
    reverseOrder(job, "reverse-person");
    assertThat(
            stack.count(
                "SELECT count(*) FROM audit WHERE job_id = '"
                    + job
                    + "' AND event = 'RESOLVED' AND actor = 'operator' AND route = 'HTTP'"))
        .isEqualTo(1);
  }

  @Test
  void inReverseOrderAfterAReleaseByPolicyTheSecondAttemptWinsAndTheFirstIsLate() {
    stack.script("laser", "\"execute\",\"answer\"", 1);
    String job = submit("reverse-policy", "peek", "gate reverse-policy, execute, answer");
    reverseOrder(job, "reverse-policy");
    assertThat(
            stack.count(
                "SELECT count(*) FROM audit WHERE job_id = '"
                    + job
                    + "' AND event = 'RELEASED' AND route = 'POLICY'"))
        .isEqualTo(1);
  }

  private void reverseOrder(String job, String gate) {
    Stack.await("attempt 2 closes the job", () -> closed(job));
    String result = Stack.job(owner, job).get("result").toString();
    String stored = owner.get("/v1/jobs/" + job).text();
    assertThat(Stack.attempts(Stack.job(owner, job))).containsExactly("RELEASED", "SUCCEEDED");

    stack.openGate(gate);
    Stack.await(
        "attempt 1 arrives late",
        () -> Stack.attempts(Stack.job(owner, job)).getFirst().equals("LATE"));
    JsonNode done = Stack.job(owner, job);
    assertThat(done.get("result").toString()).isEqualTo(result);
    assertThat(rawResult(owner.get("/v1/jobs/" + job).text())).isEqualTo(rawResult(stored));
    assertThat(done.get("completedBy").get("attempt").asInt()).isEqualTo(2);
    assertThat(done.get("completedBy").get("provider").asString()).isEqualTo("laser");

    JsonNode races = operator.get("/v1/late-arrivals?jobId=" + job).body().get("lateArrivals");
    assertThat(races).hasSize(1);
    assertThat(races.get(0).get("attempt").asInt()).isEqualTo(1);
    assertThat(races.get(0).get("wonBy").get("attempt").asInt()).isEqualTo(2);
    assertThat(races.get(0).get("behindMillis").asLong()).isGreaterThanOrEqualTo(0);
  }

  @Test
  void notExecutedLetsAnotherAttemptStartAndALaterAnswerIsAContradiction() {
    String job = submit("not-executed", "hasty-print", "gate not-executed, execute, answer");
    assertThat(Stack.state(Stack.settled(owner, job))).isEqualTo("UNKNOWN");
    stack.script("laser", "\"execute\",\"answer\"", 1);
    assertThat(Stack.resolve(operator, job, 1, "NOT_EXECUTED").status()).isEqualTo(200);
    Stack.await("attempt 2 closes the job", () -> closed(job));
    stack.openGate("not-executed");
    Stack.await(
        "the contradiction is recorded",
        () ->
            stack.count(
                    "SELECT count(*) FROM late_arrivals WHERE kind = 'CONTRADICTION' AND job_id = '"
                        + job
                        + "'")
                == 1);
    assertThat(Stack.job(owner, job).get("completedBy").get("attempt").asInt()).isEqualTo(2);
    Answer again = Stack.resolve(operator, job, 1, "NOT_EXECUTED");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.body().get("type").asString()).endsWith("/attempt-already-resolved");
  }

  @Test
  void executedTakesThePersonsResultAndNothingIsSentAgain() {
    String job = submit("executed", "hasty-print", "execute, hang");
    assertThat(Stack.state(Stack.settled(owner, job))).isEqualTo("UNKNOWN");
    Answer resolved =
        operator.post(
            "/v1/jobs/" + job + "/attempts/1/resolution",
            "{\"verdict\":\"EXECUTED\",\"result\":{ \"pages\" : 1.0 },\"reason\":\"it lies in the tray\","
                + "\"expectedVersion\":1}");
    assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);
    assertThat(rawResult(owner.get("/v1/jobs/" + job).text())).isEqualTo("{ \"pages\" : 1.0 }");
    assertThat(stack.received(job)).isEqualTo(1);
    Stack.await("its workflow ends", () -> !stack.running(job));
  }

  @Test
  void aDefiniteRefusalIsTriedAtTheNextProvider() {
    stack.script("laser", "\"execute\",\"answer\"", 1);
    String job = submit("refused", "print", "answer 429 retry-after=1");
    assertThat(Stack.state(Stack.settled(owner, job))).isEqualTo("SUCCEEDED");
    assertThat(Stack.attempts(Stack.job(owner, job))).containsExactly("FAILED", "SUCCEEDED");
    assertThat(stack.executions(job)).isEqualTo(1);
  }

  @Test
  void aBrokenAnswerIsUnknownNotFailed() {
    for (String steps :
        new String[] {
          "execute, reset", "execute, drop", "execute, truncate 40", "execute, garbage"
        }) {
      String job = submit("broken " + steps, "hasty-print", steps);
      assertThat(Stack.state(Stack.settled(owner, job))).as(steps).isEqualTo("UNKNOWN");
      assertThat(stack.received(job)).as(steps).isEqualTo(1);
    }
  }

  private static boolean closed(String job) {
    return !Stack.job(owner, job).get("completedAt").isNull();
  }

  private static String rawResult(String job) {
    return job.substring(job.indexOf("\"result\":") + 9, job.indexOf(",\"failure\":"));
  }

  private static String submit(String key, String operation, String steps) {
    return Stack.accepted(
        Stack.submit(owner, key.replace(' ', '_').replace(",", ""), operation, input(steps)));
  }

  private static String input(String steps) {
    return "{\"document\":\"sandbox: " + steps + "\"}";
  }
}
