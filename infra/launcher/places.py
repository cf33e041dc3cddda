"""Where things are: the repository, the cache and the lock files."""

import contextlib
import fcntl
import os
import pathlib
import platform
import sys
import time

from launcher.say import Trouble, of_os_error, say

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def cache():
    given = os.environ.get("ONEJOB_CACHE")
    return pathlib.Path(given) if given else pathlib.Path.home() / ".cache" / "onejob"


def machine():
    """(system, architecture) in one spelling."""
    names = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
    return (
        "darwin" if sys.platform == "darwin" else "linux",
        names.get(platform.machine().lower(), platform.machine().lower()),
    )


def directory(path):
    try:
        path.mkdir(parents=True, exist_ok=True)
        return path
    except OSError as error:
        raise of_os_error(error, str(path)) from None


@contextlib.contextmanager
def locked(path, waiting, patience=600):
    """An advisory lock; the system releases it when its holder dies, however it dies."""
    directory(path.parent)
    try:
        file = open(path, "a")
    except OSError as error:
        raise of_os_error(error, str(path)) from None
    with file:
        said = False
        end = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not said:
                    say(waiting)
                    said = True
                if time.monotonic() > end:
                    raise Trouble("%s is still locked by another launcher: look for it with `ps`" % path)
                time.sleep(0.1)
        yield


def write(path, text, mode=0o644):
    """Whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise of_os_error(error, str(path)) from None
