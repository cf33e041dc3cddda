package dev.onejob.json;

/** A JSON text that is not taken. The message names the place and never quotes the text. */
public final class JsonRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Whether the text is no strict JSON, or is beyond a limit. */
  public enum Kind {
    MALFORMED,
    LIMIT
  }

  private final Kind kind;

  JsonRefused(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
