package dev.onejob.flow;

import dev.onejob.job.AttemptState;
import dev.onejob.job.AttemptView;
import dev.onejob.job.JobPlan;
import dev.onejob.job.JobView;
import dev.onejob.job.NextStep;
import dev.onejob.job.Outcome;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The workflow of a job; see {@link JobWorkflow}. */
public final class RealJobWorkflow implements JobWorkflow {

  /** Above the call deadline: time to settle an answer while PostgreSQL is away. */
  static final Duration SETTLE_MARGIN = Duration.ofMinutes(5);

  private final String jobId;
  private final JobPlan plan;
  private final boolean searchable;
  private boolean woken;
  private boolean markedUnknown;
  private int undecided;
  private @Nullable JobView seen;

  @WorkflowInit
  public RealJobWorkflow(JobStart start) {
    this.jobId = start.jobId();
    this.plan = start.plan();
    this.searchable = start.searchable();
  }

  @Override
  public Outcome run(JobStart start) {
    // Detached: a cancel request given in Temporal UI must not cut off a job that only the ledger
    // may close.
    Outcome[] outcome = new Outcome[1];
    Workflow.newDetachedCancellationScope(() -> outcome[0] = drive()).run();
    return outcome[0];
  }

  @Override
  public void wake() {
    woken = true;
  }

  @Override
  public @Nullable JobView state() {
    return seen;
  }

  private Outcome drive() {
    // A new job has no attempts, so the first step needs no reading: the fence looks for itself.
    JobView view = new JobView(null, 1, Long.MAX_VALUE, false, null, List.of());
    while (true) {
      NextStep step = NextStep.after(view, plan);
      switch (step) {
        case NextStep.Done(Outcome outcome) -> {
          return outcome;
        }
        case NextStep.Try next -> view = tryProvider(next, view);
        case NextStep.CheckLost(int attempt) ->
            view = ledger("is attempt " + attempt + " lost?").lost(jobId, attempt);
        case NextStep.AwaitClearing waiting -> view = awaitClearing(waiting, view);
        case NextStep.GiveUp(var failure) ->
            view = ledger("give up: " + failure.slug()).giveUp(jobId, failure);
      }
      seen = view;
    }
  }

  private JobView tryProvider(NextStep.Try next, JobView before) {
    long delayMillis = Math.max(next.delayMillis(), undecidedDelayMillis());
    if (delayMillis > 0) {
      describe(
          "Waiting "
              + delayMillis
              + " ms before attempt "
              + next.number()
              + " at "
              + next.provider()
              + ".");
      if (Workflow.await(Duration.ofMillis(delayMillis), () -> woken)) {
        return read();
      }
    }
    JobView view;
    try {
      view =
          attempts("attempt " + next.number() + " at " + next.provider())
              .attempt(
                  new AttemptOrder(
                      jobId, next.number(), plan.operation(), next.provider(), next.unproven()));
    } catch (ActivityFailure ambiguous) {
      // Whatever it says, only the ledger knows what became of the attempt.
      view = ledger("is attempt " + next.number() + " lost?").lost(jobId, next.number());
    }
    undecided =
        view.outcome() == null && view.attempts().size() < next.number() ? undecided + 1 : 0;
    return view;
  }

  /**
   * An attempt that could not even be written down (no database, unknown provider) is not tried in
   * a hot loop.
   */
  private long undecidedDelayMillis() {
    return undecided == 0 ? 0 : Math.min(60_000, 500L << Math.min(undecided, 7));
  }

  private JobView awaitClearing(NextStep.AwaitClearing waiting, JobView view) {
    describe(doubt(waiting, view));
    markUnknown(true);
    Long releaseInMillis = waiting.releaseInMillis();
    boolean silent = false;
    if (releaseInMillis == null) {
      Workflow.await(() -> woken);
    } else {
      silent = !Workflow.await(Duration.ofMillis(releaseInMillis), () -> woken);
    }
    JobView next =
        silent
            ? ledger("release attempt " + waiting.attempt() + " after silence")
                .release(jobId, waiting.attempt())
            : read();
    if (!(NextStep.after(next, plan) instanceof NextStep.AwaitClearing)) {
      markUnknown(false);
      describe("");
    }
    return next;
  }

  private void markUnknown(boolean unknown) {
    if (searchable && unknown != markedUnknown) {
      Workflow.upsertTypedSearchAttributes(
          unknown ? Names.STATE.valueSet(AttemptState.UNKNOWN.name()) : Names.STATE.valueUnset());
      markedUnknown = unknown;
    }
  }

  private JobView read() {
    woken = false;
    return ledger("read the ledger").read(jobId);
  }

  private void describe(String markdown) {
    Workflow.setCurrentDetails(markdown);
  }

  private String doubt(NextStep.AwaitClearing waiting, JobView view) {
    String why = "";
    for (AttemptView attempt : view.attempts()) {
      if (attempt.state() == AttemptState.UNKNOWN) {
        why =
            "Attempt %d at %s is **UNKNOWN** (%s): it may or may not have happened."
                .formatted(attempt.number(), attempt.provider(), attempt.why());
      }
    }
    String way =
        waiting.releaseInMillis() == null
            ? "No other attempt starts until a late answer arrives or a person resolves it:"
            : "It is released by policy in "
                + waiting.releaseInMillis()
                + " ms unless an answer arrives or a person resolves it:";
    return why
        + "\n\n"
        + way
        + "\n\n`POST /v1/jobs/"
        + jobId
        + "/attempts/"
        + waiting.attempt()
        + "/resolution` `{\"verdict\": \"NOT_EXECUTED\", \"reason\": \"…\", \"expectedVersion\": "
        + view.version()
        + "}`";
  }

  private AttemptActivity attempts(String summary) {
    return Workflow.newActivityStub(
        AttemptActivity.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofMillis(plan.callMillisMax()).plus(SETTLE_MARGIN))
            .setHeartbeatTimeout(Duration.ofMillis(plan.heartbeatMillis()))
            // Two guards: an operator can raise the maximum at run time, the second one then still
            // holds.
            .setRetryOptions(
                RetryOptions.newBuilder()
                    .setMaximumAttempts(1)
                    .setDoNotRetry("TemporalTimeout:StartToClose", "TemporalTimeout:Heartbeat")
                    .build())
            .setDisableEagerExecution(false)
            .setSummary(summary)
            .build());
  }

  private LedgerActivity ledger(String summary) {
    return Workflow.newActivityStub(
        LedgerActivity.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofSeconds(30))
            .setRetryOptions(
                RetryOptions.newBuilder()
                    .setInitialInterval(Duration.ofMillis(500))
                    .setMaximumInterval(Duration.ofSeconds(10))
                    .setBackoffCoefficient(2)
                    .setMaximumAttempts(0)
                    .build())
            .setDisableEagerExecution(false)
            .setSummary(summary)
            .build());
  }
}
