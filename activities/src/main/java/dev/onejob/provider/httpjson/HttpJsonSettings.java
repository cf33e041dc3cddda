package dev.onejob.provider.httpjson;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Secret;
import dev.onejob.provider.Timeouts;
import java.util.Map;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * One {@code http-json} provider as configured.
 *
 * @param url base URL and path together
 * @param method POST, PUT or PATCH
 * @param headers every fixed header of a request, authorization included
 * @param statuses what differs from {@link StatusTable}'s own rows
 */
public record HttpJsonSettings(
    String name,
    @Nullable String model,
    HttpUrl url,
    String method,
    ContentType contentType,
    Map<String, Secret> headers,
    AnswerPaths answer,
    Map<Integer, StatusWord> statuses,
    Capabilities capabilities,
    Timeouts timeouts) {

  public HttpJsonSettings {
    headers = Map.copyOf(headers);
    statuses = Map.copyOf(statuses);
  }
}
