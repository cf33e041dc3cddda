package dev.onejob.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPathTest {

  @Test
  void stepsAreNamesAndIndexes() {
    assertThat(JsonPath.parse("$").steps()).isEmpty();
    assertThat(JsonPath.parse("$.a-b._c[0]['x y']['']['0'][999999999]").steps())
        .isEqualTo(List.of("a-b", "_c", 0, "x y", "", "0", 999_999_999));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a|0",
        "$a|1",
        "$.|1",
        "$.a.|3",
        "$.a..b|3",
        "$.a[|3",
        "$.a[-1]|3",
        "$.a[01]|3",
        "$[1000000000]|1",
        "$.a['b|3",
        "$.a['b\\'c']|3",
        "$.a[\"b\"]|3",
        "$.a b|3",
        "$.1|1",
        "$.a[*]|3",
        "$.é|1",
      })
  void aMistakeIsNamedByItsPosition(String path, int position) {
    assertThatThrownBy(() -> JsonPath.parse(path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("at position " + position);
  }

  @Test
  void stepsOfOtherKindsAreRefused() {
    assertThatThrownBy(() -> new JsonPath(List.of(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new JsonPath(List.of(1L)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void limitsThatAreNoneAreRefused(int none) {
    assertThatThrownBy(() -> new JsonLimits(none, 1, 1, 1, 1, false)).hasMessageContaining("body");
    assertThatThrownBy(() -> new JsonLimits(1, none, 1, 1, 1, false)).hasMessageContaining("depth");
    assertThatThrownBy(() -> new JsonLimits(1, 501, 1, 1, 1, false)).hasMessageContaining("depth");
    assertThatThrownBy(() -> new JsonLimits(1, 1, none, 1, 1, false)).hasMessageContaining("igits");
    assertThatThrownBy(() -> new JsonLimits(1, 1, 1, none, 1, false)).hasMessageContaining("expon");
    assertThatThrownBy(() -> new JsonLimits(1, 1, 1, 1, none, false))
        .hasMessageContaining("string");
  }
}
