package dev.onejob.api.problem;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.json.JsonMapper;

/** Writes a problem as {@code application/problem+json} (RFC 9457). */
public final class ProblemAnswer {

  private static final JsonMapper MAPPER = new JsonMapper();

  private ProblemAnswer() {}

  public static ResponseEntity<byte[]> entity(Refusal refusal) {
    return ResponseEntity.status(refusal.problem().status())
        .headers(headers(refusal.problem()))
        .body(body(refusal));
  }

  /** For what is refused before any controller is reached. */
  public static void send(HttpServletResponse response, Refusal refusal) throws IOException {
    response.setStatus(refusal.problem().status());
    headers(refusal.problem())
        .forEach((name, values) -> values.forEach(value -> response.setHeader(name, value)));
    byte[] body = body(refusal);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  private static HttpHeaders headers(Problem problem) {
    HttpHeaders headers = new HttpHeaders();
    headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
    if (problem == Problem.UNAUTHENTICATED) {
      headers.set(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    if (problem == Problem.DATABASE_UNAVAILABLE) {
      headers.set(HttpHeaders.RETRY_AFTER, "1");
    }
    return headers;
  }

  static byte[] body(Refusal refusal) {
    Problem problem = refusal.problem();
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", problem.type());
    members.put("title", problem.title());
    members.put("status", problem.status());
    members.put("detail", refusal.detail() + ". " + problem.advice());
    members.putAll(refusal.members());
    return MAPPER.writeValueAsString(members).getBytes(StandardCharsets.UTF_8);
  }
}
