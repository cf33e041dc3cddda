package dev.onejob.api.operate;

import dev.onejob.api.auth.Caller;
import dev.onejob.api.json.Bodies;
import dev.onejob.api.json.JobJson;
import dev.onejob.api.json.Members;
import dev.onejob.api.json.Query;
import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.Refusal;
import dev.onejob.contract.Catalog;
import dev.onejob.contract.Operation;
import dev.onejob.job.Failover;
import dev.onejob.job.Verdict;
import dev.onejob.json.JsonLimits;
import dev.onejob.store.AttemptAsked;
import dev.onejob.store.AttemptLedger;
import dev.onejob.store.JobRecord;
import dev.onejob.store.Jobs;
import dev.onejob.store.Resolution;
import dev.onejob.store.Resolved;
import dev.onejob.wake.Handover;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Asks for another attempt, and resolves those whose outcome is unknown. */
@RestController
public final class AttemptsController {

  private static final Logger log = LoggerFactory.getLogger(AttemptsController.class);

  /** A result given by a person may be as large as a provider's. */
  private static final JsonLimits RESOLUTION = JsonLimits.ANSWER;

  private static final int REASON_LENGTH_MAX = 2_000;

  private final Jobs jobs;
  private final AttemptLedger ledger;
  private final Catalog catalog;
  private final Handover handover;
  private final JobJson json;

  public AttemptsController(
      Jobs jobs, AttemptLedger ledger, Catalog catalog, Handover handover, JobJson json) {
    this.jobs = jobs;
    this.ledger = ledger;
    this.catalog = catalog;
    this.handover = handover;
    this.json = json;
  }

  @PostMapping("/v1/jobs/{id}/attempts")
  ResponseEntity<String> another(@PathVariable String id, HttpServletRequest request)
      throws IOException {
    Caller caller = Caller.of(request);
    Query.of(request);
    String provider =
        Bodies.optionalObject(request, JsonLimits.DEFAULT)
            .map(body -> body.only("provider"))
            .flatMap(body -> body.string("provider"))
            .orElse(null);
    JobRecord job = visible(caller, id);
    if (provider != null) {
      requireAllowed(job, provider);
    }
    switch (ledger.ask(id, provider, caller.name())) {
      case AttemptAsked.Accepted() -> handover.announce();
      case AttemptAsked.Closed() ->
          throw new Refusal(Problem.JOB_CLOSED, "the job is closed and starts no other attempt");
      case AttemptAsked.Unresolved(int attempt, var since) ->
          throw new Refusal(Problem.ATTEMPT_UNRESOLVED, "attempt " + attempt + " may still happen")
              .with("attempt", attempt)
              .with("since", since.toInstant().toString());
    }
    log.info("{}: {} asks for another attempt", id, caller.name());
    return answer(202, id);
  }

  private void requireAllowed(JobRecord job, String provider) {
    Optional<Operation> operation = catalog.operation(job.operation());
    if (operation.isEmpty() || !operation.get().route().contains(provider)) {
      throw new Refusal(
          Problem.UNKNOWN_PROVIDER, job.operation() + " is not served by that provider");
    }
    String intended = job.provider() == null ? operation.get().route().getFirst() : job.provider();
    boolean any = job.failover() && operation.get().failover() == Failover.ANY;
    if (!provider.equals(intended) && !any) {
      throw new Refusal(
          Problem.PROVIDER_NOT_CERTIFIED,
          provider + " holds no certificate for " + job.operation());
    }
  }

  @PostMapping("/v1/jobs/{id}/attempts/{number}/resolution")
  ResponseEntity<String> resolve(
      @PathVariable String id, @PathVariable String number, HttpServletRequest request)
      throws IOException {
    Caller caller = Caller.of(request).needs("operate");
    Query.of(request);
    int attempt = attempt(number);
    Resolution resolution = resolution(Bodies.object(request, RESOLUTION), caller);
    switch (ledger.resolve(id, attempt, resolution)) {
      case Resolved.Done() -> handover.announce();
      case Resolved.NoSuchAttempt() -> throw noSuchAttempt();
      case Resolved.AlreadyResolved() ->
          throw new Refusal(
              Problem.ATTEMPT_ALREADY_RESOLVED, "attempt " + attempt + " is not UNKNOWN");
      case Resolved.VersionMoved(int version) ->
          throw new Refusal(Problem.VERSION_MOVED, "the job has version " + version)
              .with("version", version);
    }
    log.warn("{} attempt {}: {} says {}", id, attempt, caller.name(), resolution.verdict());
    return answer(200, id);
  }

  private static Resolution resolution(Members body, Caller caller) {
    body.only("verdict", "result", "reason", "evidence", "expectedVersion");
    Verdict verdict = verdict(body.requiredString("verdict"));
    String reason = body.requiredString("reason");
    if (reason.isBlank() || reason.length() > REASON_LENGTH_MAX || reason.indexOf('\0') >= 0) {
      throw malformed(
          "/reason must have 1 to " + REASON_LENGTH_MAX + " characters, none of them NUL");
    }
    if ((verdict == Verdict.EXECUTED) != body.has("result")) {
      throw malformed(
          verdict == Verdict.EXECUTED
              ? "EXECUTED needs the /result that was produced"
              : "/result belongs to EXECUTED alone");
    }
    int expectedVersion =
        body.integer("expectedVersion")
            .orElseThrow(() -> malformed("the member /expectedVersion is missing"));
    return new Resolution(
        verdict,
        verdict == Verdict.EXECUTED ? body.text("result") : null,
        reason,
        body.string("evidence").map(AttemptsController::link).orElse(null),
        expectedVersion,
        caller.name());
  }

  private static Verdict verdict(String word) {
    return Arrays.stream(Verdict.values())
        .filter(verdict -> verdict.name().equals(word))
        .findFirst()
        .orElseThrow(
            () -> malformed("/verdict must be NOT_EXECUTED, EXECUTED or ACCEPT_DUPLICATE_RISK"));
  }

  private static String link(String text) {
    try {
      URI link = URI.create(text);
      if (text.length() <= REASON_LENGTH_MAX
          && link.getHost() != null
          && ("https".equals(link.getScheme()) || "http".equals(link.getScheme()))) {
        return text;
      }
    } catch (IllegalArgumentException unreadable) {
      // refused below
    }
    throw malformed("/evidence must be a link such as https://tickets.example/123");
  }

  private static int attempt(String number) {
    if (!number.matches("[1-9][0-9]{0,8}")) {
      throw noSuchAttempt();
    }
    return Integer.parseInt(number);
  }

  private JobRecord visible(Caller caller, String id) {
    return jobs.find(id)
        .filter(job -> caller.maySee(job.ownerId()))
        .orElseThrow(() -> new Refusal(Problem.NOT_FOUND, "there is no such job"));
  }

  private ResponseEntity<String> answer(int status, String id) {
    return ResponseEntity.status(status)
        .contentType(MediaType.APPLICATION_JSON)
        .body(json.write(jobs.find(id).orElseThrow(), null));
  }

  private static Refusal noSuchAttempt() {
    return new Refusal(Problem.NOT_FOUND, "the job has no such attempt");
  }

  private static Refusal malformed(@Nullable String detail) {
    return new Refusal(Problem.MALFORMED_JSON, String.valueOf(detail));
  }
}
