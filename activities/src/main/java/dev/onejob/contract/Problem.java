package dev.onejob.contract;

/**
 * One reason why a configuration is refused.
 *
 * @param file the file as the reader would open it
 * @param line counted from 1
 * @param reason what is wrong; never the value of a setting that may be a secret
 */
public record Problem(String file, int line, String reason) {

  public Problem {
    if (line < 1) {
      throw new IllegalArgumentException("line=" + line);
    }
  }

  /** {@code file:line: reason}, as editors and terminals understand it. */
  @Override
  public String toString() {
    return file + ":" + line + ": " + reason;
  }
}
