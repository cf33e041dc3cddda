package dev.onejob.devkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The application as a process of its own, with the class path of the test that starts it. It can
 * be killed, frozen and asked to stop; closing always ends it.
 */
public final class AppProcess implements AutoCloseable {

  private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(2);

  private final Process process;
  private final Path directory;
  private final Thread hook = new Thread(this::end, "app-stop");
  private int port;

  private AppProcess(Builder settings) {
    directory = Processes.tempDirectory("app");
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx512m",
            "-XX:-UsePerfData",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            settings.main);
    // Settings of whoever runs the tests must not reach the application under test.
    command
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("ONEJOB_") || name.startsWith("TEMPORAL_"));
    command.environment().put("ONEJOB_PORT", "0");
    command.environment().put("ONEJOB_PORT_FILE", portFile().toString());
    command.environment().putAll(settings.env);
    command.redirectErrorStream(true).redirectOutput(log().toFile());
    try {
      process = command.start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** What the process is given. */
  public static final class Builder {
    private final Map<String, String> env = new LinkedHashMap<>();
    private String main = "dev.onejob.api.OneJob";
    private String await = "/readyz";
    private Duration patience = Duration.ofSeconds(90);

    private Builder() {}

    public Builder db(String url, String user, String password) {
      return env("ONEJOB_DB_URL", url)
          .env("ONEJOB_DB_USER", user)
          .env("ONEJOB_DB_PASSWORD", password);
    }

    public Builder temporal(String address) {
      return env("TEMPORAL_ADDRESS", address);
    }

    public Builder sandbox(String url) {
      return env("ONEJOB_SANDBOX_URL", url);
    }

    public Builder roles(String... roles) {
      return env("ONEJOB_ROLES", String.join(",", roles));
    }

    public Builder config(Path directory) {
      return env("ONEJOB_CONFIG", directory.toString());
    }

    /** The keys that are known from the start. */
    public Builder keys(String submit, String operate) {
      return env("ONEJOB_API_KEY", submit).env("ONEJOB_OPERATOR_KEY", operate);
    }

    public Builder env(String name, String value) {
      env.put(name, value);
      return this;
    }

    /** Counts as started when it lives, although it may not be able to work (an engine is away). */
    public Builder awaitLivez() {
      await = "/livez";
      return this;
    }

    public Builder patience(Duration time) {
      patience = time;
      return this;
    }

    Builder main(String name) {
      main = name;
      return this;
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @throws AssertionError with the end of its log if it does not become ready
     */
    public AppProcess start() {
      AppProcess app = new AppProcess(this);
      try {
        app.await(await, patience);
        return app;
      } catch (RuntimeException | Error failed) {
        app.close();
        throw failed;
      }
    }

    /** Starts it and waits for nothing: for what is expected to refuse its start. */
    public AppProcess launch() {
      return new AppProcess(this);
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  public String url() {
    if (port == 0) {
      throw new IllegalStateException("it does not listen yet");
    }
    return "http://127.0.0.1:" + port;
  }

  public Api api(String key) {
    return new Api(url(), key);
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public void kill9() {
    Processes.kill9(process.toHandle());
  }

  /**
   * SIGTERM; returns when it ended by itself.
   *
   * @return its exit code
   */
  public int stop(Duration patience) {
    process.destroy();
    return awaitExit(patience);
  }

  public int awaitExit(Duration patience) {
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        throw failure("does not end within " + patience);
      }
      return process.exitValue();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stop);
    }
  }

  public int stop() {
    return stop(Duration.ofSeconds(60));
  }

  /** Freezes it (SIGSTOP). */
  public void pause() {
    Processes.signal("STOP", pid());
  }

  /** SIGCONT. */
  public void resume() {
    Processes.signal("CONT", pid());
  }

  /** Everything that it said so far. */
  public String output() {
    try {
      return Files.readString(log());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Waits until a health path answers 200. */
  public void await(String path, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(HTTP_TIMEOUT).build()) {
      try {
        while (!answers(client, path)) {
          if (!process.isAlive()) {
            throw failure("ended with " + process.exitValue());
          }
          if (System.nanoTime() > deadline) {
            throw failure(path + " is not 200 within " + patience);
          }
          Thread.sleep(50);
        }
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(stop);
      } finally {
        client.shutdownNow();
      }
    }
  }

  private boolean answers(HttpClient client, String path) throws InterruptedException {
    try {
      if (port == 0) {
        port = Integer.parseInt(Files.readString(portFile()).strip());
      }
      return client
              .send(
                  HttpRequest.newBuilder(URI.create(url() + path)).timeout(HTTP_TIMEOUT).build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private AssertionError failure(String what) {
    return new AssertionError("application " + what + "; its log ends:\n" + Processes.tail(log()));
  }

  private Path log() {
    return directory.resolve("app.log");
  }

  private Path portFile() {
    return directory.resolve("port");
  }

  private void end() {
    Processes.kill9(process.toHandle());
    Processes.deleteTree(directory);
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // the JVM is ending: the hook runs and finds nothing to do
    }
  }
}
