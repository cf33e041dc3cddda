package dev.onejob.store;

import static dev.onejob.store.db.Tables.JOBS;

import dev.onejob.job.JobFailure;
import dev.onejob.job.Outcome;
import org.jooq.impl.DSL;

/** The one place where a job closes: a compare-and-swap on its row. */
final class ResultSlot {

  /**
   * Whether the attempt took the slot: false when it was taken, or the version moved since {@code
   * observed}.
   */
  static boolean take(LockedJob job, int observed, int attempt, String result) {
    return job.tx
            .update(JOBS)
            .set(JOBS.OUTCOME, Outcome.SUCCEEDED.name())
            .set(JOBS.RESULT, result)
            .set(JOBS.COMPLETED_BY, attempt)
            .set(JOBS.VERSION, JOBS.VERSION.plus(1))
            .set(JOBS.COMPLETED_AT, DSL.field("clock_timestamp()", JOBS.COMPLETED_AT.getDataType()))
            .where(JOBS.ID.eq(job.id))
            .and(JOBS.VERSION.eq(observed))
            .and(JOBS.COMPLETED_BY.isNull())
            .execute()
        == 1;
  }

  /** Whether the job closed as FAILED; false when it was closed before. */
  static boolean fail(LockedJob job, JobFailure failure) {
    return job.tx
            .update(JOBS)
            .set(JOBS.OUTCOME, Outcome.FAILED.name())
            .set(JOBS.FAILURE, failure.slug())
            .set(JOBS.VERSION, JOBS.VERSION.plus(1))
            .set(JOBS.COMPLETED_AT, DSL.field("clock_timestamp()", JOBS.COMPLETED_AT.getDataType()))
            .where(JOBS.ID.eq(job.id))
            .and(JOBS.VERSION.eq(job.version))
            .and(JOBS.OUTCOME.isNull())
            .execute()
        == 1;
  }

  private ResultSlot() {}
}
