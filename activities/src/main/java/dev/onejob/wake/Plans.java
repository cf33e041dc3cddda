package dev.onejob.wake;

import dev.onejob.job.JobPlan;
import dev.onejob.store.Wakeups;
import java.util.Optional;

/** What a job's operation allows, by the configuration of this process. */
@FunctionalInterface
public interface Plans {

  /** Empty when the configuration has no such operation (any more). */
  Optional<JobPlan> of(Wakeups.Leased job);
}
