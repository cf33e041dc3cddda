package dev.onejob.wake;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many jobs of this process are on their way into the engine or out of it. Those whose provider
 * is being called are not among them: they are bounded by the worker's slots and cost the engine
 * nothing while they wait.
 */
final class Places {

  private final int max;
  private int reserved;

  /** Poked, not yet reached by the workflow: since when (nanoTime). */
  private final Map<String, Long> leaving = new HashMap<>();

  /** Closed in the ledger, the workflow has yet to end: since when (nanoTime). */
  private final Map<String, Long> ending = new HashMap<>();

  Places(int max) {
    if (max < 1) {
      throw new IllegalArgumentException("max=" + max);
    }
    this.max = max;
  }

  synchronized int free() {
    return max - reserved - leaving.size() - ending.size();
  }

  synchronized boolean reserve() {
    if (free() <= 0) {
      return false;
    }
    reserved++;
    return true;
  }

  synchronized void cancel() {
    reserved--;
  }

  synchronized void leaveReserved(String jobId) {
    reserved--;
    leave(jobId);
  }

  synchronized void leave(String jobId) {
    leaving.put(jobId, System.nanoTime());
  }

  synchronized List<String> leaving() {
    return List.copyOf(leaving.keySet());
  }

  /** Whether a place became free. */
  synchronized boolean arrived(String jobId) {
    return leaving.remove(jobId) != null;
  }

  synchronized void ending(String jobId) {
    ending.put(jobId, System.nanoTime());
  }

  /** Whether a place became free. */
  synchronized boolean ended(String jobId) {
    return ending.remove(jobId) != null;
  }

  /** Gives up on those that have held a place for longer; whether one became free. */
  synchronized boolean drop(Duration leavingMax, Duration endingMax) {
    long now = System.nanoTime();
    boolean left = leaving.values().removeIf(since -> now - since > leavingMax.toNanos());
    boolean ended = ending.values().removeIf(since -> now - since > endingMax.toNanos());
    return left || ended;
  }
}
