package dev.onejob.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.job.AttemptState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What PostgreSQL itself refuses, whatever the code above it does. */
class InvariantsTest {

  private final Fixture fixture = new Fixture();
  private final DSLContext dsl = Fixture.DATABASE.dsl();

  record Move(AttemptState from, AttemptState to) {}

  static List<Move> moves() {
    List<Move> moves = new ArrayList<>();
    for (AttemptState from : AttemptState.values()) {
      for (AttemptState to : AttemptState.values()) {
        if (from != to) {
          moves.add(new Move(from, to));
        }
      }
    }
    return moves;
  }

  @ParameterizedTest
  @MethodSource("moves")
  void theDatabaseAllowsExactlyTheMovesOfTheTable(Move move) {
    String job = fixture.accepted();
    fixture.started(job, 1, "inkjet");
    for (AttemptState step : pathTo(move.from())) {
      set(job, step);
    }
    if (move.from().mayBecome(move.to())) {
      set(job, move.to());
    } else {
      assertThatThrownBy(() -> set(job, move.to()))
          .isInstanceOf(DataAccessException.class)
          .hasMessageContaining("not a legal move");
    }
  }

  private static List<AttemptState> pathTo(AttemptState state) {
    return switch (state) {
      case STARTED -> List.of();
      case UNKNOWN, SUCCEEDED, FAILED, LATE -> List.of(state);
      case RELEASED -> List.of(AttemptState.UNKNOWN, AttemptState.RELEASED);
    };
  }

  private void set(String job, AttemptState state) {
    dsl.execute(
        """
        UPDATE attempts SET state = {0}, why = 'X', retryable = true, unknown_at = now(),
               finished_at = CASE WHEN {0} IN ('SUCCEEDED', 'FAILED', 'LATE') THEN now() END
         WHERE job_id = {1}
        """,
        Sql.val(state.name()), Sql.val(job));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE jobs SET input = '{\"other\":1}' WHERE id = {0}",
        "UPDATE jobs SET idempotency_key = 'other' WHERE id = {0}",
        "UPDATE jobs SET version = 2 WHERE id = {0}",
        "UPDATE jobs SET outcome = 'FAILED' WHERE id = {0}",
        "UPDATE jobs SET outcome = 'SUCCEEDED', completed_at = now(), version = 2 WHERE id = {0}",
        "UPDATE jobs SET outcome = 'SUCCEEDED', completed_at = now(), version = 2, result = '{}', completed_by = 2"
            + " WHERE id = {0}",
        "UPDATE jobs SET outcome = 'GONE', completed_at = now(), version = 2 WHERE id = {0}",
        "UPDATE attempts SET provider = 'laser' WHERE job_id = {0}",
        "UPDATE attempts SET sender = gen_random_uuid() WHERE job_id = {0}",
        "UPDATE attempts SET state = 'UNKNOWN' WHERE job_id = {0}",
        "UPDATE attempts SET state = 'FAILED', finished_at = now() WHERE job_id = {0}",
        "INSERT INTO attempts (job_id, number, provider, unproven, epoch, sender, observed_version, state)"
            + " VALUES ({0}, 2, 'laser', false, 0, gen_random_uuid(), 1, 'STARTED')",
        "INSERT INTO attempts (job_id, number, provider, unproven, epoch, sender, observed_version, state, finished_at)"
            + " VALUES ({0}, 2, 'laser', false, 0, gen_random_uuid(), 1, 'SUCCEEDED', now())",
        "DELETE FROM jobs WHERE id = {0}",
      })
  void whatWouldBreakAnOpenJobIsRefused(String statement) {
    String job = fixture.accepted();
    fixture.started(job, 1, "inkjet");
    JobRecord before = fixture.jobs.find(job).orElseThrow();
    assertThatThrownBy(() -> dsl.execute(statement, Sql.val(job)))
        .isInstanceOf(DataAccessException.class);
    assertThat(fixture.jobs.find(job)).contains(before);
  }

  @Test
  void aClosedJobNeverChanges() {
    String job = fixture.accepted();
    fixture.started(job, 1, "inkjet");
    fixture.ledger.settle(job, 1, Fixture.answer("{}"));
    assertThatThrownBy(
            () -> dsl.execute("UPDATE jobs SET result = '[]' WHERE id = {0}", Sql.val(job)))
        .hasMessageContaining("a closed job never changes");
  }

  @Test
  void aRolesDefaultIsolationChangesNothing() {
    assertThat(dsl.fetchSingle("SHOW transaction_isolation").get(0)).isEqualTo("read committed");
  }

  @Test
  void aCleanJobIsThreeCommits() {
    long before = transactions();
    Submission submission =
        Fixture.submission(
            "owner",
            UUID.randomUUID().toString(),
            "{}",
            3,
            Duration.ofMinutes(1),
            Duration.ofMinutes(1));
    fixture.jobs.record(submission);
    fixture.started(submission.jobId(), 1, "inkjet");
    fixture.ledger.settle(submission.jobId(), 1, Fixture.answer("{}"));
    assertThat(transactions() - before).as("accept, fence, compare-and-swap").isEqualTo(3);
  }

  /** Transactions that wrote something: reading takes no transaction id. */
  private long transactions() {
    return dsl.fetchSingle("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
        .get(0, Long.class);
  }
}
