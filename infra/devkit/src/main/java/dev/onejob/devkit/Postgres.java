package dev.onejob.devkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL as a process of its own. It can be killed and started again on the same port
 * with the same data. It ends with this JVM at the latest, unless the JVM itself is killed.
 */
public final class Postgres implements AutoCloseable {

  private static final String USER = "postgres";
  private static final Duration STARTUP_MAX = Duration.ofMinutes(1);
  private static final Duration STOP_MAX = Duration.ofSeconds(10);
  private static final AtomicLong DATABASES = new AtomicLong();

  private final Path data;
  private final boolean durable;
  private final int port;
  private final Thread hook = new Thread(this::stop, "postgres-stop");
  private @Nullable EmbeddedPostgres server;

  /** Kept from the start: after a kill the number in the pid file may be somebody else's. */
  private @Nullable ProcessHandle postmaster;

  private Postgres(Path data, boolean durable) {
    this.data = data;
    this.durable = durable;
    this.port = Processes.freePorts(1)[0];
    Runtime.getRuntime().addShutdownHook(hook);
    launch();
  }

  /** For ordinary tests: fast, in a temporary directory, not safe against a power cut. */
  public static Postgres start() {
    return new Postgres(Processes.tempDirectory("postgres"), false);
  }

  /** Every commit is on disk before it is answered; the data directory is kept. */
  public static Postgres durable(Path dataDirectory) {
    return new Postgres(dataDirectory.toAbsolutePath(), true);
  }

  /** One server for all tests of this JVM; take a {@link #newDatabase()} of it. Never close it. */
  public static Postgres shared() {
    return Shared.SERVER;
  }

  private static final class Shared {
    static final Postgres SERVER = start();
  }

  public int port() {
    return port;
  }

  public String user() {
    return USER;
  }

  /** Connections from this machine are trusted; the word is there for whoever must send one. */
  public String password() {
    return "postgres";
  }

  /** Of the database {@code postgres}. */
  public String jdbcUrl() {
    return jdbcUrl("postgres");
  }

  /**
   * Creates an empty database.
   *
   * @return its JDBC URL
   */
  public String newDatabase() {
    String name =
        "onejob_" + DATABASES.incrementAndGet() + "_" + Long.toString(System.nanoTime(), 36);
    try (Connection connection = connect(jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
      return jdbcUrl(name);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Of the postmaster; it changes with a restart. */
  public synchronized long pid() {
    if (postmaster == null) {
      throw new IllegalStateException("PostgreSQL is not running");
    }
    return postmaster.pid();
  }

  /** SIGKILL to the postmaster: its backends end at once, nothing is flushed. */
  public synchronized void kill9() {
    if (postmaster != null) {
      Processes.kill9(postmaster);
    }
  }

  /** Starts on the same port with the same data; ends it first if it is alive. */
  public synchronized void restart() {
    stop();
    long deadline = System.nanoTime() + STARTUP_MAX.toNanos();
    while (true) {
      try {
        launch();
        return;
      } catch (IllegalStateException notYet) {
        // Backends of a killed postmaster hold its shared memory for a moment longer.
        if (System.nanoTime() > deadline) {
          throw notYet;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stop);
    }
  }

  private synchronized void launch() {
    Processes.requireFree(port);
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setPort(port)
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            // Its own hook would stop the server while the application is still closing.
            .setRegisterShutdownHook(false)
            .setLocaleConfig("locale", "C")
            .setLocaleConfig("locale-provider", "builtin")
            .setLocaleConfig("builtin-locale", "C.UTF-8")
            .setServerConfig("max_connections", "300")
            .setPGStartupWait(STARTUP_MAX)
            .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
            .setOutputRedirector(ProcessBuilder.Redirect.DISCARD);
    String safe = durable ? "on" : "off";
    builder.setServerConfig("fsync", safe);
    builder.setServerConfig("synchronous_commit", safe);
    builder.setServerConfig("full_page_writes", safe);
    try {
      server = builder.start();
      String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip();
      postmaster = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    } catch (IOException failed) {
      throw new IllegalStateException("PostgreSQL in " + data, failed);
    }
  }

  private synchronized void stop() {
    if (server != null) {
      try {
        server.close();
      } catch (IOException | RuntimeException gone) {
        // it was killed; what is left of it is its lock, and that is released
      }
      server = null;
    }
    if (postmaster != null) {
      // It may still be waiting for a client that does not let go.
      Processes.end(postmaster, STOP_MAX);
      postmaster = null;
    }
    if (!durable && Thread.currentThread() == hook) {
      Processes.deleteTree(data);
    }
  }

  private String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  private Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url, USER, password());
  }

  @Override
  public void close() {
    stop();
    if (!durable) {
      Processes.deleteTree(data);
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // the JVM is ending: the hook runs and finds nothing to do
    }
  }
}
