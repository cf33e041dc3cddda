package dev.onejob.api.problem;

import dev.onejob.store.Database;
import dev.onejob.store.NoSuchJob;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;

/**
 * Turns whatever is thrown into a problem; what nobody foresaw is logged and says nothing of the
 * inside.
 */
@RestControllerAdvice
public final class ProblemAdvice {

  private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

  @ExceptionHandler
  ResponseEntity<byte[]> refused(Refusal refusal) {
    return ProblemAnswer.entity(refusal);
  }

  @ExceptionHandler
  ResponseEntity<byte[]> noSuchJob(NoSuchJob missing) {
    return ProblemAnswer.entity(new Refusal(Problem.NOT_FOUND, "there is no such job"));
  }

  @ExceptionHandler
  ResponseEntity<byte[]> wrongMethod(HttpRequestMethodNotSupportedException wrong) {
    Set<HttpMethod> allowed = wrong.getSupportedHttpMethods();
    ResponseEntity<byte[]> answer =
        ProblemAnswer.entity(
            new Refusal(Problem.METHOD_NOT_ALLOWED, wrong.getMethod() + " is not allowed here"));
    HttpHeaders headers = new HttpHeaders(answer.getHeaders());
    headers.setAllow(allowed == null ? Set.of() : allowed);
    return new ResponseEntity<>(answer.getBody(), headers, answer.getStatusCode());
  }

  /** The client has hung up: there is nobody to answer. */
  @ExceptionHandler
  void gone(AsyncRequestNotUsableException hungUp) {}

  @ExceptionHandler
  ResponseEntity<byte[]> other(Exception failed, HttpServletRequest request) {
    if (failed instanceof ErrorResponse framework) {
      return ProblemAnswer.entity(
          switch (framework.getStatusCode().value()) {
            case 404 -> new Refusal(Problem.NOT_FOUND, "nothing is at " + request.getRequestURI());
            case 406 ->
                new Refusal(Problem.NOT_ACCEPTABLE, "only application/json can be had here");
            case 415 -> new Refusal(Problem.UNSUPPORTED_MEDIA_TYPE, "the body has another type");
            case 413 -> new Refusal(Problem.PAYLOAD_TOO_LARGE, "the body is too large");
            default -> new Refusal(Problem.MALFORMED_JSON, "the request is not as documented");
          });
    }
    if (Database.unavailable(failed)) {
      return ProblemAnswer.entity(
          new Refusal(Problem.DATABASE_UNAVAILABLE, "whether the request took effect is unknown"));
    }
    if (failed instanceof IOException unreadable) {
      return ProblemAnswer.entity(
          new Refusal(
              Problem.MALFORMED_JSON, "the body could not be read: " + unreadable.getMessage()));
    }
    log.error(
        "{} {} failed (X-Request-Id {})",
        request.getMethod(),
        request.getRequestURI(),
        request.getAttribute(RequestIds.ATTRIBUTE),
        failed);
    return ProblemAnswer.entity(new Refusal(Problem.INTERNAL_ERROR, "the request failed"));
  }
}
