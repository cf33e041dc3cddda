"""The words of the command line."""

import argparse
import contextlib
import json
import math
import os
import shlex
import signal
import subprocess
import sys
import time

from launcher import app, demo, java, places, temporal
from launcher.instance import NAMES, Instance
from launcher.processes import size
from launcher.say import DONE, FAILED, UNREACHABLE, WRONG_USE, Trouble, of_os_error, out, say

HELP = """\
usage: infra/onejob COMMAND [OPTIONS]

  up                build what is stale, start everything, print how to use it, follow the log;
                    Ctrl-C stops all in order
  up --detach       the same, and return when it is healthy; running it twice is harmless
  down [--wipe]     stop in order, whatever state it was left in; --wipe deletes the data too
  status [--json]   each part: pid, port, health
  env               `export` lines for the running instance
  app               one more application process on the same services, in the foreground
  demo              the four breakpoints, live
  bench [OPTIONS]   the running instance beside its floors: --jobs N --rounds N --submitters N
  help              this text

options of up and app (each also an environment variable):
  --port N          of the API (ONEJOB_PORT, default 8080; 0 = a free one)
  --config DIR      providers and operations (ONEJOB_CONFIG, default infra/config)
  --roles LIST      api,worker or one of them (ONEJOB_ROLES)
options of up:
  --no-app          PostgreSQL, Temporal and sandbox only: run the application from your IDE
  --no-sandbox      without the sandbox providers
option of every command:
  --data DIR        where everything of an instance lives (ONEJOB_DATA, default .onejob)

External services instead of embedded ones: ONEJOB_DB_URL, ONEJOB_DB_USER, ONEJOB_DB_PASSWORD
(or ONEJOB_DB_PASSWORD_FILE); TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and Temporal's other variables.

exit codes: 0 done, 1 failed, 2 wrong use, 3 conflict or blocked, 4 not found, 5 not reachable
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Trouble("%s (see infra/onejob help)" % message, WRONG_USE)


def _port(text):
    if not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError("%r is not a port (0 to 65535)" % text)
    return int(text)


def _roles(text):
    roles = [role.strip() for role in text.split(",")]
    if not roles or any(role not in ("api", "worker") for role in roles) or len(set(roles)) != len(roles):
        raise argparse.ArgumentTypeError("%r is not api, worker or api,worker" % text)
    return ",".join(roles)


def _parse(word, arguments):
    parser = _Parser(prog="infra/onejob " + word, add_help=False, allow_abbrev=False)
    parser.add_argument("--data", default=os.environ.get("ONEJOB_DATA") or str(places.ROOT / ".onejob"))
    if word in ("up", "app"):
        # A default that is a string is checked by `type` as well: the environment is no back door.
        parser.add_argument("--port", type=_port, default=os.environ.get("ONEJOB_PORT") or None)
        parser.add_argument("--config", default=os.environ.get("ONEJOB_CONFIG") or None)
        parser.add_argument("--roles", type=_roles, default=os.environ.get("ONEJOB_ROLES") or None)
    if word == "up":
        parser.add_argument("--detach", action="store_true")
        parser.add_argument("--no-app", action="store_true")
        parser.add_argument("--no-sandbox", action="store_true")
    if word == "down":
        parser.add_argument("--wipe", action="store_true")
    if word == "status":
        parser.add_argument("--json", action="store_true")
    if word == "bench":
        for option in ("--jobs", "--rounds", "--submitters"):
            parser.add_argument(option)
    return parser.parse_args(arguments)


def main(arguments):
    word = arguments[0] if arguments else "help"
    if word in ("help", "--help", "-h") or (word in COMMANDS and {"--help", "-h"} & set(arguments[1:])):
        sys.stdout.write(HELP)
        return DONE
    command = COMMANDS.get(word)
    if not command:
        say("onejob: there is no command `%s`\n" % word)
        sys.stderr.write(HELP)
        return WRONG_USE
    try:
        signal.signal(signal.SIGTERM, _interrupt)
        signal.signal(signal.SIGHUP, _interrupt)
        return command(_parse(word, arguments[1:]))
    except Trouble as trouble:
        say("onejob: " + trouble.line)
        for detail in trouble.details:
            say("  | " + detail)
        return trouble.code
    except KeyboardInterrupt:
        say("onejob: interrupted")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        trouble = of_os_error(error, str(error.filename or "operating system"))
        say("onejob: " + trouble.line)
        return trouble.code


def _interrupt(_number, _frame):
    raise KeyboardInterrupt


@contextlib.contextmanager
def _calm():
    """While stopping, a second Ctrl-C must not leave half of it running."""
    before = [(number, signal.signal(number, signal.SIG_IGN)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


# --- up -----------------------------------------------------------------------------------------


def up(options):
    instance = Instance(options.data)
    wanted = _wanted(options, instance)
    begin = time.monotonic()
    with instance.lock():
        started = instance.up(wanted)
    ready = "healthy after %.1f s" % (time.monotonic() - begin) if started else "already running, healthy"
    _tell(instance, ready, options.detach)
    if options.detach:
        return DONE
    return _follow(instance, wanted)


def _wanted(options, instance):
    """Options that were not given stay as they are while the instance runs."""
    running = instance.is_running()
    if options.config and not os.path.isdir(options.config):
        raise Trouble("there is no configuration directory %s" % options.config, WRONG_USE)
    return {
        "port": options.port if options.port is not None or running and "port" in instance.state["spec"] else 8080,
        "config": app.config(options.config) if options.config or not running else None,
        "roles": options.roles or (None if running else ""),
        "app": not options.no_app,
        "sandbox": not options.no_sandbox,
    }


def _tell(instance, ready, detached):
    env, spec = instance.environment(), instance.state["spec"]
    out("OneJob is %s" % ready)
    if spec["app"]:
        out("  API          %s" % env["ONEJOB_URL"])
    out("  Temporal UI  %s" % (env.get("ONEJOB_TEMPORAL_UI") or "none"))
    if env.get("ONEJOB_SANDBOX_URL"):
        out("  sandbox      %s" % env["ONEJOB_SANDBOX_URL"])
    out("  API key      %s" % env["ONEJOB_API_KEY"])
    out("  data, logs   %s" % instance.data)
    if spec["app"] and "api" in (spec.get("roles") or "api"):
        url, bearer = env["ONEJOB_URL"], "-H 'Authorization: Bearer %s'" % env["ONEJOB_API_KEY"]
        out("\nsubmit a job (paste it twice: it stays one job):")
        out(
            "  curl -sS -X POST %s/v1/jobs %s -H 'Idempotency-Key: demo-1' -H 'Content-Type: application/json'"
            ' -d \'{"operation":"print-document","input":{"document":"hello"}}\'' % (url, bearer)
        )
        out("read it, waiting until it closes (its id is in the answer above):")
        out("  curl -sS '%s/v1/jobs/JOB_ID?wait=30s' %s" % (url, bearer))
    elif not spec["app"]:
        out("\nfor the application in your IDE: eval \"$(infra/onejob env%s)\"" % _data_option(instance))
    if detached:
        out("\nstop it with: infra/onejob down%s" % _data_option(instance))


def _data_option(instance):
    return "" if instance.data == places.ROOT / ".onejob" else " --data " + shlex.quote(str(instance.data))


def _follow(instance, wanted):
    """Shows the log and keeps the parts alive until Ctrl-C, or until somebody else says `down`."""
    log = instance.logs / "app.log"
    at, again = size(log), math.inf
    say("\nfollowing %s; Ctrl-C stops everything" % log)
    try:
        while True:
            at = _copy(log, at)
            if instance.dead_parts() or time.monotonic() > again:
                if not (instance.data / "state.json").exists():
                    say("stopped by `down --wipe`")
                    return DONE
                with instance.lock():
                    again = _heal(instance, wanted, again)
                if again is None:
                    say("stopped by `down`")
                    return DONE
            time.sleep(0.2)
    except KeyboardInterrupt:
        with _calm():
            say("\nstopping")
            with instance.lock():
                instance.down()
            say("stopped; the data stays in %s" % instance.data)
        return DONE


def _heal(instance, wanted, again):
    """When to try again: never if all is well, and None if somebody said `down` meanwhile."""
    if not instance.load().state["spec"] and again == math.inf:
        return None
    names = " and ".join(NAMES[part] for part in instance.dead_parts()) or "what is missing"
    if names == "what is missing" and again == math.inf:
        return again
    say("%s died: starting again" % names if again == math.inf else "trying again")
    try:
        instance.up(dict(wanted, port=instance.state["spec"].get("port", wanted["port"])))
    except Trouble as trouble:
        say("onejob: %s; the other parts stay, next try in 10 s" % trouble.line)
        for detail in trouble.details:
            say("  | " + detail)
        return time.monotonic() + 10
    say("%s: healthy again" % names)
    return math.inf


def _copy(log, at):
    length = size(log)
    if length < at:
        at = 0
    if length > at:
        with open(log, "rb") as file:
            file.seek(at)
            try:
                sys.stdout.buffer.write(file.read(length - at))
                sys.stdout.buffer.flush()
            except BrokenPipeError:
                pass  # nobody reads; the instance goes on
    return length


# --- the others ---------------------------------------------------------------------------------


def down(options):
    instance = Instance(options.data)
    if not instance.data.exists():
        say("nothing runs at %s" % instance.data)
        return DONE
    with instance.lock(), _calm():
        stopped = instance.down(options.wipe)
    say("stopped " + ", ".join(NAMES[part] for part in stopped) if stopped else "nothing runs at %s" % instance.data)
    if options.wipe:
        say("wiped %s" % instance.data)
    return DONE


def status(options):
    instance = Instance(options.data)
    told = instance.status()
    fine = all(part["health"] in ("healthy", "external", "stopped") for part in told.values())
    fine = fine and any(part["health"] in ("healthy", "external") for part in told.values())
    if options.json:
        print(json.dumps({"data": str(instance.data), "healthy": fine, "parts": told}, indent=1))
    else:
        for part, about in told.items():
            print("%-9s %-9s pid %-8s port %s" % (part, about["health"], about["pid"] or "-", about["port"] or "-"))
    return DONE if fine else UNREACHABLE


def env(options):
    instance = _running(options)
    for name, value in instance.environment().items():
        print("export %s=%s" % (name, shlex.quote(value)))
    return DONE


def _running(options):
    instance = Instance(options.data)
    if not instance.is_running():
        raise Trouble("nothing runs at %s: start it with infra/onejob up --detach" % instance.data, UNREACHABLE)
    return instance


def one_more_app(options):
    """One more application process, with the services of the running instance or of the environment."""
    instance = Instance(options.data)
    jdk = java.find_jdk()
    if instance.is_running():
        environment = instance.app_environment()
    elif os.environ.get("ONEJOB_DB_URL"):
        environment = dict(os.environ)
    else:
        raise Trouble(
            "no services to run on: start some with infra/onejob up --detach, or set ONEJOB_DB_URL and TEMPORAL_ADDRESS",
            UNREACHABLE,
        )
    java.build(java.ALL, jdk)
    spec = {"config": app.config(options.config or instance.state["spec"].get("config")), "roles": options.roles}
    port = 8080 if options.port is None else options.port
    command = [str(word) for word in app.command(jdk, instance.data, spec, port, part="extra-app")]
    if os.environ.get("ONEJOB_PORT_FILE"):
        environment["ONEJOB_PORT_FILE"] = os.environ["ONEJOB_PORT_FILE"]
    # It becomes the application: signals, exit code and output are its own.
    sys.stderr.flush()
    os.execve(command[0], command, environment)


def run_demo(options):
    instance = Instance(options.data)
    if not instance.is_running() or not instance.state["spec"].get("app") or instance.dead_parts():
        say("no running instance at %s: starting one (it stays; infra/onejob down stops it)" % instance.data)
        done = subprocess.run(
            [sys.executable, str(places.ROOT / "infra/onejob"), "up", "--detach", "--data", str(instance.data)]
        )
        if done.returncode != 0:
            return done.returncode
        instance.load()
    told = instance.environment()
    if not told.get("ONEJOB_SANDBOX_URL"):
        raise Trouble("the demo needs the sandbox providers: start without --no-sandbox", FAILED)
    return demo.play(told)


def bench(options):
    instance = _running(options)
    jdk = java.find_jdk()
    java.build(java.ALL, jdk)
    command = [str(jdk / "bin/java"), "-Xmx1g", "--enable-native-access=ALL-UNNAMED", "-cp", java.class_path("infra/bench"), "dev.onejob.bench.Bench"]
    for option in ("jobs", "rounds", "submitters"):
        if getattr(options, option):
            command += ["--" + option, getattr(options, option)]
    sys.stderr.flush()
    os.execve(command[0], command, dict(os.environ, **instance.environment()))


def temporal_path(_options):
    print(temporal.find())
    return DONE


COMMANDS = {
    "up": up,
    "down": down,
    "status": status,
    "env": env,
    "app": one_more_app,
    "demo": run_demo,
    "bench": bench,
    "temporal-path": temporal_path,
}
