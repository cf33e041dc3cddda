package dev.onejob.store;

import static dev.onejob.store.db.Tables.ATTEMPTS;
import static dev.onejob.store.db.Tables.ATTEMPT_REQUESTS;
import static dev.onejob.store.db.Tables.AUDIT;
import static dev.onejob.store.db.Tables.JOBS;
import static dev.onejob.store.db.Tables.LATE_ARRIVALS;

import dev.onejob.job.AttemptState;
import dev.onejob.job.AttemptView;
import dev.onejob.job.JobFailure;
import dev.onejob.job.JobView;
import dev.onejob.job.Outcome;
import dev.onejob.job.Verdict;
import dev.onejob.store.db.tables.records.AttemptsRecord;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jooq.Field;
import org.jooq.UpdateSetMoreStep;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * The book of attempts: who may send, and what became of it. Every entry is one transaction that
 * locks the job's row first, is conditional, and is harmless when repeated; when its commit gets no
 * answer, the same call again tells.
 */
public final class AttemptLedger {

  /** Why an attempt is FAILED that a person said never happened. */
  static final String RESOLVED_NOT_EXECUTED = "RESOLVED_NOT_EXECUTED";

  private static final Field<OffsetDateTime> NOW =
      DSL.field("clock_timestamp()", SQLDataType.TIMESTAMPWITHTIMEZONE);

  private final Database database;

  public AttemptLedger(Database database) {
    this.database = database;
  }

  /**
   * Inserts the attempt's row. Whoever does not insert it does not send. Takes note of every wakeup
   * written so far.
   *
   * @param sender names this one execution: the same sender asking again (the commit got no answer)
   *     passes again
   */
  public Fence fence(String jobId, int number, String provider, boolean unproven, UUID sender) {
    return inJob(
        jobId,
        job -> {
          Wakeups.remove(job);
          AttemptsRecord existing = job.attempt(number);
          if (existing != null) {
            boolean mine =
                existing.getSender().equals(sender)
                    && AttemptState.valueOf(existing.getState()) == AttemptState.STARTED;
            return mine ? passed(job, existing.getEpoch()) : new Fence.Refused(job.view());
          }
          JobView view = job.view();
          if (!mayStart(view, number, provider)) {
            return new Fence.Refused(view);
          }
          int epoch =
              (int)
                  view.attempts().stream()
                      .filter(past -> past.provider().equals(provider))
                      .filter(past -> past.state() == AttemptState.FAILED)
                      .count();
          job.tx
              .insertInto(ATTEMPTS)
              .set(ATTEMPTS.JOB_ID, jobId)
              .set(ATTEMPTS.NUMBER, number)
              .set(ATTEMPTS.PROVIDER, provider)
              .set(ATTEMPTS.UNPROVEN, unproven)
              .set(ATTEMPTS.EPOCH, epoch)
              .set(ATTEMPTS.SENDER, sender)
              .set(ATTEMPTS.OBSERVED_VERSION, job.version)
              .set(ATTEMPTS.STATE, AttemptState.STARTED.name())
              .execute();
          if (view.attemptRequested()) {
            job.tx.deleteFrom(ATTEMPT_REQUESTS).where(ATTEMPT_REQUESTS.JOB_ID.eq(jobId)).execute();
          }
          return passed(job, epoch);
        });
  }

  private static boolean mayStart(JobView view, int number, String provider) {
    return view.outcome() == null
        && view.deadlineInMillis() > 0
        && view.attempts().size() == number - 1
        && view.attempts().stream().noneMatch(past -> past.state().unresolved())
        && (view.requestedProvider() == null || view.requestedProvider().equals(provider));
  }

  private static Fence passed(LockedJob job, int epoch) {
    String input =
        job.tx.select(JOBS.INPUT).from(JOBS).where(JOBS.ID.eq(job.id)).fetchSingle().value1();
    return new Fence.Passed(
        job.operation, input, job.id + "/" + epoch, Duration.ofMillis(job.deadlineInMillis));
  }

