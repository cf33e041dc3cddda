package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.job.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class JobsTest {

  private final Fixture fixture = new Fixture();

  @Test
  void theFirstOfAKeyIsCreatedAndEveryRepetitionFindsIt() {
    String key = UUID.randomUUID().toString();
    Recorded first = fixture.jobs.record(Fixture.submission("a", key, "{}"));
    Recorded again = fixture.jobs.record(Fixture.submission("a", key, "{}"));
    JobRecord created = ((Recorded.Created) first).job();
    assertThat(((Recorded.Found) again).job()).isEqualTo(created);
    assertThat(created.state()).isEqualTo(JobState.QUEUED);
    assertThat(fixture.wakeups.pending(List.of(created.id()))).containsExactly(created.id());
  }

  @Test
  void anotherIntentUnderTheSameKeyIsAConflictAndWritesNothing() {
    String key = UUID.randomUUID().toString();
    JobRecord first =
        ((Recorded.Created) fixture.jobs.record(Fixture.submission("a", key, "{}"))).job();
    Submission other = Fixture.submission("a", key, "[1]");
    assertThat(fixture.jobs.record(other)).isEqualTo(new Recorded.Conflict(first.id()));
    assertThat(fixture.jobs.find(other.jobId())).isEmpty();
    assertThat(fixture.wakeups.pending(List.of(other.jobId()))).isEmpty();
  }

  @Test
  void theSameKeyOfAnotherOwnerIsAnotherJob() {
    String key = UUID.randomUUID().toString();
    assertThat(fixture.jobs.record(Fixture.submission("a", key, "{}")))
        .isInstanceOf(Recorded.Created.class);
    assertThat(fixture.jobs.record(Fixture.submission("b", key, "{}")))
        .isInstanceOf(Recorded.Created.class);
  }

  @Test
  void oneOfManySimultaneousSubmittersCreatesAndTheOthersFindOrConflict() throws Exception {
    String key = UUID.randomUUID().toString();
    int submitters = 32;
    CyclicBarrier gate = new CyclicBarrier(submitters);
    List<Callable<Recorded>> calls = new ArrayList<>();
    for (int i = 0; i < submitters; i++) {
      Submission submission = Fixture.submission("a", key, i % 2 == 0 ? "{}" : "[1]");
      calls.add(
          () -> {
            gate.await();
            return fixture.jobs.record(submission);
          });
    }
    List<Recorded> answers = new ArrayList<>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Recorded> answer : executor.invokeAll(calls)) {
        answers.add(answer.get());
      }
    }
    assertThat(answers).filteredOn(Recorded.Created.class::isInstance).hasSize(1);
    assertThat(answers).filteredOn(Recorded.Found.class::isInstance).hasSize(submitters / 2 - 1);
    assertThat(answers).filteredOn(Recorded.Conflict.class::isInstance).hasSize(submitters / 2);
  }

  @Test
  void anInputIsKeptToTheLastCharacter() {
    String input = "{ \"n\" : 1.00, \"s\":\"\\u00e9 é 🎉\" ,\"b\":9007199254740993}";
    Submission submission = Fixture.submission("a", UUID.randomUUID().toString(), input);
    fixture.jobs.record(submission);
    assertThat(fixture.jobs.input(submission.jobId())).contains(input);
  }

  @Test
  void waitersAreToldOfClosedAndOfUnknownJobsAlone() {
    String queued = fixture.accepted();
    String running = fixture.accepted();
    fixture.started(running, 1, "inkjet");
    String unknown = fixture.accepted();
    fixture.started(unknown, 1, "inkjet");
    fixture.ledger.settle(unknown, 1, Fixture.silence());
    String closed = fixture.accepted();
    fixture.started(closed, 1, "inkjet");
    fixture.ledger.settle(closed, 1, Fixture.answer("{}"));
    assertThat(fixture.jobs.settled(List.of(queued, running, unknown, closed)))
        .containsExactlyInAnyOrder(unknown, closed);
  }
}
