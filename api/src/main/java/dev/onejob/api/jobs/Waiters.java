package dev.onejob.api.jobs;

import dev.onejob.store.Jobs;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Callers that wait for a job to close or to turn UNKNOWN: one query per tick for all of them. */
public final class Waiters implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Waiters.class);
  private static final Duration TICK = Duration.ofMillis(100);
  private static final int WAITERS_MAX = 10_000;

  private final Jobs jobs;
  private final Semaphore places = new Semaphore(WAITERS_MAX);
  private final Map<String, Latch> latches = new ConcurrentHashMap<>();
  private volatile boolean open = true;

  private static final class Latch {
    final CountDownLatch settled = new CountDownLatch(1);
    int waiters;
  }

  public Waiters(Jobs jobs) {
    this.jobs = jobs;
    Thread.ofVirtual().name("waiters").start(this::run);
  }

  /**
   * Returns when the job is settled, or after {@code timeout}; at once when too many wait already.
   */
  void await(String jobId, Duration timeout) {
    if (!open || timeout.isZero() || !places.tryAcquire()) {
      return;
    }
    Latch latch =
        latches.compute(
            jobId,
            (id, existing) -> {
              Latch shared = existing == null ? new Latch() : existing;
              shared.waiters++;
              return shared;
            });
    try {
      // Looked at again behind the latch: close() lets go of those that it finds.
      if (open) {
        latch.settled.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      latches.computeIfPresent(jobId, (id, shared) -> --shared.waiters == 0 ? null : shared);
      places.release();
    }
  }

  /** How many wait now. */
  public int waiting() {
    return WAITERS_MAX - places.availablePermits();
  }

  private void run() {
    while (open) {
      try {
        Thread.sleep(TICK);
        Set<String> waitedFor = Set.copyOf(latches.keySet());
        if (!waitedFor.isEmpty()) {
          jobs.settled(waitedFor).forEach(this::release);
        }
      } catch (InterruptedException stopped) {
        return;
      } catch (RuntimeException away) {
        log.debug("waiters look again at the next tick", away);
      }
    }
  }

  private void release(String jobId) {
    Latch latch = latches.get(jobId);
    if (latch != null) {
      latch.settled.countDown();
    }
  }

  /** Lets everybody go: a process that stops answers what it knows. */
  @Override
  public void close() {
    open = false;
    latches.values().forEach(latch -> latch.settled.countDown());
  }
}
