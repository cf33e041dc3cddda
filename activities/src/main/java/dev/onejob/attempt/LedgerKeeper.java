package dev.onejob.attempt;

import dev.onejob.flow.LedgerActivity;
import dev.onejob.job.JobFailure;
import dev.onejob.job.JobView;
import dev.onejob.store.AttemptLedger;
import dev.onejob.wake.Progress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The workflow's entries in the ledger. */
public final class LedgerKeeper implements LedgerActivity {

  private static final Logger log = LoggerFactory.getLogger(LedgerKeeper.class);

  private final AttemptLedger ledger;
  private final Progress progress;

  public LedgerKeeper(AttemptLedger ledger, Progress progress) {
    this.ledger = ledger;
    this.progress = progress;
  }

  @Override
  public JobView read(String jobId) {
    return handed(jobId, ledger.read(jobId));
  }

  @Override
  public JobView lost(String jobId, int attempt) {
    return handed(jobId, ledger.lost(jobId, attempt, AttemptRunner.WORKER_LOST));
  }

  @Override
  public JobView release(String jobId, int attempt) {
    log.warn("{} attempt {} is released by policy: silence", jobId, attempt);
    return handed(jobId, ledger.releaseByPolicy(jobId, attempt, "releaseAfterSilence"));
  }

  private JobView handed(String jobId, JobView view) {
    progress.reached(jobId);
    progress.handed(jobId, view);
    return view;
  }

  @Override
  public JobView giveUp(String jobId, JobFailure failure) {
    log.warn("{} failed: {}", jobId, failure.slug());
    return handed(jobId, ledger.giveUp(jobId, failure));
  }
}
