package dev.onejob.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The diagram in the documentation is drawn from the table in the code; this test says what it
 * should be.
 */
class DiagramTest {

  @Test
  void theDocumentedDiagramIsTheTable() throws Exception {
    StringBuilder diagram = new StringBuilder("```mermaid\nstateDiagram-v2\n  [*] --> STARTED\n");
    for (AttemptState state : AttemptState.values()) {
      state.next().forEach(next -> diagram.append("  %s --> %s%n".formatted(state, next)));
      if (state.next().isEmpty()) {
        diagram.append("  %s --> [*]%n".formatted(state));
      }
    }
    diagram.append("```\n");
    assertThat(Files.readString(Path.of("../docs/attempts.md"))).contains(diagram.toString());
  }
}
