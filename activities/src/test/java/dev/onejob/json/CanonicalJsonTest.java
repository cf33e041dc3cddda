package dev.onejob.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalJsonTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "-0.00e7|#0e0;",
        "1200|#12e2;",
        "1.50|#15e-1;",
        "1e1000|#1e1000;",
        "9007199254740993|#9007199254740993e0;",
        "` [ true, false, null ] `|[tfn]",
        "`{\"b\":1,\"a\":\"é\"}`|`{\"1:a\"2:é\"1:b#1e0;}`",
        // by code point U+FF5E comes before U+1F389, by UTF-16 unit behind it
        "`{\"🎉\":1,\"～\":2}`|`{\"3:～#2e0;\"4:🎉#1e0;}`",
        "`{\"\":{},\"a\":[[]]}`|`{\"0:{}\"1:a[[]]}`",
      })
  void theFormIsFixed(String text, String form) {
    assertThat(CanonicalJson.of(StrictJson.parse(text.getBytes(UTF_8), JsonLimits.DEFAULT).tree()))
        .isEqualTo(form);
  }
}
