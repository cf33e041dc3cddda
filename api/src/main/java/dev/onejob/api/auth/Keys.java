package dev.onejob.api.auth;

import dev.onejob.store.ApiKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * API keys by their hash, remembered for a few seconds so that not every request asks the database.
 */
public final class Keys {

  private static final Duration REMEMBERED = Duration.ofSeconds(10);
  private static final int REMEMBERED_MAX = 10_000;

  private final ApiKeys store;
  private final Map<ByteBuffer, Known> known = new ConcurrentHashMap<>();

  private record Known(Optional<ApiKeys.Principal> principal, long until) {}

  public Keys(ApiKeys store) {
    this.store = store;
  }

  /** Registers a key that was given to this process; only its hash is stored. */
  public void register(@Nullable String key, String name, String ownerId, Set<String> roles) {
    if (key != null && !key.isBlank()) {
      store.register(sha256(key), new ApiKeys.Principal(name, ownerId, roles));
    }
  }

  Optional<ApiKeys.Principal> find(String key) {
    ByteBuffer hash = ByteBuffer.wrap(sha256(key));
    Known remembered = known.get(hash);
    if (remembered != null && remembered.until() - System.nanoTime() > 0) {
      return remembered.principal();
    }
    Optional<ApiKeys.Principal> principal = store.find(hash.array());
    if (known.size() >= REMEMBERED_MAX) {
      known.clear();
    }
    known.put(hash, new Known(principal, System.nanoTime() + REMEMBERED.toNanos()));
    return principal;
  }

  private static byte[] sha256(String key) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
