package dev.onejob.provider.httpjson;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | PT0S",
        "2 | PT2S",
        "' 2 ' | PT2S",
        "0.25 | PT0.25S",
        "1.0001 | PT1.001S",
        "3600 | PT1H",
        "86400 | PT1H",
        "999999999999999999 | PT1H",
        "99999999999999999999 | ",
        "-1 | ",
        "1e3 | ",
        "soon | ",
        "'' | ",
        "Tue, 01 Dec 2026 12:00:30 GMT | PT30S",
        "Tue, 01 Dec 2026 11:00:00 GMT | PT0S",
        "Wed, 02 Dec 2026 12:00:00 GMT | PT1H",
        "Tue, 31 Feb 2026 12:00:00 GMT | ",
      })
  void isReadWithinAnHour(@Nullable String header, @Nullable Duration wait) {
    assertThat(RetryAfter.read(header, Printers.CLOCK.instant())).isEqualTo(wait);
  }
}
