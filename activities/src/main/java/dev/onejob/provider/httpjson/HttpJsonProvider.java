package dev.onejob.provider.httpjson;

import dev.onejob.provider.Capabilities;
import dev.onejob.provider.Exchange;
import dev.onejob.provider.Outbound;
import dev.onejob.provider.Provider;
import dev.onejob.provider.Timeouts;
import java.time.Clock;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/** A provider that takes one request and answers it at once, in JSON, over HTTP. */
public final class HttpJsonProvider implements Provider {

  private final HttpJsonSettings settings;
  private final OkHttpClient client;
  private final AnswerReader answers;

  public HttpJsonProvider(HttpJsonSettings settings, Clock clock) {
    this(settings, clock, OneShotClient.BASE);
  }

  HttpJsonProvider(HttpJsonSettings settings, Clock clock, OkHttpClient base) {
    this.settings = settings;
    this.client = OneShotClient.of(base, settings.timeouts());
    this.answers =
        new AnswerReader(
            settings.answer(), new StatusTable(settings.statuses(), clock), settings.model());
  }

  @Override
  public String name() {
    return settings.name();
  }

  @Override
  public @Nullable String model() {
    return settings.model();
  }

  @Override
  public Capabilities capabilities() {
    return settings.capabilities();
  }

  @Override
  public Timeouts timeouts() {
    return settings.timeouts();
  }

  @Override
  public Exchange prepare(Outbound outbound) {
    return new HttpExchange(client, settings, answers, outbound);
  }

  @Override
  public String toString() {
    return "HttpJsonProvider[" + settings.name() + "]";
  }
}
