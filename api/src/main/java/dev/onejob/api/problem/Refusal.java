package dev.onejob.api.problem;

import java.util.LinkedHashMap;
import java.util.Map;

/** A request that is answered with a problem. */
public final class Refusal extends RuntimeException {

  private final Problem problem;
  private final transient Map<String, Object> members = new LinkedHashMap<>();

  public Refusal(Problem problem, String detail) {
    super(detail, null, false, false);
    this.problem = problem;
  }

  /** Adds a member of the problem's own, as documented for its type. */
  public Refusal with(String member, Object value) {
    members.put(member, value);
    return this;
  }

  public Problem problem() {
    return problem;
  }

  public Map<String, Object> members() {
    return members;
  }

  public String detail() {
    return String.valueOf(getMessage());
  }
}
