package dev.onejob.api.problem;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

/**
 * What Tomcat refuses before any application is reached (a request line or a header that it cannot
 * read) is a problem too, in place of its HTML page.
 */
public final class ContainerProblems extends ErrorReportValve {

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failed) {
    int status = response.getStatus();
    // As in the page that this replaces: nothing after a proper answer, and only once.
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    Refusal refusal = Errors.refusal(status);
    try {
      response.setStatus(refusal.problem().status());
      response.setContentType("application/problem+json");
      response.setCharacterEncoding("utf-8");
      RequestIds.complete(response.getResponse());
      Writer writer = response.getReporter();
      if (writer != null) {
        writer.write(new String(ProblemAnswer.body(refusal), StandardCharsets.UTF_8));
        response.finishResponse();
      }
    } catch (IOException | IllegalStateException hungUp) {
      // there is nobody to answer
    }
  }
}
