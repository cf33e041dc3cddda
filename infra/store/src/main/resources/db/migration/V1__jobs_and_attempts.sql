-- The record of every intent, every try at it, and the one result.
-- What must never break is a constraint, a partial unique index or a trigger here; the code repeats it, never the
-- other way round. Lock order of every writer: the job's row first, then its attempts.

CREATE TABLE jobs (
  id              text        NOT NULL PRIMARY KEY CHECK (id ~ '^job_[0-9A-HJKMNP-TV-Z]{26}$'),
  owner_id        text        NOT NULL CHECK (owner_id <> ''),
  idempotency_key text        NOT NULL CHECK (idempotency_key ~ '^[!-~]{1,255}$'),
  operation       text        NOT NULL,
  provider        text,
  fingerprint     bytea       NOT NULL CHECK (octet_length(fingerprint) = 32),
  input           text        NOT NULL,
  failover        boolean     NOT NULL,
  priority        smallint    NOT NULL CHECK (priority BETWEEN 1 AND 5),
  notify          text,
  created_at      timestamptz NOT NULL DEFAULT now(),
  deadline_at     timestamptz NOT NULL,
  version         integer     NOT NULL DEFAULT 1,
  outcome         text        CHECK (outcome IN ('SUCCEEDED', 'FAILED', 'CANCELLED')),
  result          text,
  failure         text,
  completed_by    integer,
  completed_at    timestamptz,
  CONSTRAINT one_job_per_key UNIQUE (owner_id, idempotency_key),
  CONSTRAINT changes_once_when_it_closes CHECK (version = CASE WHEN outcome IS NULL THEN 1 ELSE 2 END),
  CONSTRAINT closed_has_a_time CHECK ((completed_at IS NULL) = (outcome IS NULL)),
  CONSTRAINT success_has_a_winner CHECK ((completed_by IS NOT NULL) = (outcome IS NOT DISTINCT FROM 'SUCCEEDED')),
  CONSTRAINT success_has_a_result CHECK ((result IS NOT NULL) = (outcome IS NOT DISTINCT FROM 'SUCCEEDED')),
  CONSTRAINT failure_has_a_reason CHECK ((failure IS NOT NULL) = (outcome IS NOT DISTINCT FROM 'FAILED'))
);

CREATE TABLE attempts (
  job_id           text        NOT NULL REFERENCES jobs (id),
  number           integer     NOT NULL CHECK (number >= 1),
  provider         text        NOT NULL,
  model            text,
  unproven         boolean     NOT NULL,
  epoch            integer     NOT NULL CHECK (epoch >= 0),
  -- the one process that may send: a fence whose commit got no answer is recognised by it
  sender           uuid        NOT NULL,
  observed_version integer     NOT NULL,
  state            text        NOT NULL CHECK (state IN ('STARTED', 'UNKNOWN', 'SUCCEEDED', 'FAILED', 'RELEASED', 'LATE')),
  why              text,
  retryable        boolean,
  retry_at         timestamptz,
  provider_ref     text,
  cost             numeric,
  answer_sha256    bytea       CHECK (octet_length(answer_sha256) = 32),
  answer_bytes     bigint      CHECK (answer_bytes >= 0),
  started_at       timestamptz NOT NULL DEFAULT now(),
  unknown_at       timestamptz,
  finished_at      timestamptz,
  revision         integer     NOT NULL DEFAULT 1 CHECK (revision >= 1),
  PRIMARY KEY (job_id, number),
  CONSTRAINT finished_has_a_time
    CHECK ((finished_at IS NOT NULL) = (state IN ('SUCCEEDED', 'FAILED', 'LATE'))),
  CONSTRAINT doubt_has_a_time_and_a_reason
    CHECK (state NOT IN ('UNKNOWN', 'RELEASED') OR (unknown_at IS NOT NULL AND why IS NOT NULL)),
  CONSTRAINT failure_says_why_and_whether_to_try_again
    CHECK (state <> 'FAILED' OR (why IS NOT NULL AND retryable IS NOT NULL))
);

CREATE UNIQUE INDEX one_unresolved_attempt ON attempts (job_id) WHERE state IN ('STARTED', 'UNKNOWN');
CREATE UNIQUE INDEX one_winner ON attempts (job_id) WHERE state = 'SUCCEEDED';

ALTER TABLE jobs ADD CONSTRAINT the_winner_is_an_attempt
  FOREIGN KEY (id, completed_by) REFERENCES attempts (job_id, number);

CREATE TABLE late_arrivals (
  id             bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id         text        NOT NULL,
  attempt        integer     NOT NULL,
  -- LATE: it lost the race; CONTRADICTION: a person had said it never happened
  kind           text        NOT NULL CHECK (kind IN ('LATE', 'CONTRADICTION')),
  arrived_at     timestamptz NOT NULL DEFAULT now(),
  job_outcome    text,
  won_by         integer,
  behind_millis  bigint,
  payload_sha256 bytea       NOT NULL CHECK (octet_length(payload_sha256) = 32),
  payload_bytes  bigint      NOT NULL CHECK (payload_bytes >= 0),
  cost           numeric,
  CONSTRAINT an_attempt_arrives_late_once UNIQUE (job_id, attempt, kind),
  FOREIGN KEY (job_id, attempt) REFERENCES attempts (job_id, number),
  FOREIGN KEY (job_id, won_by) REFERENCES attempts (job_id, number),
  CONSTRAINT a_race_needs_a_winner CHECK (kind <> 'LATE' OR job_outcome IS NOT NULL)
);

