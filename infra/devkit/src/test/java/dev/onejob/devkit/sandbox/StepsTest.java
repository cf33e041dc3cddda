package dev.onejob.devkit.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepsTest {

  private static List<Step> parse(String... texts) {
    return Steps.parse(List.of(texts));
  }

  @Test
  void commasInsideAJsonBodyDoNotSplit() {
    assertThat(parse("execute, answer 200 {\"a\": [1, 2], \"b\": \"},\\\"x\"}, callback 3s"))
        .containsExactly(
            new Step.Execute(),
            new Step.Answer(200, Map.of(), "{\"a\": [1, 2], \"b\": \"},\\\"x\"}"),
            new Step.Callback(Duration.ofSeconds(3), 1));
  }

  @Test
  void anAnswerHasStatusHeadersAndBody() {
    assertThat(parse("answer 503 retry-after=2 x-a=b {\"error\": \"busy\"}"))
        .containsExactly(
            new Step.Answer(503, Map.of("retry-after", "2", "x-a", "b"), "{\"error\": \"busy\"}"));
    assertThat(parse("answer {}")).containsExactly(new Step.Answer(200, Map.of(), "{}"));
    assertThat(parse("answer")).containsExactly(Step.Answer.NORMAL);
  }

  @Test
  void whatOnlyWaitsIsFollowedByExecutionAndAnswer() {
    assertThat(parse("delay 250ms"))
        .containsExactly(
            new Step.Delay(Duration.ofMillis(250)), new Step.Execute(), Step.Answer.NORMAL);
    assertThat(parse("")).isEqualTo(Steps.DEFAULT);
    assertThat(parse("execute")).isEqualTo(Steps.DEFAULT);
    assertThat(parse("execute", "hang")).containsExactly(new Step.Execute(), new Step.Hang());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "explode",
        "delay",
        "delay soon",
        "hang 5s",
        "truncate",
        "truncate -1",
        "gate",
        "gate a/b",
        "answer 999",
        "execute please",
        "trickle fast"
      })
  void anUnknownStepIsNamedTogetherWithThoseThatExist(String step) {
    assertThatThrownBy(() -> parse("execute, " + step))
        .isInstanceOf(BadScript.class)
        .hasMessageContaining("'" + step + "'")
        .hasMessageContaining("callback-before-answer");
  }

  @Test
  void aScriptEndsOnce() {
    assertThatThrownBy(() -> parse("hang, answer")).hasMessageContaining("more than one step");
  }
}
