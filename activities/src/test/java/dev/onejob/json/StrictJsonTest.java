package dev.onejob.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.json.JsonRefused.Kind;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "\t\n",
        "{",
        "}",
        "[",
        "]",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "[1,,2]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "{a:1}",
        "{'a':1}",
        "{1:1}",
        "{null:1}",
        "{\"a\":1}}",
        "[1]]",
        "1 2",
        "{} {}",
        "{}x",
        "nul",
        "nulll",
        "True",
        "TRUE",
        "tru",
        "falsy",
        "NaN",
        "Infinity",
        "-Infinity",
        "undefined",
        "+1",
        "-",
        "--1",
        "01",
        "-01",
        "1.",
        ".5",
        "1.e1",
        "1e",
        "1e+",
        "1e1.5",
        "0x10",
        "1_000",
        "1f",
        "\"",
        "\"a",
        "'a'",
        "\"\\x\"",
        "\"\\\"",
        "\"\\u12\"",
        "\"\\u123g\"",
        "\"\\U0041\"",
        "\"a\nb\"",
        "\"a\tb\"",
        "\"\\ud800\"",
        "\"\\udc00\"",
        "\"\\udc00\\ud800\"",
        "\"\\ud800x\"",
        "\"\\u0000\"",
        "{\"\\u0000\":1}",
        "{\"\\ud800\":1}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":2}",
        "{\"a\":{\"b\":1,\"b\":1}}",
        "/**/1",
        "1//x",
        "#1",
        "[1]#",
        "\uFEFF{}",
        "(1)",
        "{\"a\":1;}",
        "[\"a\":1]",
        "{\"a\",\"b\"}",
        "\u00a0 1",
        "{\"a\":\u20281}",
      })
  void whatIsNotStrictJsonIsMalformed(String text) {
    assertRefused(text.getBytes(UTF_8), Kind.MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "22ff22",
        "22c32822",
        "22c0af22",
        "22e080af22",
        "22eda08022",
        "22edb08022",
        "22f4908080 22",
        "22f0808080 22",
        "22e28222",
        "2280 22",
        "fffe31",
        "efbbbf31",
        "7b22c3227d",
        "2200 22",
      })
  void whatIsNotUtf8IsMalformed(String hex) {
    assertRefused(HexFormat.of().parseHex(hex.replace(" ", "")), Kind.MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "true",
        "false",
        "0",
        "-0",
        "1.50",
        "1e5",
        "1E+5",
        "1e-1000",
        "1e1000",
        "\"\"",
        "\"\\u00e9é🎉\\ud83c\\udf89\"",
        " \t\r\n{ \"a\" : [ 1 , \"x\" ] } \n",
        "{\"\":{\"\":[[[]]]}}",
        "\"\\/\\b\\f\\n\\r\\t\"",
      })
  void strictJsonIsKeptToTheCharacter(String text) {
    assertThat(StrictJson.parse(text.getBytes(UTF_8), JsonLimits.DEFAULT).text()).isEqualTo(text);
  }

  @Test
  void eachLimitTakesExactlyItsOwnAndNotOneMore() {
    taken("[".repeat(100) + "]".repeat(100));
    beyond("[".repeat(101) + "]".repeat(101));
    taken("{\"a\":".repeat(100) + "1" + "}".repeat(100));
    beyond("{\"a\":".repeat(101) + "1" + "}".repeat(101));
    taken("1".repeat(1000));
    beyond("1".repeat(1001));
    taken("-0." + "1".repeat(999));
    beyond("-0." + "1".repeat(1000));
    taken("1".repeat(1000) + "e1000");
    taken("1e-1000");
    beyond("1e1001");
    beyond("1e-1001");
    beyond("1e99999999999999999999");
    String mebibyte = "é".repeat(1 << 19);
    JsonLimits wide = new JsonLimits(1 << 22, 100, 1000, 1000, 1 << 20, false);
    StrictJson.parse(("\"" + mebibyte + "\"").getBytes(UTF_8), wide);
    assertThatThrownBy(() -> StrictJson.parse(("\"" + mebibyte + "x\"").getBytes(UTF_8), wide))
        .isInstanceOfSatisfying(
            JsonRefused.class, refused -> assertThat(refused.kind()).isEqualTo(Kind.LIMIT));
    taken("[" + " ".repeat((1 << 20) - 2) + "]");
    beyond("[" + " ".repeat((1 << 20) - 1) + "]");
  }

  @Test
  void numbersAreNeverDoubles() {
    assertThat(
            StrictJson.parse("9007199254740993".getBytes(UTF_8), JsonLimits.DEFAULT)
                .tree()
                .bigIntegerValue())
        .hasToString("9007199254740993");
    assertThat(
            StrictJson.parse("0.1000000000000000055".getBytes(UTF_8), JsonLimits.DEFAULT)
                .tree()
                .decimalValue())
        .hasToString("0.1000000000000000055");
  }

  @Test
  void anAnswerMayHoldAnEscapedNul() {
    String text = "\"\\u0000\"";
    assertThat(StrictJson.parse(text.getBytes(UTF_8), JsonLimits.ANSWER).text()).isEqualTo(text);
  }

  @Test
  void aRefusalNeverQuotesTheText() {
    assertThatThrownBy(
            () ->
                StrictJson.parse(
                    "{\"card\": 4111111111111111x}".getBytes(UTF_8), JsonLimits.DEFAULT))
        .hasMessageContaining("line 1")
        .hasMessageNotContaining("4111");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`{\"a\":1.00}`|`$.a`|`1.00`",
        "` 1.50 `|`$`|`1.50`",
        "`-0`|`$`|`-0`",
        "`{\"a\" : \"x\\\"}\\\\\" , \"b\":2}`|`$.a`|`\"x\\\"}\\\\\"`",
        "`{\"a\":\"\",\"b\" :\t[ 1, {\"c\" : null } ] }`|`$.b`|`[ 1, {\"c\" : null } ]`",
        "`{\"b\":[ 1, {\"c\" : null } ]}`|`$.b[1].c`|`null`",
        "`{\"b\":[ 1, {\"c\" : null } ]}`|`$.b[1]`|`{\"c\" : null }`",
        "`{\"b\":[1,2,3]}`|`$.b[2]`|`3`",
        "`{\"🎉\":\"🎉é\",\"x\":true}`|`$['🎉']`|`\"🎉é\"`",
        "`{\"🎉\":\"🎉é\",\"x\":true}`|`$.x`|`true`",
        "`{\"r\\u0065sult\":{}}`|`$.result`|`{}`",
        "`{\"a\":{\"result\":1},\"result\":2}`|`$.result`|`2`",
        "`{\"a\":[],\"result\":[[]]}`|`$.result`|`[[]]`",
        "`{\"a\":\"]}\",\"result\":\"[{\"}`|`$.result`|`\"[{\"`",
        "`{\"\\\\\":1,\"x\":2}`|`$.x`|`2`",
      })
  void aSliceIsTheSourceOfItsValue(String text, String path, String slice) {
    assertThat(slice(text, path)).isEqualTo(slice);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`{}`|`$.a`",
        "`[]`|`$[0]`",
        "`[1]`|`$[1]`",
        "`[1]`|`$.a`",
        "`{\"a\":1}`|`$[0]`",
        "`1`|`$.a`",
        "`{\"a\":1}`|`$.a.b`",
        "`{\"a\":null}`|`$.a.b`",
      })
  void whatIsNotThereHasNoSlice(String text, String path) {
    assertThat(slice(text, path)).isNull();
  }

  @Test
  void aSliceOfSeveralMegabytesIsExact() {
    String big =
        "{ \"x\" : \""
            + "a\\\"🎉".repeat(800_000)
            + "\", \"n\":["
            + "1.0, ".repeat(200_000)
            + "2]}";
    String text =
        "{\"before\":\"" + "é".repeat(70_000) + "\",\"result\": " + big + " ,\"after\":1}";
    assertThat(big.equals(slice(text, "$.result"))).isTrue();
    assertThat(slice(text, "$.after")).isEqualTo("1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "$.",
        "$a",
        "$..a",
        "$[",
        "$[-1]",
        "$[01]",
        "$['a",
        "$[\"a\"]",
        "$.a b",
        "$.1"
      })
  void aPathThatIsNoneIsRefusedWithItsPosition(String path) {
    assertThatThrownBy(() -> JsonPath.parse(path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("position");
  }

  private static @Nullable String slice(String text, String path) {
    return StrictJson.parse(text.getBytes(UTF_8), JsonLimits.ANSWER).slice(JsonPath.parse(path));
  }

  private static void taken(String text) {
    assertThat(StrictJson.parse(text.getBytes(UTF_8), JsonLimits.DEFAULT).text()).isEqualTo(text);
  }

  private static void beyond(String text) {
    assertRefused(text.getBytes(UTF_8), Kind.LIMIT);
  }

  private static void assertRefused(byte[] bytes, Kind kind) {
    assertThatThrownBy(() -> StrictJson.parse(bytes, JsonLimits.DEFAULT))
        .isInstanceOfSatisfying(
            JsonRefused.class, refused -> assertThat(refused.kind()).isEqualTo(kind));
  }
}
