package dev.onejob.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.flywaydb.core.Flyway;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/**
 * One process's connections to PostgreSQL. Everything that reads or writes stands on one of these.
 */
public final class Database implements AutoCloseable {

  static {
    System.setProperty("org.jooq.no-logo", "true");
    System.setProperty("org.jooq.no-tips", "true");
  }

  private final HikariDataSource pool;
  private final DSLContext dsl;

  private Database(HikariDataSource pool) {
    this.pool = pool;
    this.dsl =
        DSL.using(
            pool,
            SQLDialect.POSTGRES,
            new Settings().withExecuteLogging(false).withRenderSchema(false));
  }

  /** Does not connect: a database that is away is met by the first statement. */
  public static Database open(DatabaseSettings settings) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("onejob");
    config.setJdbcUrl(settings.url());
    if (settings.user() != null) {
      config.setUsername(settings.user());
    }
    if (settings.password() != null) {
      config.setPassword(settings.password());
    }
    config.setMaximumPoolSize(settings.poolSize());
    config.setMinimumIdle(Math.min(2, settings.poolSize()));
    config.setConnectionTimeout(settings.connectTimeout().toMillis());
    config.setInitializationFailTimeout(-1);
    // The rules of the ledger lock first and read afterwards: each statement must see what was
    // committed before it,
    // whatever the role's default says (PostgreSQL documentation, 13.2.1).
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.addDataSourceProperty("ApplicationName", "onejob");
    config.addDataSourceProperty("connectTimeout", "5");
    config.addDataSourceProperty("socketTimeout", "60");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    return new Database(new HikariDataSource(config));
  }

  /** Brings the schema up to this version's. Safe to run from several processes at once. */
  public void migrate() {
    Flyway.configure()
        .dataSource(pool)
        .locations("classpath:db/migration")
        .connectRetries(0)
        .load()
        .migrate();
  }

  /** Whether a statement can be run now. */
  public boolean reachable() {
    try {
      return dsl.selectOne().fetchOne() != null;
    } catch (RuntimeException away) {
      return false;
    }
  }

  /**
   * Whether the failure says that the database could not be asked (or did not answer), rather than
   * that it refused. The outcome of a statement that failed so is unknown. SQLSTATE classes:
   * PostgreSQL documentation, appendix A.
   */
  public static boolean unavailable(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLTransientConnectionException) {
        return true;
      }
      if (cause instanceof SQLException sql && sql.getSQLState() != null) {
        String state = sql.getSQLState();
        return state.startsWith("08")
            || state.startsWith("57P")
            || state.startsWith("53")
            || state.startsWith("25006");
      }
    }
    return false;
  }

  DSLContext dsl() {
    return dsl;
  }

  Connection connection() throws SQLException {
    return pool.getConnection();
  }

  @Override
  public void close() {
    pool.close();
  }
}
