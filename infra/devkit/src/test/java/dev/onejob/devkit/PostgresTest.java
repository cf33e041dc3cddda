package dev.onejob.devkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.store.Database;
import dev.onejob.store.DatabaseSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresTest {

  private static String ask(Postgres postgres, String url, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(url, postgres.user(), postgres.password());
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet rows = statement.getResultSet()) {
        rows.next();
        return rows.getString(1);
      }
    }
  }

  @Test
  void everyDatabaseIsFreshAndTakesTheSchema() {
    Postgres postgres = Postgres.shared();
    String one = postgres.newDatabase();
    String other = postgres.newDatabase();
    assertThat(one).isNotEqualTo(other);
    try (Database database =
        Database.open(DatabaseSettings.of(one, postgres.user(), postgres.password()))) {
      database.migrate();
      assertThat(database.reachable()).isTrue();
    }
  }

  @Test
  void whatWasCommittedSurvivesAKillOnTheSamePort(@TempDir Path directory) throws Exception {
    try (Postgres postgres = Postgres.durable(directory.resolve("data"))) {
      String url = postgres.newDatabase();
      assertThat(ask(postgres, url, "SHOW fsync")).isEqualTo("on");
      assertThat(ask(postgres, url, "SHOW synchronous_commit")).isEqualTo("on");
      ask(postgres, url, "CREATE TABLE t AS SELECT 'kept' AS what");
      long before = postgres.pid();
      postgres.kill9();
      assertThat(ProcessHandle.of(before)).isEmpty();
      postgres.restart();
      assertThat(postgres.pid()).isNotEqualTo(before);
      assertThat(ask(postgres, url, "SELECT what FROM t")).isEqualTo("kept");
      postgres.restart();
      assertThat(ask(postgres, url, "SELECT what FROM t")).isEqualTo("kept");
      long last = postgres.pid();
      postgres.close();
      assertThat(ProcessHandle.of(last)).isEmpty();
    }
  }
}
