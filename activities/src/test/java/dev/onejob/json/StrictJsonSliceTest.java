package dev.onejob.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class StrictJsonSliceTest {

  static LongStream seeds() {
    return LongStream.range(1_000, 1_300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everySliceStandsInTheTextAndReadsAsItsOwnNode(long seed) {
    Random random = new Random(seed);
    StrictJson.Document document = parse(Value.random(random, 5).write(random));
    check(document, List.of(), document.tree());
  }

  /** Around the sizes at which readers refill their buffers, and far above. */
  @ParameterizedTest
  @ValueSource(ints = {3_990, 4_000, 8_000, 32_760, 32_768, 65_530, 3_000_000})
  void theLengthOfWhatStandsBeforeDoesNotMatter(int length) {
    for (int shift = 0; shift < 12; shift++) {
      String before = "{\"p\":\"" + "a".repeat(length + shift) + "🎉\",\"r\": ";
      assertThat(parse(before + "-1.50E+01 }").slice(JsonPath.parse("$.r"))).isEqualTo("-1.50E+01");
      assertThat(parse(before + "\"\\\"\\\\\"}").slice(JsonPath.parse("$.r")))
          .isEqualTo("\"\\\"\\\\\"");
      assertThat(parse(before + "[ {} ]}").slice(JsonPath.parse("$.r"))).isEqualTo("[ {} ]");
    }
  }

  private static void check(StrictJson.Document document, List<Object> steps, JsonNode node) {
    String slice = Objects.requireNonNull(document.slice(new JsonPath(steps)));
    assertThat(document.text()).contains(slice);
    assertThat(slice).isEqualTo(slice.strip());
    assertThat(CanonicalJson.of(parse(slice).tree())).isEqualTo(CanonicalJson.of(node));
    for (String name : node.propertyNames()) {
      check(document, with(steps, name), node.required(name));
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      check(document, with(steps, i), node.required(i));
    }
  }

  private static List<Object> with(List<Object> steps, Object step) {
    List<Object> longer = new ArrayList<>(steps);
    longer.add(step);
    return longer;
  }

  private static StrictJson.Document parse(String text) {
    return StrictJson.parse(text.getBytes(UTF_8), JsonLimits.ANSWER);
  }
}
