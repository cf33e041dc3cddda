package dev.onejob.api;

import dev.onejob.store.Wakeups;
import dev.onejob.wake.Handover;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handover of a process without a worker: tells those of other processes, a few times a second
 * at most.
 */
final class Announcer implements Handover, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Announcer.class);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Wakeups wakeups;
  private final Semaphore asked = new Semaphore(0);
  private final Thread thread;

  Announcer(Wakeups wakeups) {
    this.wakeups = wakeups;
    this.thread = Thread.ofVirtual().name("announcer").start(this::run);
  }

  private void run() {
    try {
      while (true) {
        asked.acquire();
        asked.drainPermits();
        try {
          wakeups.announce();
        } catch (RuntimeException away) {
          log.debug("not announced; the workers' poll finds it", away);
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean reserve() {
    return false;
  }

  @Override
  public void start(Wakeups.Leased wakeup) {
    throw new IllegalStateException("nothing was reserved");
  }

  @Override
  public void cancel() {
    throw new IllegalStateException("nothing was reserved");
  }

  @Override
  public void announce() {
    asked.release();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
