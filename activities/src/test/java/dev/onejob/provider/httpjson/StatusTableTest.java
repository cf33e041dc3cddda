package dev.onejob.provider.httpjson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onejob.provider.Finish;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusTableTest {

  /** Over a real socket, so that what the client does by itself would show. */
  @ParameterizedTest
  @CsvSource({
    "101,, Unclear, STATUS_101",
    "202,, Unclear, ACCEPTED_202",
    "204,, Unclear, EMPTY_BODY",
    "206,, Unclear, STATUS_206",
    "300,, Unclear, REDIRECT",
    "301,, Unclear, REDIRECT",
    "302,, Unclear, REDIRECT",
    "303,, Unclear, REDIRECT",
    "304,, Unclear, REDIRECT",
    "307,, Unclear, REDIRECT",
    "308,, Unclear, REDIRECT",
    "400,, Refused, REFUSED_400",
    "401,, Refused, REFUSED_401",
    "402,, Refused, REFUSED_402",
    "403,, Refused, REFUSED_403",
    "404,, Refused, REFUSED_404",
    "405,, Refused, REFUSED_405",
    "406,, Refused, REFUSED_406",
    "407,, Unclear, PROTOCOL_ERROR",
    "408,, Unclear, REQUEST_TIMEOUT_408",
    "408,0, Unclear, REQUEST_TIMEOUT_408",
    "409,, Unclear, CONFLICT_409",
    "410,, Refused, REFUSED_410",
    "411,, Refused, REFUSED_411",
    "412,, Refused, REFUSED_412",
    "413,, Refused, REFUSED_413",
    "414,, Refused, REFUSED_414",
    "415,, Refused, REFUSED_415",
    "416,, Refused, REFUSED_416",
    "417,, Refused, REFUSED_417",
    "421,, Refused, REFUSED_421",
    "422,, Refused, REFUSED_422",
    "423,, Unclear, STATUS_423",
    "425,, Unclear, STATUS_425",
    "426,, Refused, REFUSED_426",
    "428,, Refused, REFUSED_428",
    "429,, Retryable, RATE_LIMITED_429",
    "429,0, Retryable, RATE_LIMITED_429",
    "431,, Refused, REFUSED_431",
    "451,, Refused, REFUSED_451",
    "499,, Unclear, STATUS_499",
    "500,, Unclear, SERVER_ERROR_500",
    "501,, Refused, REFUSED_501",
    "502,, Unclear, GATEWAY_502",
    "503,, Unclear, UNAVAILABLE_503",
    "503,0, Retryable, UNAVAILABLE_503",
    "503,2, Retryable, UNAVAILABLE_503",
    "503,nonsense, Retryable, UNAVAILABLE_503",
    "504,, Unclear, GATEWAY_504",
    "505,, Refused, REFUSED_505",
    "520,, Unclear, GATEWAY_520",
    "524,, Unclear, GATEWAY_524",
    "530,, Unclear, GATEWAY_530",
    "599,, Unclear, STATUS_599",
    "777,, Unclear, STATUS_777",
  })
  void everyStatusHasOneMeaningAndIsAskedForOnce(
      int status, @Nullable String retryAfter, String kind, String why) throws Exception {
    String head =
        "HTTP/1.1 "
            + status
            + " X\r\nLocation: /print\r\nWWW-Authenticate: Basic realm=\"x\"\r\n"
            + "Proxy-Authenticate: Basic realm=\"x\"\r\n"
            + (retryAfter == null ? "" : "Retry-After: " + retryAfter + "\r\n");
    String body = status == 204 || status == 304 ? "\r\n" : "Content-Length: 2\r\n\r\n{}";
    try (RawServer server = new RawServer(RawServer.text(head + body))) {
      Finish finish = Printers.run(Printers.at(server.url()));

      String said =
          switch (finish) {
            case Finish.Answered _ -> "Answered";
            case Finish.Refused refused ->
                (refused.retryable() ? "Retryable " : "Refused ") + refused.why();
            case Finish.NotSent notSent -> "NotSent " + notSent.why();
            case Finish.Unclear unclear -> "Unclear " + unclear.why();
          };
      assertThat(said).isEqualTo(kind + " " + why);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void aProvidersOwnWordsReplaceSingleRows() {
    StatusTable table =
        new StatusTable(
            Map.of(
                409, StatusWord.REFUSED,
                502, StatusWord.NOT_SENT,
                500, StatusWord.REFUSED_RETRYABLE,
                404, StatusWord.UNKNOWN),
            Printers.CLOCK);
    assertThat(table.read(409, null)).isEqualTo(new Finish.Refused("REFUSED_409", false, null));
    assertThat(table.read(502, null)).isEqualTo(new Finish.NotSent("NOT_SENT_502"));
    assertThat(table.read(500, "7"))
        .isEqualTo(new Finish.Refused("REFUSED_500", true, Duration.ofSeconds(7)));
    assertThat(table.read(404, null)).isEqualTo(new Finish.Unclear("STATUS_404"));
    assertThat(table.read(504, null)).isEqualTo(new Finish.Unclear("GATEWAY_504"));
  }
}
