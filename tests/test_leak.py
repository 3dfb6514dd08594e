"""The truth stays where it belongs: a marker in every private field is found nowhere a model or a reader looks."""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import toy_rooms

from embodied_eval.benchmark import Benchmark
from embodied_eval.errors import PluginError
from embodied_eval.models.scripted import ScriptedBackend
from embodied_eval.models.types import Image, Message, Request
from embodied_eval.plugins import load_benchmark
from embodied_eval.records import Json, Task, content_hash
from tests.conftest import Command

ROOMS = ("run", "toy-rooms", "--limit", "2")


@pytest.fixture
def marker(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    made = f"mk{secrets.token_hex(12)}"
    monkeypatch.setenv("TOY_MARKER", made)
    for kind in (toy_rooms.Walker, toy_rooms.Oracle):
        monkeypatch.setattr(kind, "requests", [])
        monkeypatch.setattr(kind, "given", [])
    yield made


def public_files(store: Path) -> Iterator[Path]:
    """Every file of a store but those meant for the truth: private spools, verdicts on it, the database."""
    for path in store.rglob("*"):
        private = {"private", "judgements"} & set(path.relative_to(store).parts)
        if path.is_file() and not private and not path.name.startswith("store.duckdb"):
            yield path


def assert_nowhere(marker: str, command: Command, tmp_path: Path) -> None:
    """In no file of the store's public part, no output, no public export."""
    needle = marker.encode()
    names = [str(path) for path in command.store.rglob("*")]
    assert not [name for name in names if marker in name]
    files = list(public_files(command.store))
    assert {path.suffix for path in files} >= {".json", ".jsonl", ".jpg"}
    for path in files:
        assert needle not in path.read_bytes(), path
    private = [path for path in command.store.rglob("private/*") if needle in path.read_bytes()]
    assert private, "the marker was not planted"
    for fmt in ("jsonl", "csv", "parquet", "latex"):
        out = tmp_path / f"public-{fmt}"
        assert command("export", "--format", fmt, "--public", "--out", str(out)) == 0
        assert needle not in (command.out + command.err).encode()
        for path in out.rglob("*"):
            assert marker not in path.name
            assert not path.is_file() or needle not in path.read_bytes(), path


def said(message: Message) -> str:
    """Everything a message tells: its text, its calls, what its pictures hold and are called."""
    pictures = [part.ref.encode() + part.data for part in message.parts if isinstance(part, Image)]
    return repr((message.text, message.tool_calls, message.tool_call_id)) + b"".join(pictures).decode(
        "latin-1"
    )


def test_no_private_field_reaches_the_model_the_public_store_or_the_output(
    command: Command, marker: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert command(*ROOMS, "--model", "scripted/walker") == 0
    assert marker not in command.out + command.err
    assert_nowhere(marker, command, tmp_path)
    requests = toy_rooms.Walker.requests
    assert len(requests) > 4
    for request in requests:
        assert not [message for message in request.messages if marker in said(message)]
        assert marker not in repr((request.tools, request.schema, request.sampling))
    assert command("show", "--json") == 0
    assert marker not in command.out
    assert command.json["privileged"] is False
    for args in (("ls", "tasks", "toy-rooms", "--json"), ("status", "--json"), ("ls", "runs", "--json")):
        assert command(*args, store=args[1] != "tasks") == 0
        assert marker not in command.out + command.err
    for table in ("steps", "calls", "frames", "events WHERE NOT private", "tasks", "episodes", "runs"):
        assert command("query", f"SELECT * FROM {table}", "--json") == 0
        assert marker not in command.out, table
    assert marker not in caplog.text


def test_only_a_privileged_model_gets_the_truth_and_its_run_is_marked(command: Command, marker: str) -> None:
    assert command(*ROOMS, "--model", "scripted/walker", "--model", "scripted/oracle", "--json") == 0
    walker, oracle = command.json
    assert toy_rooms.Walker.given == [None, None]
    assert [given["rubric"].startswith(marker) for given in toy_rooms.Oracle.given] == [True, True]
    assert not [r for r in toy_rooms.Oracle.requests for message in r.messages if marker in said(message)]
    assert (walker["privileged"], oracle["privileged"]) == (False, True)
    assert command("query", "SELECT model, privileged FROM runs ORDER BY model", "--json") == 0
    assert command.json["rows"] == [["scripted/oracle", True], ["scripted/walker", False]]
    assert command("query", "SELECT DISTINCT model, privileged FROM episodes ORDER BY model", "--json") == 0
    assert command.json["rows"] == [["scripted/oracle", True], ["scripted/walker", False]]
    assert command("show", oracle["run"]) == 0
    assert "never ranked" in command.out


def test_a_privileged_helper_marks_the_run_too(command: Command) -> None:
    given = (*ROOMS, "--model", "scripted/walker", "--model-for", "navigator=scripted/oracle", "--json")
    assert command(*given) == 0
    assert command.json["privileged"] is True
    assert command("query", "SELECT DISTINCT privileged FROM episodes", "--json") == 0
    assert command.json["rows"] == [[True]]


def test_the_gateway_refuses_the_truth_to_a_model_that_did_not_declare_it() -> None:
    walker = toy_rooms.Walker(random.Random(0), {"target": "crate_1"})
    with pytest.raises(PluginError, match="without being privileged"):
        ScriptedBackend({"walker": walker})


def test_what_fails_while_effects_act_is_told_privately(
    command: Command, caplog: pytest.LogCaptureFixture
) -> None:
    given = (
        "run",
        "toy-rooms",
        "--tasks",
        "room/3",
        "--model",
        "scripted/walker",
        "--driver",
        "toy-forgetful",
    )
    assert command(*given) == 3
    assert "private spool" in command.err and "crate_3" not in command.err + caplog.text
    for path in public_files(command.store):
        assert b"no object" not in path.read_bytes(), path
    private = b"".join(path.read_bytes() for path in command.store.rglob("private/*.jsonl"))
    assert b"There is no object 'crate_3'" in private and b"effects_failed" in private
    assert command("query", "SELECT status, error_kind FROM episodes", "--json") == 0
    assert command.json["rows"] == [["simulator_error", "UnknownObject"]]


def planted(value: Json, marker: str) -> Json:
    """`value` with `marker` behind every string, and as a key of every table, that no code looks up."""
    if isinstance(value, dict):
        return {**{key: planted(item, marker) for key, item in value.items()}, f"{marker}-key": marker}
    if isinstance(value, (list, tuple)):
        return [planted(item, marker) for item in value]
    return f"{value} {marker}" if isinstance(value, str) else value


FUNCTIONAL = frozenset({"effects", "watch", "subcategory", "category", "family", "code", "type"})
"""Private fields that name things of the world or the taxonomy, so that other values would not run."""


def marked(task: Task, marker: str) -> Task:
    """`task` with the marker in each private field that is not functional, and in one more."""
    private = {
        key: value if key in FUNCTIONAL else planted(value, marker) for key, value in task.private.items()
    }
    return replace(task, private={**private, "planted": marker})


@pytest.mark.gl
@pytest.mark.skipif(find_spec("mujoco") is None, reason="needs the extra mujoco")
@pytest.mark.parametrize("model", ["random", "shotgun"])
def test_worldaudit_leaks_nothing_either(
    command: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    model: str,
) -> None:
    benchmark: Benchmark = load_benchmark("worldaudit")
    marker = f"mk{secrets.token_hex(12)}"
    tasks = [marked(task, marker) for task in list(benchmark.tasks())[:2]]
    monkeypatch.setattr(type(benchmark), "tasks", lambda self: tasks)
    seen: list[Any] = []
    kind = benchmark.scripted()[model]
    reply = kind.reply

    def watched(self: Any, request: Request) -> Any:
        seen.append((self.private, request))
        return reply(self, request)

    monkeypatch.setattr(kind, "reply", watched)
    small = ("--set", "width=160", "--set", "height=90", "--set", "budget=5")
    code = command("run", "worldaudit", "--model", f"scripted/{model}", *small)
    assert code == 0, command.err
    assert marker not in command.out + command.err + caplog.text
    assert len(seen) >= 2 and {private is None for private, _ in seen} == {True}
    for _, request in seen:
        assert not [message for message in request.messages if marker in said(message)]
    assert_nowhere(marker, command, tmp_path)
    run = json.loads(next(command.store.glob("runs/*/run.json")).read_text())
    assert {row["sha256"] for row in run["tasks"]} == {task.sha256 for task in tasks}
    assert content_hash(dict(tasks[0].private)) not in json.dumps(run)