  /**
   * Enters what was found out about an attempt. An answer meets the compare-and-swap: it takes the
   * result slot, or it is LATE and recorded.
   */
  public Settlement settle(String jobId, int number, Finding finding) {
    return inJob(
        jobId,
        job -> {
          AttemptsRecord attempt = existing(job, number);
          AttemptState state = AttemptState.valueOf(attempt.getState());
          return switch (finding) {
            case Finding.Answered answer -> answered(job, attempt, state, answer);
            case Finding.Failed failed -> failed(job, attempt, state, failed);
            case Finding.Unclear unclear -> unclear(job, attempt, state, unclear);
          };
        });
  }

  private static Settlement answered(
      LockedJob job, AttemptsRecord attempt, AttemptState state, Finding.Answered answer) {
    byte[] payload = answer.result().getBytes(StandardCharsets.UTF_8);
    byte[] hash = sha256(payload);
    return switch (state) {
      case STARTED, UNKNOWN, RELEASED -> race(job, attempt, state, answer, payload.length, hash);
      case FAILED -> {
        if (!RESOLVED_NOT_EXECUTED.equals(attempt.getWhy())) {
          yield new Settlement.Unchanged(job.view());
        }
        arrivedLate(job, attempt, "CONTRADICTION", hash, payload.length, answer.cost());
        yield contradicted(job, attempt, "an answer arrived after a person had said NOT_EXECUTED");
      }
      case SUCCEEDED -> {
        boolean aPersonSaidSo = attempt.getAnswerSha256() == null;
        if (aPersonSaidSo) {
          arrivedLate(job, attempt, "LATE", hash, payload.length, answer.cost());
        }
        yield Arrays.equals(attempt.getAnswerSha256(), hash)
            ? new Settlement.Won(job.view())
            : new Settlement.Unchanged(job.view());
      }
      case LATE -> new Settlement.Unchanged(job.view());
    };
  }

  private static Settlement race(
      LockedJob job,
      AttemptsRecord attempt,
      AttemptState state,
      Finding.Answered answer,
      int bytes,
      byte[] hash) {
    boolean won =
        ResultSlot.take(job, attempt.getObservedVersion(), attempt.getNumber(), answer.result());
    move(job, attempt, won ? AttemptState.SUCCEEDED : AttemptState.LATE)
        .set(ATTEMPTS.FINISHED_AT, NOW)
        .set(ATTEMPTS.MODEL, answer.model())
        .set(
            ATTEMPTS.PROVIDER_REF,
            DSL.coalesce(DSL.val(answer.providerRef()), ATTEMPTS.PROVIDER_REF))
        .set(ATTEMPTS.COST, answer.cost())
        .set(ATTEMPTS.ANSWER_SHA256, hash)
        .set(ATTEMPTS.ANSWER_BYTES, (long) bytes)
        .where(key(job, attempt))
        .execute();
    if (state != AttemptState.STARTED) {
      // No activity waits for this entry any more: the workflow has to be told.
      Wakeups.add(job);
    }
    return won
        ? new Settlement.Won(JobView.closed(Outcome.SUCCEEDED, job.version + 1))
        : new Settlement.Lost(
            job.view(), arrivedLate(job, attempt, "LATE", hash, bytes, answer.cost()));
  }

  private static Settlement failed(
      LockedJob job, AttemptsRecord attempt, AttemptState state, Finding.Failed failed) {
    return switch (state) {
      case STARTED, UNKNOWN -> {
        moveToFailed(job, attempt, failed);
        if (state == AttemptState.UNKNOWN) {
          Wakeups.add(job);
        }
        yield new Settlement.Failed(job.view());
      }
      case SUCCEEDED -> {
        boolean aPersonSaidSo = attempt.getAnswerSha256() == null;
        yield aPersonSaidSo
            ? contradicted(job, attempt, failed.why() + " after a person had said EXECUTED")
            : new Settlement.Unchanged(job.view());
      }
      case FAILED, RELEASED, LATE -> new Settlement.Unchanged(job.view());
    };
  }

