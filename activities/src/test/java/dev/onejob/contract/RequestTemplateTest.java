package dev.onejob.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.json.JsonLimits;
import dev.onejob.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;

class RequestTemplateTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{a: '{{ input.n }}'} | {\"n\":1.10} | {\"a\":1.10}",
        "{a: '{{input.n}}'} | {\"n\":9007199254740993} | {\"a\":9007199254740993}",
        "{a: '{{ input.n }}'} | {\"n\":1E+2} | {\"a\":1E+2}",
        "{a: 'n={{ input.n }}!'} | {\"n\":1.10} | {\"a\":\"n=1.10!\"}",
        "{a: '{{ input.t }}'} | {\"t\":\"x\\u0041\"} | {\"a\":\"x\\u0041\"}",
        "{a: '<{{ input.t }}>'} | {\"t\":\"x\\u0041\\\"\"} | {\"a\":\"<xA\\\">\"}",
        "{a: '{{ input.o }}'} | {\"o\":{\"b\": [1, 2]}} | {\"a\":{\"b\": [1, 2]}}",
        "{a: '{{ input.l[1].m }}'} | {\"l\":[0,{\"m\":true}]} | {\"a\":true}",
        "{a: '{{ input.x }}{{ input.y }}'} | {\"x\":1,\"y\":2} | {\"a\":\"12\"}",
        "{a: '{{ input.x }}'} | {\"x\":null} | {\"a\":null}",
        "'{{ input }}' | {\"x\": 1} | {\"x\": 1}",
        "{a: 1.10, b: [], c: {}, d: [1, two], e: null, f: true} | {} | {\"a\":1.10,\"b\":[],\"c\":{},\"d\":[1,\"two\"],\"e\":null,\"f\":true}",
      })
  void rendersDataAsItWasSent(String template, String input, String body) throws RenderRefused {
    assertThat(compile(template).render(json(input))).isEqualTo(body);
  }

  @Test
  void dataThatLooksLikeATemplateStaysText() throws RenderRefused {
    StrictJson.Document input =
        json("{\"t\":\"{{ input.secret }} ${env:HOME} {{ 7*7 }}\",\"secret\":\"no\"}");
    assertThat(compile("{a: '{{ input.t }}', b: 'say: {{ input.t }}'}").render(input))
        .isEqualTo(
            "{\"a\":\"{{ input.secret }} ${env:HOME} {{ 7*7 }}\","
                + "\"b\":\"say: {{ input.secret }} ${env:HOME} {{ 7*7 }}\"}");
  }

  @Test
  void aPlaceholderWithoutAValueIsRefused() {
    for (String template : List.of("{a: '{{ input.n }}'}", "{a: 'x {{ input.n.m }}'}")) {
      assertThatThrownBy(() -> compile(template).render(json("{\"m\":1}")))
          .isInstanceOf(RenderRefused.class)
          .hasMessageMatching("placeholder input\\.n(\\.m)? has no value");
    }
  }

  @Test
  void withoutATemplateTheInputGoesOutCharacterByCharacter() throws RenderRefused {
    String text = " { \"b\" : 1.10 , \"a\":\"\\u0041\" } ";
    assertThat(RequestTemplate.INPUT.render(json(text))).isEqualTo(text);
  }

  private static RequestTemplate compile(String yaml) {
    List<Problem> problems = new ArrayList<>();
    RequestTemplate template =
        RequestTemplate.compile(
            new Compose(LoadSettings.builder().build()).composeString(yaml).orElseThrow(),
            new Source("test", new Interpolation(name -> null), problems));
    assertThat(problems).isEmpty();
    return template;
  }

  private static StrictJson.Document json(String text) {
    return StrictJson.parse(text.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
  }
}
