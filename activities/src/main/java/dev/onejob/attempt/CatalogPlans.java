package dev.onejob.attempt;

import dev.onejob.contract.Catalog;
import dev.onejob.contract.Operation;
import dev.onejob.job.Failover;
import dev.onejob.job.JobPlan;
import dev.onejob.store.Wakeups;
import dev.onejob.wake.Plans;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Plans as the configuration says: the intended provider first, then the operation's others in
 * order.
 */
public final class CatalogPlans implements Plans {

  private final Catalog catalog;

  public CatalogPlans(Catalog catalog) {
    this.catalog = catalog;
  }

  @Override
  public Optional<JobPlan> of(Wakeups.Leased job) {
    return catalog.operation(job.operation()).map(operation -> plan(operation, job));
  }

  private JobPlan plan(Operation operation, Wakeups.Leased job) {
    SequencedSet<String> route = new LinkedHashSet<>(operation.route());
    if (job.provider() != null) {
      route.addFirst(job.provider());
    }
    Duration silence = operation.releaseAfterSilence();
    return new JobPlan(
        operation.name(),
        List.copyOf(route),
        job.failover() ? operation.failover() : Failover.NEVER,
        operation.attempts().max(),
        operation.attempts().backoffMin().toMillis(),
        operation.attempts().backoffMax().toMillis(),
        operation.attempts().heartbeat().toMillis(),
        callMillisMax(operation, route),
        silence == null ? null : silence.toMillis());
  }

  private long callMillisMax(Operation operation, SequencedSet<String> route) {
    return route.stream()
        .flatMap(name -> catalog.provider(name).stream())
        .mapToLong(provider -> CatalogTargets.believedFor(operation, provider).toMillis())
        .max()
        .orElse(1);
  }
}