  private static void moveToFailed(LockedJob job, AttemptsRecord attempt, Finding.Failed failed) {
    Duration retryAfter = failed.retryAfter();
    move(job, attempt, AttemptState.FAILED)
        .set(ATTEMPTS.WHY, failed.why())
        .set(ATTEMPTS.RETRYABLE, failed.retryable())
        .set(
            ATTEMPTS.RETRY_AT,
            retryAfter == null
                ? DSL.val((OffsetDateTime) null, SQLDataType.TIMESTAMPWITHTIMEZONE)
                : DSL.field(
                    "clock_timestamp() + {0} * interval '1 millisecond'",
                    SQLDataType.TIMESTAMPWITHTIMEZONE, Sql.val(retryAfter.toMillis())))
        .set(ATTEMPTS.FINISHED_AT, NOW)
        .where(key(job, attempt))
        .execute();
  }

  private static Settlement unclear(
      LockedJob job, AttemptsRecord attempt, AttemptState state, Finding.Unclear unclear) {
    if (state != AttemptState.STARTED) {
      return new Settlement.Unchanged(job.view());
    }
    move(job, attempt, AttemptState.UNKNOWN)
        .set(ATTEMPTS.WHY, unclear.why())
        .set(
            ATTEMPTS.PROVIDER_REF,
            DSL.coalesce(DSL.val(unclear.providerRef()), ATTEMPTS.PROVIDER_REF))
        .set(ATTEMPTS.UNKNOWN_AT, NOW)
        .where(key(job, attempt))
        .execute();
    return new Settlement.Unclear(job.view());
  }

  /** Reads the job and takes note of every wakeup written so far. */
  public JobView read(String jobId) {
    return inJob(
        jobId,
        job -> {
          Wakeups.remove(job);
          return job.view();
        });
  }

  /**
   * The attempt's worker is lost: UNKNOWN, unless it has settled meanwhile or was never written
   * down.
   */
  public JobView lost(String jobId, int number, String why) {
    return inJob(
        jobId,
        job -> {
          AttemptsRecord attempt = job.attempt(number);
          return attempt == null
              ? job.view()
              : unclear(
                      job,
                      attempt,
                      AttemptState.valueOf(attempt.getState()),
                      new Finding.Unclear(why, null))
                  .job();
        });
  }

  /**
   * Policy lets go of an attempt that is still UNKNOWN. The decision is in the audit like a
   * person's.
   */
  public JobView releaseByPolicy(String jobId, int number, String reason) {
    return inJob(
        jobId,
        job -> {
          AttemptsRecord attempt = existing(job, number);
          if (attempt.getState().equals(AttemptState.UNKNOWN.name())) {
            move(job, attempt, AttemptState.RELEASED).where(key(job, attempt)).execute();
            audit(job, number, "RELEASED", "policy", "POLICY", null, reason, null);
          }
          return job.view();
        });
  }

  /** Closes the job as FAILED, unless it is closed or an attempt is unresolved. */
  public JobView giveUp(String jobId, JobFailure failure) {
    return inJob(
        jobId,
        job -> {
          Wakeups.remove(job);
          JobView view = job.view();
          boolean unresolved = view.attempts().stream().anyMatch(past -> past.state().unresolved());
          if (view.outcome() != null
              || unresolved
              || view.attemptRequested() && view.deadlineInMillis() > 0) {
            return view;
          }
          return ResultSlot.fail(job, failure)
              ? JobView.closed(Outcome.FAILED, job.version + 1)
              : view;
        });
  }

