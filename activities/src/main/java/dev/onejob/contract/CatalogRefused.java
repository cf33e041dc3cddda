package dev.onejob.contract;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that is not taken, with every reason there is. */
public final class CatalogRefused extends Exception {

  private final transient List<Problem> problems;

  CatalogRefused(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** In the order of files and lines. */
  public List<Problem> problems() {
    return problems;
  }
}
