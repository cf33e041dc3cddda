package dev.onejob.devkit.sandbox;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request as the ledger tells it.
 *
 * @param n place in the order of arrival, from 1
 * @param key the {@code Idempotency-Key}, if one came
 * @param job the key up to its first slash
 * @param executed this request caused the side effect
 * @param deduplicated its key had been executed before
 * @param answered the status that was sent, or {@code hang}, {@code dropped}, {@code reset}, {@code
 *     truncated}, {@code client-left}; null while it is being played
 * @param clientLeft the client closed the connection before it had an answer
 */
public record Received(
    long n,
    String provider,
    @Nullable String key,
    @Nullable String job,
    Instant at,
    String bodySha256,
    boolean executed,
    boolean deduplicated,
    @Nullable String answered,
    boolean clientLeft) {}
