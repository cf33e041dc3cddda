package dev.onejob.job;

import org.jspecify.annotations.Nullable;

/**
 * One attempt as the ledger had it when it was read. Times are durations relative to that reading,
 * by the database's clock, so that no two clocks have to agree.
 *
 * @param agoMillis since it finished, or since it started while it has not
 * @param retryInMillis how long the provider asked to wait; null when it did not ask
 */
public record AttemptView(
    int number,
    String provider,
    AttemptState state,
    @Nullable String why,
    @Nullable Boolean retryable,
    long agoMillis,
    @Nullable Long retryInMillis) {}
