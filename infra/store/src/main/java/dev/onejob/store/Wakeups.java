package dev.onejob.store;

import static dev.onejob.store.db.Tables.WAKEUPS;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The outbox: what the workflows have yet to be told. A wakeup is committed with what it tells of,
 * leased by a waker that pokes the workflow, and removed by the workflow's own next reading of the
 * ledger; until then it comes back.
 */
public final class Wakeups {

  private static final String CHANNEL = "onejob_wakeups";

  private final Database database;

  public Wakeups(Database database) {
    this.database = database;
  }

  /**
   * A wakeup that is leased to the caller.
   *
   * @param fresh whether the job has no attempt yet: its workflow may not exist
   * @param closed whether the job is closed: a workflow that still runs is to be told, none is to
   *     be started
   * @param provider the provider that the owner named, or null
   */
  public record Leased(
      String jobId,
      String ownerId,
      String operation,
      @Nullable String provider,
      boolean failover,
      int priority,
      boolean fresh,
      boolean closed,
      int tries) {}

  /**
   * Leases at most {@code limit} due wakeups: owners in turn, each owner's by priority, then by
   * age. What is not removed within the lease is due again.
   */
  public List<Leased> take(int limit, Duration lease) {
    return database
        .dsl()
        .fetch(
            """
            WITH RECURSIVE owner (id) AS (
              (SELECT owner_id FROM wakeups ORDER BY owner_id LIMIT 1)
              UNION ALL
              SELECT (SELECT w.owner_id FROM wakeups w WHERE w.owner_id > owner.id ORDER BY w.owner_id LIMIT 1)
                FROM owner WHERE owner.id IS NOT NULL),
            due AS (
              SELECT w.job_id, w.priority, w.due_at,
                     row_number() OVER (PARTITION BY w.owner_id ORDER BY w.priority, w.due_at) AS turn
                FROM owner CROSS JOIN LATERAL (
                  SELECT * FROM wakeups mine WHERE mine.owner_id = owner.id AND mine.due_at <= now()
                   ORDER BY mine.priority, mine.due_at LIMIT {0}) w),
            chosen AS (
              SELECT w.job_id FROM wakeups w JOIN due USING (job_id)
               WHERE w.due_at <= now()
               ORDER BY due.turn, w.priority, w.due_at LIMIT {0}
                 FOR UPDATE OF w SKIP LOCKED),
            leased AS (
              UPDATE wakeups w SET due_at = now() + {1} * (1 << least(w.tries, 5)) * interval '1 millisecond', tries = w.tries + 1
                FROM chosen WHERE w.job_id = chosen.job_id
              RETURNING w.job_id, w.tries)
            SELECT j.id, j.owner_id, j.operation, j.provider, j.failover, j.priority, j.outcome IS NOT NULL AS closed,
                   NOT EXISTS (SELECT FROM attempts a WHERE a.job_id = j.id) AS fresh, leased.tries
              FROM leased JOIN jobs j ON j.id = leased.job_id
            """,
            Sql.val(limit), Sql.val(lease.toMillis()))
        .map(
            row ->
                new Leased(
                    row.get("id", String.class),
                    row.get("owner_id", String.class),
                    row.get("operation", String.class),
                    row.get("provider", String.class),
                    row.get("failover", Boolean.class),
                    row.get("priority", Integer.class),
                    row.get("fresh", Boolean.class),
                    row.get("closed", Boolean.class),
                    row.get("tries", Integer.class)));
  }

  /** The engine could not be told: due again after {@code delay}. */
  public void postpone(Collection<String> jobIds, Duration delay) {
    database
        .dsl()
        .update(WAKEUPS)
        .set(
            WAKEUPS.DUE_AT,
            DSL.field(
                "now() + {0} * interval '1 millisecond'",
                SQLDataType.TIMESTAMPWITHTIMEZONE, Sql.val(delay.toMillis())))
        .where(WAKEUPS.JOB_ID.in(jobIds))
        .execute();
  }

  /** The job is closed and no workflow of it runs: there is nobody to tell. */
  public void forget(String jobId) {
    database.dsl().deleteFrom(WAKEUPS).where(WAKEUPS.JOB_ID.eq(jobId)).execute();
  }

  /** Those of the given jobs whose wakeup has not been removed yet. */
  public List<String> pending(Collection<String> jobIds) {
    return database
        .dsl()
        .select(WAKEUPS.JOB_ID)
        .from(WAKEUPS)
        .where(WAKEUPS.JOB_ID.eq(DSL.any(jobIds.toArray(String[]::new))))
        .fetch(WAKEUPS.JOB_ID);
  }

  /**
   * Tells wakers in other processes that something may be due. Losing it costs one poll interval,
   * nothing else.
   */
  public void announce() {
    database.dsl().execute("NOTIFY " + CHANNEL);
  }

  /** A connection of its own that hears what {@link #announce} tells. */
  public Listener listen() throws SQLException {
    Connection connection = database.connection();
    try (Statement statement = connection.createStatement()) {
      statement.execute("LISTEN " + CHANNEL);
    } catch (SQLException failed) {
      connection.close();
      throw failed;
    }
    return new Listener(connection);
  }

  /** Hears announcements until it is closed. */
  public static final class Listener implements AutoCloseable {
    private final Connection connection;

    private Listener(Connection connection) {
      this.connection = connection;
    }

    /** Waits for an announcement, at most {@code timeout}. */
    public boolean await(Duration timeout) throws SQLException {
      var heard =
          connection
              .unwrap(PGConnection.class)
              .getNotifications(Math.max(1, Math.toIntExact(timeout.toMillis())));
      return heard != null && heard.length > 0;
    }

    @Override
    public void close() throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute("UNLISTEN *");
      } finally {
        connection.close();
      }
    }
  }

  /**
   * Written together with what the workflow has to learn. A wakeup that is there already is due
   * again at once.
   */
  static void add(LockedJob job) {
    job.tx
        .insertInto(WAKEUPS)
        .set(WAKEUPS.JOB_ID, job.id)
        .set(WAKEUPS.OWNER_ID, job.ownerId)
        .set(WAKEUPS.PRIORITY, job.priority)
        .onConflict(WAKEUPS.JOB_ID)
        .doUpdate()
        .set(WAKEUPS.DUE_AT, DSL.field("now()", WAKEUPS.DUE_AT.getDataType()))
        .set(WAKEUPS.TRIES, 0)
        .execute();
  }

  static void remove(LockedJob job) {
    job.tx.deleteFrom(WAKEUPS).where(WAKEUPS.JOB_ID.eq(job.id)).execute();
  }
}
