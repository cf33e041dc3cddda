"""Embedded PostgreSQL: zonky's binaries, run durably from a directory of the instance's own."""

import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import tarfile
import tempfile
import time
import urllib.parse
import zipfile

from launcher import places, processes
from launcher.say import Trouble, of_os_error, say

USER = "onejob"
DATABASE = "onejob"


def binaries():
    """The directory of bin/, lib/ and share/ in the cache, unpacked once per version."""
    jars = sorted((places.ROOT / "infra/devkit/target/postgres").glob("embedded-postgres-binaries-*.jar"))
    if not jars:
        raise Trouble(
            "no PostgreSQL binaries for this machine (%s %s): set ONEJOB_DB_URL to a PostgreSQL of yours"
            % places.machine()
        )
    jar = jars[-1]
    home = places.cache() / "postgres" / jar.stem
    if (home / "bin/postgres").exists():
        return home
    with places.locked(places.cache() / "postgres.lock", "waiting for another launcher to unpack PostgreSQL"):
        if (home / "bin/postgres").exists():
            return home
        say("unpacking PostgreSQL into %s (once)" % home)
        try:
            part = tempfile.mkdtemp(prefix=".part-", dir=places.directory(home.parent))
            try:
                with zipfile.ZipFile(jar) as archive:
                    inner = [name for name in archive.namelist() if name.endswith(".txz")][0]
                    with archive.open(inner) as stream, tarfile.open(fileobj=stream, mode="r|xz") as tar:
                        tar.extractall(part)
                # Readable for the account that PostgreSQL runs under when the launcher is root.
                os.chmod(part, 0o755)
                os.rename(part, home)
            finally:
                shutil.rmtree(part, ignore_errors=True)
        except OSError as error:
            raise of_os_error(error, str(home)) from None
    return home


def _unprivileged():
    """PostgreSQL refuses to run as root; in a user namespace of its own nobody is root."""
    if os.geteuid() != 0:
        return []
    unshare = shutil.which("unshare")
    if not unshare:
        raise Trouble(
            "PostgreSQL does not run as root and `unshare` is missing: install util-linux,"
            " or run this as an ordinary user"
        )
    return [unshare, "-U"]


def prepare(data, password):
    """Creates the database cluster if there is none; an interrupted creation starts afresh."""
    home = binaries()
    cluster = data / "postgres"
    if (cluster / "PG_VERSION").exists():
        return home
    part = data / "postgres.part"
    shutil.rmtree(part, ignore_errors=True)
    secret = data / "postgres.password.part"
    places.write(secret, password + "\n", 0o600)
    try:
        _run(
            _unprivileged()
            + [home / "bin/initdb", "-D", part, "-U", USER, "-E", "UTF8", "-A", "scram-sha-256", "--no-instructions"]
            + ["--pwfile=%s" % secret, "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        )
        _run(
            _unprivileged() + [home / "bin/postgres", "--single", "-D", part, "postgres"],
            ("CREATE DATABASE %s\n" % DATABASE).encode(),
        )
        os.rename(part, cluster)
    except OSError as error:
        raise of_os_error(error, str(cluster)) from None
    finally:
        secret.unlink()
    return home


def _run(command, text=b""):
    done = subprocess.run(
        [str(word) for word in command],
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=_environment(),
    )
    told = done.stdout.decode(errors="replace")
    if done.returncode != 0 or re.search(r"\b(ERROR|FATAL|PANIC):", told):
        if "No space left on device" in told:
            raise Trouble("the disk is full (creating the database): free some space and run it again")
        if "unshare" in told:
            raise Trouble("`unshare -U` is not allowed here: run this as an ordinary user", details=[told.strip()])
        raise Trouble("the database could not be created", details=told.splitlines()[-6:])


def _environment():
    # PGDATA, PGPORT and their kin are somebody else's.
    return {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}


def start(home, data, port, log):
    cluster = data / "postgres"
    _drop_stale_lock(cluster)
    settings = {
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",  # a path in DATA may exceed what a socket's name can hold
        "max_connections": "200",
        "fsync": "on",
        "synchronous_commit": "on",
        "full_page_writes": "on",
        "log_destination": "stderr",
        "logging_collector": "off",
    }
    command = _unprivileged() + [home / "bin/postgres", "-D", cluster, "-p", str(port)]
    for name, value in settings.items():
        command += ["-c", "%s=%s" % (name, value)]
    return processes.spawn(command, log, env=_environment(), cwd=data)


def await_ready(process, port, log, begin, patience=120):
    """False when it ended because what a killed predecessor left is still there: try again."""
    end = time.monotonic() + patience
    while not accepts("127.0.0.1", port):
        if not process.alive():
            told = "\n".join(processes.tail(log, 20, begin))
            if "still in use" in told or "already exists" in told:
                return False
            raise processes.ended_early("PostgreSQL", log, begin)
        if time.monotonic() > end:
            raise Trouble("PostgreSQL is not ready after %d s; its log is %s" % (patience, log))
        time.sleep(0.05)
    return True


def accepts(host, port, seconds=3):
    """Asks for a session and hangs up at the request for a password: the server is past recovery."""
    message = b"user\0%s\0database\0%s\0\0" % (USER.encode(), DATABASE.encode())
    try:
        with socket.create_connection((host, port), seconds) as connection:
            connection.sendall(struct.pack("!ii", 8 + len(message), 196608) + message)
            return connection.recv(1) == b"R"
    except OSError:
        return False


def running(data):
    """The postmaster of this directory, whoever started it; None if there is none."""
    cluster = str(data / "postgres")
    try:
        with open(os.path.join(cluster, "postmaster.pid")) as file:
            pid = int(file.readline())
    except (OSError, ValueError):
        return None
    return next((found for found in processes.with_argument(cluster) if found.pid == pid), None)


def _drop_stale_lock(cluster):
    """PostgreSQL believes any process with the pid in its lock file to be its own predecessor."""
    if running(cluster.parent) is None:
        try:
            (cluster / "postmaster.pid").unlink()
        except OSError:
            pass


def stop(process):
    process.send(signal.SIGINT)  # fast: sessions end, everything is written
    if not process.wait(60):
        process.stop(signal.SIGQUIT, 10)


def hosts(url):
    """(host, port) of each server in a JDBC or libpq URL."""
    text = url[5:] if url.startswith("jdbc:") else url
    if not text.startswith(("postgresql://", "postgres://")):
        raise Trouble("ONEJOB_DB_URL is neither jdbc:postgresql://… nor postgresql://…", code=2)
    authority = urllib.parse.urlsplit(text).netloc.rpartition("@")[2] or "localhost"
    found = []
    for one in authority.split(","):
        host, colon, port = one.rpartition(":")
        if not colon or port.endswith("]"):
            host, port = one, "5432"
        try:
            found.append((host.strip("[]"), int(port)))
        except ValueError:
            raise Trouble("ONEJOB_DB_URL has no readable port: %s" % port, code=2) from None
    return found
