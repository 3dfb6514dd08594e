"""Official tasks through the command line: on the UE service, in a page, and what their judge is asked."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.worldaudit.official.tasks import read_official
from benchmarks.worldaudit.plugin import WorldAudit
from embodied_eval.errors import JudgeError
from embodied_eval.judges.base import TruthJudge
from tests.benchmarks.worldaudit.official_kit import row, write_parquet, write_profile
from tests.benchmarks.worldaudit.trajectories import finding, trajectory
from tests.conftest import Command
from tests.drivers.ue_service.server import Game, UeService

PAGE = Path(__file__).parents[2] / "drivers" / "page_env" / "page"


def run(command: Command, folder: Path, service: UeService, *more: str) -> int:
    return command(
        "run", "worldaudit", "--data", str(folder), "--driver", "ue-service", "--driver-address",
        service.address, "--model", "scripted/random", "--set", "budget=6", "--set", "width=160", "--set",
        "height=90", "--json", *more,
    )  # fmt: skip


def test_an_episode_is_played_on_the_service_and_waits_for_a_judge_model(
    command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "official"
    write_parquet(folder / "tasks.parquet", [row("S101")])
    with UeService(Game(task_id="S101")) as service:
        assert run(command, folder, service) == 4, command.err
        made = command.json["run"]
        assert len(service.game.actions) == 6
    assert command("query", "SELECT status, sim_s > 1, task_id FROM episodes", "--json") == 0
    assert command.json["rows"] == [["completed", True, "S101"]]
    assert command("query", "SELECT count(*) FROM frames WHERE ref LIKE 'a%.f%'", "--json") == 0
    assert command.json["rows"][0][0] >= 1
    stored = command.store / "runs" / made
    assert "official UE service" in (stored / "run.json").read_text()
    assert "only be judged by its rubric" in "".join(
        file.read_text() for file in stored.rglob("*") if file.suffix in (".json", ".jsonl")
    )
    for file in stored.rglob("*"):
        if file.is_file() and "private" not in str(file):
            assert b"SECRET" not in file.read_bytes(), file


def test_a_fault_of_the_service_counts_against_nobody(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "official"
    write_parquet(folder / "tasks.parquet", [row("S101"), row("S102")])
    with UeService(Game(task_id="S101"), {("/step", 3): "not_paused"}) as service:
        assert run(command, folder, service) == 3, command.err
        assert [path for path, _ in service.log].count("/reset") == 1
    assert command("query", "SELECT task_id, status, error_kind FROM episodes ORDER BY 1", "--json") == 0
    assert command.json["rows"] == [
        ["S101", "simulator_error", "ProtocolError"],
        ["S102", "simulator_error", "CommandFailed"],
    ]


@pytest.mark.browser
def test_a_page_of_the_runtime_folder_is_played(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "official"
    write_parquet(folder / "tasks.parquet", [row("JS_AF103", "three.js")])
    shutil.copytree(PAGE, folder / "suite" / "threejs")
    write_profile(folder, "JS_AF103", "threejs/index.html")
    played = command(
        "run",
        "worldaudit",
        "--data",
        str(folder),
        "--model",
        "scripted/random",
        "--set",
        "budget=2",
        "--json",
    )
    assert played == 4, command.err
    assert command("query", "SELECT status, driver FROM episodes JOIN runs USING (run_id)", "--json") == 0
    assert command.json["rows"] == [["completed", "page-env"]]


def test_a_judge_is_asked_by_the_rubric_and_the_truth_judge_says_so(tmp_path: Path) -> None:
    write_parquet(tmp_path / "tasks.parquet", [row("S101")])
    (task,) = read_official(str(tmp_path)).tasks
    made = replace(trajectory("G1", [finding("A bench floats.", ["a1"])]), task=task)
    plugin = WorldAudit()
    (item,) = plugin.rubric(made)
    assert "SECRET bench floats." in item.rubric and "It stands on the floor." in item.rubric
    assert "A bench floats." in item.answer and item.frames == ("a1",)
    with pytest.raises(JudgeError, match="--judge-model"):
        asyncio.run(plugin.judge(made, TruthJudge()))
