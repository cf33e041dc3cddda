package dev.onejob.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Runs the same thing many times from a fixed number of submitters. */
final class Load {

  /** What came of it: how long it took in all, and each single time. */
  record Result(double seconds, Samples times) {
    double perSecond() {
      return times.nanos().length / seconds;
    }
  }

  private Load() {}

  static Result run(int submitters, int count, IntConsumer one) {
    long[] times = new long[count];
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int s = 0; s < submitters; s++) {
        running.add(
            executor.submit(
                () -> {
                  for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    long begin = System.nanoTime();
                    one.accept(i);
                    times[i] = System.nanoTime() - begin;
                  }
                }));
      }
      for (Future<?> submitter : running) {
        submitter.get();
      }
    } catch (Exception failed) {
      throw new IllegalStateException("a submitter failed: " + failed.getMessage(), failed);
    }
    return new Result((System.nanoTime() - start) / 1e9, new Samples(times));
  }
}
