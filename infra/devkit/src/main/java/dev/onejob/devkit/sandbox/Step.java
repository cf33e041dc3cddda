package dev.onejob.devkit.sandbox;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One thing that a scripted provider does with a request. */
sealed interface Step {

  /** Steps of which a script has at most one: they decide what arrives at the client. */
  sealed interface Ending extends Step {}

  record Delay(Duration time) implements Step {}

  /** Waits, without a limit, until the gate is opened. */
  record Gate(String name) implements Step {}

  /** The side effect happens and is counted. */
  record Execute() implements Step {}

  /** This request is not compared with earlier ones of the same key. */
  record NoDedup() implements Step {}

  /** Calls back in the background, so many times, after the given time. */
  record Callback(Duration after, int times) implements Step {}

  /** Calls back and goes on only when the callback was answered. */
  record CallbackBeforeAnswer() implements Step {}

  /** The normal answer, or another status, further headers, or an exact body. */
  record Answer(int status, Map<String, String> headers, @Nullable String body) implements Ending {
    static final Answer NORMAL = new Answer(200, Map.of(), null);
  }

  /** 202 with a reference; a later {@code execute} or callback finishes the work. */
  record Accept() implements Ending {}

  /** Never answers; ends when the client leaves. */
  record Hang() implements Ending {}

  /** Closes the connection. */
  record Drop() implements Ending {}

  /** Resets the connection (TCP RST). */
  record Reset() implements Ending {}

  /** Sends so many bytes of a body that was declared longer, then closes. */
  record Truncate(int bytes) implements Ending {}

  /** The normal answer, one byte of the body at a time. */
  record Trickle(Duration perByte) implements Ending {}

  /** 200 with a body that claims to be JSON and is not. */
  record Garbage() implements Ending {}
}
