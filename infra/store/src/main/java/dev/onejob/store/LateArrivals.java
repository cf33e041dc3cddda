package dev.onejob.store;

import static dev.onejob.store.db.Tables.ATTEMPTS;
import static dev.onejob.store.db.Tables.LATE_ARRIVALS;

import dev.onejob.job.Outcome;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jooq.Condition;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** The race log: who arrived late, who had won, and by how much. */
public final class LateArrivals {

  private final Database database;

  public LateArrivals(Database database) {
    this.database = database;
  }

  /**
   * One late arrival.
   *
   * @param kind LATE, or CONTRADICTION when a person had said that it never happened
   * @param behindMillis how long after the close it came; null while the job was open
   */
  public record LateArrival(
      long id,
      String jobId,
      int attempt,
      String provider,
      @Nullable String model,
      String kind,
      OffsetDateTime arrivedAt,
      @Nullable Outcome jobOutcome,
      @Nullable Integer wonBy,
      @Nullable String winner,
      @Nullable Long behindMillis,
      byte[] payloadSha256,
      long payloadBytes,
      @Nullable BigDecimal cost) {}

  /** Newest first. {@code beforeId} is the id of the last one already seen, or null. */
  public List<LateArrival> list(
      @Nullable String jobId,
      @Nullable String provider,
      @Nullable Instant since,
      @Nullable Long beforeId,
      int limit) {
    var won = ATTEMPTS.as("won");
    Condition which = DSL.noCondition();
    if (jobId != null) {
      which = which.and(LATE_ARRIVALS.JOB_ID.eq(jobId));
    }
    if (provider != null) {
      which = which.and(ATTEMPTS.PROVIDER.eq(provider));
    }
    if (since != null) {
      which = which.and(LATE_ARRIVALS.ARRIVED_AT.ge(since.atOffset(ZoneOffset.UTC)));
    }
    if (beforeId != null) {
      which = which.and(LATE_ARRIVALS.ID.lt(beforeId));
    }
    return database
        .dsl()
        .select(
            LATE_ARRIVALS.ID,
            LATE_ARRIVALS.JOB_ID,
            LATE_ARRIVALS.ATTEMPT,
            ATTEMPTS.PROVIDER,
            ATTEMPTS.MODEL,
            LATE_ARRIVALS.KIND,
            LATE_ARRIVALS.ARRIVED_AT,
            LATE_ARRIVALS.JOB_OUTCOME,
            LATE_ARRIVALS.WON_BY,
            won.PROVIDER,
            LATE_ARRIVALS.BEHIND_MILLIS,
            LATE_ARRIVALS.PAYLOAD_SHA256,
            LATE_ARRIVALS.PAYLOAD_BYTES,
            LATE_ARRIVALS.COST)
        .from(LATE_ARRIVALS)
        .join(ATTEMPTS)
        .on(ATTEMPTS.JOB_ID.eq(LATE_ARRIVALS.JOB_ID))
        .and(ATTEMPTS.NUMBER.eq(LATE_ARRIVALS.ATTEMPT))
        .leftJoin(won)
        .on(won.JOB_ID.eq(LATE_ARRIVALS.JOB_ID))
        .and(won.NUMBER.eq(LATE_ARRIVALS.WON_BY))
        .where(which)
        .orderBy(LATE_ARRIVALS.ID.desc())
        .limit(limit)
        .fetch(
            row ->
                new LateArrival(
                    row.value1(),
                    row.value2(),
                    row.value3(),
                    row.value4(),
                    row.value5(),
                    row.value6(),
                    row.value7(),
                    Jobs.outcome(row.value8()),
                    row.value9(),
                    row.value10(),
                    row.value11(),
                    row.value12(),
                    row.value13(),
                    row.value14()));
  }
}
