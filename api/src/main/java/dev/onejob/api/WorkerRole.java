package dev.onejob.api;

import dev.onejob.attempt.AttemptRunner;
import dev.onejob.attempt.CatalogPlans;
import dev.onejob.attempt.CatalogTargets;
import dev.onejob.attempt.LedgerKeeper;
import dev.onejob.attempt.Lines;
import dev.onejob.contract.Catalog;
import dev.onejob.store.AttemptLedger;
import dev.onejob.store.Database;
import dev.onejob.store.Wakeups;
import dev.onejob.wake.Engine;
import dev.onejob.wake.Handover;
import dev.onejob.wake.Waker;
import io.temporal.client.WorkflowClient;
import io.temporal.envconfig.ClientConfigProfile;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The worker role of this process: takes wakeups, runs workflows, makes attempts. */
final class WorkerRole implements AutoCloseable {

  /**
   * Wakeups on their way to a workflow at once: enough to keep the engine busy, few enough that a
   * burst waits here.
   */
  private static final int STARTS_MAX = 64;

  private static final int ATTEMPTS_MAX = 2_000;

  private final WorkflowServiceStubs stubs;
  private final Waker waker;
  private final Lines lines;
  private final Engine engine;

  private WorkerRole(WorkflowServiceStubs stubs, Waker waker, Lines lines, Engine engine) {
    this.stubs = stubs;
    this.waker = waker;
    this.lines = lines;
    this.engine = engine;
  }

  /** Needs no Temporal to start: an engine that is away is waited for. */
  static WorkerRole start(Database database, Catalog catalog) throws IOException {
    // Address, namespace, API key, TLS and profiles come from Temporal's own environment
    // configuration.
    ClientConfigProfile profile = ClientConfigProfile.load();
    WorkflowServiceStubs stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder(profile.toWorkflowServiceStubsOptions())
                .setRpcTimeout(Duration.ofSeconds(10))
                .validateAndBuildWithDefaults());
    WorkflowClient client = WorkflowClient.newInstance(stubs, profile.toWorkflowClientOptions());
    AttemptLedger ledger = new AttemptLedger(database);
    Waker waker = new Waker(new Wakeups(database), client, new CatalogPlans(catalog), STARTS_MAX);
    Lines lines = new Lines(ledger);
    Engine engine =
        new Engine(
            client,
            new AttemptRunner(ledger, new CatalogTargets(catalog), lines, waker),
            new LedgerKeeper(ledger, waker),
            waker,
            ATTEMPTS_MAX);
    engine.start(waker::start);
    return new WorkerRole(stubs, waker, lines, engine);
  }

  Handover handover() {
    return waker;
  }

  /**
   * In order: no new work, a grace for what runs, then every line is hung up and its attempt is
   * UNKNOWN.
   */
  @Override
  public void close() {
    waker.close();
    engine.stop(lines::close);
    stubs.shutdown();
    stubs.awaitTermination(2, TimeUnit.SECONDS);
  }
}
