"""One running instance: its data directory, what belongs to it, its start and its end.

DATA/state.json says which processes are ours (pid and start time) and on which ports; it is written
right after each start. A process that is missing there, because the launcher was killed in between,
is found by an argument that only processes of this directory have.
"""

import json
import os
import pathlib
import secrets
import shlex
import shutil
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from launcher import aot, app, java, places, postgres, processes, temporal
from launcher.processes import Proc
from launcher.say import UNREACHABLE, Trouble, of_os_error, say

# In the order of stopping; starting goes the other way round.
PARTS = ("app", "sandbox", "temporal", "postgres")
NAMES = {"app": "the application", "sandbox": "the sandbox", "temporal": "Temporal", "postgres": "PostgreSQL"}
SERVICE_PORTS = ("postgres", "temporal", "temporal-ui", "temporal-http", "temporal-metrics", "sandbox")
OURS = ("postgres", "postgres.part", "postgres.password.part", "logs", "state.json", "secrets.json", "onejob.env")
OURS += ("temporal.db", "temporal.db-wal", "temporal.db-shm", "app.port", "lock")


class Instance:
    def __init__(self, data):
        self.data = pathlib.Path(os.path.abspath(data))
        self.logs = self.data / "logs"
        self.state = {"parts": {}, "ports": {}, "spec": {}}
        self.writing = threading.RLock()  # the parts start in parallel, and all of them are noted here

    # --- what is remembered -------------------------------------------------------------------

    def lock(self):
        places.directory(self.data)
        return places.locked(self.data / "lock", "waiting for another launcher at %s" % self.data)

    def load(self):
        self.state = {"parts": {}, "ports": {}, "spec": {}}
        try:
            self.state.update(json.loads((self.data / "state.json").read_text()))
        except (OSError, ValueError):
            pass  # never started, or cut off: the processes are still found by their arguments
        return self

    def save(self):
        with self.writing:
            places.write(self.data / "state.json", json.dumps(self.state, indent=1) + "\n", 0o600)

    def process(self, part):
        """The living process of a part, or None."""
        known = self.state["parts"].get(part)
        if known:
            found = Proc(known["pid"], known["started"])
            if found.alive():
                return found
        return next(iter(self.strays(part)), None)

    def strays(self, part):
        if part == "postgres":
            found = postgres.running(self.data)
            return [found] if found else []
        if part == "temporal":
            return processes.with_argument(str(self.data / "temporal.db")) + self._marked(part)
        return self._marked(part)

    def _marked(self, part):
        return processes.with_argument(app.marker(part, self.data))

    def secrets(self):
        """Made once per data directory: they must outlive `down`, PostgreSQL knows its password."""
        path = self.data / "secrets.json"
        try:
            return json.loads(path.read_text())
        except OSError:
            made = {
                "ONEJOB_API_KEY": "ojk_" + secrets.token_urlsafe(32),
                "ONEJOB_OPERATOR_KEY": "ojk_" + secrets.token_urlsafe(32),
                "ONEJOB_DB_PASSWORD": secrets.token_urlsafe(24),
            }
            places.write(path, json.dumps(made) + "\n", 0o600)
            return made

    # --- what is given from outside -----------------------------------------------------------

    def given(self, name):
        """A setting of the environment, unless it only repeats what `env` of this instance printed."""
        value = os.environ.get(name)
        printed = os.environ.get("ONEJOB_EMBEDDED", "").rsplit("|", 3)
        repeated = printed[0] == str(self.data) and value in printed[1:]
        return None if not value or repeated or value == self.recorded().get(name) else value

    def recorded(self):
        try:
            lines = (self.data / "onejob.env").read_text().splitlines()
        except OSError:
            return {}
        return dict((line.partition("=")[0], "".join(shlex.split(line.partition("=")[2]))) for line in lines)

    def external(self):
        """The parts that somebody else runs."""
        parts = set()
        if self.given("ONEJOB_DB_URL"):
            parts.add("postgres")
        if any(self.given(name) for name in ("TEMPORAL_ADDRESS", "TEMPORAL_PROFILE", "TEMPORAL_CONFIG_FILE")):
            parts.add("temporal")
        if self.given("ONEJOB_SANDBOX_URL"):
            parts.add("sandbox")
        return parts

    def environment(self):
        """What a client, an application in an IDE or a fault drill needs to know."""
        ports, made = self.state["ports"], self.secrets()
        parts, outside = self.state["parts"], set(self.state["spec"].get("external", []))
        # Of what is external, another shell knows only what was recorded.
        known = dict(self.recorded(), **os.environ)
        told = {
            "ONEJOB_API_KEY": self.given("ONEJOB_API_KEY") or made["ONEJOB_API_KEY"],
            "ONEJOB_OPERATOR_KEY": self.given("ONEJOB_OPERATOR_KEY") or made["ONEJOB_OPERATOR_KEY"],
        }
        if ports.get("app"):
            told["ONEJOB_URL"] = "http://127.0.0.1:%d" % ports["app"]
        if "postgres" in outside:
            for name in ("ONEJOB_DB_URL", "ONEJOB_DB_USER", "ONEJOB_DB_PASSWORD", "ONEJOB_DB_PASSWORD_FILE"):
                if known.get(name):
                    told[name] = known[name]
        else:
            told["ONEJOB_DB_URL"] = "jdbc:postgresql://127.0.0.1:%s/%s" % (ports.get("postgres"), postgres.DATABASE)
            told["ONEJOB_DB_USER"] = postgres.USER
            told["ONEJOB_DB_PASSWORD"] = made["ONEJOB_DB_PASSWORD"]
        if "temporal" in outside:
            # Credentials of somebody else's cluster are not ours to write into a file.
            for name in ("TEMPORAL_ADDRESS", "TEMPORAL_NAMESPACE", "ONEJOB_TEMPORAL_UI"):
                if known.get(name):
                    told[name] = known[name]
        else:
            told["TEMPORAL_ADDRESS"] = "127.0.0.1:%s" % ports.get("temporal")
            told["TEMPORAL_NAMESPACE"] = "default"
            if not self.state["spec"].get("in-memory"):
                told["ONEJOB_TEMPORAL_UI"] = "http://127.0.0.1:%s" % ports.get("temporal-ui")
        if "sandbox" in outside:
            told["ONEJOB_SANDBOX_URL"] = known.get("ONEJOB_SANDBOX_URL", "")
        elif self.state["spec"].get("sandbox"):
            told["ONEJOB_SANDBOX_URL"] = "http://127.0.0.1:%s" % ports.get("sandbox")
        for part in PARTS:
            if part in parts:
                told["ONEJOB_%s_PID" % part.upper()] = str(parts[part]["pid"])
        # A shell that holds these lines may say `up` again: its addresses are then not external ones.
        told["ONEJOB_EMBEDDED"] = "|".join(
            [str(self.data)]
            + [
                "" if part in outside else told.get(name, "")
                for part, name in (
                    ("postgres", "ONEJOB_DB_URL"),
                    ("temporal", "TEMPORAL_ADDRESS"),
                    ("sandbox", "ONEJOB_SANDBOX_URL"),
                )
            ]
        )
        return told

    def app_environment(self):
        """The launcher's own environment without what is meant for services that are not used."""
        outside = self.state["spec"].get("external", [])
        env = {
            name: value
            for name, value in os.environ.items()
            if (not name.startswith("TEMPORAL_") or "temporal" in outside)
            and (not name.startswith("ONEJOB_DB_") or "postgres" in outside)
            and name not in ("ONEJOB_PORT", "ONEJOB_PORT_FILE", "ONEJOB_ROLES", "ONEJOB_CONFIG")
        }
        env.update((name, value) for name, value in self.environment().items() if not name.endswith("_PID"))
        return env

    def write_environment(self):
        text = "".join("%s=%s\n" % (name, shlex.quote(value)) for name, value in self.environment().items())
        places.write(self.data / "onejob.env", text, 0o600)

    # --- up -----------------------------------------------------------------------------------

    def up(self, wanted):
        """Starts what does not run healthily. Returns the parts that were started."""
        jdk = java.find_jdk()
        self.load()
        places.directory(self.logs)
        external = self.external()
        spec = dict(self.state["spec"])
        before = dict(spec)
        spec.update((name, value) for name, value in wanted.items() if value is not None)
        for name, value in (("port", 8080), ("config", app.config(None)), ("roles", ""), ("app", True), ("sandbox", True)):
            spec.setdefault(name, value)
        spec["external"] = sorted(external)
        java.build(java.ALL if spec["app"] else java.DEVKIT, jdk)
        spec["stamp"] = java.stamp(java.ALL) if spec["app"] else None
        self._check_external(external)
        self.state["spec"] = spec
        started = []
        try:
            self._choose_ports(spec)
            self.save()
            self._check_app_port(spec, before)
            jobs = []
            with ThreadPoolExecutor(3) as pool:
                if "postgres" not in external:
                    jobs.append(pool.submit(self._up_postgres, started))
                if "temporal" not in external:
                    jobs.append(pool.submit(self._up_temporal, started, jdk))
                if spec["sandbox"] and "sandbox" not in external:
                    jobs.append(pool.submit(self._up_sandbox, started, jdk))
                if jobs and "postgres" not in external:
                    jobs[0].result()  # the application needs nothing else to begin its own start
                if spec["app"]:
                    self._up_app(started, jdk, before)
            for job in jobs:
                job.result()
            self.write_environment()
        except BaseException:
            # Also Ctrl-C: what this run began is not left half done; what ran before is left alone.
            for part in PARTS:
                if part in started:
                    self._stop(part)
            if not self.state["parts"]:
                self.state["spec"] = {}
            self.save()
            raise
        return started

    def _check_external(self, external):
        if "postgres" in external:
            url = os.environ["ONEJOB_DB_URL"]
            hosts = postgres.hosts(url)
            if not any(processes.connects(host, port) for host, port in hosts):
                raise Trouble(
                    "the database at %s is not reachable: check ONEJOB_DB_URL, or unset it to use an embedded one"
                    % ", ".join("%s:%d" % one for one in hosts),
                    UNREACHABLE,
                )
        address = os.environ.get("TEMPORAL_ADDRESS", "")
        if "temporal" in external and address:
            host, _, port = address.rpartition(":")
            if not port.isdigit() or not processes.connects(host.strip("[]"), int(port)):
                raise Trouble(
                    "Temporal at %s is not reachable: check TEMPORAL_ADDRESS, or unset it to use an embedded one"
                    % address,
                    UNREACHABLE,
                )

    def _choose_ports(self, spec):
        """Ports of earlier runs are kept while they are ours or free: addresses stay the same."""
        ports = self.state["ports"]
        for name in SERVICE_PORTS:
            part = name.split("-")[0]
            if not ports.get(name) or not (self.process(part) or processes.port_is_free(ports[name])):
                chosen = processes.free_ports(len(SERVICE_PORTS) + 1)
                ports[name] = next(port for port in chosen if port not in ports.values())

    def _check_app_port(self, spec, before):
        if not spec["app"]:
            return
        ports = self.state["ports"]
        if spec["port"] == 0:
            if not ports.get("app") or not (self.process("app") or processes.port_is_free(ports["app"])):
                ports["app"] = processes.free_ports(1)[0]
            return
        moved = ports.get("app") != spec["port"]
        if (moved or not self.process("app")) and not processes.port_is_free(spec["port"]):
            raise Trouble(
                "port %d is in use by another program: stop that, or choose another with --port (0 = a free one)"
                % spec["port"]
            )
        ports["app"] = spec["port"]

    def _began(self, part, process, started):
        with self.writing:
            self.state["parts"][part] = {"pid": process.pid, "started": process.started}
            started.append(part)
            self.save()

    def _adopt(self, part, healthy, patience=10):
        """A living, healthy process of ours is kept; a living, unhealthy one is stopped."""
        process = self.process(part)
        if not process:
            return False
        end = time.monotonic() + patience
        while process.alive() and time.monotonic() < end:
            if healthy():
                self.state["parts"][part] = {"pid": process.pid, "started": process.started}
                return True
            time.sleep(0.1)
        say("%s of an earlier run does not answer: starting it again" % NAMES[part])
        self._stop(part)
        return False

    def _up_postgres(self, started):
        ports = self.state["ports"]
        if self._adopt("postgres", lambda: postgres.accepts("127.0.0.1", ports["postgres"])):
            return
        home = postgres.prepare(self.data, self.secrets()["ONEJOB_DB_PASSWORD"])
        log = self.logs / "postgres.log"
        end = time.monotonic() + 60
        while True:
            begin = processes.size(log)
            process = postgres.start(home, self.data, ports["postgres"], log)
            self._began("postgres", process, started)
            if postgres.await_ready(process, ports["postgres"], log, begin):
                return
            if time.monotonic() > end:
                raise Trouble("what a killed PostgreSQL left does not go away; its log is %s" % log)
            time.sleep(0.3)

    def _up_temporal(self, started, jdk):
        ports, log = self.state["ports"], self.logs / "temporal.log"
        if self._adopt("temporal", self._temporal_healthy):
            return
        try:
            command = temporal.command(temporal.find(), self.data, ports)
            self.state["spec"]["in-memory"] = False
        except Trouble as trouble:
            if os.environ.get("ONEJOB_TEMPORAL_CLI"):
                raise
            say("!! %s" % trouble.line)
            say("!! NO TEMPORAL SERVER: falling back to the SDK's in-memory test server.")
            say("!! There is no UI, and NOTHING of the engine SURVIVES a restart (jobs stay in PostgreSQL).")
            say("!! Set ONEJOB_TEMPORAL_CLI to a `temporal` program for the real one.")
            command = app.test_server(jdk, self.data, ports["temporal"])
            self.state["spec"]["in-memory"] = True

        def begin():
            # On a taken port it would start, and everyone would talk to the other server.
            for name in ("temporal", "temporal-ui", "temporal-http", "temporal-metrics"):
                if not processes.port_is_free(ports[name]):
                    raise Trouble("port %d was just taken by another program: run it again" % ports[name])
            return self._spawn("temporal", command, log, started)

        temporal.start(begin, "Temporal", self._temporal_healthy, log)

    def _spawn(self, part, command, log, started, env=None):
        process = processes.spawn(command, log, env=env, cwd=self.data)
        self._began(part, process, started)
        return process

    def _temporal_healthy(self):
        ports = self.state["ports"]
        if self.state["spec"].get("in-memory"):
            return processes.connects("127.0.0.1", ports["temporal"], 1)
        return temporal.healthy(ports["temporal-http"])

    def _up_sandbox(self, started, jdk):
        port, log = self.state["ports"]["sandbox"], self.logs / "sandbox.log"
        if self._adopt("sandbox", self._sandbox_healthy):
            return
        command = app.sandbox(jdk, self.data, port)
        temporal.start(lambda: self._spawn("sandbox", command, log, started), "the sandbox", self._sandbox_healthy, log)

    def _sandbox_healthy(self):
        return temporal.get("127.0.0.1", self.state["ports"]["sandbox"], "/_sandbox/health")[0] == 200

    def _up_app(self, started, jdk, before):
        spec, port, log = self.state["spec"], self.state["ports"]["app"], self.logs / "app.log"
        running = self.process("app")
        if running:
            changed = [name for name in ("stamp", "port", "config", "roles", "external") if before.get(name) != spec[name]]
            # Port 0 asks for any port: the one that it has is one.
            if changed == ["port"] and spec["port"] == 0:
                changed = []
            if changed:
                say("restarting the application (changed: %s)" % ", ".join(changed).replace("stamp", "sources"))
                self._stop("app")
            elif self._adopt("app", self._app_healthy, 60):
                return
        flags, part = aot.plan(jdk, spec["stamp"])
        try:
            self._spawn_app(started, jdk, flags)
        except Trouble as trouble:
            if not flags or trouble.final or self.process("app"):
                raise
            aot.forget(flags)
            part = None
            self._spawn_app(started, jdk, [])
        self.state["aot"] = part
        self.save()

    def _spawn_app(self, started, jdk, flags):
        spec, port, log = self.state["spec"], self.state["ports"]["app"], self.logs / "app.log"
        begin = processes.size(log)
        command = app.command(jdk, self.data, spec, port, flags=flags)
        process = self._spawn("app", command, log, started, self.app_environment())
        try:
            temporal.await_healthy(process, "the application", self._app_healthy, log, begin)
        except Trouble as trouble:
            refusals = app.refusals(processes.tail(log, 50, begin))
            if refusals and not process.alive():
                raise Trouble("the configuration is refused: correct it and run it again", details=refusals, final=True) from None
            if not processes.port_is_free(port) and not process.alive():
                raise Trouble("port %d is in use by another program: choose another with --port" % port, final=True) from None
            raise trouble

    def _app_healthy(self):
        return temporal.get("127.0.0.1", self.state["ports"]["app"], "/readyz", 5)[0] == 200

    # --- down ---------------------------------------------------------------------------------

    def _stop(self, part):
        for process in [self.process(part)] + self.strays(part):
            if process is None or not process.alive():
                continue
            if part == "postgres":
                postgres.stop(process)
            else:
                by_itself = process.stop(signal.SIGTERM, 60 if part == "app" else 15)
                if part == "app" and by_itself:
                    aot.keep(self.state.pop("aot", None))
        self.state["parts"].pop(part, None)

    def down(self, wipe=False):
        """Stops in order, whatever state it was left in. Returns the parts that were running."""
        self.load()
        stopped = []
        for part in PARTS:
            if self.process(part):
                stopped.append(part)
                self._stop(part)
        if not (self.data / "state.json").exists() and not wipe:
            return stopped
        # Stopped on purpose: the next start goes by its own options, on the same service ports.
        self.state["parts"], self.state["spec"] = {}, {}
        self.state["ports"].pop("app", None)
        self.save()
        if (self.data / "secrets.json").exists():
            keys = {name: value for name, value in self.secrets().items() if name != "ONEJOB_DB_PASSWORD"}
            text = "".join("%s=%s\n" % (name, shlex.quote(value)) for name, value in keys.items())
            places.write(self.data / "onejob.env", text, 0o600)
        if wipe:
            self._wipe()
        return stopped

    def _wipe(self):
        """Only what this launcher made: a mistyped --data must not cost anybody's files."""
        try:
            for name in OURS:
                path = self.data / name
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                elif path.exists() or path.is_symlink():
                    path.unlink()
            if not any(self.data.iterdir()):
                self.data.rmdir()
        except OSError as error:
            raise of_os_error(error, str(self.data)) from None

    # --- looking ------------------------------------------------------------------------------

    def status(self):
        self.load()
        spec, told = self.state["spec"], {}
        checks = {
            "postgres": lambda: postgres.accepts("127.0.0.1", self.state["ports"]["postgres"]),
            "temporal": self._temporal_healthy,
            "sandbox": self._sandbox_healthy,
            "app": self._app_healthy,
        }
        for part in reversed(PARTS):
            process = self.process(part)
            expected = bool(spec) and (part not in ("sandbox", "app") or bool(spec.get(part)))
            if part in spec.get("external", []):
                told[part] = {"pid": None, "port": None, "health": "external"}
            elif process:
                port = self.state["ports"].get(part)
                told[part] = {"pid": process.pid, "port": port, "health": "healthy" if port and checks[part]() else "failing"}
            else:
                told[part] = {"pid": None, "port": None, "health": "dead" if expected else "stopped"}
        if spec and not spec.get("in-memory") and told["temporal"]["pid"]:
            told["temporal"]["uiPort"] = self.state["ports"]["temporal-ui"]
        return told

    def is_running(self):
        return bool(self.load().state["spec"]) and any(self.process(part) for part in PARTS)

    def dead_parts(self):
        """The parts that should run and do not."""
        spec = self.state["spec"]
        return [
            part
            for part in PARTS
            if part in self.state["parts"] and part not in spec.get("external", []) and not self.process(part)
        ]
