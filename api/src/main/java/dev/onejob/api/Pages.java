package dev.onejob.api;

import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The API's description, and a page for every problem. Open to everybody. */
@RestController
final class Pages {

  @GetMapping("/openapi.json")
  ResponseEntity<byte[]> openapi() throws IOException {
    try (InputStream document = Pages.class.getResourceAsStream("/openapi.json")) {
      if (document == null) {
        throw new IllegalStateException("openapi.json is not on the class path");
      }
      return ResponseEntity.ok()
          .contentType(MediaType.APPLICATION_JSON)
          .body(document.readAllBytes());
    }
  }

  @GetMapping("/problems/{slug}")
  ResponseEntity<String> problem(@PathVariable String slug) {
    Problem problem =
        Problem.ofSlug(slug)
            .orElseThrow(() -> new Refusal(Problem.NOT_FOUND, "there is no such problem"));
    return ResponseEntity.ok()
        .contentType(new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8))
        .body(
            "%s (%d)%n%n%s.%n%s%n"
                .formatted(problem.slug(), problem.status(), problem.title(), problem.advice()));
  }
}
