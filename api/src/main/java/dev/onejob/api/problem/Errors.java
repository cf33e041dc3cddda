package dev.onejob.api.problem;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the container refuses by itself is a problem like any other. */
@RestController
public final class Errors implements ErrorController {

  @RequestMapping("/error")
  ResponseEntity<byte[]> error(HttpServletRequest request) {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    int code = status instanceof Integer number ? number : 404;
    return ProblemAnswer.entity(
        switch (code) {
          case 401 ->
              new Refusal(Problem.UNAUTHENTICATED, "no valid API key came with the request");
          case 403 -> new Refusal(Problem.FORBIDDEN, "the request is not allowed");
          case 404 -> new Refusal(Problem.NOT_FOUND, "nothing is there");
          case 413 -> new Refusal(Problem.PAYLOAD_TOO_LARGE, "the body is too large");
          default ->
              code < 500
                  ? new Refusal(Problem.MALFORMED_JSON, "the request is not proper HTTP")
                  : new Refusal(Problem.INTERNAL_ERROR, "the request failed");
        });
  }
}
