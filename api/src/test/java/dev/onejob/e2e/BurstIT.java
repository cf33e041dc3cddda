package dev.onejob.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.devkit.AppProcess;
import dev.onejob.store.Database;
import dev.onejob.store.DatabaseSettings;
import dev.onejob.store.Jobs;
import dev.onejob.store.Submission;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A burst waits in PostgreSQL, not in the engine, and not in front of anybody else. */
class BurstIT {

  private static final int BURST = 20_000;

  /** One process's wakeups under way (64), and attempts that are just ending. */
  private static final int OPEN_WORKFLOWS_MAX = 200;

  private static Stack stack;

  @BeforeAll
  static void start() {
    stack = Stack.shared();
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void aBurstLeavesABoundedNumberOfOpenWorkflowsAndASmallOwnersJobDoesNotWaitBehindIt() {
    AppProcess app = stack.app("api");
    try (Database database =
        Database.open(
            DatabaseSettings.of(
                stack.databaseUrl, stack.postgres.user(), stack.postgres.password()))) {
      Jobs jobs = new Jobs(database);
      try (ExecutorService executor = Executors.newFixedThreadPool(8)) {
        for (int i = 0; i < BURST; i++) {
          int n = i;
          executor.execute(() -> jobs.record(burst(n)));
        }
      }
    }
    assertThat(stack.count("SELECT count(*) FROM wakeups")).isEqualTo(BURST);

    stack.app("worker", "api");
    Stack.await(
        "the burst is being worked off",
        () -> stack.count("SELECT count(*) FROM jobs WHERE outcome IS NOT NULL") > 100);
    String small =
        Stack.accepted(Stack.submit(stack.owner(app), "small", "print", "{\"document\":\"x\"}"));
    JsonNode done = Stack.settled(stack.owner(app), small);
    assertThat(Stack.state(done)).isEqualTo("SUCCEEDED");
    assertThat(stack.count("SELECT count(*) FROM wakeups WHERE owner_id = 'big'"))
        .as("most of the burst is still waiting")
        .isGreaterThan(BURST / 2);
    for (int look = 0; look < 5; look++) {
      long closed = stack.count("SELECT count(*) FROM jobs WHERE outcome IS NOT NULL");
      Stack.await(
          "it goes on",
          () -> stack.count("SELECT count(*) FROM jobs WHERE outcome IS NOT NULL") > closed + 50);
      long open = stack.client().countWorkflowExecutions("ExecutionStatus = 'Running'").getCount();
      assertThat(open).isLessThan(OPEN_WORKFLOWS_MAX);
    }
  }

  private static Submission burst(int n) {
    byte[] fingerprint = new byte[32];
    return new Submission(
        "job_0000000000000000%010d".formatted(n),
        "big",
        "burst-" + n,
        "print",
        null,
        fingerprint,
        "{\"document\":\"x\"}",
        true,
        3,
        null,
        null,
        Duration.ofHours(1),
        Duration.ZERO);
  }
}
