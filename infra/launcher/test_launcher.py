"""The launcher as a person uses it: real processes, real ports, a cache that is shared with them.

python3 -m unittest discover -s infra/launcher -t infra
"""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ONEJOB = pathlib.Path(__file__).resolve().parent.parent / "onejob"


def environment(**more):
    """Settings of whoever runs the tests must not reach the launcher under test."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ONEJOB_", "TEMPORAL_")) or name in ("ONEJOB_CACHE", "ONEJOB_JAVA_HOME", "ONEJOB_TEMPORAL_CLI")
    }
    clean.update(more)
    return clean


def onejob(*words, cwd="/", under=(), **env):
    return subprocess.run(
        [*under, sys.executable, str(ONEJOB)] + [str(word) for word in words],
        cwd=cwd,
        env=environment(**env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=600,
        text=True,
    )


def one_line(test, done, code, *words):
    test.assertEqual(code, done.returncode, done.stderr)
    lines = [line for line in done.stderr.splitlines() if line.startswith("onejob: ")]
    test.assertEqual(1, len(lines), done.stderr)
    for word in words:
        test.assertIn(word, lines[0])
    test.assertNotIn("Traceback", done.stderr)


class Words(unittest.TestCase):
    def test_help_tells_every_command_and_ends_well(self):
        for word in ("help", "--help", "-h"):
            done = onejob(word)
            self.assertEqual(0, done.returncode)
            for command in ("up", "down", "status", "env", "app", "demo"):
                self.assertIn("\n  " + command, done.stdout)
        self.assertEqual(0, onejob().returncode)
        self.assertIn("usage", onejob("up", "--help").stdout)

    def test_an_unknown_word_gets_help_and_2(self):
        for word in ("bench2", "UP", "--data"):
            done = onejob(word)
            self.assertEqual(2, done.returncode)
            self.assertIn("usage: infra/onejob", done.stderr)

    def test_wrong_options_are_2_and_one_line(self):
        with tempfile.TemporaryDirectory() as data:
            one_line(self, onejob("up", "--bogus", "--data", data), 2, "--bogus")
            one_line(self, onejob("up", "--port", "99999", "--data", data), 2, "99999")
            one_line(self, onejob("up", "--data", data, ONEJOB_PORT="web"), 2, "web")
            one_line(self, onejob("up", "--roles", "boss", "--data", data), 2, "boss")
            one_line(self, onejob("up", "--config", "/no/such", "--data", data), 2, "/no/such")


class Troubles(unittest.TestCase):
    def setUp(self):
        self.base = tempfile.TemporaryDirectory()
        self.addCleanup(self.base.cleanup)
        self.data = pathlib.Path(self.base.name) / "data"

    def test_a_place_that_cannot_be_written_is_one_line(self):
        file = pathlib.Path(self.base.name) / "file"
        file.write_text("")
        one_line(self, onejob("up", "--no-app", "--detach", "--data", file / "data"), 1, str(file))

    def test_no_jdk_is_one_line(self):
        program = (
            "import sys; sys.path.insert(0, %r); sys.dont_write_bytecode = True\n"
            "from launcher import java, commands\n"
            "java._homes = lambda: iter(['/no/such'])\n"
            "sys.exit(commands.main(['up', '--data', %r]))\n" % (str(ONEJOB.parent), str(self.data))
        )
        done = subprocess.run(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
        )
        one_line(self, done, 1, "no JDK 25", "ONEJOB_JAVA_HOME")

    def test_a_full_disk_is_one_line_and_leaves_nothing_running(self):
        self.data.mkdir()
        mount = 'mount -t tmpfs -o size=4m none "$0"'
        small = ("unshare", "-m", "sh", "-c", mount + ' && exec "$@"', str(self.data))
        if not shutil.which("unshare") or subprocess.run([*small, "true"], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("a small disk cannot be mounted here")
        place = self.data / "instance"
        one_line(self, onejob("up", "--no-app", "--detach", "--data", place, under=small), 1, "the disk is full")
        listed = subprocess.run(["ps", "-axww", "-o", "command="], stdout=subprocess.PIPE, text=True).stdout
        self.assertNotIn(str(place), listed)

    @unittest.skipUnless(os.geteuid() == 0, "only root needs unshare")
    def test_no_unshare_is_one_line(self):
        tools = pathlib.Path(self.base.name) / "bin"
        tools.mkdir()
        for tool in ("mvn", "java", "ps"):
            if shutil.which(tool):
                (tools / tool).symlink_to(shutil.which(tool))
        done = onejob("up", "--no-app", "--detach", "--data", self.data, PATH=str(tools))
        one_line(self, done, 1, "unshare", "util-linux")
        self.assertEqual(5, onejob("status", "--data", self.data).returncode)

    def test_an_external_database_that_is_away_is_5(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        for url in ("jdbc:postgresql://127.0.0.1:%d/x", "postgresql://u:p@127.0.0.1:%d/x"):
            done = onejob("up", "--no-app", "--detach", "--data", self.data, ONEJOB_DB_URL=url % port)
            one_line(self, done, 5, "127.0.0.1:%d" % port, "ONEJOB_DB_URL")
        done = onejob("up", "--no-app", "--detach", "--data", self.data, TEMPORAL_ADDRESS="127.0.0.1:%d" % port)
        one_line(self, done, 5, "127.0.0.1:%d" % port, "TEMPORAL_ADDRESS")

    def test_nothing_running_is_told(self):
        self.assertEqual(0, onejob("down", "--data", self.data).returncode)
        one_line(self, onejob("env", "--data", self.data), 5, "up --detach")
        self.assertEqual(5, onejob("status", "--data", self.data).returncode)
        self.assertFalse(self.data.exists())

    def test_wipe_takes_only_what_the_launcher_made(self):
        self.data.mkdir()
        (self.data / "thesis.txt").write_text("years")
        self.assertEqual(0, onejob("down", "--wipe", "--data", self.data).returncode)
        self.assertEqual(["thesis.txt"], os.listdir(self.data))


class Services(unittest.TestCase):
    """Two data directories for all of it: each start costs seconds."""

    @classmethod
    def setUpClass(cls):
        cls.base = tempfile.TemporaryDirectory(prefix="one job ")
        cls.addClassCleanup(cls.base.cleanup)
        cls.data = pathlib.Path(cls.base.name) / "an instance"
        cls.addClassCleanup(onejob, "down", "--data", cls.data)

    def up(self, data=None):
        done = onejob("up", "--no-app", "--detach", "--data", data or self.data)
        self.assertEqual(0, done.returncode, done.stderr)
        return done

    def status(self, data=None):
        done = onejob("status", "--json", "--data", data or self.data)
        return done.returncode, json.loads(done.stdout)["parts"]

    def pids(self):
        return {part: about["pid"] for part, about in self.status()[1].items() if about["pid"]}

    def test_a_second_up_changes_nothing(self):
        self.up()
        before = self.pids()
        self.assertEqual({"postgres", "temporal", "sandbox"}, set(before))
        self.up()
        self.assertEqual(before, self.pids())

    def test_env_is_for_a_shell_and_its_file_for_the_owner_alone(self):
        self.up()
        printed = subprocess.run(
            ["bash", "-c", 'eval "$("$0" "$1" env --data "$2")" && "$0" -c "import json, os; print(json.dumps(dict(os.environ)))"']
            + [sys.executable, str(ONEJOB), str(self.data)],
            env=environment(),
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        env = json.loads(printed)
        for name in ("API_KEY", "OPERATOR_KEY", "DB_URL", "DB_USER", "DB_PASSWORD", "SANDBOX_URL", "TEMPORAL_UI"):
            self.assertTrue(env["ONEJOB_" + name])
        self.assertTrue(env["ONEJOB_API_KEY"].startswith("ojk_"))
        self.assertEqual("default", env["TEMPORAL_NAMESPACE"])
        self.assertEqual(self.pids()["postgres"], int(env["ONEJOB_POSTGRES_PID"]))
        self.assertEqual(self.pids()["temporal"], int(env["ONEJOB_TEMPORAL_PID"]))
        for file in ("onejob.env", "secrets.json", "state.json"):
            self.assertEqual(0o600, (self.data / file).stat().st_mode & 0o777, file)
        before = self.pids()
        again = onejob(
            "up", "--no-app", "--detach", "--data", self.data,
            **{name: value for name, value in env.items() if name.startswith(("ONEJOB_", "TEMPORAL_"))}
        )  # fmt: skip
        self.assertEqual(0, again.returncode, again.stderr)
        self.assertEqual(before, self.pids(), "the shell's own lines made the services external")

    def test_up_heals_what_was_killed_and_keeps_addresses_and_keys(self):
        self.up()
        env = onejob("env", "--data", self.data).stdout
        for pid in self.pids().values():
            os.kill(pid, signal.SIGKILL)
        code, parts = self.status()
        self.assertEqual(5, code)
        self.assertEqual({"dead"}, {parts[part]["health"] for part in ("postgres", "temporal", "sandbox")})
        self.up()
        code, parts = self.status()
        self.assertEqual(0, code, parts)
        without_pids = lambda text: [line for line in text.splitlines() if "_PID=" not in line]  # noqa: E731
        self.assertEqual(without_pids(env), without_pids(onejob("env", "--data", self.data).stdout))

    def test_up_heals_one_killed_part_and_leaves_the_others(self):
        self.up()
        before = self.pids()
        os.kill(before["postgres"], signal.SIGKILL)
        self.up()
        after = self.pids()
        self.assertNotEqual(before["postgres"], after["postgres"])
        self.assertEqual((before["temporal"], before["sandbox"]), (after["temporal"], after["sandbox"]))

    def up_with_failing_temporal(self, times):
        """With a `temporal` that panics at its first starts as one does whose inner port was taken."""
        real = onejob("temporal-path").stdout.strip()
        fake = pathlib.Path(self.base.name) / ("temporal-%d" % times)
        fake.write_text(
            '#!/bin/sh\ncount="$0.count"; n=$(cat "$count" 2>/dev/null || echo 0); echo $((n + 1)) > "$count"\n'
            'if [ "$n" -lt %d ]; then echo "panic: listen tcp 127.0.0.1: bind: address already in use" >&2\n'
            "  i=0; while [ $i -lt 30 ]; do echo 'goroutine 1 [running]:' >&2; i=$((i + 1)); done; exit 2; fi\n"
            'exec "%s" "$@"\n' % (times, real)
        )
        fake.chmod(0o755)
        onejob("down", "--data", self.data)
        return onejob("up", "--no-app", "--detach", "--data", self.data, ONEJOB_TEMPORAL_CLI=str(fake))

    def test_a_part_that_ends_at_its_first_start_is_started_again(self):
        done = self.up_with_failing_temporal(2)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(2, done.stderr.count("starting it again"), done.stderr)
        self.assertEqual(0, self.status()[0])

    def test_a_part_that_never_starts_tells_its_cause_and_not_its_stack(self):
        done = self.up_with_failing_temporal(99)
        one_line(self, done, 1, "Temporal did not start")
        self.assertIn("address already in use", done.stderr)
        self.assertNotIn("goroutine", done.stderr)

    def test_a_frozen_part_is_stopped_by_down(self):
        self.up()
        pids = self.pids()
        os.kill(pids["sandbox"], signal.SIGSTOP)
        self.assertEqual(0, onejob("down", "--data", self.data).returncode)
        self.assertEqual({}, self.pids())

    def test_down_finds_what_is_ours_without_the_state_file(self):
        self.up()
        os.kill(self.pids()["temporal"], signal.SIGKILL)
        (self.data / "state.json").unlink()
        self.assertEqual(0, onejob("down", "--data", self.data).returncode)
        self.assertEqual({}, self.pids())

    def test_a_recycled_pid_is_never_signalled(self):
        self.up()
        onejob("down", "--data", self.data)
        other = subprocess.Popen(["sleep", "60"])
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        path = self.data / "state.json"
        state = json.loads(path.read_text())
        state["parts"]["sandbox"] = {"pid": other.pid, "started": "1"}
        path.write_text(json.dumps(state))
        self.assertEqual(0, onejob("down", "--data", self.data).returncode)
        self.assertIsNone(other.poll())

    def test_two_instances_run_side_by_side(self):
        second = pathlib.Path(self.base.name) / "second"
        self.addCleanup(onejob, "down", "--wipe", "--data", second)
        self.up()
        before = self.pids()
        self.up(second)
        ports = [about["port"] for data in (self.data, second) for about in self.status(data)[1].values() if about["port"]]
        self.assertEqual(6, len(set(ports)))
        self.assertEqual(0, onejob("down", "--wipe", "--data", second).returncode)
        self.assertFalse(second.exists())
        self.assertEqual(before, self.pids())

    def test_ctrl_c_stops_all_and_a_killed_part_is_started_again_before(self):
        onejob("down", "--data", self.data)
        log = pathlib.Path(self.base.name) / "up.log"
        with open(log, "w") as out:
            launcher = subprocess.Popen(
                [sys.executable, str(ONEJOB), "up", "--no-app", "--data", str(self.data)],
                cwd="/",
                env=environment(),
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        self.addCleanup(launcher.wait)
        self.addCleanup(launcher.kill)
        self.await_text(log, "Ctrl-C stops everything")
        os.kill(self.pids()["sandbox"], signal.SIGKILL)
        self.await_text(log, "the sandbox: healthy again")
        launcher.send_signal(signal.SIGINT)
        self.assertEqual(0, launcher.wait(90), log.read_text())
        self.assertEqual({}, self.pids())

    def await_text(self, log, text):
        end = time.monotonic() + 90
        while text not in log.read_text():
            self.assertLess(time.monotonic(), end, log.read_text())
            time.sleep(0.1)

    def test_a_busy_port_of_the_application_is_one_line(self):
        with socket.socket() as busy:
            busy.bind(("127.0.0.1", 0))
            busy.listen()
            port = busy.getsockname()[1]
            done = onejob("up", "--detach", "--port", port, "--data", self.data, ONEJOB_NO_BUILD="1")
        one_line(self, done, 1, "port %d is in use" % port, "--port")


if __name__ == "__main__":
    unittest.main()
