package dev.onejob.attempt;

import dev.onejob.flow.LedgerActivity;
import dev.onejob.job.JobFailure;
import dev.onejob.job.JobView;
import dev.onejob.store.AttemptLedger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The workflow's entries in the ledger. */
public final class LedgerKeeper implements LedgerActivity {

  private static final Logger log = LoggerFactory.getLogger(LedgerKeeper.class);

  private final AttemptLedger ledger;
  private final Consumer<String> reached;

  /**
   * @param reached told each job id whose workflow has read the ledger
   */
  public LedgerKeeper(AttemptLedger ledger, Consumer<String> reached) {
    this.ledger = ledger;
    this.reached = reached;
  }

  @Override
  public JobView read(String jobId) {
    JobView job = ledger.read(jobId);
    reached.accept(jobId);
    return job;
  }

  @Override
  public JobView lost(String jobId, int attempt) {
    return ledger.lost(jobId, attempt, AttemptRunner.WORKER_LOST);
  }

  @Override
  public JobView release(String jobId, int attempt) {
    log.warn("{} attempt {} is released by policy: silence", jobId, attempt);
    return ledger.releaseByPolicy(jobId, attempt, "releaseAfterSilence");
  }

  @Override
  public JobView giveUp(String jobId, JobFailure failure) {
    log.warn("{} failed: {}", jobId, failure.slug());
    JobView job = ledger.giveUp(jobId, failure);
    reached.accept(jobId);
    return job;
  }
}
