"""The four breakpoints, live: over HTTP alone, as any client sees them, each claim checked."""

import http.client
import json
import secrets
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from launcher.say import DONE, FAILED, UNREACHABLE, Trouble

PATIENCE = 60


class _Broken(Exception):
    pass


def play(told):
    """Returns 0 only if every claim held."""
    stage = _Stage(told)
    held = 0
    scenes = (_double_click, _other_intent, _timeout, _reverse_order)
    for number, scene in enumerate(scenes, 1):
        title, _, story = scene.__doc__.partition("\n")
        print("\n%d. %s" % (number, title))
        for line in story.strip().splitlines():
            print("   " + line.strip())
        try:
            scene(stage)
            held += 1
        except _Broken as broken:
            print("   ✗ DOES NOT HOLD: %s" % broken)
        except (OSError, http.client.HTTPException) as error:
            raise Trouble("the demo lost its connection: %s (infra/onejob status tells more)" % error, UNREACHABLE)
        finally:
            stage.clean()
    print("\n%d of %d hold." % (held, len(scenes)))
    return DONE if held == len(scenes) else FAILED


class _Answer:
    def __init__(self, status, headers, body):
        self.status = status
        self.replayed = headers.get("Idempotency-Replayed") == "true"
        try:
            self.body = json.loads(body) if body else {}
        except ValueError:
            self.body = {"unreadable": body[:200].decode(errors="replace")}

    def problem(self):
        return str(self.body.get("type", "")).rpartition("/")[2] if isinstance(self.body, dict) else ""


class _Stage:
    def __init__(self, told):
        self.url, self.sandbox_url = told["ONEJOB_URL"], told["ONEJOB_SANDBOX_URL"]
        self.key, self.operator_key = told["ONEJOB_API_KEY"], told["ONEJOB_OPERATOR_KEY"]
        self.ui = told.get("ONEJOB_TEMPORAL_UI")
        self.cleaning = []

    def call(self, method, path, body=None, headers=(), key=None):
        return self._http(
            self.url, method, path, body, dict(headers, Authorization="Bearer " + (key or self.key))
        )

    def operate(self, method, path, body=None):
        return self.call(method, path, body, key=self.operator_key)

    def sandbox(self, method, path, body=None):
        answer = self._http(self.sandbox_url, method, "/_sandbox" + path, body, {})
        if answer.status != 200:
            raise _Broken("the sandbox answers %d to %s %s: %s" % (answer.status, method, path, answer.body))
        return answer.body

    @staticmethod
    def _http(url, method, path, body, headers):
        parts = urllib.parse.urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname, parts.port, timeout=90)
        try:
            text = None if body is None else json.dumps(body).encode()
            headers = dict(headers, **({"Content-Type": "application/json"} if text is not None else {}))
            connection.request(method, parts.path.rstrip("/") + path, text, headers)
            answer = connection.getresponse()
            return _Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def submit(self, key, document):
        return self.call(
            "POST",
            "/v1/jobs",
            {"operation": "print-document", "input": {"document": document}},
            {"Idempotency-Key": key},
        )

    def job(self, job, wait=0):
        answer = self.operate("GET", "/v1/jobs/%s%s" % (job, "?wait=%ds" % wait if wait else ""))
        check(answer.status == 200, "reading the job answers %d" % answer.status)
        return answer.body

    def until(self, job, what, seen, wait=20):
        """Reads the job until `seen` holds for it."""
        end = time.monotonic() + PATIENCE
        while True:
            now = self.job(job, wait)
            if seen(now):
                return now
            if time.monotonic() > end:
                raise _Broken("%s is not %s: %s" % (job, what, json.dumps(now)[:600]))
            time.sleep(0.1)

    def executions(self, job):
        return self.sandbox("GET", "/executions?job=" + urllib.parse.quote(job))["executions"]

    def requests(self, job):
        return len(self.sandbox("GET", "/executions?job=" + urllib.parse.quote(job))["received"])

    def finally_(self, method, path):
        self.cleaning.append((method, path))

    def clean(self):
        while self.cleaning:
            method, path = self.cleaning.pop()
            try:
                self.sandbox(method, path)
            except (OSError, _Broken, http.client.HTTPException):
                pass  # the scene's own trouble is the one worth telling


def check(holds, otherwise):
    if not holds:
        raise _Broken(otherwise)


def show(line):
    print("   ✓ " + line, flush=True)


def tell(line):
    print("   · " + line, flush=True)


def fresh(name):
    return "demo-%s-%s" % (name, secrets.token_hex(6))


def accepted(answer):
    check(answer.status == 201, "the submission answers %d: %s" % (answer.status, answer.body))
    return answer.body["id"]


def _double_click(stage):
    """Double click

    Twenty clicks at the same moment, all with one idempotency key.
    It must stay one job, and the printer must print once."""
    key = fresh("double-click")
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: stage.submit(key, "hello"), range(20)))
    statuses = sorted(answer.status for answer in answers)
    check(statuses == [200] * 19 + [201], "the answers are %s" % statuses)
    check(sum(answer.replayed for answer in answers) == 19, "not every repetition says that it is one")
    ids = {answer.body["id"] for answer in answers}
    check(len(ids) == 1, "there are %d jobs" % len(ids))
    job = ids.pop()
    show("one 201, nineteen 200 with Idempotency-Replayed, and one id: %s" % job)
    stage.until(job, "SUCCEEDED", lambda now: now["state"] == "SUCCEEDED")
    check(stage.executions(job) == 1, "the printer printed %d times" % stage.executions(job))
    show("SUCCEEDED; the printer's own ledger says that it printed once")
    if stage.ui:
        tell("its workflow: %s/namespaces/default/workflows/%s" % (stage.ui, job))


