package dev.onejob.store;

import static dev.onejob.store.Fixture.answer;
import static dev.onejob.store.Fixture.refusal;
import static dev.onejob.store.Fixture.resolution;
import static dev.onejob.store.Fixture.silence;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.job.AttemptState;
import dev.onejob.job.JobFailure;
import dev.onejob.job.JobState;
import dev.onejob.job.JobView;
import dev.onejob.job.Outcome;
import dev.onejob.job.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class AttemptLedgerTest {

  private final Fixture fixture = new Fixture();
  private final AttemptLedger ledger = fixture.ledger;

  @Test
  void whoeverDoesNotInsertTheRowDoesNotSend() {
    String job = fixture.accepted();
    UUID sender = UUID.randomUUID();
    assertThat(ledger.fence(job, 1, "inkjet", false, sender)).isInstanceOf(Fence.Passed.class);
    assertThat(ledger.fence(job, 1, "inkjet", false, UUID.randomUUID()))
        .isInstanceOf(Fence.Refused.class);
    assertThat(ledger.fence(job, 1, "inkjet", false, sender))
        .as("the same sender, whose commit got no answer, asks again")
        .isInstanceOf(Fence.Passed.class);
  }

  @Test
  void oneOfManySimultaneousSendersPasses() throws Exception {
    String job = fixture.accepted();
    int senders = 24;
    CyclicBarrier gate = new CyclicBarrier(senders);
    List<Fence> fences =
        together(
            senders,
            i -> {
              gate.await();
              return ledger.fence(
                  job, 1, i % 2 == 0 ? "inkjet" : "laser", false, UUID.randomUUID());
            });
    assertThat(fences).filteredOn(Fence.Passed.class::isInstance).hasSize(1);
  }

  @Test
  void noAttemptStartsWhileAnotherIsStartedOrUnknown() {
    String job = fixture.accepted();
    fixture.started(job, 1, "inkjet");
    assertRefused(job, 2);
    ledger.settle(job, 1, silence());
    assertRefused(job, 2);
    assertThat(ledger.ask(job, null, "ada")).isInstanceOf(AttemptAsked.Unresolved.class);
    ledger.settle(job, 1, refusal(true));
    fixture.started(job, 2, "laser");
  }

  @Test
  void noAttemptStartsBehindAGapAfterTheCloseOrAfterTheDeadline() {
    String job = fixture.accepted();
    assertRefused(job, 2);
    fixture.started(job, 1, "inkjet");
    ledger.settle(job, 1, answer("{}"));
    assertRefused(job, 2);
    assertRefused(fixture.accepted(Duration.ofMillis(-1)), 1);
  }

  @Test
  void theProvidersKeyIsFreshAfterADefiniteFailureAndTheSameAfterDoubt() {
    String job = fixture.accepted();
    assertThat(key(job, 1, "inkjet")).isEqualTo(job + "/0");
    ledger.settle(job, 1, refusal(true));
    assertThat(key(job, 2, "inkjet")).isEqualTo(job + "/1");
    ledger.settle(job, 2, silence());
    ledger.releaseByPolicy(job, 2, "silence");
    assertThat(key(job, 3, "inkjet")).isEqualTo(job + "/1");
  }

  @Test
  void theFirstAnswerTakesTheSlotAndTheReverseOrderFinisherIsLate() {
    String job = fixture.accepted();
    fixture.started(job, 1, "inkjet");
    ledger.settle(job, 1, silence());
    ledger.releaseByPolicy(job, 1, "silence");
    fixture.started(job, 2, "laser");
    assertThat(ledger.settle(job, 2, answer("{\"pages\": 2}"))).isInstanceOf(Settlement.Won.class);
    Settlement late = ledger.settle(job, 1, answer("{\"pages\":1}"));
    assertThat(late).isInstanceOf(Settlement.Lost.class);

    JobRecord closed = fixture.jobs.find(job).orElseThrow();
    assertThat(closed.result()).isEqualTo("{\"pages\": 2}");
    assertThat(closed.completedBy()).isEqualTo(2);
    assertThat(closed.version()).isEqualTo(2);
    assertThat(states(closed)).containsExactly(AttemptState.LATE, AttemptState.SUCCEEDED);
    var race = fixture.lateArrivals.list(job, null, null, null, 10);
    assertThat(race).hasSize(1);
    assertThat(race.getFirst().attempt()).isEqualTo(1);
    assertThat(race.getFirst().provider()).isEqualTo("inkjet");
    assertThat(race.getFirst().wonBy()).isEqualTo(2);
    assertThat(race.getFirst().winner()).isEqualTo("laser");
    assertThat(race.getFirst().behindMillis()).isGreaterThanOrEqualTo(0);
    assertThat(race.getFirst().payloadBytes()).isEqualTo(11);
  }

  @Test
  void anAnswerSettledTwiceIsOneAnswer() {
    String job = fixture.accepted();
    fixture.started(job, 1, "inkjet");
    assertThat(ledger.settle(job, 1, answer("{}"))).isInstanceOf(Settlement.Won.class);
    assertThat(ledger.settle(job, 1, answer("{}"))).isInstanceOf(Settlement.Won.class);
    assertThat(fixture.lateArrivals.list(job, null, null, null, 10)).isEmpty();
  }

  @Test
  void ofTwoSimultaneousFinishersOneWinsAndOneIsRecorded() throws Exception {
    for (int round = 0; round < 10; round++) {
      String job = fixture.accepted();
      fixture.started(job, 1, "inkjet");
      ledger.settle(job, 1, silence());
      ledger.releaseByPolicy(job, 1, "silence");
      fixture.started(job, 2, "laser");
      CyclicBarrier gate = new CyclicBarrier(2);
      List<Settlement> both =
          together(
              2,
              i -> {
                gate.await();
                return ledger.settle(job, i + 1, answer("{\"by\":" + (i + 1) + "}"));
              });
      assertThat(both).filteredOn(Settlement.Won.class::isInstance).hasSize(1);
      assertThat(both).filteredOn(Settlement.Lost.class::isInstance).hasSize(1);
      JobRecord closed = fixture.jobs.find(job).orElseThrow();
      assertThat(closed.result()).isEqualTo("{\"by\":" + closed.completedBy() + "}");
      assertThat(fixture.lateArrivals.list(job, null, null, null, 10)).hasSize(1);
    }
  }

  @Test
  void silenceIsUnknownNotFailedAndALateAnswerStillCounts() {
    String job = fixture.accepted();
    fixture.started(job, 1, "inkjet");
    assertThat(ledger.lost(job, 1, "WORKER_LOST").attempts().getFirst().state())
        .isEqualTo(AttemptState.UNKNOWN);
    assertThat(fixture.jobs.find(job).orElseThrow().state()).isEqualTo(JobState.UNKNOWN);
    ledger.read(job);
    assertThat(ledger.settle(job, 1, answer("{}"))).isInstanceOf(Settlement.Won.class);
    assertThat(fixture.wakeups.pending(List.of(job)))
        .as("nobody waits for a late finish: the workflow has to be told")
        .containsExactly(job);
  }

  @Test
  void aWorkerThoughtLostThatHasSettledMeanwhileStaysSettled() {
    String job = fixture.accepted();
    fixture.started(job, 1, "inkjet");
    ledger.settle(job, 1, answer("{}"));
    assertThat(ledger.lost(job, 1, "WORKER_LOST").outcome()).isEqualTo(Outcome.SUCCEEDED);
  }

  @Test
  void notExecutedFreesTheJobAndAnAnswerBehindItIsAContradiction() {
    String job = fixture.accepted();
    unknown(job);
    assertThat(ledger.resolve(job, 1, resolution(Verdict.NOT_EXECUTED, null)))
        .isInstanceOf(Resolved.Done.class);
    assertThat(ledger.resolve(job, 1, resolution(Verdict.NOT_EXECUTED, null)))
        .isInstanceOf(Resolved.AlreadyResolved.class);
    assertThat(ledger.settle(job, 1, answer("{}"))).isInstanceOf(Settlement.Contradicted.class);
    assertThat(ledger.settle(job, 1, answer("{}"))).isInstanceOf(Settlement.Contradicted.class);
    JobRecord open = fixture.jobs.find(job).orElseThrow();
    assertThat(open.outcome()).isNull();
    assertThat(states(open)).containsExactly(AttemptState.FAILED);
    assertThat(fixture.lateArrivals.list(job, null, null, null, 10))
        .singleElement()
        .satisfies(arrival -> assertThat(arrival.kind()).isEqualTo("CONTRADICTION"));
  }

  @Test
  void executedTakesTheSlotWithThePersonsResult() {
    String job = fixture.accepted();
    unknown(job);
    assertThat(ledger.resolve(job, 1, resolution(Verdict.EXECUTED, "{\"pages\":7}")))
        .isInstanceOf(Resolved.Done.class);
    JobRecord closed = fixture.jobs.find(job).orElseThrow();
    assertThat(closed.result()).isEqualTo("{\"pages\":7}");
    assertThat(closed.completedBy()).isEqualTo(1);
    ledger.settle(job, 1, answer("{\"pages\":8}"));
    assertThat(fixture.jobs.find(job).orElseThrow().result()).isEqualTo("{\"pages\":7}");
  }

  @Test
  void acceptedDuplicateRiskAsksForAnotherAttemptAndTheReleasedOneMayStillWin() {
    String job = fixture.accepted();
    unknown(job);
    ledger.resolve(job, 1, resolution(Verdict.ACCEPT_DUPLICATE_RISK, null));
    JobView view = ledger.read(job);
    assertThat(view.attemptRequested()).isTrue();
    assertThat(view.attempts().getFirst().state()).isEqualTo(AttemptState.RELEASED);
    fixture.started(job, 2, "laser");
    assertThat(ledger.read(job).attemptRequested()).isFalse();
    assertThat(ledger.settle(job, 1, answer("{}"))).isInstanceOf(Settlement.Won.class);
    assertThat(ledger.settle(job, 2, answer("[]"))).isInstanceOf(Settlement.Lost.class);
  }

  @Test
  void aResolutionOfAStaleVersionAnUnknownAttemptOrARunningOneIsRefused() {
    String job = fixture.accepted();
    assertThat(ledger.resolve(job, 1, resolution(Verdict.NOT_EXECUTED, null)))
        .isInstanceOf(Resolved.NoSuchAttempt.class);
    fixture.started(job, 1, "inkjet");
    assertThat(ledger.resolve(job, 1, resolution(Verdict.NOT_EXECUTED, null)))
        .isInstanceOf(Resolved.AlreadyResolved.class);
    ledger.settle(job, 1, silence());
    Resolution stale = new Resolution(Verdict.NOT_EXECUTED, null, "reason", null, 2, "ada");
    assertThat(ledger.resolve(job, 1, stale)).isEqualTo(new Resolved.VersionMoved(1));
    assertThatThrownBy(() -> ledger.read(Fixture.newId())).isInstanceOf(NoSuchJob.class);
  }

  @Test
  void givingUpClosesOnlyAnOpenJobWithoutDoubt() {
    String job = fixture.accepted();
    unknown(job);
    assertThat(ledger.giveUp(job, JobFailure.ATTEMPTS_EXHAUSTED).outcome()).isNull();
    ledger.settle(job, 1, refusal(false));
    assertThat(ledger.giveUp(job, JobFailure.REFUSED).outcome()).isEqualTo(Outcome.FAILED);
    JobRecord closed = fixture.jobs.find(job).orElseThrow();
    assertThat(closed.failure()).isEqualTo("refused");
    assertThat(ledger.ask(job, null, "ada")).isInstanceOf(AttemptAsked.Closed.class);
  }

  @Test
  void anAskedForProviderIsTheNextOne() {
    String job = fixture.accepted();
    assertThat(ledger.ask(job, "laser", "ada")).isInstanceOf(AttemptAsked.Accepted.class);
    assertRefused(job, 1);
    fixture.started(job, 1, "laser");
  }

  private void unknown(String job) {
    fixture.started(job, 1, "inkjet");
    ledger.settle(job, 1, silence());
  }

  private void assertRefused(String job, int number) {
    assertThat(ledger.fence(job, number, "inkjet", false, UUID.randomUUID()))
        .isInstanceOf(Fence.Refused.class);
  }

  private String key(String job, int number, String provider) {
    return ((Fence.Passed) ledger.fence(job, number, provider, false, UUID.randomUUID()))
        .providerKey();
  }

  private static List<AttemptState> states(JobRecord job) {
    return job.attempts().stream().map(AttemptRecord::state).toList();
  }

  private interface Numbered<T> {
    T call(int i) throws Exception;
  }

  private static <T> List<T> together(int n, Numbered<T> work) throws Exception {
    List<Callable<T>> calls = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      int number = i;
      calls.add(() -> work.call(number));
    }
    List<T> answers = new ArrayList<>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<T> answer : executor.invokeAll(calls)) {
        answers.add(answer.get());
      }
    }
    return answers;
  }
}
