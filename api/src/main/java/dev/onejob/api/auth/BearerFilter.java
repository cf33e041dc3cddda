package dev.onejob.api.auth;

import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.ProblemAnswer;
import dev.onejob.api.problem.Refusal;
import dev.onejob.store.ApiKeys;
import dev.onejob.store.Database;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Everything under {@code /v1} needs an API key: {@code Authorization: Bearer KEY} (RFC 6750,
 * section 2.1).
 */
public final class BearerFilter extends OncePerRequestFilter {

  private static final String SCHEME = "Bearer ";
  private static final int KEY_LENGTH_MAX = 512;

  private final Keys keys;

  public BearerFilter(Keys keys) {
    this.keys = keys;
  }

  @Override
  protected boolean shouldNotFilter(HttpServletRequest request) {
    return !request.getRequestURI().startsWith("/v1");
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Optional<ApiKeys.Principal> principal;
    try {
      principal = principal(request.getHeader("Authorization"));
    } catch (RuntimeException failed) {
      if (!Database.unavailable(failed)) {
        throw failed;
      }
      ProblemAnswer.send(
          response,
          new Refusal(Problem.DATABASE_UNAVAILABLE, "the API key could not be looked up"));
      return;
    }
    if (principal.isEmpty()) {
      ProblemAnswer.send(
          response, new Refusal(Problem.UNAUTHENTICATED, "no valid API key came with the request"));
      return;
    }
    request.setAttribute(Caller.ATTRIBUTE, new Caller(principal.get()));
    chain.doFilter(request, response);
  }

  private Optional<ApiKeys.Principal> principal(@org.jspecify.annotations.Nullable String header) {
    if (header == null
        || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        || header.length() > KEY_LENGTH_MAX) {
      return Optional.empty();
    }
    return keys.find(header.substring(SCHEME.length()).strip());
  }
}
