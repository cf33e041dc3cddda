package dev.onejob.api.jobs;

import dev.onejob.api.json.Members;
import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.Refusal;
import dev.onejob.json.Fingerprint;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a submission's body asks for.
 *
 * @param provider the intended provider, if the owner named one
 * @param inputText the exact text of the input
 * @param fingerprint equal for two bodies if and only if they ask for the same
 */
record Intent(
    String operation,
    @Nullable String provider,
    JsonNode input,
    String inputText,
    boolean failover,
    int priority,
    @Nullable Instant deadline,
    byte[] fingerprint) {

  private static final int PRIORITY_DEFAULT = 3;

  static Intent read(Members body) {
    body.only("operation", "provider", "input", "options");
    String operation = body.requiredString("operation");
    String provider = body.string("provider").orElse(null);
    JsonNode input = body.required("input");
    boolean failover = true;
    int priority = PRIORITY_DEFAULT;
    Instant deadline = null;
    Members options = body.object("options").orElse(null);
    if (options != null) {
      if (options.has("notify")) {
        // Refused, not ignored: nobody would be told.
        throw new Refusal(Problem.UNKNOWN_MEMBER, "/options/notify is not available yet");
      }
      options.only("deadline", "failover", "priority");
      failover = options.bool("failover").orElse(true);
      priority = options.integer("priority").orElse(PRIORITY_DEFAULT);
      deadline = options.string("deadline").map(Intent::instant).orElse(null);
    }
    if (priority < 1 || priority > 5) {
      throw malformed("/options/priority must be 1 (first) to 5 (last)");
    }
    // An option that is absent and one that is given its default are the same intent.
    ObjectNode canonical = JsonNodeFactory.instance.objectNode();
    canonical.put("failover", failover).put("priority", priority);
    if (deadline != null) {
      canonical.put("deadline", deadline.toString());
    }
    return new Intent(
        operation,
        provider,
        input,
        body.text("input"),
        failover,
        priority,
        deadline,
        Fingerprint.of(operation, provider, input, canonical));
  }

  private static Instant instant(String text) {
    try {
      Instant instant = OffsetDateTime.parse(text).toInstant();
      if (instant.isAfter(Instant.parse("2000-01-01T00:00:00Z"))
          && instant.isBefore(Instant.parse("9999-01-01T00:00:00Z"))) {
        return instant;
      }
    } catch (DateTimeParseException unreadable) {
      // refused below
    }
    throw malformed("/options/deadline must be an RFC 3339 time such as 2026-12-01T10:00:00Z");
  }

  private static Refusal malformed(String detail) {
    return new Refusal(Problem.MALFORMED_JSON, detail);
  }
}
