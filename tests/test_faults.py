"""What goes wrong on the way - simulator, plugin, machine, disk, user - and whom it counts against."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import toy_drivers

from embodied_eval import driver_thread
from embodied_eval.plugins import load_benchmark
from tests.conftest import TOY, Command

ROOT = Path(__file__).parents[1]
ROOMS = ("run", "toy-rooms", "--model", "scripted/walker")
SUMS = ("run", "toy-sums", "--model", "scripted/adder")
FAULTS = ("run", "toy-faults", "--model", "scripted/yes")


@pytest.fixture(autouse=True)
def fresh_simulators(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(toy_drivers.Plane, "made", 0)
    monkeypatch.setattr(toy_drivers.Plane, "live", 0)
    yield
    assert toy_drivers.Plane.live == 0
    assert [thread for thread in threading.enumerate() if thread.name == "driver"] == []


def python(
    *args: str, before: str = "", cwd: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, after the statements in `before`."""
    path = os.pathsep.join(filter(None, (str(TOY), str(ROOT), os.environ.get("PYTHONPATH", ""))))
    code = f"{before}\nfrom embodied_eval.cli import script\nscript()"
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        env={**os.environ, "PYTHONPATH": path, **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
    )


def attempts(command: Command) -> list[list[object]]:
    asked = "SELECT attempt, status, chosen FROM attempts ORDER BY episode_key, attempt"
    assert command("query", asked, "--json") == 0
    rows: list[list[object]] = command.json["rows"]
    return rows


def test_a_crash_is_played_again_and_then_counts(command: Command, caplog: pytest.LogCaptureFixture) -> None:
    assert command(*ROOMS, "--limit", "2", "--driver", "toy-flaky", "--json") == 0
    assert (command.json["excluded"], command.json["finished"]) == (0, 2)
    assert "the game went away" in caplog.text
    rows = attempts(command)
    assert sorted(map(tuple, rows)) == [
        (1, "completed", True),
        (1, "simulator_error", False),
        (2, "completed", True),
    ]
    assert toy_drivers.Plane.made == 2  # the crashed one is replaced, the sound one used again


def test_a_simulator_that_always_crashes_is_excluded_and_counts_against_nobody(command: Command) -> None:
    assert command(*ROOMS, "--limit", "2", "--driver", "toy-dead", "--json") == 3
    document = command.json
    assert (document["excluded"], document["errored"], document["finished"]) == (2, 2, 2)
    metric = document["metrics"]["success_rate"]
    assert (metric["value"], metric["n"], metric["denominator"]) == (None, 0, 2) and metric["reason"]
    assert [row[:2] for row in attempts(command)] == [[n, "simulator_error"] for n in (1, 2, 3)] * 2
    assert command("show") == 0
    assert "excluded 2" in command.out
    assert command("query", "SELECT DISTINCT error_kind FROM attempts", "--json") == 0
    assert command.json["rows"] == [["SimulatorCrashed"]]


def test_an_excluded_episode_is_played_again_on_resume(command: Command) -> None:
    mixed = (*ROOMS, "--limit", "2", "--driver", "toy-dead")
    assert command(*mixed) == 3
    assert command(*mixed, "--resume", "--json") == 3
    assert len(attempts(command)) == 12


def test_a_stuck_simulator_is_interrupted_and_replaced(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toy_drivers.Plane, "call_deadline_s", 1.5)
    assert command(*ROOMS, "--limit", "1", "--driver", "toy-stuck", "--json") == 0
    assert sorted(map(tuple, attempts(command))) == [(1, "simulator_error", False), (2, "completed", True)]
    assert toy_drivers.Plane.made == 2
    assert command("query", "SELECT error_kind FROM attempts WHERE attempt = 1", "--json") == 0
    assert command.json["rows"] == [["StepTimeout"]]


def test_not_even_a_simulator_that_ignores_the_interrupt_holds_up_the_run(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toy_drivers.Plane, "call_deadline_s", 1.5)
    monkeypatch.setattr(driver_thread, "CLOSE_DEADLINE_S", 0.05)
    try:
        assert command(*ROOMS, "--limit", "1", "--driver", "toy-stubborn", "--json") == 0
    finally:
        stuck = [thread for thread in threading.enumerate() if thread.name == "driver"]
        toy_drivers.Stubborn.let_go()
        for thread in stuck:
            thread.join()
    assert len(stuck) == 1


def test_a_world_that_does_not_load_is_the_simulators_failure(command: Command) -> None:
    assert command(*ROOMS, "--limit", "1", "--driver", "toy-unloadable", "--json") == 3
    assert command.json["excluded"] == 1
    assert command("query", "SELECT DISTINCT status, error_kind FROM attempts", "--json") == 0
    assert command.json["rows"] == [["simulator_error", "LoadTimeout"]]


@pytest.mark.parametrize("package", ["mujoco", "moderngl"])
def test_a_missing_extra_is_named_with_the_command_that_installs_it(tmp_path: Path, package: str) -> None:
    store = str(tmp_path / "store")
    given = (*ROOMS, "--limit", "1", "--driver", "mujoco", "--store", store)
    done = python(*given, before=f"import sys; sys.modules[{package!r}] = None")
    assert done.returncode == 5, done.stderr
    assert "pip install 'embodied-eval[mujoco]'" in done.stderr and "Traceback" not in done.stderr
    assert not list(Path(store).glob("runs/*"))  # nothing was finished: no empty run is left


