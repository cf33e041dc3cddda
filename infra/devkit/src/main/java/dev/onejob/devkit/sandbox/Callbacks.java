package dev.onejob.devkit.sandbox;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Calls back, signed over the raw bytes, where the provider or the request said. */
final class Callbacks {

  record Target(String url, String secret) {}

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Map<String, Target> targets = new ConcurrentHashMap<>();
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(TIMEOUT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  void put(String provider, Target target) {
    targets.put(provider, target);
  }

  void clear(String provider) {
    targets.remove(provider);
  }

  /**
   * Tells whoever is to be told.
   *
   * @param url what the request named, stronger than the provider's own
   * @return the status, or -1 when nobody was reached or nobody is to be called
   */
  int call(String provider, @Nullable String url, byte[] body) throws InterruptedException {
    Target target = targets.get(provider);
    String to = url != null ? url : target == null ? null : target.url();
    if (to == null) {
      return -1;
    }
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(to))
              .timeout(TIMEOUT)
              .header("Content-Type", "application/json")
              .POST(HttpRequest.BodyPublishers.ofByteArray(body));
      if (target != null && !target.secret().isEmpty()) {
        request.header("X-Signature", signature(target.secret(), body));
      }
      return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    } catch (IOException | IllegalArgumentException notReached) {
      return -1;
    }
  }

  static String signature(String secret, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  void close() {
    client.shutdownNow();
  }
}
