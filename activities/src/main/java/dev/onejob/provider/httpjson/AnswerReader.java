package dev.onejob.provider.httpjson;

import dev.onejob.json.JsonLimits;
import dev.onejob.json.JsonPath;
import dev.onejob.json.JsonRefused;
import dev.onejob.json.StrictJson;
import dev.onejob.provider.Finish;
import java.io.IOException;
import java.math.BigDecimal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.function.Consumer;
import java.util.function.Function;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads an HTTP response as a finish. */
final class AnswerReader {

  /** Longer answers are not ours to keep. */
  static final int BYTES_MAX = JsonLimits.ANSWER.bodyBytesMax();

  /** Longer references are no names. */
  private static final int REFERENCE_CHARACTERS_MAX = 500;

  /** More digits are no price. */
  private static final int COST_DIGITS_MAX = 40;

  private final AnswerPaths paths;
  private final StatusTable table;
  private final @Nullable String model;

  AnswerReader(AnswerPaths paths, StatusTable table, @Nullable String model) {
    this.paths = paths;
    this.table = table;
    this.model = model;
  }

  /**
   * @param reference told as soon as the body names it, whatever the body is worth otherwise
   * @param whyLost our word for a body that broke off
   */
  Finish read(
      Response response, Consumer<String> reference, Function<IOException, String> whyLost) {
    int status = response.code();
    if (!StatusTable.answers(status) && !StatusTable.acknowledges(status)) {
      return table.read(status, response.header("Retry-After"));
    }
    byte[] body;
    try {
      body = body(response);
    } catch (Unusable e) {
      return new Finish.Unclear(e.why);
    } catch (IOException e) {
      return new Finish.Unclear(whyLost.apply(e));
    }
    StrictJson.@Nullable Document document = parse(body);
    String found = document == null ? null : reference(document);
    if (found != null) {
      reference.accept(found);
    }
    if (!StatusTable.answers(status)) {
      return table.read(status, response.header("Retry-After"));
    }
    if (body.length == 0) {
      return new Finish.Unclear("EMPTY_BODY");
    }
    if (document == null) {
      return new Finish.Unclear("UNPARSABLE_BODY");
    }
    String result = paths.result() == null ? document.text() : document.slice(paths.result());
    if (result == null) {
      return new Finish.Unclear("NO_RESULT_MEMBER");
    }
    return new Finish.Answered(result, found, cost(document), sha256(body), body.length, model);
  }

  /** The whole body, as long as it was declared to be. */
  private static byte[] body(Response response) throws IOException, Unusable {
    long declared = declaredLength(response);
    if (declared > BYTES_MAX) {
      throw new Unusable("BODY_TOO_LARGE");
    }
    Buffer read = new Buffer();
    BufferedSource source = response.body().source();
    while (source.read(read, 64 * 1024) != -1) {
      if (read.size() > BYTES_MAX) {
        throw new Unusable("BODY_TOO_LARGE");
      }
    }
    // HTTP/2 ends a stream short of its declared length without an error from the client.
    if (declared >= 0 && declared != read.size()) {
      throw new Unusable("TRUNCATED_BODY");
    }
    return read.readByteArray();
  }

  private static long declaredLength(Response response) throws Unusable {
    String header = response.header("Content-Length");
    if (header == null) {
      return -1;
    }
    try {
      return Long.parseLong(header.strip());
    } catch (NumberFormatException e) {
      throw new Unusable("TRUNCATED_BODY");
    }
  }

  private static StrictJson.@Nullable Document parse(byte[] body) {
    try {
      return body.length == 0 ? null : StrictJson.parse(body, JsonLimits.ANSWER);
    } catch (JsonRefused e) {
      return null;
    }
  }

  private @Nullable String reference(StrictJson.Document document) {
    JsonNode node = at(document, paths.reference());
    if (node == null || !(node.isString() || node.isNumber())) {
      return null;
    }
    String text = node.asString();
    // NUL cannot be stored, and an endless reference is none.
    return text.isBlank() || text.length() > REFERENCE_CHARACTERS_MAX || text.indexOf('\0') >= 0
        ? null
        : text;
  }

  private @Nullable BigDecimal cost(StrictJson.Document document) {
    JsonNode node = at(document, paths.cost());
    if (node == null || !(node.isString() || node.isNumber())) {
      return null;
    }
    // Reading digits takes quadratic time: a long text is refused before it is read.
    if (node.isString() && node.stringValue().length() > 3 * COST_DIGITS_MAX) {
      return null;
    }
    try {
      BigDecimal cost = node.isNumber() ? node.decimalValue() : new BigDecimal(node.stringValue());
      boolean price =
          cost.precision() <= COST_DIGITS_MAX && Math.abs(cost.scale()) <= COST_DIGITS_MAX;
      return price ? cost : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable JsonNode at(StrictJson.Document document, @Nullable JsonPath path) {
    if (path == null) {
      return null;
    }
    JsonNode node = document.tree();
    for (Object step : path.steps()) {
      node = step instanceof Integer index ? node.get(index) : node.get((String) step);
      if (node == null) {
        return null;
      }
    }
    return node;
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** A body that says nothing. */
  private static final class Unusable extends Exception {
    private final String why;

    Unusable(String why) {
      super(why, null, false, false);
      this.why = why;
    }
  }
}
