package dev.onejob.provider.httpjson;

import dev.onejob.provider.Capabilities.Idempotency;
import dev.onejob.provider.Exchange;
import dev.onejob.provider.Finish;
import dev.onejob.provider.Outbound;
import dev.onejob.provider.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** One request over HTTP. */
final class HttpExchange implements Exchange {

  private final OkHttpClient client;
  private final HttpJsonSettings settings;
  private final AnswerReader answers;
  private final Outbound outbound;
  private final AtomicBoolean started = new AtomicBoolean();

  private volatile boolean sent;
  private volatile boolean aborted;
  private volatile boolean connectingTooLong;
  private volatile @Nullable String reference;
  private volatile @Nullable Call call;

  HttpExchange(
      OkHttpClient client, HttpJsonSettings settings, AnswerReader answers, Outbound outbound) {
    this.client = client;
    this.settings = settings;
    this.answers = answers;
    this.outbound = outbound;
  }

  @Override
  public Finish run() {
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("an exchange is good for one request");
    }
    OneShotBody body;
    try {
      body = new OneShotBody(bodyBytes(), settings.contentType().mediaType());
    } catch (FormBody.NotFlat e) {
      return new Finish.NotSent("FORM_NOT_FLAT");
    }
    Call ready = client.newCall(request(body));
    call = ready;
    // Read after the call is published, as abort() writes before it looks: one of both sees the
    // other.
    if (aborted || Thread.currentThread().isInterrupted()) {
      return new Finish.NotSent("ABORTED");
    }
    Future<?> watch = ConnectWatch.after(settings.timeouts().connect(), this::giveUpConnecting);
    try (Response response = ready.execute()) {
      Finish finish = answers.read(response, found -> reference = found, this::whyLost);
      ready.cancel();
      return finish;
    } catch (IOException e) {
      return lost(FailureWords.beforeAnswer(e), e);
    } catch (RuntimeException e) {
      // A client that breaks must not decide what happened at the provider.
      return lost("CLIENT_ERROR", e);
    } finally {
      watch.cancel(false);
    }
  }

  @Override
  public boolean sent() {
    return sent;
  }

  @Override
  public @Nullable String reference() {
    return reference;
  }

  @Override
  public void abort() {
    aborted = true;
    cancel();
  }

  /** Called by the client right before the first byte of the request is written. */
  void markSent() {
    sent = true;
  }

  private void giveUpConnecting() {
    if (!sent) {
      connectingTooLong = true;
      cancel();
    }
  }

  private void cancel() {
    Call running = call;
    if (running != null) {
      running.cancel();
    }
  }

  private Finish lost(String why, Exception e) {
    if (!sent) {
      return new Finish.NotSent(
          interrupted() ? "ABORTED" : connectingTooLong ? "CONNECT_TIMEOUT" : whyNotSent(why, e));
    }
    return new Finish.Unclear(interrupted() ? "ABORTED" : why);
  }

  private static String whyNotSent(String why, Exception e) {
    return e instanceof IOException io ? FailureWords.beforeRequest(io) : why;
  }

  /** Why a body that had begun did not end. */
  private String whyLost(IOException e) {
    return interrupted() ? "ABORTED" : FailureWords.insideBody(e);
  }

  private boolean interrupted() {
    return aborted || Thread.currentThread().isInterrupted();
  }

  private byte[] bodyBytes() throws FormBody.NotFlat {
    return switch (settings.contentType()) {
      case JSON -> outbound.body().getBytes(StandardCharsets.UTF_8);
      case FORM -> FormBody.encode(outbound.body()).getBytes(StandardCharsets.US_ASCII);
    };
  }

  private Request request(OneShotBody body) {
    Request.Builder request =
        new Request.Builder()
            .url(settings.url())
            .method(settings.method(), body)
            .tag(HttpExchange.class, this)
            .header("Accept", "application/json")
            // Compressed answers would hide their length, and with it a truncation.
            .header("Accept-Encoding", "identity")
            .header("User-Agent", "onejob");
    for (Map.Entry<String, Secret> header : settings.headers().entrySet()) {
      request.header(header.getKey(), header.getValue().reveal());
    }
    Idempotency idempotency = settings.capabilities().idempotency();
    String key = outbound.key();
    if (idempotency != null && key != null) {
      request.header(idempotency.header(), key);
    }
    return request.build();
  }
}
