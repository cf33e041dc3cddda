package dev.onejob.devkit.sandbox;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Named gates: shut until somebody opens them, open until somebody shuts them. */
final class Gates {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();
  private final Set<String> open = new HashSet<>();

  void open(String gate) {
    lock.lock();
    try {
      open.add(gate);
      opened.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void shut(String gate) {
    lock.lock();
    try {
      open.remove(gate);
    } finally {
      lock.unlock();
    }
  }

  void pass(String gate) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!open.contains(gate)) {
        opened.await();
      }
    } finally {
      lock.unlock();
    }
  }
}
