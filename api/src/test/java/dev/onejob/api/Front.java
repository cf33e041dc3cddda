package dev.onejob.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.contract.CatalogRefused;
import dev.onejob.devkit.Api;
import dev.onejob.devkit.Api.Answer;
import dev.onejob.devkit.Postgres;
import dev.onejob.store.ApiKeys;
import dev.onejob.store.AttemptLedger;
import dev.onejob.store.Database;
import dev.onejob.store.DatabaseSettings;
import dev.onejob.store.Fence;
import dev.onejob.store.Finding;
import dev.onejob.store.Jobs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The real front door on a real port and a real PostgreSQL, and no engine: what a worker would do
 * to a job, a test enters into the ledger itself.
 */
final class Front implements AutoCloseable {

  static final String SUBMIT = "submit-key-of-a-test";
  static final String OPERATE = "operate-key-of-a-test";
  static final String STRANGER = "key-of-another-owner";
  static final String WATCHER = "key-that-may-not-submit";

  private final Postgres postgres;
  final String databaseUrl;
  private final Database database;
  final AttemptLedger ledger;
  final Jobs jobs;
  private final OneJob process;

  private Front(Postgres postgres, String databaseUrl, Path config) {
    this.postgres = postgres;
    this.databaseUrl = databaseUrl;
    this.process = start(config, databaseUrl, postgres);
    this.database =
        Database.open(
            DatabaseSettings.of(databaseUrl, postgres.user(), postgres.password()).withPoolSize(4));
    this.ledger = new AttemptLedger(database);
    this.jobs = new Jobs(database);
    ApiKeys keys = new ApiKeys(database);
    keys.register(
        sha256(STRANGER), new ApiKeys.Principal("stranger", "stranger", Set.of("submit")));
    keys.register(sha256(WATCHER), new ApiKeys.Principal("watcher", "watcher", Set.of("operate")));
  }

  /** One for all tests of this JVM. Never close it. */
  static Front shared() {
    return Shared.FRONT;
  }

  private static final class Shared {
    static final Front FRONT =
        new Front(Postgres.shared(), Postgres.shared().newDatabase(), FrontConfig.write());
  }

  /** On a server that the test may kill. */
  static Front on(Postgres postgres) {
    return new Front(postgres, postgres.newDatabase(), FrontConfig.write());
  }

  /** A second process on the same database, with another configuration. */
  Front beside(Path config) {
    return new Front(postgres, databaseUrl, config);
  }

  private static OneJob start(Path config, String databaseUrl, Postgres postgres) {
    Map<String, String> environment = new HashMap<>();
    environment.put("ONEJOB_DB_URL", databaseUrl);
    environment.put("ONEJOB_DB_USER", postgres.user());
    environment.put("ONEJOB_DB_PASSWORD", postgres.password());
    environment.put("ONEJOB_API_KEY", SUBMIT);
    environment.put("ONEJOB_OPERATOR_KEY", OPERATE);
    environment.put("ONEJOB_TEMPORAL_UI", "http://ui.example/");
    try {
      return OneJob.start(
          new String[] {"--port", "0", "--roles", "api", "--config", config.toString()},
          environment::get);
    } catch (CatalogRefused | IOException refused) {
      throw new IllegalStateException(refused);
    }
  }

  int port() {
    return process.port();
  }

  OneJob process() {
    return process;
  }

  Api as(String key) {
    return new Api("http://127.0.0.1:" + process.port(), key);
  }

  Api anonymous() {
    return new Api("http://127.0.0.1:" + process.port(), null);
  }

  Api owner() {
    return as(SUBMIT);
  }

  Api operator() {
    return as(OPERATE);
  }

  // ---- submissions

  static String key(String what) {
    return what + "-" + UUID.randomUUID();
  }

  static String body(String operation, String input) {
    return "{\"operation\":\"" + operation + "\",\"input\":" + input + "}";
  }

  Answer submit(String key, String body) {
    return owner().post("/v1/jobs", body, "Idempotency-Key", key);
  }

  /** A new job; its id. */
  String accepted(String operation) {
    Answer answer = submit(key("job"), body(operation, "{\"document\":\"x\"}"));
    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
    return answer.body().get("id").asString();
  }

  // ---- what a worker would do

  void begin(String jobId, int number, String provider) {
    assertThat(ledger.fence(jobId, number, provider, false, UUID.randomUUID()))
        .isInstanceOf(Fence.Passed.class);
  }

  void doubt(String jobId, int number) {
    ledger.settle(jobId, number, new Finding.Unclear("READ_TIMEOUT", "prt_1"));
  }

  void fail(String jobId, int number) {
    ledger.settle(jobId, number, new Finding.Failed("REJECTED", true, null));
  }

  void answer(String jobId, int number, String result) {
    ledger.settle(jobId, number, new Finding.Answered(result, "model-1", "prt_1", null));
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

  /** Rows of everything that a request could leave behind. */
  String rows() {
    return count("SELECT count(*) FROM jobs")
        + " jobs, "
        + count("SELECT count(*) FROM wakeups")
        + " wakeups, "
        + count("SELECT count(*) FROM attempts")
        + " attempts, "
        + count("SELECT count(*) FROM audit")
        + " audits, "
        + count("SELECT count(*) FROM attempt_requests")
        + " requests";
  }

  /** All calls leave at once. */
  static <T> List<T> together(List<Callable<T>> calls) throws Exception {
    CyclicBarrier gate = new CyclicBarrier(calls.size());
    List<T> answers = new ArrayList<>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> running = new ArrayList<>();
      for (Callable<T> call : calls) {
        running.add(
            executor.submit(
                () -> {
                  gate.await();
                  return call.call();
                }));
      }
      for (Future<T> answer : running) {
        answers.add(answer.get());
      }
    }
    return answers;
  }

  static void assertProblem(Answer answer, int status, String slug) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
    assertThat(answer.header("X-Request-Id")).isNotBlank();
    assertThat(answer.body().path("type").asString())
        .isEqualTo("https://onejob.dev/problems/" + slug);
    assertThat(answer.body().path("status").asInt()).isEqualTo(status);
    assertThat(answer.body().path("title").asString()).isNotBlank();
    assertThat(answer.body().path("detail").asString()).isNotBlank();
  }

  private static byte[] sha256(String key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  @Override
  public void close() {
    process.close();
    database.close();
  }

  static void await(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("after 60 s still not so: " + what);
      }
      Thread.sleep(20);
    }
  }

  static Path temporary(String name) {
    try {
      return Files.createTempDirectory(name);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
