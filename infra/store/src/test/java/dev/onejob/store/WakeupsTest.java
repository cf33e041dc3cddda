package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.job.Verdict;
import dev.onejob.store.Wakeups.Leased;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WakeupsTest {

  private static final Duration LEASE = Duration.ofMinutes(1);

  private final Fixture fixture = new Fixture();

  @BeforeEach
  void nothingIsDue() {
    Fixture.DATABASE.dsl().execute("DELETE FROM wakeups");
  }

  @Test
  void aLeasedWakeupIsNobodyElsesUntilTheLeaseEnds() {
    String job = fixture.accepted();
    assertThat(fixture.wakeups.take(10, Duration.ofMillis(1)))
        .extracting(Leased::jobId)
        .containsExactly(job);
    Fixture.DATABASE.dsl().execute("SELECT pg_sleep(0.02)");
    List<Leased> again = fixture.wakeups.take(10, LEASE);
    assertThat(again).extracting(Leased::tries).containsExactly(2);
    assertThat(fixture.wakeups.take(10, LEASE)).isEmpty();
  }

  @Test
  void aWakeupIsTakenByOneOfManyWakers() throws Exception {
    for (int i = 0; i < 60; i++) {
      submit("owner", 3);
    }
    List<String> taken = new java.util.concurrent.CopyOnWriteArrayList<>();
    try (var executor = java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor()) {
      for (int waker = 0; waker < 8; waker++) {
        var unused =
            executor.submit(
                () -> {
                  List<Leased> some;
                  do {
                    some = fixture.wakeups.take(5, LEASE);
                    some.forEach(wakeup -> taken.add(wakeup.jobId()));
                  } while (!some.isEmpty());
                });
      }
    }
    assertThat(taken).hasSize(60).doesNotHaveDuplicates();
  }

  @Test
  void aSmallOwnersJobDoesNotWaitBehindABurst() {
    for (int i = 0; i < 50; i++) {
      submit("big", 3);
    }
    String small = submit("small", 3);
    assertThat(fixture.wakeups.take(4, LEASE)).extracting(Leased::jobId).contains(small);
  }

  @Test
  void anOwnersUrgentJobGoesFirst() {
    submit("owner", 5);
    submit("owner", 3);
    String urgent = submit("owner", 1);
    assertThat(fixture.wakeups.take(1, LEASE)).extracting(Leased::jobId).containsExactly(urgent);
  }

  @Test
  void theFenceTakesNoteOfAWakeupAndAResolutionWritesAnother() {
    String job = fixture.accepted();
    fixture.started(job, 1, "inkjet");
    assertThat(fixture.wakeups.take(10, LEASE)).isEmpty();
    fixture.ledger.settle(job, 1, Fixture.silence());
    assertThat(fixture.wakeups.take(10, LEASE)).isEmpty();
    fixture.ledger.resolve(job, 1, Fixture.resolution(Verdict.NOT_EXECUTED, null));
    List<Leased> told = fixture.wakeups.take(10, LEASE);
    assertThat(told).extracting(Leased::fresh).containsExactly(false);
    fixture.ledger.read(job);
    assertThat(fixture.wakeups.pending(List.of(job))).isEmpty();
  }

  @Test
  void anAnnouncementIsHeard() throws Exception {
    try (Wakeups.Listener listener = fixture.wakeups.listen()) {
      assertThat(listener.await(Duration.ofMillis(5))).isFalse();
      fixture.wakeups.announce();
      assertThat(listener.await(Duration.ofSeconds(10))).isTrue();
    }
  }

  private String submit(String owner, int priority) {
    Submission submission =
        Fixture.submission(
            owner,
            UUID.randomUUID().toString(),
            "{}",
            priority,
            Duration.ofMinutes(1),
            Duration.ZERO);
    fixture.jobs.record(submission);
    return submission.jobId();
  }
}
