package dev.onejob.devkit;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Where the program of the Temporal dev server is. */
final class TemporalCli {

  static final String VERSION = "1.9.1";

  private TemporalCli() {}

  /**
   * Environment, PATH and cache first, because they cost nothing; then the launcher, which can
   * fetch it.
   */
  static Path find() {
    return candidates().stream()
        .filter(Files::isExecutable)
        .findFirst()
        .or(TemporalCli::fromLauncher)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no Temporal CLI: set ONEJOB_TEMPORAL_CLI, put `temporal` on the PATH, or run"
                        + " infra/onejob temporal-path"));
  }

  private static List<Path> candidates() {
    List<Path> candidates = new ArrayList<>();
    String given = System.getenv("ONEJOB_TEMPORAL_CLI");
    if (given != null && !given.isBlank()) {
      candidates.add(Path.of(given));
    }
    String path = System.getenv("PATH");
    for (String folder : path == null ? new String[0] : path.split(File.pathSeparator, -1)) {
      candidates.add(Path.of(folder).resolve("temporal"));
    }
    String cache = System.getenv("ONEJOB_CACHE");
    candidates.add(
        (cache == null || cache.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache", "onejob")
                : Path.of(cache))
            .resolve(Path.of("temporal", VERSION, "temporal")));
    return candidates;
  }

  private static Optional<Path> fromLauncher() {
    return launcher()
        .flatMap(
            launcher -> {
              try {
                Process asked =
                    new ProcessBuilder("python3", launcher.toString(), "temporal-path")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
                String said =
                    new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                boolean ended = asked.waitFor(5, TimeUnit.MINUTES) && asked.exitValue() == 0;
                return said.lines()
                    .reduce((first, last) -> last)
                    .filter(line -> ended && !line.isBlank())
                    .map(line -> Path.of(line.strip()))
                    .filter(Files::isExecutable);
              } catch (IOException noPython) {
                return Optional.empty();
              } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return Optional.empty();
              }
            });
  }

  /** {@code infra/onejob} of the repository that this runs in. */
  private static Optional<Path> launcher() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path launcher = at.resolve(Path.of("infra", "onejob"));
      if (Files.isRegularFile(launcher)) {
        return Optional.of(launcher);
      }
    }
    return Optional.empty();
  }
}
