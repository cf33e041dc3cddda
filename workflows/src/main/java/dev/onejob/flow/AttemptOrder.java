package dev.onejob.flow;

/** The order to try a job once: by id, number and provider's name. */
public record AttemptOrder(String jobId, int number, String provider, boolean unproven) {}
