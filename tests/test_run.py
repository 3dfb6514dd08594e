"""A third party's benchmark through the whole road: run, judge, show, compare, query, export, resume."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import TOY, Command

RUN = ("run", "toy-sums", "--model", "scripted/adder")


def python(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, (str(TOY), os.environ.get("PYTHONPATH", ""))))
    return subprocess.run(
        [sys.executable, "-m", "embodied_eval", *args],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_run_prints_one_json_document_and_nothing_else_on_stdout(command: Command) -> None:
    assert command(*RUN, "--json") == 0
    document = command.json
    assert document["schema"] == "embodied-eval/show/1"
    assert document["headline"] == "success_rate"
    metric = document["metrics"]["success_rate"]
    assert (metric["value"], metric["n"], metric["denominator"]) == (100.0, 50, 50)
    assert metric["low"] == pytest.approx(92.87, abs=0.01)
    assert (document["excluded"], document["unjudged"], document["calls"]) == (0, 0, 50)
    assert "50/50" in command.err


def test_a_model_that_fails_is_a_result(command: Command) -> None:
    assert command("run", "toy-sums", "--model", "scripted/null", "--json") == 0
    assert command.json["metrics"]["success_rate"]["value"] == 0.0


def test_several_models_make_several_runs_and_compare_pairs_them(command: Command) -> None:
    assert command(*RUN, "--model", "scripted/null", "--json") == 0
    a, b = (document["run"] for document in command.json)
    assert command("compare", a, b, "--json") == 0
    document = command.json
    assert (document["pairs"], document["verdict_differs"], document["trajectory_differs"]) == (50, 50, 50)
    assert document["metrics"]["right"]["difference"] == -100.0
    assert document["metrics"]["right"]["p"] < 1e-9
    assert command("compare", a, a, "--json") == 0
    assert (command.json["verdict_differs"], command.json["trajectory_differs"]) == (0, 0)


def test_the_store_answers_in_sql(command: Command) -> None:
    assert command(*RUN, "--limit", "5") == 0
    assert (
        command("query", "SELECT count(*), sum(steps) FROM episodes WHERE status = 'completed'", "--json")
        == 0
    )
    assert command.json["rows"] == [[5, 10]]
    assert command("query", 'SELECT text FROM "toy_sums_remarks" ORDER BY text LIMIT 1', "--json") == 0
    assert command.json["rows"] == [["0"]]
    assert command("query", "DROP TABLE episodes") == 2
    assert command("db", "rebuild", "--json") == 0
    assert command.json["rows"]["steps"] == 10
    assert command("db", "check", "--json") == 0
    assert command.json["problems"] == []


def test_show_status_and_export(command: Command, tmp_path: Path) -> None:
    assert command(*RUN, "--limit", "3") == 0
    assert command("show", "--json") == 0
    run = command.json["run"]
    assert command("show", run, "sum/002", "--json") == 0
    assert command.json["outcome"]["answer"] == {"text": "6"}
    assert [step["action"] for step in command.json["steps"]] == ["read", "answer"]
    assert command("show", run, "sum/777") == 2
    assert command("status", "--json") == 0
    assert (command.json["planned"], command.json["finished"]) == (3, 3)
    assert command("export", run, "--format", "jsonl", "--out", str(tmp_path / "out"), "--public") == 0
    text = "".join(path.read_text() for path in (tmp_path / "out").rglob("*.jsonl"))
    assert "sum/002" in text and "What is 2 + 4" in text
    assert command("ls", "runs", "--json") == 0
    assert command.json["runs"][0]["finished"] == 3


def test_judging_again_plays_nothing(command: Command) -> None:
    assert command(*RUN, "--limit", "4") == 0
    before = sorted(path.name for path in command.store.rglob("spool/*"))
    assert command("judge", "--again", "--json") == 0
    assert command.json["metrics"]["success_rate"]["value"] == 100.0
    assert sorted(path.name for path in command.store.rglob("spool/*")) == before


def test_dry_run_explains_reuse_and_the_first_field_that_differs(command: Command) -> None:
    assert command(*RUN, "--limit", "3") == 0
    assert command(*RUN, "--limit", "3", "--dry-run", "--explain", "--json") == 0
    assert {row["action"] for row in command.json["episodes"]} == {"reuse"}
    assert command(*RUN, "--limit", "3", "--seed", "7", "--dry-run", "--json") == 0
    assert {row["differs"] for row in command.json["episodes"]} == {"seed: 0 -> 7"}
    assert command.json["to_run"] == 3
    assert command(*RUN, "--limit", "3", "--condition", "polite", "--dry-run", "--json") == 0
    assert "condition.name: 'plain' -> 'polite'" in {row["differs"] for row in command.json["episodes"]}


def test_resume_refuses_a_run_that_was_planned_with_more(command: Command) -> None:
    assert command(*RUN, "--limit", "3") == 0
    assert command(*RUN, "--limit", "2", "--resume") == 2
    assert "planned with 1 episode(s)" in command.err
    assert command(*RUN, "--limit", "5", "--resume", "--json") == 0
    assert (command.json["planned"], command.json["finished"]) == (5, 5)
    assert command("ls", "runs", "--json") == 0 and len(command.json["runs"]) == 1


def test_kill_dash_nine_and_resume_equals_an_undisturbed_run(tmp_path: Path) -> None:
    broken, whole = str(tmp_path / "broken"), str(tmp_path / "whole")
    killed = python(*RUN, "--store", broken, TOY_DIE_AT="30")  # task 30 asks for 30 + 900
    assert killed.returncode == -9
    spools = sorted(Path(broken).glob("runs/*/spool/*"))
    finished = {path: path.stat().st_mtime_ns for path in spools if b'"receipt"' in path.read_bytes()}
    assert len(finished) == 30 and len(spools) == 31
    torn = next(path for path in spools if path not in finished)
    assert b"the question was read" in torn.read_bytes()  # the step before the kill is on disk
    resumed = python(*RUN, "--store", broken, "--resume", "--json")
    assert resumed.returncode == 0, resumed.stderr
    again = {path: path.stat().st_mtime_ns for path in finished}
    assert again == finished  # no finished episode ran again
    assert len(list(Path(broken).glob("runs/*/spool/*"))) == 51
    undisturbed = python(*RUN, "--store", whole, "--json")
    a, b = json.loads(resumed.stdout), json.loads(undisturbed.stdout)
    assert a["metrics"] == b["metrics"] and a["steps"] == b["steps"]
    assert _trajectories(broken) == _trajectories(whole)


def _trajectories(store: str) -> list[Any]:
    asked = python(
        "query",
        "SELECT e.task_id, s.step, s.action, s.arguments, s.result FROM steps s JOIN episodes e "
        "USING (run_id, episode_key) ORDER BY ALL",
        "--store",
        store,
        "--json",
    )
    assert asked.returncode == 0, asked.stderr
    rows: list[Any] = json.loads(asked.stdout)["rows"]
    assert len(rows) == 100
    return rows


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        (("run", "worldaudti"), 2, "worldaudit"),
        (("rum",), 2, "run"),
        (("run", "toy-sums"), 2, "--model"),
        (("run", "toy-sums", "--model", "scripted/ader"), 2, "scripted/adder"),
        (("run", "toy-sums", "--model", "no such name"), 2, "not a model's name"),
        ((*RUN, "--tasks", "sum/999"), 2, "no task"),
        ((*RUN, "--condition", "plane"), 2, "plain"),
        ((*RUN, "--set", "colour=red"), 2, "colour"),
        ((*RUN, "--set", "colour"), 2, "KEY=VALUE"),
        ((*RUN, "--config", "nowhere.toml"), 2, "nowhere.toml"),
        ((*RUN, "--config", "paper"), 2, "paper"),
        ((*RUN, "--runner", "rey"), 2, "ray"),
        ((*RUN, "--judge-model", "truht"), 2, "truth"),
        ((*RUN, "--repeats", "0"), 2, "repeats"),
        (("show", "nothing"), 2, "no store"),
        (("query", "SELECT 1"), 2, "no store"),
        (("ls", "tasks"), 2, "needs a benchmark"),
        (("ls", "nonsense"), 2, "nonsense"),
    ],
)
def test_bad_input_says_what_to_do(command: Command, args: tuple[str, ...], code: int, told: str) -> None:
    assert command(*args) == code
    assert told in command.err
    assert "Traceback" not in command.err
    assert not command.store.exists()


def test_configuration_files_and_their_precedence(command: Command, tmp_path: Path) -> None:
    (tmp_path / "embodied-eval.toml").write_text('limit = 4\nmodel = "scripted/null"\n')
    (tmp_path / "mine.toml").write_text("limit = 3\n")
    assert command("run", "toy-sums", "--config", "./mine.toml", "--dry-run", "--json") == 0
    values = command.json["values"]
    assert values["limit"] == {"value": 3, "source": "--config ./mine.toml"}
    assert values["model"] == {"value": ["scripted/null"], "source": "embodied-eval.toml"}
    assert len(command.json["episodes"]) == 3
    (tmp_path / "mine.toml").write_text("limt = 3\n")
    assert command("run", "toy-sums", "--config", "./mine.toml") == 2
    assert "limit" in command.err
    (tmp_path / "mine.toml").write_text("limit = [\n")
    assert command("run", "toy-sums", "--config", "./mine.toml") == 2
    assert "mine.toml" in command.err


def test_a_store_of_another_schema_is_named_with_both_versions(command: Command) -> None:
    assert command(*RUN, "--limit", "1") == 0
    head = command.store / "store.json"
    head.write_text(head.read_text().replace("store/1", "store/9"))
    assert command("show") == 2
    assert "store/9" in command.err and "store/1" in command.err


def test_a_corrupt_database_is_rebuilt_from_the_spools(command: Command) -> None:
    assert command(*RUN, "--limit", "2") == 0
    (command.store / "store.duckdb").write_bytes(b"not a database" * 1000)
    assert command("query", "SELECT 1") == 1
    assert "db rebuild" in command.err
    assert command("db", "rebuild") == 0
    assert command("query", "SELECT count(*) FROM episodes", "--json") == 0
    assert command.json["rows"] == [[2]]
