package dev.onejob.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.devkit.Api;
import dev.onejob.devkit.Api.Answer;
import dev.onejob.devkit.AppProcess;
import dev.onejob.devkit.Postgres;
import dev.onejob.devkit.TemporalServer;
import dev.onejob.devkit.sandbox.Sandbox;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflowservice.v1.CountWorkflowExecutionsRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * Everything that one test class runs against: a PostgreSQL server, a Temporal server of its own,
 * the sandbox providers, and as many processes of the application as it asks for.
 */
final class Stack implements AutoCloseable {

  static final String SUBMIT_KEY = "submit-key-of-a-test";
  static final String OPERATE_KEY = "operate-key-of-a-test";

  final Postgres postgres;
  final String databaseUrl;
  final TemporalServer temporal = TemporalServer.start();
  final Sandbox sandbox = Sandbox.start();
  final Path config;
  private final Api ledger = new Api(sandbox.url(), null);
  private final List<AppProcess> apps = new ArrayList<>();
  private final WorkflowServiceStubs stubs;

  private Stack(Postgres postgres, String databaseUrl) {
    this.postgres = postgres;
    this.databaseUrl = databaseUrl;
    this.config = writeConfig();
    this.stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(temporal.address()).build());
  }

  /** With a fresh database of the server that all tests of this JVM share. */
  static Stack shared() {
    return new Stack(Postgres.shared(), Postgres.shared().newDatabase());
  }

  /** With a PostgreSQL server of its own, durable, that may be killed. */
  static Stack ownPostgres() {
    try {
      Postgres own = Postgres.durable(Files.createTempDirectory("onejob-postgres"));
      return new Stack(own, own.newDatabase());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  AppProcess.Builder appBuilder() {
    return AppProcess.builder()
        .db(databaseUrl, postgres.user(), postgres.password())
        .temporal(temporal.address())
        .sandbox(sandbox.url())
        .config(config)
        .keys(SUBMIT_KEY, OPERATE_KEY);
  }

  AppProcess app(String... roles) {
    AppProcess app = appBuilder().roles(roles).start();
    apps.add(app);
    return app;
  }

  Api owner(AppProcess app) {
    return app.api(SUBMIT_KEY);
  }

  Api operator(AppProcess app) {
    return app.api(OPERATE_KEY);
  }

  WorkflowClient client() {
    return WorkflowClient.newInstance(
        stubs, WorkflowClientOptions.newBuilder().setNamespace("default").build());
  }

  WorkflowServiceStubs stubs() {
    return stubs;
  }

  List<HistoryEvent> history(String jobId) {
    return client().fetchHistory(jobId).getHistory().getEventsList();
  }

  /** Whether a workflow of the job is open. */
  boolean running(String jobId) {
    return client()
            .listExecutions("WorkflowId = '" + jobId + "' AND ExecutionStatus = 'Running'")
            .count()
        > 0;
  }

  long openWorkflows() {
    return stubs
        .blockingStub()
        .countWorkflowExecutions(
            CountWorkflowExecutionsRequest.newBuilder()
                .setNamespace("default")
                .setQuery("ExecutionStatus = 'Running'")
                .build())
        .getCount();
  }

  // ---- submissions

  static Answer submit(Api api, String key, String operation, String input) {
    return api.post(
        "/v1/jobs",
        "{\"operation\":\"" + operation + "\",\"input\":" + input + "}",
        "Idempotency-Key",
        key);
  }

  static String accepted(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    return answer.body().get("id").asString();
  }

  /** The job, once it is closed or UNKNOWN; waits for as long as it takes, up to a minute. */
  static JsonNode settled(Api api, String jobId) {
    Answer answer = api.get("/v1/jobs/" + jobId + "?wait=60s");
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.body();
  }

  static JsonNode job(Api api, String jobId) {
    Answer answer = api.get("/v1/jobs/" + jobId);
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    return answer.body();
  }

  static String state(JsonNode job) {
    return job.get("state").asString();
  }

  /** The states of the job's attempts, first to last. */
  static List<String> attempts(JsonNode job) {
    List<String> states = new ArrayList<>();
    job.get("attempts").forEach(attempt -> states.add(attempt.get("state").asString()));
    return states;
  }

  static Answer resolve(Api operator, String jobId, int attempt, String verdict) {
    return operator.post(
        "/v1/jobs/" + jobId + "/attempts/" + attempt + "/resolution",
        "{\"verdict\":\""
            + verdict
            + "\",\"reason\":\"looked at the printer\",\"expectedVersion\":1}");
  }

  // ---- what the providers saw

  int received(String jobId) {
    return ledger.get("/_sandbox/executions?job=" + jobId).body().get("received").size();
  }

  int executions(String jobId) {
    return ledger.get("/_sandbox/executions?job=" + jobId).body().get("executions").asInt();
  }

  void openGate(String name) {
    assertThat(ledger.put("/_sandbox/gates/" + name, "").status()).isLessThan(300);
  }

  void script(String provider, String steps, int times) {
    Answer answer =
        ledger.put(
            "/_sandbox/" + provider + "/script",
            "{\"steps\":[" + steps + "],\"times\":" + times + "}");
    assertThat(answer.status()).as(answer.text()).isLessThan(300);
  }

  // ---- the database

  long count(String sql) {
    try (Connection connection =
            DriverManager.getConnection(databaseUrl, postgres.user(), postgres.password());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  // ---- waiting and racing

  /**
   * Polls until it is so: the thing itself is the gate, the pause only keeps the processor free.
   */
  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("after three minutes still not so: " + what);
      }
      try {
        Thread.sleep(20);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(stopped);
      }
    }
  }

  // ---- configuration

  private static Path writeConfig() {
    try {
      Path directory = Files.createTempDirectory("onejob-config");
      Files.createDirectories(directory.resolve("providers"));
      Files.createDirectories(directory.resolve("operations"));
      provider(directory, "inkjet", "30s");
      provider(directory, "laser", "30s");
      provider(directory, "hasty", "1s");
      operation(directory, "print", true, "inkjet", "never");
      operation(directory, "hasty-print", true, "hasty", "never");
      operation(directory, "peek", false, "hasty", "1s");
      return directory;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void provider(Path directory, String name, String call) throws IOException {
    Files.writeString(
        directory.resolve("providers").resolve(name + ".yaml"),
        """
        provider: %s
        adapter: http-json
        baseUrl: ${env:ONEJOB_SANDBOX_URL}/%s
        timeouts: {connect: 1s, call: %s, linger: 10m}
        request: {method: POST, path: /print}
        answer: {result: "$.result", reference: "$.id", cost: "$.cost"}
        idempotency: {header: Idempotency-Key, window: 24h}
        """
            .formatted(name, name, call));
  }

  private static void operation(
      Path directory, String name, boolean sideEffects, String intended, String release)
      throws IOException {
    Files.writeString(
        directory.resolve("operations").resolve(name + ".yaml"),
        """
        operation: %s
        sideEffects: %s
        input: {type: object}
        output: {type: object}
        route: [%s, laser]
        failover: any
        attempts: {max: 5, backoff: 100ms..1s, heartbeat: 5s}
        deadline: 15m
        unknown: {releaseAfterSilence: %s}
        """
            .formatted(name, sideEffects, intended, release));
  }

  @Override
  public void close() {
    apps.forEach(AppProcess::close);
    stubs.shutdownNow();
    sandbox.close();
    temporal.close();
    if (postgres != Postgres.shared()) {
      postgres.close();
    }
  }
}
