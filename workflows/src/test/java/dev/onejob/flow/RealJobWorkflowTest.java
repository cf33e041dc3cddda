package dev.onejob.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.flow.RecordingLedger.End;
import dev.onejob.job.AttemptState;
import dev.onejob.job.Failover;
import dev.onejob.job.JobPlan;
import dev.onejob.job.Outcome;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.CanceledFailure;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole flows, with time skipped. */
class RealJobWorkflowTest {

  private static final String ID = "job_00000000000000000000000001";

  private final TestWorkflowEnvironment environment = TestWorkflowEnvironment.newInstance();

  @AfterEach
  void close() {
    environment.close();
  }

  @Test
  void aCleanJobIsOneActivityAndElevenEvents() {
    RecordingLedger ledger = new RecordingLedger();
    assertThat(start(ledger, null).getResult(Outcome.class)).isEqualTo(Outcome.SUCCEEDED);
    assertThat(ledger.calls()).containsExactly("attempt 1 inkjet");
    List<HistoryEvent> events =
        environment.getWorkflowClient().fetchHistory(ID).getHistory().getEventsList();
    assertThat(events).hasSize(11);
  }

  @Test
  void definiteFailuresGoRoundTheRouteUntilTheLimit() {
    RecordingLedger ledger = new RecordingLedger(End.REFUSE, End.REFUSE, End.REFUSE);
    assertThat(start(ledger, null).getResult(Outcome.class)).isEqualTo(Outcome.FAILED);
    assertThat(ledger.calls())
        .containsExactly(
            "attempt 1 inkjet",
            "attempt 2 laser",
            "attempt 3 inkjet",
            "give up attempts-exhausted");
  }

  @Test
  void anUnknownAttemptWaitsForAsLongAsItTakes() {
    RecordingLedger ledger = new RecordingLedger(End.SILENCE);
    WorkflowStub job = start(ledger, null);
    environment.sleep(Duration.ofDays(40));
    assertThat(ledger.calls()).containsExactly("attempt 1 inkjet");
    ledger.succeed(1);
    job.signal("wake");
    assertThat(job.getResult(Outcome.class)).isEqualTo(Outcome.SUCCEEDED);
    assertThat(ledger.calls()).containsExactly("attempt 1 inkjet", "read");
  }

  @Test
  void aWakeupThatChangesNothingChangesNothing() {
    RecordingLedger ledger = new RecordingLedger(End.SILENCE);
    WorkflowStub job = start(ledger, null);
    environment.sleep(Duration.ofMinutes(1));
    job.signal("wake");
    environment.sleep(Duration.ofDays(1));
    assertThat(ledger.calls()).containsExactly("attempt 1 inkjet", "read");
    ledger.move(1, AttemptState.FAILED, true);
    job.signal("wake");
    assertThat(job.getResult(Outcome.class)).isEqualTo(Outcome.SUCCEEDED);
    assertThat(ledger.calls()).endsWith("read", "attempt 2 laser");
  }

  @Test
  void silenceReleasesWhereDeclared() {
    RecordingLedger ledger = new RecordingLedger(End.SILENCE);
    assertThat(start(ledger, 10_000L).getResult(Outcome.class)).isEqualTo(Outcome.SUCCEEDED);
    assertThat(ledger.calls()).containsExactly("attempt 1 inkjet", "release 1", "attempt 2 laser");
  }

  @Test
  void aLostWorkerIsLookedUpInTheLedgerAndIsUnknown() {
    RecordingLedger ledger = new RecordingLedger(End.LOSE_WORKER);
    WorkflowStub job = start(ledger, null);
    environment.sleep(Duration.ofDays(1));
    assertThat(ledger.calls()).containsExactly("attempt 1 inkjet", "lost 1");
    ledger.move(1, AttemptState.FAILED, true);
    job.signal("wake");
    assertThat(job.getResult(Outcome.class)).isEqualTo(Outcome.SUCCEEDED);
  }

  @Test
  void anAttemptThatWasNeverWrittenDownIsTriedAgainUnderTheSameNumber() {
    RecordingLedger ledger = new RecordingLedger(End.NOT_WRITTEN, End.NOT_WRITTEN);
    assertThat(start(ledger, null).getResult(Outcome.class)).isEqualTo(Outcome.SUCCEEDED);
    assertThat(ledger.calls())
        .containsExactly(
            "attempt 1 inkjet", "lost 1", "attempt 1 inkjet", "lost 1", "attempt 1 inkjet");
  }

  @Test
  void aDeadlineThatHasPassedGivesUp() {
    RecordingLedger ledger = new RecordingLedger();
    ledger.deadlineIn(0);
    assertThat(start(ledger, null).getResult(Outcome.class)).isEqualTo(Outcome.FAILED);
    assertThat(ledger.calls()).containsExactly("attempt 1 inkjet", "give up deadline-passed");
  }

  @Test
  void aCancelRequestGivenToTheEngineStopsNothingAndLosesNoResult() {
    RecordingLedger ledger = new RecordingLedger(End.SILENCE);
    WorkflowStub job = start(ledger, null);
    environment.sleep(Duration.ofMinutes(1));
    job.cancel();
    environment.sleep(Duration.ofMinutes(1));
    ledger.succeed(1);
    job.signal("wake");
    // The engine shows a workflow that was asked to cancel as cancelled, whatever its code
    // returned.
    assertThatThrownBy(() -> job.getResult(Outcome.class))
        .hasCauseInstanceOf(CanceledFailure.class);
    assertThat(ledger.calls()).containsExactly("attempt 1 inkjet", "read");
  }

  private WorkflowStub start(RecordingLedger ledger, @Nullable Long releaseAfterSilenceMillis) {
    Worker worker = environment.newWorker(Names.TASK_QUEUE);
    worker.registerWorkflowImplementationTypes(RealJobWorkflow.class);
    worker.registerActivitiesImplementations(ledger);
    environment.start();
    WorkflowStub job =
        environment
            .getWorkflowClient()
            .newUntypedWorkflowStub(
                Names.JOB_WORKFLOW,
                WorkflowOptions.newBuilder()
                    .setWorkflowId(ID)
                    .setTaskQueue(Names.TASK_QUEUE)
                    .build());
    job.start(
        new JobStart(
            ID,
            new JobPlan(
                "print-document",
                List.of("inkjet", "laser"),
                Failover.ANY,
                3,
                1_000,
                60_000,
                10_000,
                10_000,
                releaseAfterSilenceMillis),
            false));
    return job;
  }
}
