package dev.onejob.api.jobs;

import com.github.f4b6a3.ulid.UlidCreator;
import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.Refusal;
import dev.onejob.contract.Catalog;
import dev.onejob.contract.Operation;
import dev.onejob.contract.Violation;
import dev.onejob.store.JobRecord;
import dev.onejob.store.Jobs;
import dev.onejob.store.Recorded;
import dev.onejob.store.Submission;
import dev.onejob.store.Wakeups;
import dev.onejob.wake.Handover;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts intents: checks them against the catalog, records them, hands new jobs to the waker.
 * Needs no Temporal.
 */
public final class Submit {

  private static final Logger log = LoggerFactory.getLogger(Submit.class);

  private final Catalog catalog;
  private final Jobs jobs;
  private final Handover handover;

  public Submit(Catalog catalog, Jobs jobs, Handover handover) {
    this.catalog = catalog;
    this.jobs = jobs;
    this.handover = handover;
  }

  /** A job, and whether an earlier request had named it. */
  record Accepted(JobRecord job, boolean replayed) {}

  Accepted submit(String ownerId, String key, Intent intent) {
    Operation operation;
    try {
      operation = check(intent);
    } catch (Refusal refusal) {
      // What was accepted stays accepted, also when the configuration has changed since.
      Optional<Recorded> existing = jobs.existing(ownerId, key, intent.fingerprint());
      if (existing.isPresent()) {
        return accepted(existing.get());
      }
      throw refusal;
    }
    boolean reserved = handover.reserve();
    Recorded recorded = null;
    try {
      recorded = jobs.record(submission(ownerId, key, intent, operation, reserved));
    } finally {
      if (reserved && !(recorded instanceof Recorded.Created)) {
        handover.cancel();
      }
    }
    if (recorded instanceof Recorded.Created(JobRecord job)) {
      log.info("{} accepted: {} of {}", job.id(), job.operation(), ownerId);
      if (reserved) {
        handover.start(
            new Wakeups.Leased(
                job.id(),
                ownerId,
                intent.operation(),
                intent.provider(),
                intent.failover(),
                intent.priority(),
                true,
                false,
                0));
      } else {
        handover.announce();
      }
    }
    return accepted(recorded);
  }

  private Operation check(Intent intent) {
    Operation operation =
        catalog
            .operation(intent.operation())
            .orElseThrow(
                () ->
                    new Refusal(
                            Problem.UNKNOWN_OPERATION, "this configuration has no such operation")
                        .with("known", catalog.operations().keySet()));
    if (intent.provider() != null && !operation.route().contains(intent.provider())) {
      throw new Refusal(
              Problem.UNKNOWN_PROVIDER, operation.name() + " is not served by that provider")
          .with("known", operation.route());
    }
    List<Violation> violations = operation.validate(intent.input());
    if (!violations.isEmpty()) {
      throw new Refusal(
              Problem.INPUT_INVALID,
              "the input violates the schema of "
                  + operation.name()
                  + " in "
                  + violations.size()
                  + (violations.size() == 1 ? " place" : " places"))
          .with(
              "errors",
              violations.stream()
                  .map(
                      violation ->
                          Map.of("pointer", violation.pointer(), "detail", violation.message()))
                  .toList());
    }
    return operation;
  }

  private static Submission submission(
      String ownerId, String key, Intent intent, Operation operation, boolean reserved) {
    return new Submission(
        "job_" + UlidCreator.getMonotonicUlid(),
        ownerId,
        key,
        intent.operation(),
        intent.provider(),
        intent.fingerprint(),
        intent.inputText(),
        intent.failover(),
        intent.priority(),
        null,
        intent.deadline(),
        operation.deadline(),
        reserved ? Handover.LEASE : Duration.ZERO);
  }

  private static Accepted accepted(Recorded recorded) {
    return switch (recorded) {
      case Recorded.Created(JobRecord job) -> new Accepted(job, false);
      case Recorded.Found(JobRecord job) -> new Accepted(job, true);
      case Recorded.Conflict(String jobId) ->
          throw new Refusal(
                  Problem.IDEMPOTENCY_KEY_CONFLICT, "this key already names another intent")
              .with("jobId", jobId);
    };
  }
}
