package dev.onejob.store;

import static dev.onejob.store.db.Tables.ATTEMPTS;
import static dev.onejob.store.db.Tables.ATTEMPT_REQUESTS;
import static dev.onejob.store.db.Tables.JOBS;

import dev.onejob.job.AttemptState;
import dev.onejob.job.AttemptView;
import dev.onejob.job.JobView;
import dev.onejob.job.Outcome;
import dev.onejob.store.db.tables.records.AttemptsRecord;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * A job whose row is locked until the transaction ends: every writer of the ledger goes through
 * here.
 */
final class LockedJob {

  private static final Field<Long> DEADLINE_IN_MILLIS =
      DSL.field("(extract(epoch FROM deadline_at - clock_timestamp()) * 1000)::bigint", Long.class);
  private static final Field<Long> AGO_MILLIS =
      DSL.field(
          "(extract(epoch FROM clock_timestamp() - coalesce(finished_at, started_at)) * 1000)::bigint",
          Long.class);
  private static final Field<Long> RETRY_IN_MILLIS =
      DSL.field("(extract(epoch FROM retry_at - clock_timestamp()) * 1000)::bigint", Long.class);

  final DSLContext tx;
  final String id;
  final String ownerId;
  final String operation;
  final int version;
  final short priority;
  final @Nullable Outcome outcome;
  final @Nullable Integer completedBy;
  final long deadlineInMillis;

  private LockedJob(DSLContext tx, Record row) {
    this.tx = tx;
    this.id = row.get(JOBS.ID);
    this.ownerId = row.get(JOBS.OWNER_ID);
    this.operation = row.get(JOBS.OPERATION);
    this.version = row.get(JOBS.VERSION);
    this.priority = row.get(JOBS.PRIORITY);
    this.outcome = Jobs.outcome(row.get(JOBS.OUTCOME));
    this.completedBy = row.get(JOBS.COMPLETED_BY);
    this.deadlineInMillis = row.get(DEADLINE_IN_MILLIS);
  }

  /**
   * @throws NoSuchJob when there is none
   */
  static LockedJob lock(DSLContext tx, String jobId) {
    Record row =
        tx.select(
                JOBS.ID,
                JOBS.OWNER_ID,
                JOBS.OPERATION,
                JOBS.VERSION,
                JOBS.PRIORITY,
                JOBS.OUTCOME,
                JOBS.COMPLETED_BY,
                DEADLINE_IN_MILLIS)
            .from(JOBS)
            .where(JOBS.ID.eq(jobId))
            .forNoKeyUpdate()
            .fetchOne();
    if (row == null) {
      throw new NoSuchJob(jobId);
    }
    return new LockedJob(tx, row);
  }

  @Nullable AttemptsRecord attempt(int number) {
    return tx.selectFrom(ATTEMPTS)
        .where(ATTEMPTS.JOB_ID.eq(id))
        .and(ATTEMPTS.NUMBER.eq(number))
        .fetchOne();
  }

  List<AttemptView> attempts() {
    return tx.select(
            ATTEMPTS.NUMBER,
            ATTEMPTS.PROVIDER,
            ATTEMPTS.STATE,
            ATTEMPTS.WHY,
            ATTEMPTS.RETRYABLE,
            AGO_MILLIS,
            RETRY_IN_MILLIS)
        .from(ATTEMPTS)
        .where(ATTEMPTS.JOB_ID.eq(id))
        .orderBy(ATTEMPTS.NUMBER)
        .fetch(
            row ->
                new AttemptView(
                    row.value1(),
                    row.value2(),
                    AttemptState.valueOf(row.value3()),
                    row.value4(),
                    row.value5(),
                    row.value6(),
                    row.value7()));
  }

  /** The job as it is now, in this transaction. */
  JobView view() {
    if (outcome != null) {
      return JobView.closed(outcome, version);
    }
    return view(attempts());
  }

  JobView view(List<AttemptView> attempts) {
    var request =
        tx.select(ATTEMPT_REQUESTS.PROVIDER)
            .from(ATTEMPT_REQUESTS)
            .where(ATTEMPT_REQUESTS.JOB_ID.eq(id))
            .fetchOne();
    return new JobView(
        outcome,
        version,
        deadlineInMillis,
        request != null,
        request == null ? null : request.value1(),
        attempts);
  }
}
