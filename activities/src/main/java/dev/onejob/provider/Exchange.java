package dev.onejob.provider;

import org.jspecify.annotations.Nullable;

/**
 * One request and its one answer. Whatever goes wrong, the request leaves at most once: there is no
 * retry below this interface.
 */
public interface Exchange {

  /**
   * Sends the request and listens, on the calling thread, for at most {@code call + linger} ({@link
   * Timeouts#total()}). Giving up believing at {@code call} is the caller's business. Interrupting
   * the thread aborts the exchange; the interrupt flag is set again on return.
   *
   * @throws IllegalStateException when run twice: an exchange is good for one request
   */
  Finish run();

  /**
   * False while it is certain that no byte of the request left; true from the moment that cannot be
   * said any more. May be read from any thread, at any time.
   */
  boolean sent();

  /** The provider's own name for this request, as soon as it is known. */
  @Nullable String reference();

  /**
   * Hangs up, from any thread. {@link #run()} then returns {@link Finish.NotSent} or {@link
   * Finish.Unclear} within moments. Harmless before, after, and twice.
   */
  void abort();
}
