"""The application's AOT cache (JEP 514): the first clean stop after a build writes what later starts read.

Nothing depends on it: a missing, stale or broken cache costs seconds, never a start.
"""

import hashlib
import os
import secrets
import time

from launcher import places


def _prefix():
    return hashlib.sha256(str(places.ROOT).encode()).hexdigest()[:12] + "-"


def plan(jdk, stamp):
    """(flags for the JVM, file that its clean stop will have written or None)."""
    if os.environ.get("ONEJOB_NO_AOT"):
        return [], None
    try:
        folder = places.directory(places.cache() / "aot")
        release = (jdk / "release").read_text()
    except Exception:  # whatever it is, the start goes on without
        return [], None
    name = _prefix() + hashlib.sha256((stamp + str(jdk) + release).encode()).hexdigest()[:16]
    cache = folder / (name + ".aot")
    if cache.exists():
        return ["-XX:AOTCache=%s" % cache], None
    part = folder / ("%s.%s.part" % (name, secrets.token_hex(4)))
    return ["-XX:AOTCacheOutput=%s" % part], str(part)


def keep(part):
    """After a clean stop: the cache becomes visible whole, and those of earlier builds go."""
    try:
        if part and os.path.getsize(part) > 0:
            folder = places.cache() / "aot"
            name = os.path.basename(part).split(".")[0]
            os.replace(part, folder / (name + ".aot"))
            for other in folder.glob(_prefix() + "*"):
                # Unfinished ones may be another instance's, unless they are old.
                unfinished = ".part" in other.name and time.time() - other.stat().st_mtime < 86400
                if not unfinished and other.name != name + ".aot":
                    other.unlink()
    except OSError:
        pass


def forget(flags):
    """The JVM did not start with it."""
    for flag in flags:
        try:
            os.unlink(flag.partition("=")[2])
        except OSError:
            pass
