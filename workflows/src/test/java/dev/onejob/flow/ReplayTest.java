package dev.onejob.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.testing.WorkflowReplayer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The workflow replays what earlier versions of it did on a real server. A history is added by
 * {@code temporal workflow show --workflow-id JOB --output json}; none is ever changed.
 */
class ReplayTest {

  static List<Path> histories() {
    try (var files = Files.list(Path.of("src/test/resources/histories"))) {
      return files.sorted().toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @Test
  void thereAreHistoriesToReplay() {
    assertThat(histories()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("histories")
  void aCommittedHistoryReplays(Path history) throws Exception {
    WorkflowReplayer.replayWorkflowExecution(history.toFile(), RealJobWorkflow.class);
  }
}
