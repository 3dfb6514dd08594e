"""Votes and policies from the command line, over the wire, into the store and out of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from embodied_eval.errors import ModelAuthError
from embodied_eval.models.retry import Retry
from tests.conftest import Command
from tests.loopback import REFUSAL, Body, Fault, LoopbackServer, Respond, Say

pytestmark = [
    pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm"),
    pytest.mark.xdist_group("litellm"),
]
RUN = ("run", "toy-sums", "--model", "scripted/adder", "--limit", "2", "--judge-model", "openai/judge")
Serve = Callable[[Respond | list[Say | Fault]], LoopbackServer]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, command: Command) -> Iterator[Serve]:
    """Starts a server that the next commands ask; waits between tries take no time."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback-123456")
    monkeypatch.setattr(Retry.__init__, "__defaults__", (3, 0.0, 0.0, 300.0))
    servers: list[LoopbackServer] = []

    def start(respond: Respond | list[Say | Fault]) -> LoopbackServer:
        server = LoopbackServer(respond)
        server.__enter__()
        servers.append(server)
        monkeypatch.setenv("EMBODIED_EVAL_API_BASE", server.base_url)
        return server

    yield start
    for server in servers:
        server.__exit__(None, None, None)


def score(number: int) -> Say:
    return Say(json.dumps({"reason": f"says {number}", "score": number}))


def in_turn(*scores: int) -> Respond:
    """Those scores, over and over."""

    def respond(body: Body, n: int) -> Say:
        return score(scores[n % len(scores)])

    return respond


def rows(command: Command, sql: str) -> list[list[Any]]:
    assert command("query", sql, "--json") == 0, command.err
    found: list[list[Any]] = command.json["rows"]
    return found


def test_votes_are_asked_stored_and_queried(command: Command, serve: Serve) -> None:
    server = serve(in_turn(1, 0, 1))
    assert command(*RUN, "--votes", "3", "--json") == 0, command.err
    assert command.json["judge"] == "openai/judge#3"
    assert command.json["metrics"]["success_rate"]["value"] == 100.0
    assert len(server.requests) == 6
    single = rows(command, "SELECT item, passed, reason FROM verdicts WHERE max = 0 ORDER BY 1, 3")
    assert single == 2 * [["right#1", True, "says 1"]] + 2 * [["right#2", False, "says 0"]] + 2 * [
        ["right#3", True, "says 1"]
    ]
    assert rows(command, "SELECT DISTINCT judge, score, reason FROM verdicts WHERE max > 0") == [
        ["openai/judge#3", 1.0, "2 of 3 votes: says 1"]
    ]


def test_one_asking_and_three_are_two_judges_of_one_run(command: Command, serve: Serve) -> None:
    serve(in_turn(0))
    assert command(*RUN, "--json") == 0
    serve(in_turn(1))
    assert command("judge", "--votes", "3", "--json") == 0, command.err
    assert command.json["judge"] == "openai/judge#3"
    assert command.json["metrics"]["success_rate"]["value"] == 100.0
    assert command("show", "--json") == 0
    assert (command.json["judge"], command.json["metrics"]["success_rate"]["value"]) == ("openai/judge", 0.0)
    assert command("show", "--judge", "openai/judge#3", "--json") == 0
    assert command.json["metrics"]["success_rate"]["value"] == 100.0
    assert rows(command, "SELECT count(DISTINCT judge_key) FROM verdicts") == [[2]]


def test_what_a_judge_was_asked_and_what_it_cost_is_stored(command: Command, serve: Serve) -> None:
    serve(in_turn(1))
    assert command(*RUN, "--votes", "3", "--json") == 0, command.err
    found = rows(
        command,
        "SELECT role, model, tokens_in > 0, reply->>'text' FROM judge_calls ORDER BY episode_key, call",
    )
    assert found == 6 * [["judge", "openai/judge", True, '{"reason": "says 1", "score": 1}']]
    asked = rows(command, "SELECT messages->0->'parts'->0->>'text' FROM judge_calls LIMIT 1")[0][0]
    assert "You grade one answer" in asked
    (paid,) = rows(command, "SELECT sum(tokens_in), sum(tokens_out) FROM judge_calls")
    assert command("show", "--json") == 0
    judging = command.json["judging"]
    assert (judging["calls"], judging["tokens_in"], judging["tokens_out"]) == (6, *paid)
    assert judging["cost_usd"] is None
    assert command("judge", "--votes", "3", "--again", "--json") == 0, command.err
    assert command.json["judging"]["calls"] == 12
    assert command("show") == 0 and "Judging took 12 calls, cost unknown." in command.out


