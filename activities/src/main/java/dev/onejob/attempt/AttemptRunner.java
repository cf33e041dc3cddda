package dev.onejob.attempt;

import dev.onejob.flow.AttemptActivity;
import dev.onejob.flow.AttemptOrder;
import dev.onejob.job.AttemptState;
import dev.onejob.job.AttemptView;
import dev.onejob.job.JobView;
import dev.onejob.provider.Exchange;
import dev.onejob.provider.Outbound;
import dev.onejob.store.AttemptLedger;
import dev.onejob.store.Fence;
import dev.onejob.store.Finding;
import dev.onejob.wake.Progress;
import io.temporal.activity.Activity;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fence, call, settle. No connection to the database is held while the provider is called. */
public final class AttemptRunner implements AttemptActivity {

  private static final Logger log = LoggerFactory.getLogger(AttemptRunner.class);

  /**
   * Why an attempt is UNKNOWN that was found STARTED although nobody that can be asked is running
   * it.
   */
  static final String WORKER_LOST = "WORKER_LOST";

  private static final String READ_TIMEOUT = "READ_TIMEOUT";

  private final AttemptLedger ledger;
  private final Targets targets;
  private final Lines lines;
  private final Progress progress;

  public AttemptRunner(AttemptLedger ledger, Targets targets, Lines lines, Progress progress) {
    this.ledger = ledger;
    this.targets = targets;
    this.lines = lines;
    this.progress = progress;
  }

  @Override
  public JobView attempt(AttemptOrder order) {
    Target target =
        targets
            .find(order.operation(), order.provider())
            .orElseThrow(
                () ->
                    ApplicationFailure.newNonRetryableFailure(
                        "this worker's configuration cannot send this job to " + order.provider(),
                        "NotConfigured"));
    Pulse pulse = new Pulse(Activity.getExecutionContext(), target.heartbeat());
    UUID sender = UUID.randomUUID();
    Fence fence =
        persist(
            pulse,
            "fence",
            () ->
                ledger.fence(
                    order.jobId(), order.number(), order.provider(), order.unproven(), sender));
    progress.reached(order.jobId());
    JobView view =
        switch (fence) {
          case Fence.Refused(JobView job) -> refused(order, job, pulse);
          case Fence.Passed passed -> send(order, passed, target, pulse);
        };
    progress.handed(order.jobId(), view);
    return view;
  }

  /**
   * The row was there before: this is a re-run. Whoever wrote it may have sent, so nobody sends
   * again.
   */
  private JobView refused(AttemptOrder order, JobView job, Pulse pulse) {
    for (AttemptView attempt : job.attempts()) {
      if (attempt.number() == order.number() && attempt.state() == AttemptState.STARTED) {
        log.warn("{} attempt {} was started elsewhere: UNKNOWN", order.jobId(), order.number());
        return persist(
            pulse, "settle", () -> ledger.lost(order.jobId(), order.number(), WORKER_LOST));
      }
    }
    return job;
  }

  private JobView send(AttemptOrder order, Fence.Passed passed, Target target, Pulse pulse) {
    Exchange exchange;
    try {
      exchange =
          target
              .provider()
              .prepare(new Outbound(target.render().body(passed.input()), passed.providerKey()));
    } catch (Target.NotRenderable refused) {
      log.warn("{} attempt {}: {}", order.jobId(), order.number(), refused.getMessage());
      Finding.Failed failed = new Finding.Failed("NOT_RENDERABLE", false, null);
      return persist(pulse, "settle", () -> ledger.settle(order.jobId(), order.number(), failed))
          .job();
    }
    pulse.beat("calling " + order.provider());
    long deadline = System.nanoTime() + target.call().toNanos();
    Lines.Line line = lines.open(order.jobId(), order.number(), exchange);
    while (true) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        log.warn(
            "{} attempt {} at {}: no answer in {} ms: UNKNOWN, still listening",
            order.jobId(),
            order.number(),
            order.provider(),
            target.call().toMillis());
        return persist(
            pulse, "settle", () -> ledger.lost(order.jobId(), order.number(), READ_TIMEOUT));
      }
      try {
        return line.settled().get(Math.min(left, pulse.interval().toNanos()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException goesOn) {
        pulse.beat("waiting for " + order.provider());
      } catch (InterruptedException stopping) {
        // The line settles by itself; a completion sent with the interrupt flag set would be lost
        // anyway.
        Thread.currentThread().interrupt();
        throw Activity.wrap(stopping);
      } catch (ExecutionException unsettled) {
        throw Activity.wrap(unsettled);
      }
    }
  }

  private static <T> T persist(Pulse pulse, String stage, Supplier<T> write) {
    long end = System.nanoTime() + Duration.ofMinutes(4).toNanos();
    return Persistence.persist(
        stage,
        write,
        () -> {
          pulse.beat(stage);
          return System.nanoTime() < end;
        });
  }
}
