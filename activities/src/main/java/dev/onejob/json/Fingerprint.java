package dev.onejob.json;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What makes two submissions the same intent (semantics.md §2.5). */
public final class Fingerprint {
  private Fingerprint() {}

  /**
   * 32 bytes. Every option counts; the caller has filled in the defaults, so that an absent option
   * equals its default spelled out, and gives instants as {@code Instant.toString()} has them.
   */
  public static byte[] of(
      String operation, @Nullable String provider, JsonNode input, ObjectNode options) {
    ObjectNode intent = JsonNodeFactory.instance.objectNode();
    intent.put("operation", operation);
    if (provider != null) {
      intent.put("provider", provider);
    }
    intent.set("input", input);
    intent.set("options", options);
    // The prefix lets the form change without an old fingerprint ever meaning something new.
    String framed = "onejob-intent-v1\n" + CanonicalJson.of(intent);
    try {
      return MessageDigest.getInstance("SHA-256").digest(framed.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
