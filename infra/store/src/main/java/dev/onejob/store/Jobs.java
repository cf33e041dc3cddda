package dev.onejob.store;

import static dev.onejob.store.db.Tables.ATTEMPTS;
import static dev.onejob.store.db.Tables.JOBS;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.multiset;
import static org.jooq.impl.DSL.select;

import dev.onejob.job.AttemptState;
import dev.onejob.job.Outcome;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Accepts jobs and reads them. */
public final class Jobs {

  private static final int LOOKS_MAX = 20;

  private final Database database;

  public Jobs(Database database) {
    this.database = database;
  }

  /**
   * Records the intent, or finds the job that its key already names. One statement decides: nothing
   * is looked up before it, and the row and its wakeup are committed together or not at all.
   *
   * @throws org.jooq.exception.DataAccessException when the database is away; whether the job was
   *     accepted is unknown then, and the same call again tells
   */
  public Recorded record(Submission submission) {
    for (int look = 0; look < LOOKS_MAX; look++) {
      JobRecord created = insert(submission);
      if (created != null) {
        return new Recorded.Created(created);
      }
      Optional<Recorded> existing =
          existing(submission.ownerId(), submission.idempotencyKey(), submission.fingerprint());
      if (existing.isPresent()) {
        return existing.get();
      }
    }
    throw new IllegalStateException(
        "the job of this key was neither inserted nor found " + LOOKS_MAX + " times in a row");
  }

  /**
   * What the key names already: {@link Recorded.Found} or {@link Recorded.Conflict}; empty when it
   * names nothing. A statement of its own: the row of a concurrent inserter is not visible to the
   * one that met it, and that inserter may yet roll back.
   */
  public Optional<Recorded> existing(String ownerId, String idempotencyKey, byte[] fingerprint) {
    return database
        .dsl()
        .select(JOBS.ID, JOBS.FINGERPRINT)
        .from(JOBS)
        .where(JOBS.OWNER_ID.eq(ownerId))
        .and(JOBS.IDEMPOTENCY_KEY.eq(idempotencyKey))
        .fetchOptional(
            row ->
                Arrays.equals(row.value2(), fingerprint)
                    ? new Recorded.Found(find(row.value1()).orElseThrow())
                    : new Recorded.Conflict(row.value1()));
  }

  private @Nullable JobRecord insert(Submission s) {
    Record row =
        database
            .dsl()
            .fetchOne(
                """
                WITH job AS (
                  INSERT INTO jobs (id, owner_id, idempotency_key, operation, provider, fingerprint, input, failover,
                                    priority, notify, deadline_at)
                  VALUES ({0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}, {9},
                          least({10}, now() + {11} * interval '1 millisecond'))
                  ON CONFLICT (owner_id, idempotency_key) DO NOTHING
                  RETURNING id, owner_id, priority, created_at, deadline_at),
                wakeup AS (
                  INSERT INTO wakeups (job_id, owner_id, priority, due_at)
                  SELECT id, owner_id, priority, now() + {12} * interval '1 millisecond' FROM job)
                SELECT created_at, deadline_at FROM job
                """,
                Sql.val(s.jobId()),
                Sql.val(s.ownerId()),
                Sql.val(s.idempotencyKey()),
                Sql.val(s.operation()),
                Sql.val(s.provider()),
                Sql.val(s.fingerprint()),
                Sql.val(s.input()),
                Sql.val(s.failover()),
                Sql.val((short) s.priority()),
                Sql.val(s.notifyUrl()),
                Sql.val(s.deadline()),
                Sql.val(s.deadlineAfter().toMillis()),
                Sql.val(s.wakeAfter().toMillis()));
    if (row == null) {
      return null;
    }
    return new JobRecord(
        s.jobId(),
        s.ownerId(),
        s.idempotencyKey(),
        s.operation(),
        s.provider(),
        s.failover(),
        1,
        row.get(JOBS.CREATED_AT),
        row.get(JOBS.DEADLINE_AT),
        null,
        null,
        null,
        null,
        null,
        List.of());
  }

