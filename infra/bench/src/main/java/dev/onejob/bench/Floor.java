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

  Floor(Settings settings, String run) throws SQLException {
    this.settings = settings;
    this.name = "onejob_bench_" + run;
    execute("CREATE DATABASE " + name);
    String own = settings.databaseUrl().replaceFirst("(//[^/]+/)[^?]*", "$1" + name);
    database =
        Database.open(
            DatabaseSettings.of(
                    own,
                    settings.databaseUser().orElse(null),
                    settings.databasePassword().orElse(null))
                .withPoolSize(16));
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

  private void execute(String sql) throws SQLException {
    String url = DatabaseSettings.of(settings.databaseUrl(), null, null).url();
    try (Connection connection =
            DriverManager.getConnection(
                url,
                settings.databaseUser().orElse(null),
                settings.databasePassword().orElse(null));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    database.close();
    execute("DROP DATABASE " + name);
  }
}
