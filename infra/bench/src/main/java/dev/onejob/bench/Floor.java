package dev.onejob.bench;

import dev.onejob.store.Database;
import dev.onejob.store.DatabaseSettings;
import dev.onejob.store.Jobs;
import dev.onejob.store.Submission;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * The floor of a POST: the same insert, straight to the same PostgreSQL, in a database of its own.
 */
final class Floor implements AutoCloseable {

  private final Settings settings;
  private final String name;
  private final Database database;
  private final Jobs jobs;
  private final Thread drop = new Thread(this::drop, "drop");

  Floor(Settings settings, String run) throws SQLException {
    this.settings = settings;
    this.name = "onejob_bench_" + run;
    DatabaseSettings theirs = theirs();
    String own = theirs.url().replaceFirst("(//[^/]+/)[^?]*", "$1" + name);
    if (own.equals(theirs.url())) {
      throw new Settings.Wrong(
          "ONEJOB_DB_URL must name a host and a database: the floor needs a database of its own");
    }
    execute("CREATE DATABASE " + name);
    Runtime.getRuntime().addShutdownHook(drop);
    database =
        Database.open(
            DatabaseSettings.of(own, theirs.user(), theirs.password())
                .withPoolSize(settings.submitters()));
    database.migrate();
    jobs = new Jobs(database);
  }

  void insert(int n) {
    var unused =
        jobs.record(
            new Submission(
                "job_" + "%026d".formatted(n),
                "bench",
                "bench-" + n,
                "print-document",
                null,
                new byte[32],
                "{\"document\":\"bench\"}",
                true,
                3,
                null,
                null,
                Duration.ofMinutes(15),
                Duration.ofDays(1)));
  }

  private DatabaseSettings theirs() {
    return DatabaseSettings.of(
        settings.databaseUrl(),
        settings.databaseUser().orElse(null),
        settings.databasePassword().orElse(null));
  }

  private void execute(String sql) throws SQLException {
    DatabaseSettings theirs = theirs();
    try (Connection connection =
            DriverManager.getConnection(theirs.url(), theirs.user(), theirs.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Also when the run is cut off: nothing of it stays in the user's server. */
  private void drop() {
    try {
      execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    } catch (SQLException failed) {
      System.err.println("bench: the database " + name + " is left behind: drop it");
    }
  }

  @Override
  public void close() {
    database.close();
    drop();
  }
}
