package dev.onejob.api.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the container refuses by itself is a problem like any other. */
@RestController
public final class Errors implements ErrorController {

  @RequestMapping("/error")
  ResponseEntity<byte[]> error(HttpServletRequest request, HttpServletResponse response) {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    RequestIds.complete(response);
    return ProblemAnswer.entity(refusal(status instanceof Integer number ? number : 404));
  }

  static Refusal refusal(int status) {
    return switch (status) {
      case 401 -> new Refusal(Problem.UNAUTHENTICATED, "no valid API key came with the request");
      case 403 -> new Refusal(Problem.FORBIDDEN, "the request is not allowed");
      case 404 -> new Refusal(Problem.NOT_FOUND, "nothing is there");
      case 405 -> new Refusal(Problem.METHOD_NOT_ALLOWED, "the method is not allowed here");
      case 406 -> new Refusal(Problem.NOT_ACCEPTABLE, "only application/json can be had here");
      case 413 -> new Refusal(Problem.PAYLOAD_TOO_LARGE, "the body is too large");
      case 414, 431 -> new Refusal(Problem.LIMIT_EXCEEDED, "the address or a header is too long");
      case 415 -> new Refusal(Problem.UNSUPPORTED_MEDIA_TYPE, "the body has another type");
      default ->
          status < 500
              ? new Refusal(Problem.MALFORMED_JSON, "the request is not proper HTTP")
              : new Refusal(Problem.INTERNAL_ERROR, "the request failed");
    };
  }
}
