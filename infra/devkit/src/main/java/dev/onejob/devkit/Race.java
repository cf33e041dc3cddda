package dev.onejob.devkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Races for tests: all start at one gate. */
public final class Race {

  private Race() {}

  /** Runs every call on a thread of its own, all at once; what they returned, in order. */
  public static <T> List<T> together(List<Callable<T>> calls) throws Exception {
    CyclicBarrier gate = new CyclicBarrier(calls.size());
    List<T> answers = new ArrayList<>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> running = new ArrayList<>();
      for (Callable<T> call : calls) {
        running.add(
            executor.submit(
                () -> {
                  gate.await();
                  return call.call();
                }));
      }
      for (Future<T> answer : running) {
        answers.add(answer.get());
      }
    }
    return answers;
  }
}
