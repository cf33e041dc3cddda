package dev.onejob.devkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Free ports, signals, and what a process left behind. */
final class Processes {

  private static final int TAIL_LINES = 60;
  private static final int FIRST_PORT = 20_000;
  private static final int LAST_PORT = 32_000;

  private Processes() {}

  /**
   * Ports that nobody listens on now, below those that the system hands out by itself (from 32768
   * on Linux, from 49152 elsewhere): those may be gone a moment later, or when a server comes back.
   */
  static int[] freePorts(int count) {
    int[] found =
        ThreadLocalRandom.current()
            .ints(FIRST_PORT, LAST_PORT)
            .distinct()
            .limit(LAST_PORT - FIRST_PORT)
            .filter(Processes::isFree)
            .limit(count)
            .toArray();
    if (found.length < count) {
      throw new IllegalStateException(
          "no port between " + FIRST_PORT + " and " + LAST_PORT + " is free");
    }
    return found;
  }

  /** Refuses a port that somebody else has: some servers would start beside the other one. */
  static void requireFree(int port) {
    if (!isFree(port)) {
      throw new IllegalStateException("port " + port + " is taken");
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(loopback(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }

  private static InetAddress loopback() throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
  }

  static void signal(String name, long pid) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(pid))
              .redirectErrorStream(true)
              .start();
      String said = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("kill -" + name + " " + pid + ": " + said.strip());
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stop);
    }
  }

  /** SIGKILL, also for what is stopped; returns when the process is gone. */
  static void kill9(ProcessHandle process) {
    process.destroyForcibly();
    try {
      process.onExit().get(30, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException alive) {
      throw new IllegalStateException("process " + process.pid() + " survives SIGKILL", alive);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a process that is ending; SIGKILL if it takes too long. */
  static void end(ProcessHandle process, Duration patience) {
    try {
      process.onExit().get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException alive) {
      kill9(process);
    } catch (InterruptedException stop) {
      kill9(process);
      Thread.currentThread().interrupt();
    }
  }

  static String tail(Path log) {
    try {
      List<String> lines = Files.readString(log, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException unreadable) {
      return "(no log: " + unreadable + ")";
    }
  }

  static Path tempDirectory(String name) {
    try {
      return Files.createTempDirectory("onejob-" + name + "-");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static void deleteTree(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException | UncheckedIOException vanishing) {
      // what is still being written into is left to the system's own cleaning
    }
  }
}
