package dev.onejob.provider;

import org.jspecify.annotations.Nullable;

/** Somebody who can realise a job. Thread-safe; one instance serves any number of attempts. */
public interface Provider {

  /** The name in the configuration, in routes and in results. */
  String name();

  /** The model behind it, recorded with every attempt; null where that means nothing. */
  @Nullable String model();

  Capabilities capabilities();

  Timeouts timeouts();

  /**
   * Makes one exchange ready. Never blocks, never throws for what the request holds: a request that
   * cannot be written ends as {@link Finish.NotSent} when it is run.
   */
  Exchange prepare(Outbound outbound);
}