@pytest.mark.gl
@pytest.mark.skipif(find_spec("mujoco") is None, reason="needs the extra mujoco")
def test_without_egl_the_run_says_what_to_install_and_can_be_given_again(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    given = (*ROOMS, "--limit", "1", "--driver", "mujoco", "--store", store)
    done = python(*given, __EGL_VENDOR_LIBRARY_FILENAMES="/nonexistent.json")
    assert done.returncode == 5, done.stderr
    assert "apt-get install" in done.stderr and "libegl1" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(Path(store).glob("runs/*"))
    resumed = python(*given, "--resume", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["finished"] == 1
    assert len(list(Path(store).glob("runs/*"))) == 1


def test_a_bug_of_the_plugins_is_excluded_as_such_and_the_run_goes_on(command: Command) -> None:
    names = ("raises", "no-outcome", "no-status", "no-json", "no-world", "no-model")
    tasks = [f"--tasks=fault/{name}" for name in names]
    assert command(*FAULTS, *tasks, "--tasks", "sound/*", "--json") == 3
    document = command.json
    assert (document["planned"], document["finished"], document["excluded"]) == (8, 8, 6)
    metric = document["metrics"]["success_rate"]
    assert (metric["value"], metric["n"], metric["denominator"]) == (100.0, 2, 8)
    asked = "SELECT task_id, status, error FROM episodes WHERE status <> 'completed' ORDER BY task_id"
    assert command("query", asked, "--json") == 0
    told = {row[0].partition("/")[2]: row[2] for row in command.json["rows"]}
    assert {row[1] for row in command.json["rows"]} == {"harness_error"} and set(told) == set(names)
    assert "a bug of the plugin's" in told["raises"] and "NoneType" in told["no-outcome"]
    assert "excellent" in told["no-status"] and "cannot be stored" in told["no-json"]
    assert "burnt down" in told["no-world"] and "no such line" in told["no-model"]


def test_an_episode_whose_judging_fails_is_unjudged_and_there_is_no_headline(
    command: Command, caplog: pytest.LogCaptureFixture
) -> None:
    given = (*FAULTS, "--tasks", "fault/no-verdict", "--tasks", "sound/*")
    assert command(*given, "--json") == 4
    document = command.json
    assert (document["unjudged"], document["excluded"], document["finished"]) == (1, 0, 3)
    metric = document["metrics"]["success_rate"]
    assert metric["value"] is None and "1 of 3 episodes are unjudged" in metric["reason"]
    assert "a bug of the judge's" in caplog.text
    assert command("show") == 0
    assert "1 of 3 episodes are unjudged" in command.out and "100.0" not in command.out


def test_a_benchmark_that_cannot_summarise_loses_nothing(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def summarize(self: object, results: object) -> list[object]:
        raise ZeroDivisionError("no episode of that kind")

    kind = type(load_benchmark("toy-sums"))
    with monkeypatch.context() as patch:
        patch.setattr(kind, "summarize", summarize)
        assert command(*SUMS, "--limit", "2") == 1
        assert "cannot summarise" in command.err and "no episode of that kind" in command.err
    assert command("query", "SELECT count(*) FROM episodes WHERE status = 'completed'", "--json") == 0
    assert command.json["rows"] == [[2]]
    assert command("judge", "--json") == 0
    assert command.json["metrics"]["success_rate"]["value"] == 100.0


def test_ctrl_c_keeps_what_is_finished_and_resume_completes_it(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    given = (*SUMS, "--limit", "20", "--store", store)
    done = python(*given, TOY_STOP_AT="8")
    assert done.returncode == 130, done.stderr
    assert "--resume" in done.stderr and "Traceback" not in done.stderr
    asked = ("query", "SELECT count(*) FROM episodes WHERE status = 'completed'", "--store", store, "--json")
    finished = json.loads(python(*asked).stdout)["rows"][0][0]
    assert finished in (8, 9)  # tasks 0 to 7, and 8 if its reply was recorded before the stop
    shown = json.loads(python("show", "--store", store, "--json").stdout)
    assert (shown["finished"], shown["excluded"], shown["unjudged"]) == (finished, 0, 0)
    resumed = python(*given, "--resume", "--json")
    assert resumed.returncode == 0, resumed.stderr
    document = json.loads(resumed.stdout)
    assert (document["finished"], document["metrics"]["success_rate"]["value"]) == (20, 100.0)
    assert len(list(Path(store).glob("runs/*"))) == 1


def test_ctrl_c_does_not_wait_for_a_stuck_simulator(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    given = (*ROOMS, "--limit", "2", "--driver", "toy-stuck", "--store", store)
    done = python(*given, TOY_STUCK="ctrl-c")
    assert done.returncode == 130, done.stderr
    assert "Traceback" not in done.stderr and "exception" not in done.stderr.lower()
    shown = json.loads(python("show", "--store", store, "--json").stdout)
    assert (shown["finished"], shown["excluded"]) == (0, 0)
    resumed = python(*given, "--resume", "--json", TOY_STUCK="never")
    assert json.loads(resumed.stdout)["finished"] == 2


SMALL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2_500_000, 2_500_000))"


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are POSIX")
def test_a_full_disk_is_said_and_what_was_written_before_is_intact(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    given = (*FAULTS, "--tasks", "sound/1", "--tasks", "fault/big", "--tasks", "sound/2", "--store", store)
    done = python(*given, before=SMALL)
    assert done.returncode == 1, done.stderr
    assert "No space left to write" in done.stderr and "--resume" in done.stderr
    assert "Traceback" not in done.stderr
    shown = json.loads(python("show", "--store", store, "--json").stdout)
    assert (shown["finished"], shown["excluded"], shown["unjudged"]) == (1, 0, 0)
    resumed = python(*given, "--resume", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["finished"] == 3
    assert python("db", "check", "--store", store).returncode == 0
    asked = ("query", "SELECT count(*) FROM episodes WHERE status = 'completed'", "--store", store, "--json")
    assert json.loads(python(*asked).stdout)["rows"] == [[3]]
