package dev.onejob.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.devkit.Api;
import dev.onejob.devkit.Api.Answer;
import dev.onejob.devkit.AppProcess;
import dev.onejob.devkit.Race;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** One intent, however often it is clicked, is one job, one workflow and one execution. */
class DoubleClickIT {

  private static Stack stack;
  private static Api first;
  private static Api second;

  @BeforeAll
  static void start() {
    stack = Stack.shared();
    AppProcess one = stack.app("api", "worker");
    AppProcess two = stack.app("api", "worker");
    first = stack.owner(one);
    second = stack.owner(two);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void fiftySimultaneousClicksOnTwoProcessesAreOneJob() throws Exception {
    List<Callable<Answer>> clicks = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      Api api = i % 2 == 0 ? first : second;
      clicks.add(() -> Stack.submit(api, "double-click", "print", "{\"document\":\"hello\"}"));
    }
    List<Answer> answers = Race.together(clicks);

    assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.status() == 200)
        .hasSize(49)
        .allSatisfy(answer -> assertThat(answer.header("Idempotency-Replayed")).isEqualTo("true"));
    assertThat(answers)
        .extracting(answer -> answer.body().get("id").asString())
        .containsOnly(answers.getFirst().body().get("id").asString());
    String job = answers.getFirst().body().get("id").asString();
    assertThat(Stack.state(Stack.settled(second, job))).isEqualTo("SUCCEEDED");
    assertThat(stack.count("SELECT count(*) FROM jobs WHERE idempotency_key = 'double-click'"))
        .isEqualTo(1);
    assertThat(stack.received(job)).isEqualTo(1);
    assertThat(stack.executions(job)).isEqualTo(1);
    Stack.await(
        "one workflow, closed",
        () ->
            stack
                    .client()
                    .listExecutions("WorkflowId = '" + job + "' AND ExecutionStatus = 'Completed'")
                    .count()
                == 1);
  }

  @Test
  void anotherIntentUnderTheSameKeyIsRefusedAndStartsNothing() throws Exception {
    List<Callable<Answer>> clicks = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Api api = i % 4 < 2 ? first : second;
      String input = i % 2 == 0 ? "{\"document\":\"a\"}" : "{\"document\":\"b\"}";
      clicks.add(() -> Stack.submit(api, "mismatch", "print", input));
    }
    List<Answer> answers = Race.together(clicks);

    Answer created =
        answers.stream().filter(answer -> answer.status() == 201).findFirst().orElseThrow();
    String job = created.body().get("id").asString();
    int winners = answers.indexOf(created) % 2;
    for (int i = 0; i < answers.size(); i++) {
      if (i % 2 == winners) {
        assertThat(answers.get(i).body().get("id").asString()).isEqualTo(job);
      } else {
        assertThat(answers.get(i).status()).isEqualTo(409);
        assertThat(answers.get(i).body().get("type").asString())
            .endsWith("/idempotency-key-conflict");
        assertThat(answers.get(i).body().get("jobId").asString()).isEqualTo(job);
      }
    }
    assertThat(Stack.state(Stack.settled(first, job))).isEqualTo("SUCCEEDED");
    assertThat(stack.count("SELECT count(*) FROM jobs WHERE idempotency_key = 'mismatch'"))
        .isEqualTo(1);
    assertThat(stack.received(job)).isEqualTo(1);
  }

  @Test
  void aCleanJobIsOneActivityAndElevenEventsInTheEngine() {
    String job = Stack.accepted(Stack.submit(first, "clean", "print", "{\"document\":\"x\"}"));
    assertThat(Stack.state(Stack.settled(first, job))).isEqualTo("SUCCEEDED");
    Stack.await(
        "the workflow is closed",
        () ->
            stack.history(job).getLast().getEventType()
                == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED);
    List<HistoryEvent> history = stack.history(job);
    assertThat(history).hasSize(11);
    assertThat(history)
        .filteredOn(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
        .hasSize(1);
  }

  @Test
  void anInputOfOneMegabyteAndAResultOfFivePassAndNeitherIsInTheHistory() {
    String document = "marker-of-the-input " + "é".repeat(500_000);
    String result =
        "{\"pages\": 1.00, \"text\":\"marker-of-the-result " + "x".repeat(5_000_000) + "\"}";
    stack.script(
        "inkjet",
        "\"execute\",\"answer 200 "
            + ("{\"id\":\"prt_big\",\"result\":" + result + "}").replace("\"", "\\\"")
            + "\"",
        1);
    String job =
        Stack.accepted(Stack.submit(first, "big", "print", "{\"document\":\"" + document + "\"}"));
    JsonNode done = Stack.settled(first, job);
    assertThat(Stack.state(done)).isEqualTo("SUCCEEDED");
    String text = second.get("/v1/jobs/" + job).text();
    assertThat(text.contains("\"result\":" + result)).as("the result, byte for byte").isTrue();
    Stack.await(
        "the workflow is closed",
        () ->
            stack.history(job).getLast().getEventType()
                == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED);
    int bytes = stack.history(job).stream().mapToInt(HistoryEvent::getSerializedSize).sum();
    assertThat(bytes).isLessThan(10_000);
    assertThat(stack.history(job).toString())
        .doesNotContain("marker-of-the-input")
        .doesNotContain("marker-of-the-result");
  }
}
