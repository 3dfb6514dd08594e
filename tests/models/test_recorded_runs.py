"""`--cache`, `--record` and `--replay` over whole runs, with a real server on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from embodied_eval.models.retry import Retry
from tests.conftest import TOY, Command
from tests.loopback import Body, LoopbackServer, Say, server_error

pytestmark = [
    pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm"),
    pytest.mark.xdist_group("litellm"),  # its import takes seconds
]
ROOT = Path(__file__).parents[2]
SUMS = ("run", "toy-sums", "--model", "openai/x", "--judge-model", "openai/judge", "--limit", "3")
KEY = "sk-loopback-123456"
CALLS = (
    "SELECT role, tokens_in, tokens_out, cost_usd, tries, error_kind, reply "
    "FROM calls ORDER BY episode_key, call"
)


def respond(body: Body, n: int) -> Say:
    """The right sum, or the judge's consent."""
    content = body["messages"][-1]["content"]
    text = content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)
    if body["model"] == "judge":
        return Say(json.dumps({"reason": "it is the sum", "score": 1}), tokens=(20, 4))
    return Say(str(sum(int(word) for word in text.split() if word.isdigit())), tokens=(10, 2))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, command: Command) -> Iterator[LoopbackServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(Retry.__init__, "__defaults__", (3, 0.0, 0.0, 300.0))
    with LoopbackServer(respond) as made:
        monkeypatch.setenv("EMBODIED_EVAL_API_BASE", made.base_url)
        yield made


def rows(command: Command, sql: str) -> list[list[Any]]:
    assert command("query", sql, "--json") == 0, command.err
    found: list[list[Any]] = command.json["rows"]
    return found


def test_a_second_run_with_the_cache_asks_nobody(command: Command, server: LoopbackServer) -> None:
    assert command(*SUMS, "--cache", "--budget-tokens", "10000", "--json") == 0
    first, asked = command.json, len(server.requests)
    assert asked == 6
    assert command(*SUMS, "--cache", "--budget-tokens", "1", "--json") == 0
    again = command.json
    assert len(server.requests) == asked and again["metrics"] == first["metrics"]
    assert (again["calls"], again["tokens_in"], again["cost_usd"]) == (3, 0, 0.0)
    assert rows(command, "SELECT cached, count(*) FROM calls GROUP BY cached ORDER BY cached") == [
        [False, 3],
        [True, 3],
    ]
    run = json.loads((command.store / "runs" / again["run"] / "run.json").read_text())
    assert run["config"]["cache"] == "read-write"
    kept = [path.read_text() for path in (command.store / "cache").rglob("*.json")]
    assert len(kept) == 6 and not [text for text in kept if KEY in text or server.base_url in text]
    assert command("db", "check") == 0


def test_repeats_are_not_collapsed_and_the_default_is_off(command: Command, server: LoopbackServer) -> None:
    assert command(*SUMS, "--repeats", "2", "--cache", "--judge-model", "truth", "--json") == 0
    agents = [body for body in server.requests if body["model"] == "x"]
    assert len(agents) == 6
    assert command(*SUMS, "--no-cache", "--limit", "1") == 0
    assert len([body for body in server.requests if body["model"] == "x"]) == 7
    assert command(*SUMS, "--limit", "1") == 0
    assert len([body for body in server.requests if body["model"] == "x"]) == 8


def test_a_replayed_run_is_the_recorded_one(
    command: Command, server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tape = tmp_path / "tape"
    monkeypatch.setattr(server, "_respond", lambda body, n: respond(body, n) if n else server_error())
    assert command(*SUMS, "--record", str(tape), "--json") == 0
    first, calls = command.json, rows(command, CALLS)
    assert [row[4] for row in calls].count(2) == 1
    assert len(list((tape / "play").iterdir())) == len(list((tape / "judge").iterdir())) == 3
    text = "".join(path.read_text() for path in tape.rglob("*.jsonl"))
    assert KEY not in text and server.base_url not in text
    assert "rubric" not in "".join(path.read_text() for path in (tape / "play").iterdir()).lower()
    asked = len(server.requests)
    monkeypatch.delenv("OPENAI_API_KEY")
    command.store = tmp_path / "again"
    assert command(*SUMS, "--replay", str(tape), "--json") == 0
    assert len(server.requests) == asked and rows(command, CALLS) == calls
    assert command("show", "--json") == 0
    assert command.json["metrics"] == first["metrics"]
    names = ("calls", "tokens_in", "tokens_out", "cost_usd")
    assert [command.json[name] for name in names] == [first[name] for name in names]
    (run,) = (command.store / "runs").iterdir()
    manifest = json.loads((run / "run.json").read_text())
    assert manifest["cassette"] == "replay" and str(tape) not in json.dumps(manifest)
    # Judging again is no replay: the run does not remember where its cassette was.
    assert command("judge", "--judge-model", "truth") == 0


def test_replaying_imports_no_litellm(command: Command, server: LoopbackServer, tmp_path: Path) -> None:
    tape = str(tmp_path / "tape")
    assert command(*SUMS, "--record", tape) == 0
    code = (
        "import sys\nfrom embodied_eval.cli import main\ncode = main(sys.argv[1:])\n"
        "print(code, sorted({'litellm', 'openai', 'httpx'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *SUMS, "--replay", tape, "--store", str(tmp_path / "again"), "--json"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(TOY), str(ROOT)))},
        capture_output=True,
        text=True,
    )
    assert done.stderr.splitlines()[-1] == "0 []", done.stderr


def test_another_question_than_the_recorded_stops_the_run(
    command: Command, server: LoopbackServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tape = str(tmp_path / "tape")
    assert command(*SUMS, "--record", tape, "--limit", "2") == 0
    asked = len(server.requests)
    command.store = tmp_path / "again"
    assert command(*SUMS, "--replay", tape) == 2
    assert "nothing that openai/x said in episode" in command.err and "Traceback" not in command.err
    path = next((tmp_path / "tape" / "play").iterdir())
    path.write_text(path.read_text().replace('"role":"user"', '"role":"system"', 1))
    command.store = tmp_path / "once-more"
    assert command(*SUMS, "--replay", tape, "--limit", "2") == 2
    assert "messages[0].role" in command.err or "messages[1].role" in command.err
    assert len(server.requests) == asked
    assert command("ls", "runs", "--json") == 0 and command.json["runs"] == []


def test_wrong_uses(command: Command, tmp_path: Path) -> None:
    assert command(*SUMS, "--record", "a", "--replay", "b") == 2 and "not both" in command.err
    assert command(*SUMS, "--replay", str(tmp_path / "nowhere")) == 2 and "no cassette at" in command.err
    assert not command.store.exists()
