package dev.onejob.attempt;

import dev.onejob.store.Database;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps trying to write while the database is away. What is written this way is harmless when
 * repeated, because the outcome of a commit that got no answer is unknown.
 */
final class Persistence {

  private static final Logger log = LoggerFactory.getLogger(Persistence.class);
  private static final Duration PAUSE_MIN = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(2);

  private Persistence() {}

  /**
   * @param goOn asked before every further try
   * @throws RuntimeException the last failure, when the database refuses or {@code goOn} says no
   */
  static <T> T persist(String what, Supplier<T> write, BooleanSupplier goOn) {
    Duration pause = PAUSE_MIN;
    while (true) {
      try {
        return write.get();
      } catch (RuntimeException failed) {
        if (!Database.unavailable(failed) || !goOn.getAsBoolean()) {
          throw failed;
        }
        if (pause.equals(PAUSE_MIN)) {
          log.warn("{}: the database is away; trying on", what);
        }
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(what + ": stopped while the database was away", stopped);
      }
      Duration doubled = pause.multipliedBy(2);
      pause = doubled.compareTo(PAUSE_MAX) < 0 ? doubled : PAUSE_MAX;
    }
  }
}
