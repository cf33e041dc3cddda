package dev.onejob.wake;

import dev.onejob.flow.AttemptActivity;
import dev.onejob.flow.LedgerActivity;
import dev.onejob.flow.Names;
import dev.onejob.flow.RealJobWorkflow;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's worker in the engine. An engine that is away at start is waited for, without
 * holding up anybody.
 */
public final class Engine implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Engine.class);
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** How long a running attempt may go on after the process was asked to stop. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final WorkflowClient client;
  private final AttemptActivity attempts;
  private final LedgerActivity ledger;
  private final Progress progress;
  private final int attemptsMax;
  private volatile @Nullable WorkerFactory running;
  private volatile boolean open = true;

  /**
   * @param attemptsMax attempts in flight in this process, at most
   */
  public Engine(
      WorkflowClient client,
      AttemptActivity attempts,
      LedgerActivity ledger,
      Progress progress,
      int attemptsMax) {
    if (attemptsMax < 1) {
      throw new IllegalArgumentException("attemptsMax=" + attemptsMax);
    }
    this.client = client;
    this.attempts = attempts;
    this.ledger = ledger;
    this.progress = progress;
    this.attemptsMax = attemptsMax;
  }

  /** Returns at once; {@code started} is called when the worker polls. */
  public void start(Runnable started) {
    Thread.ofVirtual().name("engine-start").start(() -> startWhenReachable(started));
  }

  private void startWhenReachable(Runnable started) {
    boolean said = false;
    while (open) {
      try {
        client
            .getWorkflowServiceStubs()
            .blockingStub()
            .getSystemInfo(GetSystemInfoRequest.getDefaultInstance());
        WorkerFactory factory = factory();
        running = factory;
        factory.start();
        log.info("worker polls {}", Names.TASK_QUEUE);
        started.run();
        return;
      } catch (RuntimeException away) {
        if (!said) {
          log.warn("Temporal is not there yet; jobs are accepted and wait: {}", away.toString());
          said = true;
        }
        abandon();
        pause();
      }
    }
  }

  /** A factory that did not start is of no further use; the engine need not hear of its end. */
  private void abandon() {
    WorkerFactory factory = running;
    running = null;
    if (factory != null) {
      try {
        factory.shutdownNow();
      } catch (RuntimeException away) {
        log.debug("the engine was not told of the worker's end", away);
      }
    }
  }

  private WorkerFactory factory() {
    WorkerFactory factory =
        WorkerFactory.newInstance(
            client,
            WorkerFactoryOptions.newBuilder()
                .setUsingVirtualWorkflowThreads(true)
                .setWorkerInterceptors(new EndWatch(progress))
                .setWorkflowCacheSize(1_000)
                .setMaxWorkflowThreadCount(4_000)
                .build());
    Worker worker =
        factory.newWorker(
            Names.TASK_QUEUE,
            WorkerOptions.newBuilder()
                .setUsingVirtualThreads(true)
                .setMaxConcurrentActivityExecutionSize(attemptsMax)
                .setMaxConcurrentWorkflowTaskExecutionSize(200)
                .setMaxHeartbeatThrottleInterval(Duration.ofSeconds(5))
                .setDefaultDeadlockDetectionTimeout(Duration.ofSeconds(10).toMillis())
                .build());
    worker.registerWorkflowImplementationTypes(RealJobWorkflow.class);
    worker.registerActivitiesImplementations(attempts, ledger);
    return factory;
  }

  private static void pause() {
    try {
      Thread.sleep(RETRY);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Stops taking work and gives running attempts their grace; {@code hangUp} then ends those that
   * remain.
   */
  public void stop(Runnable hangUp) {
    open = false;
    WorkerFactory factory = running;
    if (factory != null) {
      try {
        factory.shutdown();
        factory.awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS);
      } catch (RuntimeException away) {
        log.debug("the engine was not told of the worker's end", away);
      }
    }
    hangUp.run();
    if (factory != null) {
      factory.awaitTermination(5, TimeUnit.SECONDS);
      abandon();
    }
  }

  @Override
  public void close() {
    stop(() -> {});
  }
}
