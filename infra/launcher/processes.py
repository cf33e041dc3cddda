"""Processes that outlive the launcher, and the ports that they listen on.

A pid alone proves nothing (the system uses it again), so a process is remembered with the time at
which it started, and is signalled only while both agree.
"""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import time

from launcher.say import Trouble, of_os_error

LINUX = sys.platform.startswith("linux")
PORTS = range(20000, 32000)

# What a program says of its own end, among the lines of a stack trace.
CAUSE = re.compile(r"^(panic|error|exception in)\b|address already in use|\bfatal\b|\blocked\b", re.IGNORECASE)


class Proc:
    def __init__(self, pid, started):
        self.pid = pid
        self.started = started

    def alive(self):
        _reap(self.pid)
        return self.started is not None and start_time(self.pid) == self.started

    def send(self, number):
        if self.alive():
            try:
                os.kill(self.pid, number)
                # A process that somebody froze hears SIGTERM only after it goes on.
                os.kill(self.pid, signal.SIGCONT)
            except ProcessLookupError:
                pass

    def wait(self, seconds):
        """True when it has ended."""
        end = time.monotonic() + seconds
        while self.alive():
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def stop(self, first=signal.SIGTERM, patience=30):
        """Asks first, then insists. True when asking was enough."""
        self.send(first)
        if self.wait(patience):
            return True
        self.send(signal.SIGKILL)
        self.wait(10)
        return False


def _reap(pid):
    try:
        os.waitpid(pid, os.WNOHANG)
    except (ChildProcessError, OSError):
        pass  # not a child of this launcher: whoever adopted it reaps it


def start_time(pid):
    """When the process started, as the system writes it; None if it is gone or a zombie."""
    if LINUX:
        try:
            with open("/proc/%d/stat" % pid, "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            return None
        return None if fields[0] in (b"Z", b"X") else fields[19].decode()
    shown = subprocess.run(
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ).stdout.decode(errors="replace").split(None, 1)
    return None if len(shown) < 2 or shown[0].startswith("Z") else shown[1].strip()


def with_argument(argument):
    """Every living process that was started with exactly this argument."""
    found = []
    if LINUX:
        wanted = os.fsencode(argument)
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) != os.getpid():
                try:
                    with open("/proc/%s/cmdline" % name, "rb") as file:
                        arguments = file.read().split(b"\0")
                except OSError:
                    continue
                if wanted in arguments:
                    found.append(int(name))
    else:
        listing = subprocess.run(
            ["ps", "-axww", "-o", "pid=,command="], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ).stdout.decode(errors="replace")
        for line in listing.splitlines():
            pid, _, command = line.strip().partition(" ")
            if (command + " ").find(" " + argument + " ") >= 0 and int(pid) != os.getpid():
                found.append(int(pid))
    return [Proc(pid, start_time(pid)) for pid in found]


def spawn(command, log, env=None, cwd=None):
    """Starts in a session of its own: Ctrl-C at the launcher reaches the launcher alone."""
    try:
        with open(log, "ab") as out:
            child = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=env,
                cwd=cwd,
                start_new_session=True,
            )
    except OSError as error:
        raise of_os_error(error, "starting %s" % command[0]) from None
    # The launcher ends before its children do; that is meant, so Python need not warn.
    child.returncode = 0
    return Proc(child.pid, start_time(child.pid))


def port_is_free(port):
    probe = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", port))
    except OSError:
        return False
    finally:
        probe.close()
    return True


def free_ports(count):
    """Below the ports that the system hands out by itself (32768 on Linux, 49152 elsewhere): those may be
    gone a moment later, or when the instance comes back to its addresses."""
    found = []
    for port in random.sample(PORTS, len(PORTS)):
        if port_is_free(port):
            found.append(port)
            if len(found) == count:
                return found
    raise Trouble("no port between %d and %d is free: stop what listens there" % (PORTS[0], PORTS[-1]))


def connects(host, port, seconds=3):
    try:
        socket.create_connection((host, port), seconds).close()
        return True
    except OSError:
        return False


def size(log):
    try:
        return os.path.getsize(log)
    except OSError:
        return 0


def tail(log, lines=8, start=0):
    """The last lines that were written to a log since byte `start`."""
    try:
        with open(log, "rb") as file:
            file.seek(max(start, os.path.getsize(log) - 64 * 1024))
            return file.read().decode(errors="replace").splitlines()[-lines:]
    except OSError:
        return []


def ended_early(what, log, start):
    """The trouble of a process that ended while it was expected to become healthy."""
    told = tail(log, 400, start)
    if any("No space left on device" in line for line in told):
        return Trouble("the disk is full (%s): free some space and run it again" % what)
    causes = [line for line in told if CAUSE.search(line)][:4]
    return Trouble("%s did not start; its log is %s" % (what, log), details=causes or told[-8:])
