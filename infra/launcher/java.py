"""The JDK and the build."""

import glob
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

from launcher import places
from launcher.say import Trouble, say

JAVA = 25
ROOT = places.ROOT

# What is built for a start without the application, and with it.
DEVKIT, ALL = "devkit", "all"
_SOURCES = {
    DEVKIT: ["workflows", "infra/store", "infra/devkit"],
    ALL: ["workflows", "infra/store", "infra/devkit", "infra/bench", "activities", "api"],
}
_STAMPS = {DEVKIT: ROOT / "infra/devkit/target/launcher.stamp", ALL: ROOT / "api/target/launcher.stamp"}


def find_jdk():
    """The home of a JDK 25: what was named first, then the places where JDKs are installed."""
    tried = []
    for home in _homes():
        if home and str(home) not in tried:
            tried.append(str(home))
            if _version(pathlib.Path(home)) == JAVA:
                return pathlib.Path(home)
    raise Trouble(
        "no JDK %d found: install one (for example Temurin %d) or set ONEJOB_JAVA_HOME to it" % (JAVA, JAVA)
    )


def _homes():
    yield os.environ.get("ONEJOB_JAVA_HOME")
    yield os.environ.get("JAVA%d_HOME" % JAVA)
    yield os.environ.get("JAVA_HOME")
    on_path = shutil.which("java")
    if on_path:
        yield pathlib.Path(on_path).resolve().parent.parent
    home = os.path.expanduser("~")
    for pattern in (
        "/usr/lib/jvm/*",
        "/usr/java/*",
        "/opt/*",
        "/opt/*/*",
        home + "/.sdkman/candidates/java/*",
        home + "/.jdks/*",
        home + "/.local/share/mise/installs/java/*",
        home + "/.asdf/installs/java/*",
        home + "/Library/Java/JavaVirtualMachines/*/Contents/Home",
        "/Library/Java/JavaVirtualMachines/*/Contents/Home",
        "/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
        "/usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
    ):
        for found in sorted(glob.glob(pattern)):
            yield found


def _version(home):
    """The major version in the `release` file of a JDK; None for a JRE or for nothing at all."""
    if not ((home / "bin/java").exists() and (home / "bin/javac").exists()):
        return None
    try:
        match = re.search(r'^JAVA_VERSION="(\d+)', (home / "release").read_text(), re.MULTILINE)
    except OSError:
        return None
    return int(match.group(1)) if match else None


def stamp(scope):
    """Changes when a source, a resource or a pom changes."""
    digest = hashlib.sha256()
    poms = [ROOT / "pom.xml"] + [ROOT / module / "pom.xml" for module in _SOURCES[scope]]
    files = [pom for pom in poms if pom.exists()]
    for module in _SOURCES[scope]:
        for folder in ("src/main", "src/codegen"):
            files += [path for path in (ROOT / module / folder).rglob("*") if path.is_file()]
    for path in sorted(files):
        about = path.stat()
        digest.update(("%s %d %d\n" % (path, about.st_mtime_ns, about.st_size)).encode(errors="surrogateescape"))
    return digest.hexdigest()


def is_built(scope):
    try:
        return _STAMPS[scope].read_text() == stamp(scope)
    except OSError:
        return False


def build(scope, jdk):
    """Builds what is stale; two launchers at once build once."""
    if os.environ.get("ONEJOB_NO_BUILD") or is_built(scope):
        return
    name = hashlib.sha256(str(ROOT).encode()).hexdigest()[:16]
    with places.locked(places.cache() / ("build-%s.lock" % name), "waiting for another build of this checkout"):
        if is_built(scope):
            return
        maven = shutil.which("mvn")
        if not maven:
            raise Trouble("Maven is missing: install it (apt-get install maven, brew install maven)")
        say("building (mvn package, without tests); the first time this takes minutes")
        before = stamp(scope)
        command = [maven, "-B", "-ntp", "-q", "-Dmaven.test.skip=true", "-Dformat.skip=true", "package"]
        if scope == DEVKIT:
            command += ["-pl", "infra/devkit", "-am"]
        # The build finds this JDK by itself through JAVA25_HOME, whatever Maven runs on.
        env = dict(os.environ, **{"JAVA%d_HOME" % JAVA: str(jdk)})
        if not shutil.which("java") and not env.get("JAVA_HOME"):
            env["JAVA_HOME"] = str(jdk)
        log = places.directory(places.cache() / "logs") / ("build-%s.log" % name)
        with open(log, "wb") as out:
            done = subprocess.run(
                command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
            )
        if done.returncode != 0:
            told = [line for line in log.read_text(errors="replace").splitlines() if line.startswith("[ERROR]")]
            full = "No space left on device" in log.read_text(errors="replace")
            raise Trouble(
                "the disk is full: free some space and run it again"
                if full
                else "the build failed; all of it is in %s" % log,
                details=told[:8],
            )
        for built in [scope] if scope == DEVKIT else [DEVKIT, ALL]:
            places.write(_STAMPS[built], before if built == scope else stamp(built))


def class_path(module):
    """The module's jar and what it needs, in an order that is the same every time."""
    target = ROOT / module / "target"
    jars = sorted(
        path for path in target.glob("onejob-*.jar") if not re.search(r"-(sources|javadoc|tests)\.jar$", path.name)
    )
    if not jars:
        raise Trouble("%s is not built: run it without ONEJOB_NO_BUILD" % module)
    return os.pathsep.join(str(path) for path in jars + sorted((target / "lib").glob("*.jar")))
