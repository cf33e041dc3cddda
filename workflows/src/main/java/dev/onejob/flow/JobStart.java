package dev.onejob.flow;

import dev.onejob.job.JobPlan;

/**
 * The whole input of a job's workflow: an id and a plan. What the job carries stays in PostgreSQL.
 *
 * @param searchable whether the namespace has the search attributes of {@link Names}: to upsert one
 *     that it lacks would stop the workflow
 */
public record JobStart(String jobId, JobPlan plan, boolean searchable) {}
