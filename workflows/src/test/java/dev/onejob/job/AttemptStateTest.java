package dev.onejob.job;

import static dev.onejob.job.AttemptState.FAILED;
import static dev.onejob.job.AttemptState.LATE;
import static dev.onejob.job.AttemptState.RELEASED;
import static dev.onejob.job.AttemptState.STARTED;
import static dev.onejob.job.AttemptState.SUCCEEDED;
import static dev.onejob.job.AttemptState.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttemptStateTest {

  /** Every legal move, written out: the table in the code must be exactly this. */
  private static final Set<List<AttemptState>> LEGAL =
      Set.of(
          List.of(STARTED, UNKNOWN),
          List.of(STARTED, SUCCEEDED),
          List.of(STARTED, FAILED),
          List.of(STARTED, LATE),
          List.of(UNKNOWN, SUCCEEDED),
          List.of(UNKNOWN, FAILED),
          List.of(UNKNOWN, RELEASED),
          List.of(UNKNOWN, LATE),
          List.of(RELEASED, SUCCEEDED),
          List.of(RELEASED, LATE));

  @Test
  void everyPairOfStatesIsLegalOrNotAsWritten() {
    for (AttemptState from : AttemptState.values()) {
      for (AttemptState to : AttemptState.values()) {
        assertThat(from.mayBecome(to))
            .as(from + " to " + to)
            .isEqualTo(LEGAL.contains(List.of(from, to)));
      }
    }
  }

  @Test
  void everyStateIsReachedFromStarted() {
    Set<AttemptState> reached = EnumSet.of(STARTED);
    ArrayDeque<AttemptState> look = new ArrayDeque<>(reached);
    while (!look.isEmpty()) {
      for (AttemptState next : look.pop().next()) {
        if (reached.add(next)) {
          look.add(next);
        }
      }
    }
    assertThat(reached).containsExactlyInAnyOrder(AttemptState.values());
  }

  @Test
  void onlyStartedAndUnknownBlockAJob() {
    assertThat(AttemptState.values())
        .filteredOn(AttemptState::unresolved)
        .containsExactly(STARTED, UNKNOWN);
  }
}
