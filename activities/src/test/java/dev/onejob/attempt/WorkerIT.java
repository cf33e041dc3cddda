package dev.onejob.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.contract.Catalog;
import dev.onejob.devkit.Postgres;
import dev.onejob.devkit.TemporalServer;
import dev.onejob.devkit.sandbox.Sandbox;
import dev.onejob.job.AttemptState;
import dev.onejob.job.JobState;
import dev.onejob.job.Outcome;
import dev.onejob.store.AttemptLedger;
import dev.onejob.store.AttemptRecord;
import dev.onejob.store.Database;
import dev.onejob.store.DatabaseSettings;
import dev.onejob.store.JobRecord;
import dev.onejob.store.Jobs;
import dev.onejob.store.Recorded;
import dev.onejob.store.Submission;
import dev.onejob.store.Wakeups;
import dev.onejob.wake.Engine;
import dev.onejob.wake.Waker;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The worker alone, on the shipped configuration: from a recorded intent to a result, without an
 * API.
 */
class WorkerIT {

  private static TemporalServer temporal;
  private static Sandbox sandbox;
  private static Database database;
  private static WorkflowServiceStubs stubs;
  private static Waker waker;
  private static Lines lines;
  private static Engine engine;
  private static Jobs jobs;

  @BeforeAll
  static void start() throws Exception {
    Postgres postgres = Postgres.shared();
    temporal = TemporalServer.start();
    sandbox = Sandbox.start();
    database =
        Database.open(
            DatabaseSettings.of(postgres.newDatabase(), postgres.user(), postgres.password()));
    database.migrate();
    jobs = new Jobs(database);
    Catalog catalog =
        Catalog.load(
            Path.of("../infra/config"),
            name -> name.equals("ONEJOB_SANDBOX_URL") ? sandbox.url() : null);
    stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(temporal.address()).build());
    WorkflowClient client = WorkflowClient.newInstance(stubs);
    AttemptLedger ledger = new AttemptLedger(database);
    lines = new Lines(ledger);
    waker = new Waker(new Wakeups(database), client, new CatalogPlans(catalog), 8);
    engine =
        new Engine(
            client,
            new AttemptRunner(ledger, new CatalogTargets(catalog), lines, waker),
            new LedgerKeeper(ledger, waker),
            waker,
            100);
    engine.start(waker::start);
  }

  @AfterAll
  static void stop() {
    waker.close();
    engine.stop(lines::close);
    stubs.shutdownNow();
    database.close();
    sandbox.close();
    temporal.close();
  }

  @Test
  void aRecordedIntentBecomesOneExecutionAndAResult() {
    String job = record("print-document", "{\"document\":\"hello\",\"copies\":2}");
    JobRecord done = await(job, found -> found.outcome() != null);
    assertThat(done.outcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(done.result()).isEqualTo("{\"pages\":2}");
    assertThat(done.attempts())
        .extracting(AttemptRecord::state)
        .containsExactly(AttemptState.SUCCEEDED);
    assertThat(sandbox.executions(job)).isEqualTo(1);
  }

  @Test
  void aRefusalGoesToTheFallback() {
    String job = record("print-document", "{\"document\":\"sandbox: answer 422\"}");
    JobRecord done = await(job, found -> found.outcome() != null);
    assertThat(done.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(done.failure()).isEqualTo("refused");
    assertThat(done.attempts())
        .extracting(AttemptRecord::provider)
        .containsExactly("inkjet", "laser");
  }

  @Test
  void aLostConnectionIsUnknown() {
    String job = record("print-document", "{\"document\":\"sandbox: execute, drop\"}");
    JobRecord doubt = await(job, found -> found.state() == JobState.UNKNOWN);
    assertThat(doubt.unknown()).isNotNull();
    assertThat(sandbox.executions(job)).isEqualTo(1);
  }

  private static String record(String operation, String input) {
    String id =
        "job_" + UUID.randomUUID().toString().replaceAll("[^0-9]", "").repeat(3).substring(0, 26);
    Recorded recorded =
        jobs.record(
            new Submission(
                id,
                "owner",
                id,
                operation,
                null,
                new byte[32],
                input,
                true,
                3,
                null,
                null,
                Duration.ofMinutes(15),
                Duration.ZERO));
    assertThat(recorded).isInstanceOf(Recorded.Created.class);
    return id;
  }

  private static JobRecord await(String job, Predicate<JobRecord> condition) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (System.nanoTime() < end) {
      JobRecord found = jobs.find(job).orElseThrow();
      if (condition.test(found)) {
        return found;
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
    }
    throw new AssertionError("still " + jobs.find(job).orElseThrow());
  }
}
