package dev.onejob.contract;

import java.util.List;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** One configuration file while it is read: its name, and where its problems go. */
final class Source {

  private final String file;
  private final Interpolation interpolation;
  private final List<Problem> problems;

  Source(String file, Interpolation interpolation, List<Problem> problems) {
    this.file = file;
    this.interpolation = interpolation;
    this.problems = problems;
  }

  Interpolation interpolation() {
    return interpolation;
  }

  void problem(Node node, String reason) {
    problem(line(node), reason);
  }

  void problem(int line, String reason) {
    problems.add(new Problem(file, line, reason));
  }

  static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }
}
