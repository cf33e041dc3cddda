package dev.onejob.api.json;

import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.Refusal;
import dev.onejob.json.JsonLimits;
import dev.onejob.json.JsonRefused;
import dev.onejob.json.StrictJson;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/** Reads request bodies: bounded, and strict. */
public final class Bodies {

  private Bodies() {}

  /** The body as a JSON object. */
  public static Members object(HttpServletRequest request, JsonLimits limits) throws IOException {
    return optionalObject(request, limits)
        .orElseThrow(() -> new Refusal(Problem.MALFORMED_JSON, "the body is empty"));
  }

  /** The body as a JSON object; empty when there is no body. */
  public static Optional<Members> optionalObject(HttpServletRequest request, JsonLimits limits)
      throws IOException {
    byte[] body = read(request, limits.bodyBytesMax());
    if (body.length == 0) {
      return Optional.empty();
    }
    requireJson(request);
    try {
      return Optional.of(Members.of(StrictJson.parse(body, limits)));
    } catch (JsonRefused refused) {
      throw new Refusal(
          refused.kind() == JsonRefused.Kind.LIMIT
              ? Problem.LIMIT_EXCEEDED
              : Problem.MALFORMED_JSON,
          String.valueOf(refused.getMessage()));
    }
  }

  private static byte[] read(HttpServletRequest request, int bytesMax) throws IOException {
    if (request.getContentLengthLong() > bytesMax) {
      throw tooLarge(bytesMax);
    }
    byte[] body = request.getInputStream().readNBytes(bytesMax + 1);
    if (body.length > bytesMax) {
      throw tooLarge(bytesMax);
    }
    return body;
  }

  private static Refusal tooLarge(int bytesMax) {
    return new Refusal(Problem.PAYLOAD_TOO_LARGE, "the body is longer than " + bytesMax + " bytes");
  }

  private static void requireJson(HttpServletRequest request) {
    String type = request.getContentType();
    try {
      MediaType media = type == null ? null : MediaType.parseMediaType(type);
      if (media != null
          && media.equalsTypeAndSubtype(MediaType.APPLICATION_JSON)
          && (media.getCharset() == null || media.getCharset().name().equals("UTF-8"))) {
        return;
      }
    } catch (InvalidMediaTypeException unreadable) {
      // refused below
    }
    throw new Refusal(
        Problem.UNSUPPORTED_MEDIA_TYPE,
        type == null
            ? "the body has no Content-Type"
            : "the body is not application/json in UTF-8");
  }
}