  /**
   * Asks for another attempt, at {@code provider} if named.
   *
   * @throws NoSuchJob when there is none
   */
  public AttemptAsked ask(String jobId, @Nullable String provider, String actor) {
    return inJob(
        jobId,
        job -> {
          if (job.outcome != null) {
            return new AttemptAsked.Closed();
          }
          for (AttemptView attempt : job.attempts()) {
            if (attempt.state().unresolved()) {
              AttemptsRecord row = existing(job, attempt.number());
              return new AttemptAsked.Unresolved(
                  attempt.number(),
                  row.getUnknownAt() == null ? row.getStartedAt() : row.getUnknownAt());
            }
          }
          request(job, provider, actor);
          audit(job, null, "ATTEMPT_REQUESTED", actor, "HTTP", null, provider, null);
          return new AttemptAsked.Accepted();
        });
  }

  private static void request(LockedJob job, @Nullable String provider, String actor) {
    job.tx
        .insertInto(ATTEMPT_REQUESTS)
        .set(ATTEMPT_REQUESTS.JOB_ID, job.id)
        .set(ATTEMPT_REQUESTS.PROVIDER, provider)
        .set(ATTEMPT_REQUESTS.REQUESTED_BY, actor)
        .onConflict(ATTEMPT_REQUESTS.JOB_ID)
        .doUpdate()
        .set(ATTEMPT_REQUESTS.PROVIDER, provider)
        .set(ATTEMPT_REQUESTS.REQUESTED_BY, actor)
        .execute();
    Wakeups.add(job);
  }

  /**
   * A person's word on an UNKNOWN attempt.
   *
   * @throws NoSuchJob when there is none
   */
  public Resolved resolve(String jobId, int number, Resolution resolution) {
    return inJob(
        jobId,
        job -> {
          AttemptsRecord attempt = job.attempt(number);
          if (attempt == null) {
            return new Resolved.NoSuchAttempt();
          }
          if (!attempt.getState().equals(AttemptState.UNKNOWN.name())) {
            return new Resolved.AlreadyResolved();
          }
          if (job.version != resolution.expectedVersion()) {
            return new Resolved.VersionMoved(job.version);
          }
          switch (resolution.verdict()) {
            case NOT_EXECUTED ->
                moveToFailed(job, attempt, new Finding.Failed(RESOLVED_NOT_EXECUTED, true, null));
            case ACCEPT_DUPLICATE_RISK -> {
              move(job, attempt, AttemptState.RELEASED).where(key(job, attempt)).execute();
              audit(
                  job,
                  number,
                  "RELEASED",
                  resolution.actor(),
                  "HTTP",
                  null,
                  resolution.reason(),
                  null);
              if (job.outcome == null) {
                request(job, null, resolution.actor());
              }
            }
            case EXECUTED -> executed(job, attempt, resolution);
          }
          audit(
              job,
              number,
              "RESOLVED",
              resolution.actor(),
              "HTTP",
              resolution.verdict(),
              resolution.reason(),
              resolution.evidence());
          Wakeups.add(job);
          return new Resolved.Done();
        });
  }

  private static void executed(LockedJob job, AttemptsRecord attempt, Resolution resolution) {
    String result = resolution.result();
    if (result == null) {
      throw new IllegalArgumentException("EXECUTED without a result");
    }
    boolean won = ResultSlot.take(job, attempt.getObservedVersion(), attempt.getNumber(), result);
    move(job, attempt, won ? AttemptState.SUCCEEDED : AttemptState.LATE)
        .set(ATTEMPTS.FINISHED_AT, NOW)
        .where(key(job, attempt))
        .execute();
    if (!won) {
      byte[] payload = result.getBytes(StandardCharsets.UTF_8);
      arrivedLate(job, attempt, "LATE", sha256(payload), payload.length, null);
    }
  }

