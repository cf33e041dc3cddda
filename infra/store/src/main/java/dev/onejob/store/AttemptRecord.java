package dev.onejob.store;

import dev.onejob.job.AttemptState;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** One attempt, as it is shown. */
public record AttemptRecord(
    int number,
    String provider,
    @Nullable String model,
    boolean unproven,
    AttemptState state,
    @Nullable String why,
    OffsetDateTime startedAt,
    @Nullable OffsetDateTime unknownAt,
    @Nullable OffsetDateTime finishedAt,
    @Nullable String providerRef,
    int revision) {}
