package dev.onejob.provider.httpjson;

import dev.onejob.json.JsonPath;
import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Capabilities.Idempotency;
import dev.onejob.provider.Finish;
import dev.onejob.provider.Outbound;
import dev.onejob.provider.Secret;
import dev.onejob.provider.Timeouts;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import okhttp3.HttpUrl;

/** Providers for tests. */
final class Printers {

  static final Clock CLOCK = Clock.fixed(Instant.parse("2026-12-01T12:00:00Z"), ZoneOffset.UTC);

  static final Timeouts PATIENT =
      new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(10));

  static final AnswerPaths PATHS =
      new AnswerPaths(JsonPath.parse("$.result"), JsonPath.parse("$.id"), JsonPath.parse("$.cost"));

  private Printers() {}

  static HttpJsonProvider at(String url) {
    return at(url, PATIENT);
  }

  static HttpJsonProvider at(String url, Timeouts timeouts) {
    return new HttpJsonProvider(settings(url, ContentType.JSON, PATHS, Map.of(), timeouts), CLOCK);
  }

  static HttpJsonSettings settings(
      String url,
      ContentType contentType,
      AnswerPaths paths,
      Map<Integer, StatusWord> statuses,
      Timeouts timeouts) {
    return new HttpJsonSettings(
        "inkjet",
        "m1",
        HttpUrl.get(url + "/print"),
        "POST",
        contentType,
        Map.of("Authorization", new Secret("Bearer s3cr3t-value")),
        paths,
        statuses,
        new Capabilities(new Idempotency("Idempotency-Key", Duration.ofHours(24))),
        timeouts);
  }

  static Finish run(HttpJsonProvider provider) {
    return provider.prepare(new Outbound("{\"document\":\"x\"}", "job_1/0")).run();
  }
}
