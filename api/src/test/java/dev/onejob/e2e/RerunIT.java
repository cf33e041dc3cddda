package dev.onejob.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import dev.onejob.devkit.Api;
import dev.onejob.devkit.AppProcess;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.api.workflowservice.v1.PauseActivityRequest;
import io.temporal.api.workflowservice.v1.ResetActivityRequest;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.UnpauseActivityRequest;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whatever the engine is told to run again, nothing is sent again. */
class RerunIT {

  private static Stack stack;
  private static Api owner;

  @BeforeAll
  static void start() {
    stack = Stack.shared();
    AppProcess app = stack.app("api", "worker");
    stack.app("worker", "api");
    owner = stack.owner(app);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void aResetOfACompletedWorkflowSendsNothing() {
    String job = submit("reset-completed", "execute, answer");
    assertThat(Stack.state(Stack.settled(owner, job))).isEqualTo("SUCCEEDED");
    Stack.await("its workflow ends", () -> !stack.running(job));
    reset(job);
    Stack.await("the second run ends", () -> runs(job) == 2 && !stack.running(job));
    assertThat(stack.received(job)).isEqualTo(1);
    assertThat(Stack.attempts(Stack.job(owner, job))).containsExactly("SUCCEEDED");
  }

  @Test
  void aResetOfARunningWorkflowSendsNothingAndTheFirstAnswerStillCounts() {
    String job = submit("reset-running", "execute, gate reset-running, answer");
    Stack.await("the call is on its way", () -> stack.received(job) == 1);
    reset(job);
    Stack.await(
        "the re-run finds the row", () -> Stack.state(Stack.job(owner, job)).equals("UNKNOWN"));
    assertThat(stack.received(job)).isEqualTo(1);
    stack.openGate("reset-running");
    Stack.await(
        "the first call's answer closes the job",
        () -> Stack.state(Stack.job(owner, job)).equals("SUCCEEDED"));
    Stack.await("its workflow ends", () -> !stack.running(job));
    assertThat(stack.received(job)).isEqualTo(1);
  }

  @Test
  void anActivityResetSendsNothing() {
    String job = submit("activity-reset", "execute, gate activity-reset, answer");
    Stack.await("the call is on its way", () -> stack.received(job) == 1);
    stack
        .stubs()
        .blockingStub()
        .resetActivity(
            ResetActivityRequest.newBuilder()
                .setNamespace("default")
                .setExecution(execution(job))
                .setType("Attempt")
                .setIdentity("test")
                .build());
    awaitHeartbeats(job);
    stack.openGate("activity-reset");
    Stack.await(
        "the answer closes the job", () -> Stack.state(Stack.job(owner, job)).equals("SUCCEEDED"));
    Stack.await("its workflow ends", () -> !stack.running(job));
    assertThat(stack.received(job)).isEqualTo(1);
  }

  @Test
  void anActivityPausedAndUnpausedSendsNothing() {
    String job = submit("activity-unpause", "execute, gate activity-unpause, answer");
    Stack.await("the call is on its way", () -> stack.received(job) == 1);
    stack
        .stubs()
        .blockingStub()
        .pauseActivity(
            PauseActivityRequest.newBuilder()
                .setNamespace("default")
                .setExecution(execution(job))
                .setType("Attempt")
                .setIdentity("test")
                .setReason("drill")
                .build());
    awaitHeartbeats(job);
    stack
        .stubs()
        .blockingStub()
        .unpauseActivity(
            UnpauseActivityRequest.newBuilder()
                .setNamespace("default")
                .setExecution(execution(job))
                .setType("Attempt")
                .setIdentity("test")
                .setResetAttempts(true)
                .build());
    awaitHeartbeats(job);
    stack.openGate("activity-unpause");
    Stack.await(
        "the answer closes the job", () -> Stack.state(Stack.job(owner, job)).equals("SUCCEEDED"));
    Stack.await("its workflow ends", () -> !stack.running(job));
    assertThat(stack.received(job)).isEqualTo(1);
  }

  /** The worker has had its say twice since: it knows of whatever the engine was told before. */
  private static void awaitHeartbeats(String job) {
    for (int beat = 0; beat < 2; beat++) {
      Timestamp before = lastHeartbeat(job);
      Stack.await("a heartbeat", () -> !lastHeartbeat(job).equals(before));
    }
  }

  private static Timestamp lastHeartbeat(String job) {
    return describe(job).getPendingActivities(0).getLastHeartbeatTime();
  }

  private static DescribeWorkflowExecutionResponse describe(String job) {
    return stack
        .stubs()
        .blockingStub()
        .describeWorkflowExecution(
            DescribeWorkflowExecutionRequest.newBuilder()
                .setNamespace("default")
                .setExecution(execution(job))
                .build());
  }

  private static void reset(String job) {
    String run = describe(job).getWorkflowExecutionInfo().getExecution().getRunId();
    long firstTask =
        stack.history(job).stream()
            .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
            .mapToLong(HistoryEvent::getEventId)
            .findFirst()
            .orElseThrow();
    stack
        .stubs()
        .blockingStub()
        .resetWorkflowExecution(
            ResetWorkflowExecutionRequest.newBuilder()
                .setNamespace("default")
                .setWorkflowExecution(execution(job).toBuilder().setRunId(run))
                .setReason("drill")
                .setWorkflowTaskFinishEventId(firstTask)
                .setRequestId(UUID.randomUUID().toString())
                .build());
  }

  private static long runs(String job) {
    return stack.client().listExecutions("WorkflowId = '" + job + "'").count();
  }

  private static WorkflowExecution execution(String job) {
    return WorkflowExecution.newBuilder().setWorkflowId(job).build();
  }

  private static String submit(String key, String steps) {
    return Stack.accepted(
        Stack.submit(owner, key, "print", "{\"document\":\"sandbox: " + steps + "\"}"));
  }
}