  private static Duration arrivedLate(
      LockedJob job,
      AttemptsRecord attempt,
      String kind,
      byte[] hash,
      int bytes,
      @Nullable BigDecimal cost) {
    Field<OffsetDateTime> completedAt =
        DSL.field(DSL.select(JOBS.COMPLETED_AT).from(JOBS).where(JOBS.ID.eq(job.id)));
    var row =
        job.tx
            .insertInto(LATE_ARRIVALS)
            .set(LATE_ARRIVALS.JOB_ID, job.id)
            .set(LATE_ARRIVALS.ATTEMPT, attempt.getNumber())
            .set(LATE_ARRIVALS.KIND, kind)
            .set(LATE_ARRIVALS.JOB_OUTCOME, job.outcome == null ? null : job.outcome.name())
            .set(LATE_ARRIVALS.WON_BY, job.completedBy)
            .set(
                LATE_ARRIVALS.BEHIND_MILLIS,
                DSL.field(
                    "(extract(epoch FROM clock_timestamp() - {0}) * 1000)::bigint",
                    SQLDataType.BIGINT, completedAt))
            .set(LATE_ARRIVALS.PAYLOAD_SHA256, hash)
            .set(LATE_ARRIVALS.PAYLOAD_BYTES, (long) bytes)
            .set(LATE_ARRIVALS.COST, cost)
            .onConflictDoNothing()
            .returningResult(LATE_ARRIVALS.BEHIND_MILLIS)
            .fetchOne();
    Long behind = row == null ? null : row.value1();
    return Duration.ofMillis(behind == null ? 0 : behind);
  }

  private static Settlement contradicted(LockedJob job, AttemptsRecord attempt, String reason) {
    audit(
        job,
        attempt.getNumber(),
        "CONTRADICTED",
        attempt.getProvider(),
        "PROVIDER",
        null,
        reason,
        null);
    return new Settlement.Contradicted(job.view());
  }

  private static void audit(
      LockedJob job,
      @Nullable Integer attempt,
      String event,
      String actor,
      String route,
      @Nullable Verdict verdict,
      @Nullable String reason,
      @Nullable String evidence) {
    job.tx
        .insertInto(AUDIT)
        .set(AUDIT.JOB_ID, job.id)
        .set(AUDIT.ATTEMPT, attempt)
        .set(AUDIT.EVENT, event)
        .set(AUDIT.ACTOR, actor)
        .set(AUDIT.ROUTE, route)
        .set(AUDIT.VERDICT, verdict == null ? null : verdict.name())
        .set(AUDIT.REASON, reason)
        .set(AUDIT.EVIDENCE, evidence)
        .execute();
  }

  private static UpdateSetMoreStep<AttemptsRecord> move(
      LockedJob job, AttemptsRecord attempt, AttemptState next) {
    AttemptState state = AttemptState.valueOf(attempt.getState());
    if (!state.mayBecome(next)) {
      throw new IllegalStateException(
          job.id + "/" + attempt.getNumber() + " may not go from " + state + " to " + next);
    }
    return job.tx
        .update(ATTEMPTS)
        .set(ATTEMPTS.STATE, next.name())
        .set(ATTEMPTS.REVISION, ATTEMPTS.REVISION.plus(1));
  }

  private static List<org.jooq.Condition> key(LockedJob job, AttemptsRecord attempt) {
    return List.of(
        ATTEMPTS.JOB_ID.eq(job.id),
        ATTEMPTS.NUMBER.eq(attempt.getNumber()),
        ATTEMPTS.STATE.eq(attempt.getState()));
  }

  private static AttemptsRecord existing(LockedJob job, int number) {
    AttemptsRecord attempt = job.attempt(number);
    if (attempt == null) {
      throw new IllegalArgumentException(job.id + " has no attempt " + number);
    }
    return attempt;
  }

  private <T> T inJob(String jobId, Function<LockedJob, T> work) {
    return database.dsl().transactionResult(tx -> work.apply(LockedJob.lock(tx.dsl(), jobId)));
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