def _other_intent(stage):
    """Same key, other intent

    The key of a job that exists, with another document.
    That is a mistake of the caller, and must neither start anything nor hide behind the first job."""
    key = fresh("other-intent")
    job = accepted(stage.submit(key, "the contract"))
    other = stage.submit(key, "another contract")
    check(other.status == 409, "the other intent is answered %d" % other.status)
    check(other.problem() == "idempotency-key-conflict", "the problem is %r" % other.problem())
    check(other.body.get("jobId") == job, "it does not name the first job")
    stage.until(job, "SUCCEEDED", lambda now: now["state"] == "SUCCEEDED")
    check(stage.executions(job) == 1, "the printer printed %d times" % stage.executions(job))
    show("409 idempotency-key-conflict, naming %s; one document was printed" % job)


def _timeout(stage):
    """A timeout is not a failure

    The printer prints and then never answers. Nobody here can know whether paper came out,
    so the job says UNKNOWN, and nothing may print again until somebody finds out."""
    job = accepted(stage.submit(fresh("timeout"), "sandbox: execute, hang"))
    tell("waiting for the call's deadline (10 s in the shipped configuration)")
    now = stage.until(job, "UNKNOWN", lambda now: now["state"] == "UNKNOWN")
    show("%s is UNKNOWN (%s), not FAILED" % (job, now["attempts"][0].get("why")))
    again = stage.call("POST", "/v1/jobs/%s/attempts" % job, {})
    check(again.status == 409, "another attempt is answered %d" % again.status)
    check(again.problem() == "attempt-unresolved", "the problem is %r" % again.problem())
    check(stage.requests(job) == 1, "the printer was called %d times" % stage.requests(job))
    show("another attempt is refused: 409 attempt-unresolved; the printer was called once")
    tell("an operator looks at the printer, finds the paper, and says so")
    verdict = {
        "verdict": "EXECUTED",
        "result": {"pages": 1},
        "reason": "the paper is in the tray",
        "expectedVersion": now["version"],
    }
    said = stage.operate("POST", "/v1/jobs/%s/attempts/1/resolution" % job, verdict)
    check(said.status == 200, "the resolution is answered %d: %s" % (said.status, said.body))
    now = stage.until(job, "SUCCEEDED", lambda now: now["state"] == "SUCCEEDED")
    check(now["result"] == {"pages": 1}, "the result is %s" % now["result"])
    check(stage.executions(job) == 1, "the printer printed %d times" % stage.executions(job))
    show("SUCCEEDED with the operator's result; printed once")


def _reverse_order(stage):
    """Finished in reverse order

    Attempt 1 at inkjet hangs. A person accepts the risk of a second print and lets it go,
    attempt 2 at laser finishes, and only then attempt 1 finishes after all. It must not win."""
    gate = fresh("gate")
    stage.sandbox("PUT", "/inkjet/script", {"steps": ["execute", "gate " + gate, "answer"], "times": 1})
    stage.finally_("DELETE", "/inkjet/script")
    stage.finally_("PUT", "/gates/" + gate)
    job = accepted(stage.submit(fresh("reverse-order"), "the report"))
    tell("waiting for the call's deadline")
    now = stage.until(job, "UNKNOWN", lambda now: now["state"] == "UNKNOWN")
    verdict = {
        "verdict": "ACCEPT_DUPLICATE_RISK",
        "reason": "the report is needed now; two copies do no harm",
        "expectedVersion": now["version"],
    }
    said = stage.operate("POST", "/v1/jobs/%s/attempts/1/resolution" % job, verdict)
    check(said.status == 200, "the release is answered %d: %s" % (said.status, said.body))
    show("attempt 1 is released, on the record; its request is still open")
    now = stage.until(job, "SUCCEEDED", lambda now: now["state"] == "SUCCEEDED")
    winner = now["completedBy"] or {}
    check((winner.get("attempt"), winner.get("provider")) == (2, "laser"), "completed by %s" % winner)
    result = now["result"]
    show("attempt 2 at laser wins")
    stage.sandbox("PUT", "/gates/" + gate)
    tell("now inkjet answers, too late")
    now = stage.until(job, "LATE in attempt 1", lambda now: now["attempts"][0]["state"] == "LATE", 0)
    check(now["result"] == result and now["completedBy"] == winner, "the late answer changed the result")
    late = stage.operate("GET", "/v1/late-arrivals?jobId=" + job)
    check(late.status == 200, "the late arrivals answer %d" % late.status)
    check(len(_items(late.body)) == 1, "there are %d late arrivals" % len(_items(late.body)))
    show("attempt 1 is LATE, the result is untouched, and the race is in /v1/late-arrivals")


def _items(body):
    if isinstance(body, list):
        return body
    return next((value for value in body.values() if isinstance(value, list)), [])