  public Optional<JobRecord> find(String jobId) {
    return fetch(JOBS.ID.eq(jobId));
  }

  public Optional<JobRecord> findByKey(String ownerId, String idempotencyKey) {
    return fetch(JOBS.OWNER_ID.eq(ownerId).and(JOBS.IDEMPOTENCY_KEY.eq(idempotencyKey)));
  }

  /** The exact text of the job's input. */
  public Optional<String> input(String jobId) {
    return database
        .dsl()
        .select(JOBS.INPUT)
        .from(JOBS)
        .where(JOBS.ID.eq(jobId))
        .fetchOptional(JOBS.INPUT);
  }

  /** Those of the given jobs that are closed or UNKNOWN: one statement for all who wait. */
  public Set<String> settled(Collection<String> jobIds) {
    return database
        .dsl()
        .select(JOBS.ID)
        .from(JOBS)
        .where(JOBS.ID.eq(any(jobIds.toArray(String[]::new))))
        .and(
            JOBS.OUTCOME
                .isNotNull()
                .orExists(
                    select(ATTEMPTS.NUMBER)
                        .from(ATTEMPTS)
                        .where(ATTEMPTS.JOB_ID.eq(JOBS.ID))
                        .and(ATTEMPTS.STATE.eq(AttemptState.UNKNOWN.name()))))
        .fetchSet(JOBS.ID);
  }

  private Optional<JobRecord> fetch(Condition which) {
    var attempts =
        multiset(
                select(
                        ATTEMPTS.NUMBER,
                        ATTEMPTS.PROVIDER,
                        ATTEMPTS.MODEL,
                        ATTEMPTS.UNPROVEN,
                        ATTEMPTS.STATE,
                        ATTEMPTS.WHY,
                        ATTEMPTS.STARTED_AT,
                        ATTEMPTS.UNKNOWN_AT,
                        ATTEMPTS.FINISHED_AT,
                        ATTEMPTS.PROVIDER_REF,
                        ATTEMPTS.REVISION)
                    .from(ATTEMPTS)
                    .where(ATTEMPTS.JOB_ID.eq(JOBS.ID))
                    .orderBy(ATTEMPTS.NUMBER))
            .convertFrom(
                rows ->
                    rows.map(
                        row ->
                            new AttemptRecord(
                                row.value1(),
                                row.value2(),
                                row.value3(),
                                row.value4(),
                                AttemptState.valueOf(row.value5()),
                                row.value6(),
                                row.value7(),
                                row.value8(),
                                row.value9(),
                                row.value10(),
                                row.value11())));
    return database
        .dsl()
        .select(
            JOBS.ID,
            JOBS.OWNER_ID,
            JOBS.IDEMPOTENCY_KEY,
            JOBS.OPERATION,
            JOBS.PROVIDER,
            JOBS.FAILOVER,
            JOBS.VERSION,
            JOBS.CREATED_AT,
            JOBS.DEADLINE_AT,
            JOBS.OUTCOME,
            JOBS.RESULT,
            JOBS.FAILURE,
            JOBS.COMPLETED_BY,
            JOBS.COMPLETED_AT,
            attempts)
        .from(JOBS)
        .where(which)
        .fetchOptional(
            row ->
                new JobRecord(
                    row.value1(),
                    row.value2(),
                    row.value3(),
                    row.value4(),
                    row.value5(),
                    row.value6(),
                    row.value7(),
                    row.value8(),
                    row.value9(),
                    outcome(row.value10()),
                    row.value11(),
                    row.value12(),
                    row.value13(),
                    row.value14(),
                    row.value15()));
  }

  static @Nullable Outcome outcome(@Nullable String word) {
    return word == null ? null : Outcome.valueOf(word);
  }
}
