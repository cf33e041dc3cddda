package dev.onejob.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onejob.json.JsonRefused.Kind;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRefusedTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|no JSON value at line 1, column 1",
        "`\n\n `|no JSON value at line 3, column 2",
        "`[1,\n 2`|the text ends too early at line 2, column 3",
        "`{\"a\":\"x`|the text ends too early at line 1, column 8",
        "`-`|the text ends too early at line 1, column 2",
        "`{} x`|data after the JSON value at line 1, column 4",
        "`{}\n {}`|data after the JSON value at line 2, column 2",
        "`1 2`|data after the JSON value at line 1, column 3",
        "`[\n1,\n  x]`|not strict JSON at line 3, column 3",
        "`[1,\r\n \"\\q\"]`|not strict JSON at line 2, column 4",
        "`[\"\\ud800\"]`|a lone surrogate in a string at line 1, column 2",
        "`{\"a\":1,\"a\":2}`|a member name stands twice in one object at line 1, column 8",
        "`[\n1e1001]`|an exponent is beyond ±1000 at line 2, column 1",
      })
  void aRefusalSaysWhyAndWhere(String text, String message) {
    assertThatThrownBy(() -> StrictJson.parse(text.getBytes(UTF_8), JsonLimits.DEFAULT))
        .isInstanceOf(JsonRefused.class)
        .hasMessage(message);
  }

  @Test
  void thePlaceIsRightFarIntoALongText() {
    String text = "{\"p\":\"" + "é".repeat(40_000) + "\",\n \"b\": ?}";
    assertThatThrownBy(() -> StrictJson.parse(text.getBytes(UTF_8), JsonLimits.DEFAULT))
        .hasMessage("not strict JSON at line 2, column 7");
  }

  /** Read as a number, so many digits would hold a thread for minutes. */
  @ParameterizedTest
  @ValueSource(strings = {"1e", "1E+", "1e-", "-0.5e-000"})
  @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void anExponentOfMillionsOfDigitsIsRefusedAtOnce(String start) {
    byte[] text = (start + "9".repeat(4_000_000)).getBytes(UTF_8);
    assertThatThrownBy(() -> StrictJson.parse(text, JsonLimits.ANSWER))
        .isInstanceOfSatisfying(
            JsonRefused.class, refused -> assertThat(refused.kind()).isEqualTo(Kind.LIMIT));
  }

  @ParameterizedTest
  @CsvSource({
    "1e999,true",
    "1e1000,true",
    "1e1001,false",
    "1E+999,true",
    "1E+1000,true",
    "1E+1001,false",
    "-1e-999,true",
    "-1e-1000,true",
    "-1e-1001,false",
    "1e0001000,true",
    "1e-0001001,false",
    "1e000,true",
    "1e-0,true",
    "1e2147483648,false",
    "1e9999999999,false",
    "1e18446744073709551617,false",
  })
  void exponentsAreTakenUpToTheLimit(String text, boolean taken) {
    assertThat(isTaken(text.getBytes(UTF_8), JsonLimits.DEFAULT)).isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource({"'',''", "-,''", "0.,''", "-0.,''", "'',e-7", "-1.,E+1000", "'',.5e1"})
  void digitsCountWithoutSignPointAndExponent(String before, String behind) {
    long others =
        (before + behind.replaceFirst("[eE].*", "")).chars().filter(Character::isDigit).count();
    for (int digits : new int[] {999, 1000, 1001}) {
      String text = before + "1".repeat(digits - (int) others) + behind;
      assertThat(isTaken(text.getBytes(UTF_8), JsonLimits.DEFAULT))
          .as("%d digits", digits)
          .isEqualTo(digits <= 1000);
    }
  }

  @ParameterizedTest
  @CsvSource({"a,1", "é,2", "€,3", "🎉,4", "\\u0061,1", "\\u00e9,2", "\\ud83c\\udf89,4", "\\n,1"})
  void stringsAndNamesCountTheBytesTheyStandFor(String spelled, int bytes) {
    JsonLimits limits = new JsonLimits(1 << 20, 100, 1000, 1000, 600, false);
    String full = spelled.repeat((600 - bytes) / bytes);
    int rest = 600 - bytes * ((600 - bytes) / bytes);
    for (int more : new int[] {rest - 1, rest, rest + 1}) {
      String string = "\"" + full + "x".repeat(more) + "\"";
      assertThat(isTaken(string.getBytes(UTF_8), limits)).isEqualTo(more <= rest);
      assertThat(isTaken(("{" + string + ":1}").getBytes(UTF_8), limits)).isEqualTo(more <= rest);
    }
  }

  @Test
  void depthAndBodyAreTakenUpToTheLimit() {
    JsonLimits limits = new JsonLimits(20, 3, 1000, 1000, 20, false);
    assertThat(isTaken("[[1]]".getBytes(UTF_8), limits)).isTrue();
    assertThat(isTaken("[{\"a\":[1]}]".getBytes(UTF_8), limits)).isTrue();
    assertThat(isTaken("[{\"a\":[[]]}]".getBytes(UTF_8), limits)).isFalse();
    assertThat(isTaken(("[]" + " ".repeat(17)).getBytes(UTF_8), limits)).isTrue();
    assertThat(isTaken(("[]" + " ".repeat(18)).getBytes(UTF_8), limits)).isTrue();
    assertThat(isTaken(("[]" + " ".repeat(19)).getBytes(UTF_8), limits)).isFalse();
  }

  @Test
  void aPartOfABufferIsReadAndTheBufferNotMoved() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(7).put("x[1,2]x".getBytes(UTF_8));
    buffer.position(1).limit(6);
    assertThat(StrictJson.parse(buffer, JsonLimits.DEFAULT).text()).isEqualTo("[1,2]");
    assertThat(buffer.position()).isEqualTo(1);
    assertThat(buffer.limit()).isEqualTo(6);
  }

  private static boolean isTaken(byte[] text, JsonLimits limits) {
    try {
      StrictJson.parse(text, limits);
      return true;
    } catch (JsonRefused refused) {
      assertThat(refused.kind()).isEqualTo(Kind.LIMIT);
      return false;
    }
  }
}
