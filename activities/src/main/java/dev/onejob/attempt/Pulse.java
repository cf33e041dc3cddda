package dev.onejob.attempt;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the engine that the attempt's worker lives, and at which stage it is. */
final class Pulse {

  private static final Logger log = LoggerFactory.getLogger(Pulse.class);

  private final ActivityExecutionContext context;
  private final Duration interval;
  private boolean heard = true;

  Pulse(ActivityExecutionContext context, Duration heartbeat) {
    this.context = context;
    this.interval = heartbeat.dividedBy(4);
  }

  Duration interval() {
    return interval;
  }

  /**
   * An engine that has given the attempt up, or is stopping, is no reason to stop listening: what
   * the provider answers is entered all the same.
   */
  void beat(String stage) {
    try {
      context.heartbeat(stage);
    } catch (ActivityCompletionException givenUp) {
      if (heard) {
        log.info("{}: the engine no longer waits for this attempt; listening on", stage);
        heard = false;
      }
    }
  }
}
