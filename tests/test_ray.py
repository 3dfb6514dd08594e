"""The Ray runner: the same results as in this process, workers that die replaced, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import TOY, Command

pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra ray"),
    pytest.mark.xdist_group("ray"),
]
ROOT = Path(__file__).parents[1]
ROOMS = ("run", "toy-rooms", "--model", "scripted/walker", "--driver", "toy-fatal", "--limit", "4")
RAY = ("--runner", "ray", "--concurrency", "2")


@pytest.fixture(autouse=True)
def toys_in_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.pathsep.join(filter(None, (str(TOY), str(ROOT), os.environ.get("PYTHONPATH", ""))))
    monkeypatch.setenv("PYTHONPATH", path)


def left_of(pid: int) -> list[str]:
    """What is left of the Ray instance that process `pid` started: processes and its folder."""
    found = [str(path) for path in Path("/tmp").glob(f"ee-ray-{pid}")]
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it ended while we looked
        if f"ee-ray-{pid}" in line:
            found.append(line)
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ray_gives_the_same_trajectories_and_verdicts_though_a_worker_dies(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    killed = tmp_path / "killed"
    monkeypatch.setenv("TOY_FATAL", str(killed))
    assert command(*ROOMS, *RAY, "--json") == 0, command.err
    document = command.json
    assert (document["finished"], document["excluded"], document["unjudged"]) == (4, 0, 0)
    assert killed.exists()  # one worker did die
    asked = "SELECT count(*), count(*) FILTER (status IS NULL) FROM attempts"
    assert command("query", asked, "--json") == 0
    assert command.json["rows"] == [[5, 1]]
    assert left_of(os.getpid()) == []
    assert command(*ROOMS, "--json") == 0  # here it finds the mark and lives
    assert command("compare", document["run"], command.json["run"], "--json") == 0
    compared = command.json
    assert (compared["pairs"], compared["verdict_differs"], compared["trajectory_differs"]) == (4, 0, 0)


def python(*args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "embodied_eval", *args]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ctrl_c_ends_every_process_and_keeps_what_is_finished(command: Command) -> None:
    given = ("run", "toy-rooms", "--model", "scripted/walker", "--repeats", "20")
    run = python(*given, *RAY, "--store", str(command.store))
    assert run.stderr is not None
    told = ""
    for line in run.stderr:
        told += line
        if line.startswith("  room/") and told.count("  room/") == 1:
            run.send_signal(signal.SIGINT)
    run.stderr.close()
    assert run.wait() == 130, told
    assert "--resume" in told and "Traceback" not in told
    assert left_of(run.pid) == []
    assert command("show", "--json") == 0
    shown = command.json
    assert 0 < shown["finished"] < shown["planned"] == 120, told
    # What a worker finished at that very moment is on the disk, and judged on resume.
    assert shown["excluded"] == 0 and shown["unjudged"] <= 2


@pytest.mark.full
def test_an_episode_that_kills_every_worker_is_excluded(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_FATAL", "always")
    assert command(*ROOMS, *RAY, "--limit", "1", "--json") == 3
    assert command.json["excluded"] == 1
    assert command("query", "SELECT status, error FROM episodes", "--json") == 0
    assert command.json["rows"] == [["simulator_error", "Its worker died 3 times."]]


def test_a_budget_over_several_workers_is_refused(command: Command) -> None:
    assert command(*ROOMS, *RAY, "--budget-tokens", "1000") == 2
    assert "--runner inprocess" in command.err
