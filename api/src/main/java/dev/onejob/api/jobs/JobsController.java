package dev.onejob.api.jobs;

import dev.onejob.api.auth.Caller;
import dev.onejob.api.json.Bodies;
import dev.onejob.api.json.JobJson;
import dev.onejob.api.json.Query;
import dev.onejob.json.JsonLimits;
import dev.onejob.store.JobRecord;
import dev.onejob.store.Jobs;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Submits and reads jobs. */
@RestController
public final class JobsController {

  private static final Pattern WAIT = Pattern.compile("(\\d{1,6})(ms|s|m)?");
  private static final Pattern PREFER_WAIT =
      Pattern.compile("(?:^|[,;])\\s*wait=(\\d{1,6})\\s*(?:$|[,;])");
  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  private final Submit submit;
  private final Jobs jobs;
  private final Waiters waiters;
  private final JobJson json;

  public JobsController(Submit submit, Jobs jobs, Waiters waiters, JobJson json) {
    this.submit = submit;
    this.jobs = jobs;
    this.waiters = waiters;
    this.json = json;
  }

  @PostMapping("/v1/jobs")
  ResponseEntity<String> submit(HttpServletRequest request) throws IOException {
    Caller caller = Caller.of(request).needs("submit");
    Query.of(request);
    String key = KeyHeader.parse(Collections.list(request.getHeaders(KeyHeader.NAME)));
    Intent intent = Intent.read(Bodies.object(request, JsonLimits.DEFAULT));
    Submit.Accepted accepted = submit.submit(caller.ownerId(), key, intent);
    JobRecord job = accepted.job();
    ResponseEntity.BodyBuilder answer =
        accepted.replayed()
            ? ResponseEntity.ok().header("Idempotency-Replayed", "true")
            : ResponseEntity.created(URI.create("/v1/jobs/" + job.id()));
    return answer
        .eTag(etag(job))
        .contentType(MediaType.APPLICATION_JSON)
        .body(json.write(job, null));
  }

  @GetMapping("/v1/jobs/{id}")
  ResponseEntity<String> read(@PathVariable String id, HttpServletRequest request) {
    Caller caller = Caller.of(request);
    Query query = Query.of(request, "wait", "include");
    Duration wait = wait(query, request.getHeader("Prefer"));
    boolean withInput = query.text("include").map(JobsController::includesInput).orElse(false);
    JobRecord job = caller.job(jobs, id);
    if (!wait.isZero() && job.outcome() == null && job.unknown() == null) {
      waiters.await(id, wait);
      job = caller.job(jobs, id);
    }
    String etag = etag(job);
    if (etag.equals(request.getHeader(HttpHeaders.IF_NONE_MATCH)) && !withInput) {
      return ResponseEntity.status(304).eTag(etag).build();
    }
    String input = withInput ? jobs.input(id).orElse(null) : null;
    // The tag names the job alone: an answer that holds the input as well must not be taken for it.
    return answer(json.write(job, input), withInput ? null : etag);
  }

  @GetMapping("/v1/jobs")
  ResponseEntity<String> lookup(HttpServletRequest request) {
    Caller caller = Caller.of(request);
    String key =
        Query.of(request, "idempotencyKey")
            .text("idempotencyKey")
            .orElseThrow(() -> Query.wrong("idempotencyKey", "given"));
    Optional<JobRecord> found = jobs.findByKey(caller.ownerId(), key);
    return answer(json.writeList(found.map(List::of).orElse(List.of())), null);
  }

  private static ResponseEntity<String> answer(String body, @Nullable String etag) {
    ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
    if (etag != null) {
      answer.eTag(etag);
    }
    return answer.contentType(MediaType.APPLICATION_JSON).body(body);
  }

  private static String etag(JobRecord job) {
    return "\"" + job.version() + "." + job.attemptsRevision() + "\"";
  }

  private static boolean includesInput(String include) {
    if (!include.equals("input")) {
      throw Query.wrong("include", "input");
    }
    return true;
  }

  private static Duration wait(Query query, @Nullable String prefer) {
    Optional<String> given = query.text("wait");
    if (given.isEmpty()) {
      // RFC 7240: a preference that is not understood is ignored.
      Matcher preferred = prefer == null ? null : PREFER_WAIT.matcher(prefer);
      return preferred != null && preferred.find()
          ? capped(Duration.ofSeconds(Long.parseLong(preferred.group(1))))
          : Duration.ZERO;
    }
    Matcher wait = WAIT.matcher(given.get());
    if (!wait.matches()) {
      throw Query.wrong("wait", "a duration such as 30s");
    }
    long number = Long.parseLong(wait.group(1));
    String unit = wait.group(2);
    return capped(
        "ms".equals(unit)
            ? Duration.ofMillis(number)
            : "m".equals(unit) ? Duration.ofMinutes(number) : Duration.ofSeconds(number));
  }

  private static Duration capped(Duration wait) {
    return wait.compareTo(WAIT_MAX) < 0 ? wait : WAIT_MAX;
  }
}
