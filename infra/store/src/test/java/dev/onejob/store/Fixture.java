package dev.onejob.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL with the real schema, one for all tests of this module, and jobs to put into
 * it.
 */
final class Fixture {

  static final Database DATABASE = start();
  private static final AtomicLong SERIAL = new AtomicLong();

  final Jobs jobs = new Jobs(DATABASE);
  final AttemptLedger ledger = new AttemptLedger(DATABASE);
  final Wakeups wakeups = new Wakeups(DATABASE);
  final LateArrivals lateArrivals = new LateArrivals(DATABASE);

  private static Database start() {
    try {
      EmbeddedPostgres postgres =
          EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(1)).start();
      Database database =
          Database.open(
              DatabaseSettings.of(postgres.getJdbcUrl("postgres", "postgres"), "postgres", null)
                  .withPoolSize(40));
      database.migrate();
      return database;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static String newId() {
    return "job_%026d".formatted(SERIAL.incrementAndGet());
  }

  static Submission submission(String owner, String key, String input) {
    return submission(owner, key, input, 3, Duration.ofMinutes(15), Duration.ZERO);
  }

  static Submission submission(
      String owner, String key, String input, int priority, Duration deadline, Duration wakeAfter) {
    byte[] fingerprint = new byte[32];
    fingerprint[0] = (byte) input.hashCode();
    return new Submission(
        newId(),
        owner,
        key,
        "print-document",
        null,
        fingerprint,
        input,
        true,
        priority,
        null,
        null,
        deadline,
        wakeAfter);
  }

  /** A job that was just accepted. */
  String accepted() {
    return accepted(Duration.ofMinutes(15));
  }

  String accepted(Duration deadline) {
    Submission submission =
        submission(
            "owner",
            UUID.randomUUID().toString(),
            "{\"document\":\"x\"}",
            3,
            deadline,
            Duration.ZERO);
    return ((Recorded.Created) jobs.record(submission)).job().id();
  }

  /** The job's next attempt, STARTED. */
  void started(String jobId, int number, String provider) {
    Fence fence = ledger.fence(jobId, number, provider, false, UUID.randomUUID());
    if (!(fence instanceof Fence.Passed)) {
      throw new AssertionError(fence);
    }
  }

  static Finding.Answered answer(String result) {
    return new Finding.Answered(result, null, null, null);
  }

  static Finding.Unclear silence() {
    return new Finding.Unclear("READ_TIMEOUT", null);
  }

  static Finding.Failed refusal(boolean retryable) {
    return new Finding.Failed("RATE_LIMITED_429", retryable, Duration.ofSeconds(2));
  }

  static Resolution resolution(dev.onejob.job.Verdict verdict, @Nullable String result) {
    return new Resolution(verdict, result, "looked at the printer", null, 1, "ada");
  }
}
