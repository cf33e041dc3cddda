package dev.onejob.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An intent, checked and fingerprinted, about to be recorded.
 *
 * @param input the exact text of the input
 * @param deadline the owner's deadline of the whole job, if given
 * @param deadlineAfter the operation's deadline, counted from acceptance; the earlier of the two
 *     holds
 * @param wakeAfter when the outbox may hand the job to any worker: zero at once; longer when this
 *     process is about to start it itself
 */
public record Submission(
    String jobId,
    String ownerId,
    String idempotencyKey,
    String operation,
    @Nullable String provider,
    byte[] fingerprint,
    String input,
    boolean failover,
    int priority,
    @Nullable String notifyUrl,
    @Nullable Instant deadline,
    Duration deadlineAfter,
    Duration wakeAfter) {}
