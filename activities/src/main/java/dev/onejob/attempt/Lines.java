package dev.onejob.attempt;

import dev.onejob.job.JobView;
import dev.onejob.provider.Exchange;
import dev.onejob.provider.Finish;
import dev.onejob.store.AttemptLedger;
import dev.onejob.store.Finding;
import dev.onejob.store.Settlement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open lines to providers. A line outlives the activity that opened it: it listens until the
 * provider answers or the linger ends, and enters what it heard into the ledger itself.
 */
public final class Lines implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Lines.class);

  /** Why an attempt is UNKNOWN whose worker stopped in order while the line was open. */
  static final String WORKER_STOPPED = "WORKER_STOPPED";

  private final AttemptLedger ledger;
  private final Set<Line> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  public Lines(AttemptLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * One line; {@link #settled} completes with the ledger as it was after the line's finding was
   * entered.
   */
  final class Line {
    private final String jobId;
    private final int attempt;
    private final Exchange exchange;
    private final CompletableFuture<JobView> settled = new CompletableFuture<>();

    private Line(String jobId, int attempt, Exchange exchange) {
      this.jobId = jobId;
      this.attempt = attempt;
      this.exchange = exchange;
    }

    CompletableFuture<JobView> settled() {
      return settled;
    }

    private void run() {
      try {
        Finding finding = finding(exchange.run());
        Settlement settlement =
            Persistence.persist(
                "settling " + this, () -> ledger.settle(jobId, attempt, finding), () -> true);
        tell(settlement);
        settled.complete(settlement.job());
      } catch (Throwable failed) {
        log.error(
            "{}: what became of it could not be entered; the attempt stays unresolved",
            this,
            failed);
        settled.completeExceptionally(failed);
      } finally {
        open.remove(this);
      }
    }

    private Finding finding(Finish finish) {
      return switch (finish) {
        case Finish.Answered answer ->
            new Finding.Answered(
                answer.resultText(), answer.model(), answer.reference(), answer.cost());
        case Finish.Refused refused ->
            new Finding.Failed(refused.why(), refused.retryable(), refused.retryAfter());
        case Finish.NotSent notSent -> new Finding.Failed(notSent.why(), true, null);
        case Finish.Unclear unclear ->
            new Finding.Unclear(closing ? WORKER_STOPPED : unclear.why(), exchange.reference());
      };
    }

    private void tell(Settlement settlement) {
      switch (settlement) {
        case Settlement.Won won -> log.info("{} won", this);
        case Settlement.Lost lost ->
            log.warn("{} is LATE by {} ms: discarded", this, lost.behind().toMillis());
        case Settlement.Failed failed -> log.info("{} failed", this);
        case Settlement.Unclear unclear -> log.warn("{} is UNKNOWN", this);
        case Settlement.Contradicted contradicted ->
            log.error("{} contradicts what a person said of it: look at the late arrivals", this);
        case Settlement.Unchanged unchanged -> log.debug("{} was settled before", this);
      }
    }

    @Override
    public String toString() {
      return jobId + " attempt " + attempt;
    }
  }

  /** Sends, on a thread of its own. */
  Line open(String jobId, int attempt, Exchange exchange) {
    Line line = new Line(jobId, attempt, exchange);
    open.add(line);
    if (closing) {
      exchange.abort();
    }
    Thread.ofVirtual().name("line " + line).start(line::run);
    return line;
  }

  public int size() {
    return open.size();
  }

  /** Hangs up on everybody, in order: what was on its way becomes UNKNOWN, not lost. */
  @Override
  public void close() {
    closing = true;
    open.forEach(line -> line.exchange.abort());
    long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    while (!open.isEmpty() && System.nanoTime() < end) {
      try {
        Thread.sleep(10);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
