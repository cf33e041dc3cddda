package dev.onejob.provider;

import org.jspecify.annotations.Nullable;

/** A text that no log, message or answer may ever show. Ask for it by {@link #reveal()}. */
public final class Secret {

  private final String text;

  public Secret(String text) {
    this.text = text;
  }

  /** The text itself, for the one place that must send it. */
  public String reveal() {
    return text;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Secret that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return "***";
  }
}
