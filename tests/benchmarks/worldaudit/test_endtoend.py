"""The command line plays a model behind a real HTTP server, in the real simulator, through every fault."""

from __future__ import annotations

import base64
import hashlib
import io
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Picture

from benchmarks.worldaudit.example import SIZE_PX
from tests.conftest import Command
from tests.loopback import (
    Body,
    Fault,
    LoopbackServer,
    Say,
    rate_limited,
    server_error,
    worldaudit_player,
    wrong_arguments,
)

pytestmark = [pytest.mark.gl, pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm")]

KEY = "sk-loopback-abcdefgh1234"
RUN = ("run", "worldaudit", "--model", "openai/gpt-4o-mini", "--set", "width=160", "--set", "height=90")
TASKS = ("--tasks", "indoor/01", "--tasks", "indoor/02")


class Faulty:
    """The player, with `faults` by the number of the request in its place, or `always` the same one."""

    def __init__(self) -> None:
        self._play = worldaudit_player()
        self.faults: dict[int, Say | Fault] = {}
        self.always: Fault | None = None

    def __call__(self, body: Body, number: int) -> Say | Fault:
        return self.always or self.faults.get(number) or self._play(body, number)


@pytest.fixture
def faulty() -> Faulty:
    return Faulty()


@pytest.fixture
def server(faulty: Faulty, monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackServer]:
    with LoopbackServer(faulty) as made:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("EMBODIED_EVAL_API_BASE", made.base_url)
        yield made


def images_of(body: Body) -> list[bytes]:
    """The pictures in a request, decoded from their data URIs."""
    found = []
    for message in body["messages"]:
        for part in message["content"] if isinstance(message["content"], list) else ():
            if part["type"] == "image_url":
                head, _, data = part["image_url"]["url"].partition(",")
                assert head == "data:image/jpeg;base64"
                found.append(base64.b64decode(data, validate=True))
    return found


def rows(command: Command, sql: str) -> list[list[Any]]:
    assert command("query", sql, "--json") == 0, command.err
    return list(command.json["rows"])


def test_a_model_behind_a_faulty_server_plays_to_the_end(
    command: Command, server: LoopbackServer, faulty: Faulty
) -> None:
    faulty.faults = {0: rate_limited("0"), 2: server_error(), 4: wrong_arguments("move", "not-json")}
    assert command(*RUN, *TASKS, "--json") == 0, command.err
    shown = command.json
    assert (shown["planned"], shown["finished"], shown["excluded"], shown["unjudged"]) == (2, 2, 0, 0)
    metric = shown["metrics"]["success_rate"]
    assert (metric["value"], metric["n"], metric["denominator"]) == (0.0, 2, 2)

    _check_requests(command, server)
    _check_store(command, server)
    assert command("report", shown["run"], "--json") == 0, command.err
    assert "openai/gpt-4o-mini" in Path(command.json["index"]).read_text("utf-8")

    # Everything is there: nothing is asked again.
    asked = len(server.requests)
    assert command(*RUN, *TASKS, "--resume", "--json") == 0
    assert command.json["metrics"]["success_rate"]["value"] == 0.0 and len(server.requests) == asked


def _check_requests(command: Command, server: LoopbackServer) -> None:
    for body in server.requests:
        assert [tool["function"]["name"] for tool in body["tools"]][:3] == [
            "read_example",
            "observe",
            "move",
        ]
        assert body["messages"][0]["role"] == "system" and body["model"] == "gpt-4o-mini"
    assert all(headers["authorization"] == f"Bearer {KEY}" for headers in server.headers)
    pictures = images_of(server.requests[-1])
    # The example's two; the first view and one after each of turn, look, move, turn, move, interact.
    assert len(pictures) == 2 + 7
    for data, size in zip(pictures, [SIZE_PX] * 2 + [(160, 90)] * 7, strict=True):
        with Picture.open(io.BytesIO(data)) as picture:
            assert (picture.format, picture.size) == ("JPEG", size)
        name = hashlib.sha256(data).hexdigest()
        assert (command.store / "frames" / name[:2] / f"{name}.jpg").read_bytes() == data


def _check_store(command: Command, server: LoopbackServer) -> None:
    calls = rows(command, "SELECT tries, tokens_in, tokens_out, cost_usd, error_kind FROM calls")
    assert sum(call[0] for call in calls) == len(server.requests) == len(calls) + 2
    assert sorted(call[0] for call in calls)[-2:] == [2, 2]
    assert all(call[1] > 100 and call[2] > 0 and call[3] > 0.0 and not call[4] for call in calls)
    ((spent, paid, counted),) = rows(
        command, "SELECT sum(tokens_in), sum(cost_usd), sum(calls) FROM episodes"
    )
    assert spent == sum(call[1] for call in calls) and counted == len(calls)
    assert paid == pytest.approx(sum(call[3] for call in calls))
    refused = rows(
        command, "SELECT action, result, counts FROM steps WHERE result LIKE '%could not be read%'"
    )
    assert [(row[0], row[2]) for row in refused] == [("move", False)]
    flagged = rows(command, "SELECT description, evidence FROM worldaudit_findings WHERE operation = 'flag'")
    assert len(flagged) == 2 and all("floats" in row[0] and row[1] == "a0" for row in flagged)
    everything = b"".join(path.read_bytes() for path in command.store.rglob("*") if path.is_file())
    assert KEY.encode() not in everything and server.base_url.encode() not in everything


def test_a_server_that_refuses_the_key_stops_the_run_and_leaves_it_resumable(
    command: Command, server: LoopbackServer, faulty: Faulty
) -> None:
    faulty.always = Fault("status", 401, "no such key", "invalid_api_key")
    code = command(*RUN, "--tasks", "indoor/02", "--json")
    assert code not in (0, 1) and "401" in command.err and KEY not in command.err
    faulty.always = None
    assert command(*RUN, "--tasks", "indoor/02", "--resume", "--json") == 0, command.err
    assert json.loads(command.out)["finished"] == 1
