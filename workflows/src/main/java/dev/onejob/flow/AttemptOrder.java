package dev.onejob.flow;

/**
 * The order to try a job once.
 *
 * @param unproven whether the provider is taken without a certificate for the operation
 */
public record AttemptOrder(
    String jobId, int number, String operation, String provider, boolean unproven) {}
