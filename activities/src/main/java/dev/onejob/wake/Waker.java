package dev.onejob.wake;

import dev.onejob.flow.JobStart;
import dev.onejob.flow.Names;
import dev.onejob.job.JobPlan;
import dev.onejob.job.JobView;
import dev.onejob.store.Database;
import dev.onejob.store.Wakeups;
import dev.onejob.store.Wakeups.Leased;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import io.temporal.common.Priority;
import io.temporal.common.SearchAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes wakeups from the outbox and pokes the jobs' workflows: starts those of new jobs, signals
 * the others (and starts them again if the engine has lost them). Takes no more than the engine
 * gets done, so that a burst waits in PostgreSQL and not in the engine.
 */
public final class Waker implements Handover, Progress, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Waker.class);

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration POSTPONED_MAX = Duration.ofSeconds(15);
  private static final Duration NO_PLAN = Duration.ofMinutes(1);

  /** A workflow that cannot be reached for so long is stuck; its place goes to others. */
  private static final Duration HELD_MAX = Duration.ofMinutes(10);

  /** A workflow that has only to end, and is not seen to, has ended in another process. */
  private static final Duration ENDING_MAX = Duration.ofSeconds(30);

  private final Wakeups wakeups;
  private final WorkflowClient client;
  private final Plans plans;
  private final Places places;
  private final ExecutorService pokes = Executors.newVirtualThreadPerTaskExecutor();

  private final Semaphore announced = new Semaphore(0);
  private final AtomicLong complained =
      new AtomicLong(System.nanoTime() - Duration.ofHours(1).toNanos());
  private volatile boolean backlog = true;
  private volatile boolean searchable = true;
  private volatile boolean open;

  /**
   * @param startsMax jobs that may be on their way into the engine or out of it at once, in this
   *     process
   */
  public Waker(Wakeups wakeups, WorkflowClient client, Plans plans, int startsMax) {
    this.wakeups = wakeups;
    this.client = client;
    this.plans = plans;
    this.places = new Places(startsMax);
  }

  public void start() {
    open = true;
    Thread.ofVirtual().name("waker").start(this::run);
    Thread.ofVirtual().name("waker-ear").start(this::hear);
    Thread.ofVirtual().name("waker-sweep").start(this::sweep);
  }

  @Override
  public boolean reserve() {
    // While others wait in the outbox a newcomer goes behind them, or fairness would end at the
    // front door.
    return open && !backlog && places.reserve();
  }

  @Override
  public void start(Leased wakeup) {
    places.leaveReserved(wakeup.jobId());
    poke(wakeup);
  }

  @Override
  public void cancel() {
    places.cancel();
  }

  @Override
  public void announce() {
    backlog = true;
    announced.release();
  }

  @Override
  public void reached(String jobId) {
    freed(places.arrived(jobId));
  }

  @Override
  public void handed(String jobId, JobView view) {
    if (view.outcome() != null) {
      places.ending(jobId);
    }
  }

  @Override
  public void ended(String jobId) {
    freed(places.ended(jobId));
  }

  private void freed(boolean place) {
    if (place && backlog) {
      announced.release();
    }
  }

  private void run() {
    while (open) {
      try {
        if (takeSome()) {
          continue;
        }
      } catch (RuntimeException failed) {
        complain("the outbox cannot be read", failed);
      }
      try {
        if (announced.tryAcquire(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
          announced.drainPermits();
        }
      } catch (InterruptedException stopped) {
        return;
      }
    }
  }

  /** Whether there may be more that this process has room for. */
  private boolean takeSome() {
    int free = places.free();
    if (free <= 0) {
      backlog = true;
      return false;
    }
    List<Leased> taken = wakeups.take(free, LEASE);
    backlog = taken.size() == free;
    for (Leased wakeup : taken) {
      places.leave(wakeup.jobId());
      poke(wakeup);
    }
    return backlog;
  }

  private void poke(Leased wakeup) {
    try {
      pokes.execute(() -> tell(wakeup));
    } catch (RejectedExecutionException closing) {
      reached(wakeup.jobId());
    }
  }

  private void tell(Leased wakeup) {
    try {
      if (wakeup.closed()) {
        signal(wakeup);
        return;
      }
      Optional<JobPlan> plan = plans.of(wakeup);
      if (plan.isEmpty()) {
        log.error(
            "{} cannot be run: this configuration has no operation {}; trying again in {} s",
            wakeup.jobId(),
            wakeup.operation(),
            NO_PLAN.toSeconds());
        postpone(wakeup, NO_PLAN);
        return;
      }
      startOrSignal(wakeup, plan.get());
    } catch (RuntimeException failed) {
      complain("the engine cannot be told of jobs; they stay in the outbox", failed);
      postpone(wakeup, backoff(wakeup.tries()));
    }
  }

  private void signal(Leased wakeup) {
    try {
      client.newUntypedWorkflowStub(wakeup.jobId()).signal("wake");
    } catch (WorkflowNotFoundException nobodyToTell) {
      wakeups.forget(wakeup.jobId());
      reached(wakeup.jobId());
    }
  }

  private void startOrSignal(Leased wakeup, JobPlan plan) {
    try {
      startOrSignal(wakeup, plan, searchable);
    } catch (WorkflowServiceException refused) {
      if (!searchable || !lacksSearchAttributes(refused)) {
        throw refused;
      }
      searchable = false;
      log.warn(
          "the namespace lacks the search attributes {} and {} (Keyword): jobs run, but cannot be searched by them",
          Names.OPERATION.getName(),
          Names.STATE.getName());
      startOrSignal(wakeup, plan, false);
    }
  }

  private static boolean lacksSearchAttributes(WorkflowServiceException refused) {
    return refused.getCause() instanceof StatusRuntimeException status
        && status.getStatus().getCode() == Status.Code.INVALID_ARGUMENT
        && String.valueOf(status.getMessage()).contains("search attribute");
  }

  private void startOrSignal(Leased wakeup, JobPlan plan, boolean withAttributes) {
    WorkflowOptions.Builder options =
        WorkflowOptions.newBuilder()
            .setWorkflowId(wakeup.jobId())
            .setTaskQueue(Names.TASK_QUEUE)
            // A running workflow is used; a closed one of an open job is started again: PostgreSQL,
            // not the
            // engine's retention, says whether a job may run.
            .setWorkflowIdConflictPolicy(
                WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
            .setWorkflowIdReusePolicy(
                WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
            .setDisableEagerExecution(false)
            .setPriority(
                Priority.newBuilder()
                    .setPriorityKey(wakeup.priority())
                    .setFairnessKey(fairnessKey(wakeup.ownerId()))
                    .build())
            .setStaticSummary(wakeup.operation());
    if (withAttributes) {
      options.setTypedSearchAttributes(
          SearchAttributes.newBuilder().set(Names.OPERATION, wakeup.operation()).build());
    }
    WorkflowStub workflow = client.newUntypedWorkflowStub(Names.JOB_WORKFLOW, options.build());
    JobStart start = new JobStart(wakeup.jobId(), plan, withAttributes);
    if (wakeup.fresh() && wakeup.tries() <= 1) {
      workflow.start(start);
    } else {
      workflow.signalWithStart("wake", new Object[0], new Object[] {start});
    }
  }

  /** The engine takes fairness keys of at most 64 bytes. */
  private static String fairnessKey(String ownerId) {
    return ownerId.length() <= 16 ? ownerId : Integer.toHexString(ownerId.hashCode());
  }

  private void postpone(Leased wakeup, Duration delay) {
    try {
      wakeups.postpone(List.of(wakeup.jobId()), delay);
    } catch (RuntimeException leaseWillEnd) {
      complain("the outbox cannot be written", leaseWillEnd);
    } finally {
      reached(wakeup.jobId());
    }
  }

  private static Duration backoff(int tries) {
    Duration doubled = Duration.ofMillis(500L << Math.clamp(tries, 0, 6));
    return doubled.compareTo(POSTPONED_MAX) < 0 ? doubled : POSTPONED_MAX;
  }

  /** Hears announcements of other processes; the poll stands in while the database is away. */
  private void hear() {
    while (open) {
      try (Wakeups.Listener listener = wakeups.listen()) {
        while (open) {
          if (listener.await(POLL)) {
            announce();
          }
        }
      } catch (Exception away) {
        pause(POLL);
      }
    }
  }

  /** Frees the places that other processes' workers have made free, and those held too long. */
  private void sweep() {
    while (open) {
      pause(POLL);
      try {
        List<String> leaving = places.leaving();
        if (!leaving.isEmpty()) {
          Set<String> pending = Set.copyOf(wakeups.pending(leaving));
          leaving.stream().filter(jobId -> !pending.contains(jobId)).forEach(this::reached);
        }
      } catch (RuntimeException failed) {
        complain("the outbox cannot be read", failed);
      }
      freed(places.drop(HELD_MAX, ENDING_MAX));
    }
  }

  private static void pause(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** One line, not one for every job that waits. */
  private void complain(String what, RuntimeException failed) {
    long last = complained.get();
    long now = System.nanoTime();
    if (open
        && now - last > Duration.ofSeconds(5).toNanos()
        && complained.compareAndSet(last, now)) {
      String cause = Database.unavailable(failed) ? "database unavailable" : failed.toString();
      log.warn("{}: {}", what, cause);
    }
  }

  @Override
  public void close() {
    open = false;
    announced.release();
    pokes.shutdown();
    try {
      if (!pokes.awaitTermination(5, TimeUnit.SECONDS)) {
        pokes.shutdownNow();
      }
    } catch (InterruptedException stopped) {
      pokes.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
