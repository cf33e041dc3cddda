package dev.onejob.attempt;

import dev.onejob.provider.Provider;
import java.time.Duration;

/**
 * A provider, as one operation uses it.
 *
 * @param call after this long without an answer the attempt is UNKNOWN
 * @param heartbeat how often, at the least, the engine must hear from a running attempt
 * @param render turns a job's input into the body of the request
 */
public record Target(Provider provider, Duration call, Duration heartbeat, Render render) {

  /** Turns the exact text of an input into the exact text of a request body. */
  @FunctionalInterface
  public interface Render {
    /**
     * @throws NotRenderable when the template names what the input does not hold; nothing is sent
     *     then
     */
    String body(String input);
  }

  /** The input cannot be turned into a request. */
  public static final class NotRenderable extends RuntimeException {
    public NotRenderable(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
