package dev.onejob.devkit;

import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The real Temporal dev server as a process of its own, with its UI and a database file. It can be
 * killed, frozen and started again on the same ports with the same file. It ends with this JVM at
 * the latest, unless the JVM itself is killed.
 */
public final class TemporalServer implements AutoCloseable {

  private static final Duration STARTUP_MAX = Duration.ofMinutes(1);
  private static final int STARTS_MAX = 3;

  /** What the engine must know beforehand; the same for everyone who starts it. */
  private static final List<String> SETTINGS =
      List.of(
          "--sqlite-pragma",
          "journal_mode=WAL",
          "--sqlite-pragma",
          "synchronous=NORMAL",
          "--search-attribute",
          "OneJobOperation=Keyword",
          "--search-attribute",
          "OneJobState=Keyword",
          // Priority and fairness work on the dev server only with one partition.
          "--dynamic-config-value",
          "matching.numTaskqueueReadPartitions=1",
          "--dynamic-config-value",
          "matching.numTaskqueueWritePartitions=1",
          "--dynamic-config-value",
          "matching.enableFairness=true");

  private final Path directory;
  private final int port;
  private final int uiPort;
  private final List<String> command;
  private final Thread hook = new Thread(this::end, "temporal-stop");
  private @Nullable Process process;
  private boolean ended;

  TemporalServer(Path cli) {
    directory = Processes.tempDirectory("temporal");
    int[] ports = Processes.freePorts(4);
    port = ports[0];
    uiPort = ports[1];
    command =
        new ArrayList<>(
            List.of(
                cli.toString(),
                "server",
                "start-dev",
                "--ip",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--ui-port",
                Integer.toString(uiPort),
                "--http-port",
                Integer.toString(ports[2]),
                "--metrics-port",
                Integer.toString(ports[3]),
                "--db-filename",
                directory.resolve("temporal.db").toString(),
                "--log-level",
                "error"));
    command.addAll(SETTINGS);
    Runtime.getRuntime().addShutdownHook(hook);
    spawn();
    awaitHealthy();
  }

  public static TemporalServer start() {
    return new TemporalServer(TemporalCli.find());
  }

  /** One server for all tests of this JVM. Never close it. */
  public static TemporalServer shared() {
    return Shared.SERVER;
  }

  private static final class Shared {
    static final TemporalServer SERVER = start();
  }

  /** Host and port of the front end. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  public String uiUrl() {
    return "http://127.0.0.1:" + uiPort;
  }

  /** It changes with a restart. */
  public long pid() {
    return process().pid();
  }

  public void kill9() {
    Processes.kill9(process().toHandle());
  }

  /** Freezes it (SIGSTOP): connections stay open, nothing is answered. */
  public void pause() {
    Processes.signal("STOP", pid());
  }

  /** SIGCONT. */
  public void resume() {
    Processes.signal("CONT", pid());
  }

  /** Starts on the same ports with the same database file; ends it first if it is alive. */
  public void restart() {
    kill9();
    spawn();
    awaitHealthy();
  }

  /** A server that ends at once is begun again: the ports of its inner choosing may be taken. */
  private void awaitHealthy() {
    for (int start = 1; !becomesHealthy(); start++) {
      if (process().isAlive() || start == STARTS_MAX) {
        String told = Processes.tail(log());
        kill9();
        throw new IllegalStateException("Temporal does not start:\n" + told);
      }
      spawn();
    }
  }

  /** Never while {@link #end} runs, never after it: what it does not see would live on. */
  private synchronized void spawn() {
    if (ended) {
      throw new IllegalStateException("this Temporal server was closed");
    }
    // On a taken port it would start, and everyone would talk to the other server.
    Processes.requireFree(port);
    Processes.requireFree(uiPort);
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
              .start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private synchronized Process process() {
    return Objects.requireNonNull(process);
  }

  private Path log() {
    return directory.resolve("temporal.log");
  }

  private boolean becomesHealthy() {
    WorkflowServiceStubs stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget(address()).build());
    try {
      long deadline = System.nanoTime() + STARTUP_MAX.toNanos();
      while (!healthy(stubs)) {
        if (!process().isAlive() || System.nanoTime() > deadline) {
          return false;
        }
        Thread.sleep(50);
      }
      return true;
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stop);
    } finally {
      stubs.shutdownNow();
      stubs.awaitTermination(5, TimeUnit.SECONDS);
    }
  }

  /** The namespace answers and knows its search attributes: both come after the port is open. */
  private static boolean healthy(WorkflowServiceStubs stubs) {
    try {
      Map<String, String> aliases =
          stubs
              .blockingStub()
              .withDeadlineAfter(2, TimeUnit.SECONDS)
              .describeNamespace(
                  DescribeNamespaceRequest.newBuilder().setNamespace("default").build())
              .getConfig()
              .getCustomSearchAttributeAliasesMap();
      return aliases.containsValue("OneJobOperation") && aliases.containsValue("OneJobState");
    } catch (StatusRuntimeException notYet) {
      return false;
    }
  }

  private synchronized void end() {
    ended = true;
    if (process != null) {
      Processes.kill9(process.toHandle());
    }
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
