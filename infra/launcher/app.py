"""The Java processes: how each is called."""

import os
import re

from launcher import java, places

MAIN = "dev.onejob.api.OneJob"


def marker(part, data):
    """An argument by which a process of this data directory is found again."""
    return "-Donejob.%s=%s" % (part, data)


def _java(jdk, part, data, heap):
    return [
        jdk / "bin/java",
        "-Xmx" + heap,
        "-XX:+UseSerialGC" if heap != "1g" else "-XX:+UseG1GC",
        "-XX:-UsePerfData",
        "--enable-native-access=ALL-UNNAMED",
        marker(part, data),
    ]


def sandbox(jdk, data, port):
    # It plays scripts: the small compiler is enough, and starts twice as fast.
    return _java(jdk, "sandbox", data, "256m") + ["-XX:TieredStopAtLevel=1", "-cp", java.class_path("infra/devkit")] + [
        "dev.onejob.devkit.sandbox.SandboxMain",
        "--port",
        port,
    ]


def test_server(jdk, data, port):
    return _java(jdk, "temporal", data, "512m") + ["-cp", java.class_path("infra/devkit")] + [
        "io.temporal.testserver.TestServer",
        port,
    ]


def config(given):
    return os.path.abspath(given) if given else str(places.ROOT / "infra/config")


def command(jdk, data, spec, port, part="app", flags=()):
    words = _java(jdk, part, data, "1g") + list(flags) + ["-cp", java.class_path("api"), MAIN]
    words += ["--port", port, "--config", spec["config"]]
    if spec.get("roles"):
        words += ["--roles", spec["roles"]]
    return words


def refusals(lines):
    """The lines `file:line: reason` of a refused configuration."""
    return [line for line in lines if re.match(r"^\S.*?\.ya?ml(:\d+)?(:\d+)?: ", line)]