def test_a_rejected_key_stops_the_judging_and_takes_no_verdict_away(command: Command, serve: Serve) -> None:
    serve(in_turn(1))
    assert command(*RUN, "--json") == 0, command.err
    refused = serve(lambda body, n: Fault("status", 401, "no such key"))
    assert command("judge", "--again", "--json") == ModelAuthError.exit_code
    assert len(refused.requests) == 1
    assert command("show", "--json") == 0
    assert command.json["metrics"]["success_rate"]["value"] == 100.0 and command.json["unjudged"] == 0
    assert command.json["judging"]["calls"] == 3


def test_the_lenient_policy_is_a_judge_of_its_own(command: Command, serve: Serve) -> None:
    def lenient_only(body: Body, n: int) -> Say:
        return score(int("volunteer" in body["messages"][0]["content"]))

    serve(lenient_only)
    assert command(*RUN, "--judge-model", "human-lenient:openai/judge", "--json") == 0, command.err
    assert command.json["metrics"]["success_rate"]["value"] == 0.0
    assert rows(command, "SELECT DISTINCT judge, passed FROM verdicts ORDER BY 1") == [
        ["human-lenient:openai/judge", True],
        ["openai/judge", False],
    ]


def test_without_a_majority_the_episode_is_unjudged_and_judged_later(command: Command, serve: Serve) -> None:
    serve([REFUSAL, score(1), REFUSAL, score(0), score(0), score(0)])
    assert command(*RUN, "--votes", "3", "--json") == 4
    assert command.json["unjudged"] == 1
    assert command.json["metrics"]["success_rate"]["value"] is None
    assert rows(command, "SELECT count(*) FROM verdicts WHERE error <> '' AND score IS NULL") == [[1]]
    server = serve(in_turn(1))
    assert command("judge", "--json") == 0, command.err  # the run's own judge, votes and all
    assert command.json["judge"] == "openai/judge#3" and len(server.requests) == 3
    assert command.json["metrics"]["success_rate"]["value"] == 50.0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--votes", "2"), "odd"),
        (("--votes", "0"), "votes"),
        (("--judge-model", "openai/judge#4"), "odd"),
        (("--judge-model", "strict:openai/judge"), "human-lenient"),
        (("--judge-model", "human-lenient:scripted/adder"), "no judge"),
        (("--judge-model", "openai/judge#5", "--votes", "3"), "names 5 votes"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_played(
    command: Command, given: tuple[str, ...], told: str
) -> None:
    assert command(*RUN, *given) == 2
    assert told in command.err and not command.store.exists()


def test_votes_without_a_judge_model_are_refused(command: Command) -> None:
    assert command("run", "toy-sums", "--model", "scripted/adder", "--votes", "3") == 2
    assert "need a judge model" in command.err


def test_the_number_of_votes_can_come_from_the_environment(
    command: Command, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBODIED_EVAL_VOTES", "3")
    serve(in_turn(1))
    assert command(*RUN, "--json") == 0, command.err
    assert command.json["judge"] == "openai/judge#3"


def test_recorded_judge_calls_play_back_without_a_server(
    command: Command, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(in_turn(1, 0, 1))
    tape = str(command.store.parent / "tape")
    assert command(*RUN, "--votes", "3", "--record", tape, "--json") == 0, command.err
    monkeypatch.setenv("EMBODIED_EVAL_API_BASE", "http://127.0.0.1:9/v1")
    assert command(*RUN, "--votes", "3", "--replay", tape, "--json") == 0, command.err
    assert command.json["metrics"]["success_rate"]["value"] == 100.0
    assert rows(command, "SELECT count(*) FROM verdicts WHERE max = 0 AND passed") == [[8]]
