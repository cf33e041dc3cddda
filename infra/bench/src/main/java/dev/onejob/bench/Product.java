package dev.onejob.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The running product, over HTTP. */
final class Product implements AutoCloseable {

  private static final JsonMapper MAPPER = new JsonMapper();

  private final Settings settings;
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  Product(Settings settings) {
    this.settings = settings;
  }

  /** Submits a job; returns its id. */
  String submit(String key) {
    JsonNode job =
        send(
            request("/v1/jobs")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"operation\":\"print-document\",\"input\":{\"document\":\"bench\"}}")),
            201);
    return job.get("id").asString();
  }

  /** Waits until the job has succeeded. */
  void await(String jobId) {
    while (true) {
      JsonNode job = send(request("/v1/jobs/" + jobId + "?wait=60s").GET(), 200);
      String state = job.get("state").asString();
      if (state.equals("SUCCEEDED")) {
        return;
      }
      if (state.equals("FAILED") || state.equals("UNKNOWN") || state.equals("CANCELLED")) {
        throw new IllegalStateException(jobId + " is " + state);
      }
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(settings.url() + path))
        .timeout(Duration.ofSeconds(90))
        .header("Authorization", "Bearer " + settings.key());
  }

  private JsonNode send(HttpRequest.Builder request, int expected) {
    try {
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != expected) {
        throw new IllegalStateException("HTTP " + response.statusCode() + ": " + response.body());
      }
      return MAPPER.readTree(response.body());
    } catch (IOException failed) {
      throw new IllegalStateException(settings.url() + " is not reachable", failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
