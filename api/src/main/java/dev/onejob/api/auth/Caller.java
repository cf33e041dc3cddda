package dev.onejob.api.auth;

import dev.onejob.api.problem.Problem;
import dev.onejob.api.problem.Refusal;
import dev.onejob.store.ApiKeys;
import dev.onejob.store.JobRecord;
import dev.onejob.store.Jobs;
import jakarta.servlet.http.HttpServletRequest;

/** The authenticated principal of a request. */
public record Caller(ApiKeys.Principal principal) {

  static final String ATTRIBUTE = "onejob.caller";

  public static Caller of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Caller caller) {
      return caller;
    }
    throw new Refusal(Problem.UNAUTHENTICATED, "no valid API key came with the request");
  }

  /** Whose jobs it submits and reads. */
  public String ownerId() {
    return principal.ownerId();
  }

  /** Who it is, in audits. */
  public String name() {
    return principal.name();
  }

  private boolean operates() {
    return principal.roles().contains("operate");
  }

  /**
   * @throws Refusal 403 unless it holds the role
   */
  public Caller needs(String role) {
    if (!principal.roles().contains(role)) {
      throw new Refusal(Problem.FORBIDDEN, "this call needs the role " + role);
    }
    return this;
  }

  /**
   * @throws Refusal 404 when there is no such job, or it is another owner's and the caller does not
   *     operate
   */
  public JobRecord job(Jobs jobs, String id) {
    return jobs.find(id)
        .filter(job -> operates() || job.ownerId().equals(ownerId()))
        .orElseThrow(() -> new Refusal(Problem.NOT_FOUND, "there is no such job"));
  }
}
