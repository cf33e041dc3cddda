package dev.onejob.api.json;

import dev.onejob.job.AttemptState;
import dev.onejob.store.AttemptRecord;
import dev.onejob.store.JobRecord;
import java.io.StringWriter;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * A job as the API shows it. The result (and the input, if asked for) stands in it exactly as it
 * was written.
 */
public final class JobJson {

  private static final JsonMapper MAPPER = new JsonMapper();

  private final @Nullable String workflows;

  /**
   * @param workflows where a job's workflow can be looked at, up to its id; null when nobody said
   */
  public JobJson(@Nullable String workflows) {
    this.workflows = workflows;
  }

  public String write(JobRecord job, @Nullable String input) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = MAPPER.createGenerator(text)) {
      write(json, job, input);
    }
    return text.toString();
  }

  public String writeList(Iterable<JobRecord> jobs) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = MAPPER.createGenerator(text)) {
      json.writeStartObject();
      json.writeArrayPropertyStart("jobs");
      jobs.forEach(job -> write(json, job, null));
      json.writeEndArray();
      json.writeNullProperty("nextCursor");
      json.writeEndObject();
    }
    return text.toString();
  }

  private void write(JsonGenerator json, JobRecord job, @Nullable String input) {
    json.writeStartObject();
    json.writeStringProperty("id", job.id());
    json.writeStringProperty("operation", job.operation());
    json.writeStringProperty("state", job.state().name());
    json.writeNumberProperty("version", job.version());
    json.writeStringProperty("idempotencyKey", job.idempotencyKey());
    time(json, "createdAt", job.createdAt());
    time(json, "deadlineAt", job.deadlineAt());
    time(json, "completedAt", job.completedAt());
    completedBy(json, job);
    raw(json, "result", job.result());
    failure(json, job);
    attention(json, job.unknown());
    json.writeArrayPropertyStart("attempts");
    job.attempts().forEach(attempt -> attempt(json, attempt));
    json.writeEndArray();
    if (input != null) {
      raw(json, "input", input);
    }
    json.writeObjectPropertyStart("links");
    json.writeStringProperty("self", "/v1/jobs/" + job.id());
    if (workflows != null) {
      json.writeStringProperty("workflow", workflows + job.id());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void completedBy(JsonGenerator json, JobRecord job) {
    if (job.completedBy() == null) {
      json.writeNullProperty("completedBy");
      return;
    }
    AttemptRecord winner = job.attempts().get(job.completedBy() - 1);
    json.writeObjectPropertyStart("completedBy");
    json.writeNumberProperty("attempt", winner.number());
    json.writeStringProperty("provider", winner.provider());
    text(json, "model", winner.model());
    json.writeEndObject();
  }

  private static void failure(JsonGenerator json, JobRecord job) {
    if (job.failure() == null) {
      json.writeNullProperty("failure");
      return;
    }
    json.writeObjectPropertyStart("failure");
    json.writeStringProperty("reason", job.failure());
    if (!job.attempts().isEmpty()) {
      AttemptRecord last = job.attempts().getLast();
      json.writeNumberProperty("attempt", last.number());
      text(json, "why", last.why());
    }
    json.writeEndObject();
  }

  private static void attention(JsonGenerator json, @Nullable AttemptRecord unknown) {
    if (unknown == null) {
      json.writeNullProperty("attention");
      return;
    }
    json.writeObjectPropertyStart("attention");
    time(json, "since", unknown.unknownAt());
    json.writeNumberProperty("attempt", unknown.number());
    text(json, "why", unknown.why());
    json.writeNullProperty("nextLookupAt");
    json.writeNullProperty("windowEndsAt");
    json.writeEndObject();
  }

  private static void attempt(JsonGenerator json, AttemptRecord attempt) {
    json.writeStartObject();
    json.writeNumberProperty("number", attempt.number());
    json.writeStringProperty("provider", attempt.provider());
    text(json, "model", attempt.model());
    if (attempt.unproven()) {
      json.writeBooleanProperty("unproven", true);
    }
    json.writeStringProperty("state", attempt.state().name());
    text(json, "why", attempt.state() == AttemptState.SUCCEEDED ? null : attempt.why());
    time(json, "startedAt", attempt.startedAt());
    time(json, "finishedAt", attempt.finishedAt());
    text(json, "providerRef", attempt.providerRef());
    json.writeEndObject();
  }

  static void text(JsonGenerator json, String name, @Nullable String value) {
    if (value == null) {
      json.writeNullProperty(name);
    } else {
      json.writeStringProperty(name, value);
    }
  }

  static void time(JsonGenerator json, String name, @Nullable OffsetDateTime value) {
    text(json, name, value == null ? null : value.toInstant().toString());
  }

  private static void raw(JsonGenerator json, String name, @Nullable String value) {
    if (value == null) {
      json.writeNullProperty(name);
    } else {
      json.writeName(name);
      json.writeRawValue(value);
    }
  }
}
