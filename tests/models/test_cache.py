"""Cached replies: what counts as the same question, what is kept, and that a hit costs nothing."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from embodied_eval.errors import ModelRefused, ModelUnavailable, StoreError
from embodied_eval.models.budget import Budget
from embodied_eval.models.cache import ReplyCache
from embodied_eval.models.gateway import Gateway
from embodied_eval.models.types import Image, Message, Reply, Request, ToolCall, system, user
from embodied_eval.records import ModelCall
from tests.models.tools import MOVE, Answers, Clock, Turns, bind

GOOD = Reply("ok", tokens_in=100, tokens_out=10, cost_usd=0.5)
HELLO = (user("hello"),)
SCORE = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}


def asked(folder: Path, backend: Answers, *, repeat: int = 0, **given: Any) -> tuple[Reply, ModelCall]:
    """One `complete` by a gateway of its own: the reply and its record."""
    calls: list[ModelCall] = []
    cache = given.pop("cache", None) or ReplyCache(folder)
    gateway = Gateway(backend=backend, cache=cache, budget=given.pop("budget", None))
    bound = gateway.bind(
        models={"agent": "openai/x"}, sampling={}, scripted={}, record=calls.append, repeat=repeat
    )
    reply = asyncio.run(bound.complete(given.pop("messages", HELLO), **given))
    return reply, calls[0]


def test_a_hit_asks_nobody_and_costs_nothing(tmp_path: Path) -> None:
    said = Reply("", (ToolCall("c1", "move", {"distance_m": 1}),), None, "tool_calls", 100, 10, 0.5)
    backend, budget = Answers(said), Budget(usd=1.0)
    first, recorded = asked(tmp_path, Answers(said), tools=[MOVE])
    again, hit = asked(tmp_path, backend, tools=[MOVE], budget=budget)
    # A budget in dollars and no price: only a hit can be had at all.
    assert backend.requests == [] and again == first
    assert (recorded.cached, recorded.tries, recorded.cost_usd) == (False, 1, 0.5)
    assert (hit.cached, hit.tries, hit.tokens_in, hit.cost_usd) == (True, 0, 0, 0.0)
    assert hit.reply is not None and recorded.reply is not None
    assert hit.reply["cached"] == {"hits": 1, "tokens_in": 100, "tokens_out": 10, "cost_usd": 0.5}
    assert "cached" not in recorded.reply
    assert (budget.spent_tokens, budget.spent_usd) == (0, 0.0)


def test_what_makes_a_question_another_one() -> None:
    cache = ReplyCache(Path("unused"))
    picture = user("look", Image(b"one", ref="a1"))
    base = Request("agent", "openai/x", (picture,), (MOVE,), SCORE, {"temperature": 0.5})
    others = [
        replace(base, model="openai/y"),
        replace(base, messages=(system("be brief"), picture)),
        replace(base, messages=(user("look", Image(b"two", ref="a1")),)),
        replace(base, messages=(user("look", Image(b"one", ref="a2")),)),
        replace(base, messages=(user("Look", Image(b"one", ref="a1")),)),
        replace(base, tools=()),
        replace(base, tools=(replace(MOVE, description="Go."),)),
        replace(base, schema=None),
        replace(base, sampling={}),
        replace(base, sampling={"temperature": 0.5000001}),
    ]
    keys = [cache.key(request, 0) for request in (base, *others)]
    keys += [cache.key(base, 1), ReplyCache(Path("unused"), endpoint="http://b/v1").key(base, 0)]
    assert len(set(keys)) == len(keys) == 13
    assert cache.key(replace(base, role="judge", timeout_s=1.0), 0) == keys[0]


def test_repeats_and_the_same_question_within_an_episode_stay_apart(tmp_path: Path) -> None:
    backend = Answers(Reply("a"), Reply("b"), Reply("c"))
    assert asked(tmp_path, backend)[0].text == "a"
    assert asked(tmp_path, backend, repeat=1)[0].text == "b"
    assert asked(tmp_path, backend)[0].text == "a"

    def votes(backend: Answers) -> list[str]:
        bound = bind(Gateway(backend=backend, cache=ReplyCache(tmp_path)), [])
        return [asyncio.run(bound.complete(HELLO)).text for _ in range(3)]

    assert votes(Answers(Reply("d"), Reply("e"))) == ["a", "d", "e"]
    assert votes(Answers(Reply("x"))) == ["a", "d", "e"]


@pytest.mark.parametrize(
    "answer",
    [
        Reply("cut", finish="length"),
        Reply("no", finish="refusal"),
        Reply("", finish="content_filter"),
        Reply(""),
        ModelUnavailable("down"),
    ],
)
def test_what_is_no_whole_reply_is_never_kept(tmp_path: Path, answer: Any) -> None:
    clock = Clock()
    gateway = Gateway(backend=Answers(answer), cache=ReplyCache(tmp_path), clock=clock, sleep=clock.sleep)
    try:
        asyncio.run(bind(gateway, []).complete(HELLO))
    except (ModelRefused, ModelUnavailable):
        assert not isinstance(answer, Reply) or answer.finish != "stop"
    assert list(tmp_path.rglob("*.json")) == []


def test_a_repair_turn_is_cached_like_any_other(tmp_path: Path) -> None:
    backend = Answers(Reply("bad", tokens_in=1, tokens_out=1), Reply('{"score": 1}'))
    assert asked(tmp_path, backend, schema=SCORE)[0].parsed == {"score": 1}
    silent = Answers(Reply("never"))
    reply, hit = asked(tmp_path, silent, schema=SCORE)
    assert reply.parsed == {"score": 1} and hit.cached and silent.requests == []
    assert hit.reply is not None and hit.reply["cached"]["hits"] == 2


def test_read_only(tmp_path: Path) -> None:
    asked(tmp_path, Answers(GOOD))
    cache = ReplyCache(tmp_path, read_only=True)
    assert asked(tmp_path, Answers(Reply("x")), cache=cache)[0].text == "ok"
    assert asked(tmp_path, Answers(Reply("y")), cache=cache, messages=(user("else"),))[0].text == "y"
    assert len(list(tmp_path.rglob("*.json"))) == 1


def test_scripted_models_are_never_cached(tmp_path: Path) -> None:
    model = Turns(Reply("one"), Reply("two"))
    for text in ("one", "two"):
        gateway = Gateway(cache=ReplyCache(tmp_path))
        assert asyncio.run(bind(gateway, [], "scripted/t", {"t": model}).complete(HELLO)).text == text
    assert not any(tmp_path.iterdir())


def test_no_secret_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-0123456789")
    asked(tmp_path, Answers(Reply("your key is sk-0123456789")))
    assert list(tmp_path.rglob("*.json")) == [] and "SOME_API_KEY" in caplog.text
    asked(tmp_path, Answers(GOOD), messages=(user("my key is sk-0123456789"),))
    kept = [path.read_text() for path in tmp_path.rglob("*.json")]
    assert len(kept) == 1 and "sk-0123456789" not in kept[0] and "hello" not in kept[0]


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"schema": "other/1"}', b"\xff"])
def test_a_damaged_file_is_named_and_made_again(
    tmp_path: Path, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    asked(tmp_path, Answers(GOOD))
    (path,) = tmp_path.rglob("*.json")
    path.write_bytes(damage)
    with caplog.at_level(logging.WARNING):
        assert asked(tmp_path, Answers(Reply("new")))[0].text == "new"
    assert str(path) in caplog.text
    assert json.loads(path.read_bytes())["reply"]["text"] == "new"
    assert list(tmp_path.rglob("*.tmp")) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(StoreError, match="Cannot write"):
        asked(tmp_path / "cache", Answers(GOOD))


def test_any_text_survives(tmp_path: Path) -> None:
    text = 'lone \ud800, "quotes", \u2028, \x00, é'
    messages: tuple[Message, ...] = (user(text),)
    asked(tmp_path, Answers(Reply(text)), messages=messages)
    assert asked(tmp_path, Answers(GOOD), messages=messages)[0].text == text
