package dev.onejob.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.devkit.Api;
import dev.onejob.devkit.Api.Answer;
import dev.onejob.devkit.AppProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** kill -9 of every part: nothing accepted is lost, nothing runs twice. */
class CrashIT {

  private Stack stack;

  @BeforeEach
  void start() {
    stack = Stack.ownPostgres();
  }

  @AfterEach
  void stop() {
    stack.close();
  }

  @Test
  void aWorkerKilledInTheMiddleOfACallLeavesTheJobUnknownAndNothingIsSentAgain() {
    AppProcess app = stack.app("api", "worker");
    String job =
        Stack.accepted(
            Stack.submit(
                stack.owner(app), "killed", "print", "{\"document\":\"sandbox: execute, hang\"}"));
    Stack.await("the provider executes", () -> stack.executions(job) == 1);
    app.kill9();

    AppProcess next = stack.app("api", "worker");
    Api owner = stack.owner(next);
    assertThat(Stack.state(Stack.settled(owner, job))).isEqualTo("UNKNOWN");
    assertThat(Stack.job(owner, job).get("attention").get("why").asString())
        .isEqualTo("WORKER_LOST");
    Answer another = owner.post("/v1/jobs/" + job + "/attempts", "{}");
    assertThat(another.status()).isEqualTo(409);
    assertThat(another.body().get("type").asString()).endsWith("/attempt-unresolved");
    assertThat(stack.received(job)).isEqualTo(1);

    assertThat(Stack.resolve(stack.operator(next), job, 1, "NOT_EXECUTED").status()).isEqualTo(200);
    Stack.await(
        "the job goes on at the next provider",
        () -> Stack.state(Stack.job(owner, job)).equals("UNKNOWN") || stack.received(job) == 2);
    assertThat(stack.received(job)).isEqualTo(2);
  }

  @Test
  void aProcessKilledBetweenCommitAndStartLosesNothing() {
    AppProcess app = stack.app("api", "worker");
    stack.temporal.pause();
    String job =
        Stack.accepted(Stack.submit(stack.owner(app), "between", "print", "{\"document\":\"x\"}"));
    app.kill9();
    stack.temporal.resume();
    assertThat(stack.received(job)).isZero();

    AppProcess next = stack.app("api", "worker");
    Answer again = Stack.submit(stack.owner(next), "between", "print", "{\"document\":\"x\"}");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body().get("id").asString()).isEqualTo(job);
    assertThat(Stack.state(Stack.settled(stack.owner(next), job))).isEqualTo("SUCCEEDED");
    assertThat(stack.received(job)).isEqualTo(1);
    assertThat(stack.executions(job)).isEqualTo(1);
  }

  @Test
  void submissionsNeedNoEngineAndRunWhenItIsBack() {
    stack.temporal.kill9();
    AppProcess app = stack.appBuilder().roles("api", "worker").start();
    try (app) {
      Api owner = stack.owner(app);
      List<String> jobs = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        jobs.add(Stack.accepted(Stack.submit(owner, "away-" + i, "print", "{\"document\":\"x\"}")));
      }
      assertThat(Stack.state(Stack.job(owner, jobs.getFirst()))).isEqualTo("QUEUED");
      stack.temporal.restart();
      for (String job : jobs) {
        assertThat(Stack.state(Stack.settled(owner, job))).isEqualTo("SUCCEEDED");
        assertThat(stack.executions(job)).isEqualTo(1);
      }
    }
  }

  @Test
  void databaseAndEngineKilledUnderLoadLoseNothingAndRunNothingTwice() throws Exception {
    AppProcess one = stack.app("api", "worker");
    AppProcess two = stack.app("api", "worker");
    int submitters = 8;
    int each = 25;
    Map<String, String> accepted = new ConcurrentHashMap<>();
    AtomicInteger done = new AtomicInteger();
    CountDownLatch third = new CountDownLatch(submitters * each / 3);
    CountDownLatch twoThirds = new CountDownLatch(submitters * each * 2 / 3);
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int s = 0; s < submitters; s++) {
        Api api = stack.owner(s % 2 == 0 ? one : two);
        int submitter = s;
        executor.execute(
            () -> {
              for (int i = 0; i < each; i++) {
                String key = "load-" + submitter + "-" + i;
                accepted.put(key, insist(api, key));
                done.incrementAndGet();
                third.countDown();
                twoThirds.countDown();
              }
            });
      }
      assertThat(third.await(90, TimeUnit.SECONDS)).isTrue();
      stack.postgres.kill9();
      stack.postgres.restart();
      assertThat(twoThirds.await(90, TimeUnit.SECONDS)).isTrue();
      stack.temporal.kill9();
      stack.temporal.restart();
    }
    assertThat(accepted).hasSize(submitters * each);
    assertThat(stack.count("SELECT count(*) FROM jobs")).isEqualTo(submitters * each);
    Stack.await(
        "every accepted job succeeds",
        () ->
            stack.count("SELECT count(*) FROM jobs WHERE outcome = 'SUCCEEDED'")
                == submitters * each);
    for (String job : accepted.values()) {
      assertThat(stack.executions(job)).as(job).isEqualTo(1);
      assertThat(stack.received(job)).as(job).isEqualTo(1);
    }
  }

  /** A client that keeps its key and asks again until it has an answer. */
  private static String insist(Api api, String key) {
    while (true) {
      try {
        Answer answer = Stack.submit(api, key, "print", "{\"document\":\"x\"}");
        if (answer.status() == 201 || answer.status() == 200) {
          return answer.body().get("id").asString();
        }
        assertThat(answer.status()).as(answer.text()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isNotNull();
      } catch (java.io.UncheckedIOException cutOff) {
        // the same key again
      }
    }
  }
}
