package dev.onejob.api.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.ResponseEntity;

class ProblemTest {

  /** Clients match on these: none is renamed, none changes its status. */
  private static final Map<String, Integer> PROMISED =
      Map.ofEntries(
          Map.entry("idempotency-key-missing", 400),
          Map.entry("idempotency-key-invalid", 400),
          Map.entry("malformed-json", 400),
          Map.entry("unknown-member", 400),
          Map.entry("limit-exceeded", 400),
          Map.entry("unauthenticated", 401),
          Map.entry("forbidden", 403),
          Map.entry("not-found", 404),
          Map.entry("method-not-allowed", 405),
          Map.entry("not-acceptable", 406),
          Map.entry("idempotency-key-conflict", 409),
          Map.entry("attempt-unresolved", 409),
          Map.entry("attempt-already-resolved", 409),
          Map.entry("job-closed", 409),
          Map.entry("version-moved", 409),
          Map.entry("provider-not-certified", 409),
          Map.entry("payload-too-large", 413),
          Map.entry("unsupported-media-type", 415),
          Map.entry("input-invalid", 422),
          Map.entry("unknown-operation", 422),
          Map.entry("unknown-provider", 422),
          Map.entry("internal-error", 500),
          Map.entry("database-unavailable", 503));

  @Test
  void theTableIsAsPromised() {
    assertThat(
            Stream.of(Problem.values()).collect(Collectors.toMap(Problem::slug, Problem::status)))
        .isEqualTo(PROMISED);
  }

  @ParameterizedTest
  @EnumSource
  void everyProblemSaysWhatToDo(Problem problem) {
    assertThat(problem.title()).isNotBlank().doesNotEndWith(".");
    assertThat(problem.advice()).endsWith(".");
    assertThat(Problem.ofSlug(problem.slug())).contains(problem);
  }

  @ParameterizedTest
  @EnumSource
  void itsAnswerCarriesTypeStatusAndDetail(Problem problem) {
    ResponseEntity<byte[]> answer =
        ProblemAnswer.entity(new Refusal(problem, "so it is").with("member", 7));
    assertThat(answer.getStatusCode().value()).isEqualTo(problem.status());
    assertThat(new String(answer.getBody(), StandardCharsets.UTF_8))
        .contains("\"type\":\"https://onejob.dev/problems/" + problem.slug() + "\"")
        .contains("\"status\":" + problem.status())
        .contains("so it is")
        .contains("\"member\":7");
  }
}