CREATE TABLE audit (
  id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at       timestamptz NOT NULL DEFAULT now(),
  job_id   text        NOT NULL REFERENCES jobs (id),
  attempt  integer,
  event    text        NOT NULL CHECK (event IN ('RESOLVED', 'RELEASED', 'CONTRADICTED', 'ATTEMPT_REQUESTED')),
  actor    text        NOT NULL CHECK (actor <> ''),
  -- a name that proves nothing (Temporal UI and CLI carry no identity) is kept as claimed
  claimed  boolean     NOT NULL DEFAULT false,
  route    text        NOT NULL CHECK (route IN ('HTTP', 'TEMPORAL', 'POLICY', 'PROVIDER')),
  verdict  text        CHECK (verdict IN ('NOT_EXECUTED', 'EXECUTED', 'ACCEPT_DUPLICATE_RISK')),
  reason   text,
  evidence text,
  CONSTRAINT a_resolution_has_a_verdict_and_a_reason
    CHECK (event <> 'RESOLVED' OR (verdict IS NOT NULL AND reason <> ''))
);
CREATE INDEX audit_of_a_job ON audit (job_id, id);

-- Another attempt was asked for; the fence of the next attempt takes it.
CREATE TABLE attempt_requests (
  job_id       text        NOT NULL PRIMARY KEY REFERENCES jobs (id),
  provider     text,
  requested_by text        NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now()
);

-- The outbox: what a job's workflow has yet to be told. A row is due when due_at has come; a lease moves due_at into
-- the future; the workflow's own next reading of the ledger removes the row.
CREATE TABLE wakeups (
  job_id     text        NOT NULL PRIMARY KEY REFERENCES jobs (id),
  owner_id   text        NOT NULL,
  priority   smallint    NOT NULL,
  due_at     timestamptz NOT NULL DEFAULT now(),
  tries      integer     NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX wakeups_by_owner ON wakeups (owner_id, priority, due_at);

CREATE TABLE api_keys (
  hash       bytea       NOT NULL PRIMARY KEY CHECK (octet_length(hash) = 32),
  name       text        NOT NULL,
  owner_id   text        NOT NULL CHECK (owner_id <> ''),
  roles      text[]      NOT NULL CHECK (roles <@ ARRAY ['submit', 'operate'] AND cardinality(roles) > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'check_violation', TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER an_intent_never_changes BEFORE UPDATE ON jobs FOR EACH ROW
  WHEN ((OLD.id, OLD.owner_id, OLD.idempotency_key, OLD.operation, OLD.provider, OLD.fingerprint, OLD.input,
         OLD.failover, OLD.priority, OLD.notify, OLD.created_at, OLD.deadline_at)
    IS DISTINCT FROM
        (NEW.id, NEW.owner_id, NEW.idempotency_key, NEW.operation, NEW.provider, NEW.fingerprint, NEW.input,
         NEW.failover, NEW.priority, NEW.notify, NEW.created_at, NEW.deadline_at))
  EXECUTE FUNCTION refuse('an intent never changes');

CREATE TRIGGER a_closed_job_never_changes BEFORE UPDATE ON jobs FOR EACH ROW
  WHEN (OLD.outcome IS NOT NULL)
  EXECUTE FUNCTION refuse('a closed job never changes');

CREATE TRIGGER an_attempt_keeps_its_identity BEFORE UPDATE ON attempts FOR EACH ROW
  WHEN ((OLD.job_id, OLD.number, OLD.provider, OLD.epoch, OLD.sender, OLD.observed_version, OLD.started_at)
    IS DISTINCT FROM
        (NEW.job_id, NEW.number, NEW.provider, NEW.epoch, NEW.sender, NEW.observed_version, NEW.started_at))
  EXECUTE FUNCTION refuse('an attempt keeps its identity');

-- The table of legal moves (dev.onejob.job.AttemptState); a test holds both against each other.
CREATE TRIGGER only_legal_moves BEFORE UPDATE ON attempts FOR EACH ROW
  WHEN (OLD.state <> NEW.state AND NOT (
       (OLD.state = 'STARTED'  AND NEW.state IN ('UNKNOWN', 'SUCCEEDED', 'FAILED', 'LATE'))
    OR (OLD.state = 'UNKNOWN'  AND NEW.state IN ('SUCCEEDED', 'FAILED', 'RELEASED', 'LATE'))
    OR (OLD.state = 'RELEASED' AND NEW.state IN ('SUCCEEDED', 'LATE'))))
  EXECUTE FUNCTION refuse('not a legal move of an attempt');

CREATE TRIGGER an_attempt_begins_started BEFORE INSERT ON attempts FOR EACH ROW
  WHEN (NEW.state <> 'STARTED')
  EXECUTE FUNCTION refuse('an attempt begins as STARTED');
