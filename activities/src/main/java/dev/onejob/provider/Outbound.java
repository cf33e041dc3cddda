package dev.onejob.provider;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What goes out.
 *
 * @param body JSON text, sent byte for byte where the provider takes JSON
 * @param key the provider-side idempotency key, {@code <job id>/<epoch>}; sent only where the
 *     provider declares that it deduplicates; null where there is none
 */
public record Outbound(String body, @Nullable String key) {

  /** Visible ASCII alone: anything else could not travel in a header, or would split it. */
  private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

  public Outbound {
    if (key != null && !KEY.matcher(key).matches()) {
      throw new IllegalArgumentException("key must be 1 to 255 visible ASCII characters");
    }
  }

  /** Without the body: it is the owner's. */
  @Override
  public String toString() {
    return "Outbound[key=" + key + ", body of " + body.length() + " characters]";
  }
}
