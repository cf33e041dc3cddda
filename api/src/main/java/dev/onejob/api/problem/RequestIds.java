package dev.onejob.api.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.web.filter.OncePerRequestFilter;

/** Every answer carries an X-Request-Id: the caller's, where it is a sane one, else a fresh one. */
public final class RequestIds extends OncePerRequestFilter {

  public static final String ATTRIBUTE = "onejob.request-id";

  private static final String HEADER = "X-Request-Id";
  private static final Pattern SANE = Pattern.compile("[!-~]{1,128}");

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String given = request.getHeader(HEADER);
    String id =
        given != null && SANE.matcher(given).matches() ? given : UUID.randomUUID().toString();
    request.setAttribute(ATTRIBUTE, id);
    response.setHeader(HEADER, id);
    chain.doFilter(request, response);
  }

  /** For what was refused before this filter was reached. */
  static void complete(HttpServletResponse response) {
    if (response.getHeader(HEADER) == null) {
      response.setHeader(HEADER, UUID.randomUUID().toString());
    }
  }
}
