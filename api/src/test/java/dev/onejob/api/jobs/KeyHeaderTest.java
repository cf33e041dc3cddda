package dev.onejob.api.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyHeaderTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\u0001',
      delimiter = ' ',
      value = {
        "k k",
        "\"k\" k",
        "K K",
        "a,b a,b",
        "\"a,b\" a,b",
        "order/1?x=#% order/1?x=#%",
        "\"a\\\"b\" a\"b",
        "\"a\\\\b\" a\\b",
        "a\"b a\"b",
        "a\\b a\\b",
        "~! ~!",
        "k; k;",
      })
  void quotedAndBareFormsNameTheSameKeyAndNothingIsSplit(String header, String key) {
    assertThat(KeyHeader.parse(List.of(header))).isEqualTo(key);
  }

  @Test
  void surroundingWhiteSpaceOfTheFieldIsNoPartOfTheKey() {
    assertThat(KeyHeader.parse(List.of(" k\t"))).isEqualTo("k");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\"\"",
        "\"k",
        "\"",
        "\"k\"x",
        "\"k\" ; a=1",
        "\"a\",\"b\"",
        "\"a\\x\"",
        "\"a\\",
        "a b",
        "\"a b\"",
        "a\tb",
        "\u00e9",
        "\u20ac",
        "a\u007f"
      })
  void whatIsNoKeyIsRefusedAndNeverTakenForNoKey(String header) {
    assertThatThrownBy(() -> KeyHeader.parse(List.of(header)))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.problem()).isEqualTo(Problem.IDEMPOTENCY_KEY_INVALID));
  }

  @Test
  void keysHaveOneTo255Characters() {
    assertThat(KeyHeader.parse(List.of("k".repeat(255)))).hasSize(255);
    assertThat(KeyHeader.parse(List.of("\"" + "k".repeat(255) + "\""))).hasSize(255);
    assertThatThrownBy(() -> KeyHeader.parse(List.of("k".repeat(256))))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining("256");
    assertThatThrownBy(() -> KeyHeader.parse(List.of("\"" + "k".repeat(256) + "\"")))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void aMissingHeaderIsAProblemOfItsOwn() {
    assertThatThrownBy(() -> KeyHeader.parse(List.of()))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.problem()).isEqualTo(Problem.IDEMPOTENCY_KEY_MISSING));
  }

  @Test
  void twoHeadersAreRefusedAlsoWhenTheyAreEqual() {
    assertThatThrownBy(() -> KeyHeader.parse(List.of("k", "k")))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.problem()).isEqualTo(Problem.IDEMPOTENCY_KEY_INVALID));
  }
}
