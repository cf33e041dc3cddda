package dev.onejob.flow;

import dev.onejob.job.AttemptState;
import dev.onejob.job.AttemptView;
import dev.onejob.job.JobFailure;
import dev.onejob.job.JobView;
import dev.onejob.job.Outcome;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A ledger in memory behind the workflow's activities, with attempts that end as scripted. */
final class RecordingLedger implements AttemptActivity, LedgerActivity {

  /** How a scripted attempt ends. */
  enum End {
    SUCCEED,
    REFUSE,
    REFUSE_FOR_GOOD,
    SILENCE,
    /** Throws after the row was written. */
    LOSE_WORKER,
    /** Throws before anything was written. */
    NOT_WRITTEN
  }

  final List<String> calls = new ArrayList<>();
  private final Deque<End> script = new ArrayDeque<>();
  private final List<AttemptView> attempts = new ArrayList<>();
  private @Nullable Outcome outcome;
  private long deadlineInMillis = 86_400_000;

  RecordingLedger(End... ends) {
    script.addAll(List.of(ends));
  }

  synchronized void deadlineIn(long millis) {
    deadlineInMillis = millis;
  }

  @Override
  public synchronized JobView attempt(AttemptOrder order) {
    calls.add("attempt " + order.number() + " " + order.provider());
    if (order.number() != attempts.size() + 1 || outcome != null || deadlineInMillis <= 0) {
      return view();
    }
    End end = script.isEmpty() ? End.SUCCEED : script.pop();
    if (end == End.NOT_WRITTEN) {
      throw ApplicationFailure.newNonRetryableFailure("no database", "Away");
    }
    attempts.add(
        new AttemptView(
            order.number(), order.provider(), AttemptState.STARTED, null, null, 0, null));
    switch (end) {
      case SUCCEED -> succeed(order.number());
      case REFUSE -> move(order.number(), AttemptState.FAILED, true);
      case REFUSE_FOR_GOOD -> move(order.number(), AttemptState.FAILED, false);
      case SILENCE -> move(order.number(), AttemptState.UNKNOWN, null);
      case LOSE_WORKER, NOT_WRITTEN ->
          throw ApplicationFailure.newNonRetryableFailure("worker lost", "Lost");
    }
    return view();
  }

  @Override
  public synchronized JobView read(String jobId) {
    calls.add("read");
    return view();
  }

  @Override
  public synchronized JobView lost(String jobId, int attempt) {
    calls.add("lost " + attempt);
    if (attempt <= attempts.size() && attempts.get(attempt - 1).state() == AttemptState.STARTED) {
      move(attempt, AttemptState.UNKNOWN, null);
    }
    return view();
  }

  @Override
  public synchronized JobView release(String jobId, int attempt) {
    calls.add("release " + attempt);
    move(attempt, AttemptState.RELEASED, null);
    return view();
  }

  @Override
  public synchronized JobView giveUp(String jobId, JobFailure failure) {
    calls.add("give up " + failure.slug());
    outcome = Outcome.FAILED;
    return view();
  }

  synchronized void succeed(int attempt) {
    move(attempt, AttemptState.SUCCEEDED, null);
    outcome = Outcome.SUCCEEDED;
  }

  synchronized void move(int attempt, AttemptState state, @Nullable Boolean retryable) {
    AttemptView before = attempts.get(attempt - 1);
    attempts.set(
        attempt - 1, new AttemptView(attempt, before.provider(), state, "WHY", retryable, 0, null));
  }

  synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  private JobView view() {
    return new JobView(outcome, 1, deadlineInMillis, false, null, attempts);
  }
}
