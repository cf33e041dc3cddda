package dev.onejob.provider.httpjson;

import dev.onejob.provider.Timeouts;
import java.net.Proxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import okhttp3.Authenticator;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.CookieJar;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;

/**
 * The HTTP client, set so that no request is ever sent twice. OkHttp by itself would resend on 408,
 * 307, 503 with {@code Retry-After: 0}, a pooled connection that died, and some HTTP/2 resets;
 * every line here closes one of these ways, and {@link OneShotBody} the last one.
 */
final class OneShotClient {

  static final OkHttpClient BASE =
      new OkHttpClient.Builder()
          .retryOnConnectionFailure(false)
          .followRedirects(false)
          .followSslRedirects(false)
          .authenticator(Authenticator.NONE)
          .proxyAuthenticator(Authenticator.NONE)
          // A proxy's own 502 or 503 would speak in the provider's name.
          .proxy(Proxy.NO_PROXY)
          .cookieJar(CookieJar.NO_COOKIES)
          .cache(null)
          // No idle connection is kept: a stale one fails as ambiguous although the provider saw
          // nothing, and ambiguous costs a person's time.
          .connectionPool(new ConnectionPool(0, 1, TimeUnit.NANOSECONDS))
          // Addresses are tried in turn on the calling thread, not on threads of the client's own.
          .fastFallback(false)
          // One deadline spans the whole exchange; a pause between two bytes means nothing.
          .readTimeout(Duration.ZERO)
          .writeTimeout(Duration.ZERO)
          .pingInterval(Duration.ZERO)
          .eventListenerFactory(OneShotClient::listener)
          .build();

  private OneShotClient() {}

  static OkHttpClient of(OkHttpClient base, Timeouts timeouts) {
    return base.newBuilder()
        .connectTimeout(timeouts.connect())
        .callTimeout(timeouts.total())
        .build();
  }

  private static EventListener listener(Call call) {
    HttpExchange exchange = call.request().tag(HttpExchange.class);
    return exchange == null ? EventListener.NONE : new SentListener(exchange);
  }

  /** Tells the exchange when its request begins to leave. */
  private static final class SentListener extends EventListener {

    private final HttpExchange exchange;

    SentListener(HttpExchange exchange) {
      this.exchange = exchange;
    }

    @Override
    public void requestHeadersStart(Call call) {
      exchange.markSent();
    }
  }
}
