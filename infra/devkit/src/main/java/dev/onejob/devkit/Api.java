package dev.onejob.devkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** A small HTTP client for tests: sends what it is told, follows and repeats nothing. */
public final class Api {

  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(64 * 1024 * 1024).build())
                  .build())
          .build();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();

  /**
   * What came back.
   *
   * @param body a missing node if the answer is not JSON
   */
  public record Answer(int status, HttpHeaders headers, JsonNode body, String text) {
    public @Nullable String header(String name) {
      return headers.firstValue(name).orElse(null);
    }
  }

  private final String url;
  private final @Nullable String key;

  /**
   * A client of one server.
   *
   * @param key sent as bearer token, if there is one
   */
  public Api(String url, @Nullable String key) {
    this.url = url;
    this.key = key;
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, HttpRequest.BodyPublishers.noBody(), headers);
  }

  public Answer delete(String path, String... headers) {
    return send("DELETE", path, HttpRequest.BodyPublishers.noBody(), headers);
  }

  /**
   * Text, as JSON unless a header says otherwise.
   *
   * @param headers names and values in turn
   */
  public Answer post(String path, String body, String... headers) {
    return send("POST", path, HttpRequest.BodyPublishers.ofString(body), headers);
  }

  /** Bytes as they are: also what is not UTF-8. */
  public Answer post(String path, byte[] body, String... headers) {
    return send("POST", path, HttpRequest.BodyPublishers.ofByteArray(body), headers);
  }

  public Answer put(String path, String body, String... headers) {
    return send("PUT", path, HttpRequest.BodyPublishers.ofString(body), headers);
  }

  private Answer send(
      String method, String path, HttpRequest.BodyPublisher body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path)).timeout(TIMEOUT).method(method, body);
    boolean typed = false;
    for (int i = 0; i + 1 < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
      typed |= headers[i].equalsIgnoreCase("Content-Type");
    }
    if (!typed && body.contentLength() != 0) {
      request.header("Content-Type", "application/json");
    }
    if (key != null) {
      request.header("Authorization", "Bearer " + key);
    }
    try {
      HttpResponse<String> response =
          CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(
          response.statusCode(), response.headers(), json(response.body()), response.body());
    } catch (IOException failed) {
      throw new UncheckedIOException(method + " " + path, failed);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stop);
    }
  }

  private static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException notJson) {
      return MissingNode.getInstance();
    }
  }
}
