package dev.onejob.flow;

import dev.onejob.job.JobPlan;

/**
 * The whole input of a job's workflow: an id and a plan. What the job carries stays in PostgreSQL.
 */
public record JobStart(String jobId, JobPlan plan) {}
