package dev.onejob.provider.httpjson;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends an exchange whose connection does not come to stand. The client's own connect timeout knows
 * TCP alone: a TLS handshake that hangs would last as long as the whole exchange may.
 */
final class ConnectWatch {

  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private ConnectWatch() {}

  static Future<?> after(Duration delay, Runnable action) {
    return TIMER.schedule(action, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("provider-connect-watch").factory());
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }
}
