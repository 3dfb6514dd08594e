"""Cassettes: what is recorded is played back to the byte, and anything else is named."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from embodied_eval.errors import (
    BudgetReached,
    ConfigError,
    DataFileError,
    InvalidReply,
    ModelRefused,
    ModelUnavailable,
    RateLimited,
    SchemaMismatch,
    UsageError,
)
from embodied_eval.models.bound import BoundModel
from embodied_eval.models.budget import Budget
from embodied_eval.models.cache import ReplyCache
from embodied_eval.models.cassette import Recorder
from embodied_eval.models.gateway import Gateway
from embodied_eval.models.recorded import difference
from embodied_eval.models.replay import CassetteMismatch, Replayer
from embodied_eval.models.types import Image, Message, Reply, ToolCall, tool_result, user
from embodied_eval.models.video import VideoRequest
from embodied_eval.records import ModelCall, to_json
from tests.models.tools import MOVE, Answers, Clock, Turns

SCORE = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
HELLO = (user("hello"),)
PIXELS = b"\xff\xd8 pixels"
EPISODE = "0123456789abcdef"


class Silent:
    """A back end that must not be asked."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} was asked for")

    async def close(self) -> None:
        pass


def bound(gateway: Gateway, calls: list[ModelCall], episode: str = EPISODE, **given: Any) -> BoundModel:
    models = {"agent": "openai/x", "judge": "openai/j", "navigator": "scripted/t"}
    scripted = {"t": given.pop("scripted", Turns(Reply("left")))}
    return gateway.bind(
        models=models, sampling=given, scripted=scripted, record=calls.append, episode=episode
    )


def recording(folder: Path, *answers: Any) -> Gateway:
    clock = Clock()
    return Gateway(
        backend=Answers(*answers), cassette=Recorder(folder), clock=clock, sleep=clock.sleep, tries=2
    )


def replaying(folder: Path, **given: Any) -> Gateway:
    return Gateway(backend=Silent(), cassette=Replayer(folder), **given)


async def episode(agent: BoundModel) -> list[str]:
    """An episode with a picture, a repair turn, an error, another role, and a refusal at its end."""
    talk: list[Message] = [user("go", Image(PIXELS, ref="a0"))]
    reply = await agent.complete(talk, tools=[MOVE])
    talk += [reply.as_message(), tool_result(reply.tool_calls[0], "Moved.")]
    said = [str((await agent.complete(talk, schema=SCORE)).parsed)]
    said.append((await agent.complete(HELLO, role="navigator")).text)
    for expected in (ModelUnavailable, ModelRefused):
        with pytest.raises(expected) as caught:
            await agent.complete(talk, tools=[MOVE])
        said.append(str(caught.value))
    return said


ANSWERS: Sequence[Any] = (
    RateLimited("slow", retry_after_s=1.0),
    Reply("", (ToolCall("", "move", {"distance_m": 0.5}),), None, "tool_calls", 90, 9, 0.25),
    Reply("no json", tokens_in=100, tokens_out=5, cost_usd=0.5),
    Reply('{"score": 3}', tokens_in=120, tokens_out=5),
    ModelUnavailable("down", status=503, hint="Later."),
    ModelUnavailable("down", status=503, hint="Later."),
    Reply("I won't", finish="refusal", tokens_in=7, tokens_out=3, cost_usd=0.1),
)


def without_time(calls: list[ModelCall]) -> list[dict[str, Any]]:
    return [{**to_json(call), "wall_s": None} for call in calls]


def test_a_replay_gives_the_same_replies_errors_and_records(tmp_path: Path) -> None:
    recorded, played = list[ModelCall](), list[ModelCall]()
    gateway = recording(tmp_path, *ANSWERS)
    first = asyncio.run(episode(bound(gateway, recorded, max_tokens=50)))
    budget = Budget(tokens=10)  # nothing is spent, so none is needed
    again = asyncio.run(episode(bound(replaying(tmp_path, budget=budget), played, max_tokens=50)))
    assert first == again and "tried 2 times" in first[2]
    assert without_time(recorded) == without_time(played)
    assert [call.tries for call in played] == [2, 2, 1, 2, 1] and budget.spent_tokens == 0


def test_the_files(tmp_path: Path) -> None:
    gateway = recording(tmp_path, *ANSWERS)
    asyncio.run(episode(bound(gateway, [])))
    (path,) = (tmp_path / "play").iterdir()
    assert path.name.startswith(f"{EPISODE}.agent.") and not (tmp_path / "judge").exists()
    head, *lines = (json.loads(line) for line in path.read_text().splitlines())
    assert head == {
        "schema": "embodied-eval/cassette/1",
        "episode": EPISODE,
        "role": "agent",
        "model": "openai/x",
    }
    assert [line["known_messages"] for line in lines] == [0, 1, 3, 3, 3]
    assert [sorted(line["request"]) for line in lines] == [
        ["model", "sampling", "schema", "tools"],
        ["schema", "tools"],
        [],
        ["schema", "tools"],
        [],
    ]
    assert lines[3]["error"]["kind"] == "ModelUnavailable" and lines[3]["reply"] is None
    assert lines[0]["usage"]["tries"] == 2
    sha256 = hashlib.sha256(PIXELS).hexdigest()
    assert (tmp_path / "images" / f"{sha256}.jpg").read_bytes() == PIXELS


def changed(folder: Path, messages: Sequence[Message] = HELLO, **given: Any) -> str:
    """What a replay of one question says when it is asked otherwise."""
    with pytest.raises(CassetteMismatch) as caught:
        asyncio.run(bound(replaying(folder), [], **given.pop("sampling", {})).complete(messages, **given))
    return caught.value.message


def test_the_first_difference_is_named(tmp_path: Path) -> None:
    words = "You stand in a long corridor with a red door."
    asked = (user(words, Image(b"one", ref="a0")),)
    asyncio.run(bound(recording(tmp_path, Reply("ok")), []).complete(asked, tools=[MOVE]))
    told = changed(tmp_path, (user(words, Image(b"two", ref="a0")),), tools=[MOVE])
    assert f"Request 0 of episode {EPISODE} (agent) differs" in told
    assert "messages[0].parts[1].sha256" in told
    told = changed(tmp_path, (user(words.replace("red", "blue"), Image(b"one", ref="a0")),), tools=[MOVE])
    assert "messages[0].parts[0].text: recorded '...ong corridor with a red door.', asked" in told
    assert "in tools: recorded 1 items, asked 0 items" in changed(tmp_path, asked)
    assert "in sampling.temperature: recorded null, asked 0.5" in changed(
        tmp_path, asked, tools=[MOVE], sampling={"temperature": 0.5}
    )
    assert "in messages: recorded 1 items, asked 2" in changed(tmp_path, (*asked, user("more")), tools=[MOVE])
    assert issubclass(CassetteMismatch, UsageError) and CassetteMismatch.exit_code == 2


def test_what_the_cassette_lacks_is_named(tmp_path: Path) -> None:
    asyncio.run(bound(recording(tmp_path, Reply("ok")), []).complete(HELLO))
    agent = bound(replaying(tmp_path), [])
    asyncio.run(agent.complete(HELLO))
    with pytest.raises(CassetteMismatch, match=r"holds 1 replies for episode .*; one more"):
        asyncio.run(agent.complete(HELLO))
    with pytest.raises(CassetteMismatch, match=r"nothing that openai/x said in episode feed \(agent\)"):
        asyncio.run(bound(replaying(tmp_path), [], "feed").complete(HELLO))
    with pytest.raises(DataFileError, match="no cassette at"):
        Replayer(tmp_path / "nowhere")


def test_a_new_attempt_is_recorded_anew_and_a_judge_goes_on(tmp_path: Path) -> None:
    gateway = recording(tmp_path, *(Reply(text) for text in ("1", "2", "3", "4")))
    for _ in range(2):
        asyncio.run(bound(gateway, []).complete(HELLO))
    for question in ("first item", "second item"):
        asyncio.run(bound(gateway, []).complete((user(question),), role="judge"))
    replay = replaying(tmp_path)
    # Judging in another order is the same judging.
    for question, text in (("second item", "4"), ("first item", "3")):
        assert asyncio.run(bound(replay, []).complete((user(question),), role="judge")).text == text
    for _ in range(2):
        assert asyncio.run(bound(replay, []).complete(HELLO)).text == "2"
    (path,) = (tmp_path / "judge").iterdir()
    assert len(path.read_text().splitlines()) == 3


def test_scripted_models_play_themselves(tmp_path: Path) -> None:
    asyncio.run(bound(recording(tmp_path, Reply("ok")), []).complete(HELLO, role="navigator"))
    assert not any(tmp_path.iterdir())
    told = Turns(Reply("right"))
    reply = asyncio.run(bound(replaying(tmp_path), [], scripted=told).complete(HELLO, role="navigator"))
    assert reply.text == "right"


def test_secrets_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_SECRET", "open sesame")
    gateway = recording(tmp_path, Reply("say open sesame"))
    backend = gateway._backend
    assert isinstance(backend, Answers)
    with pytest.raises(UsageError, match="value of SOME_SECRET stands in a request to openai/x"):
        asyncio.run(bound(gateway, []).complete((user("open sesame"),)))
    assert backend.requests == []  # it is not even sent
    monkeypatch.setenv("OTHER_KEY", "openai/x")  # the model's name is no secret
    with pytest.raises(UsageError, match="SOME_SECRET stands in a reply"):
        asyncio.run(bound(gateway, []).complete(HELLO))
    error = ModelUnavailable("http://me:word@host said open sesame")
    with pytest.raises(ModelUnavailable):
        asyncio.run(bound(recording(tmp_path, error), []).complete(HELLO))
    text = "".join(path.read_text() for path in tmp_path.rglob("*.jsonl"))
    assert "[secret]" in text and "sesame" not in text and "word@" not in text


def test_what_is_not_the_models_doing_is_not_recorded(tmp_path: Path) -> None:
    gateway = Gateway(backend=Answers(Reply("ok")), cassette=Recorder(tmp_path), budget=Budget(tokens=1))
    with pytest.raises(BudgetReached):
        asyncio.run(bound(gateway, []).complete(HELLO))
    assert not any(tmp_path.iterdir())


def test_an_invalid_answer_is_invalid_again(tmp_path: Path) -> None:
    for gateway in (recording(tmp_path, Reply("no")), replaying(tmp_path)):
        with pytest.raises(InvalidReply):
            asyncio.run(bound(gateway, []).complete(HELLO, schema=SCORE))


def test_with_a_cache_the_cassette_holds_the_hits_too(tmp_path: Path) -> None:
    records: list[list[ModelCall]] = [[], [], []]
    cache = ReplyCache(tmp_path / "cache")
    good = Reply("ok", tokens_in=10, tokens_out=1, cost_usd=0.5)
    tape = tmp_path / "tape"
    asyncio.run(bound(Gateway(backend=Answers(good), cache=cache), records[0]).complete(HELLO))
    gateway = Gateway(backend=Silent(), cache=cache, cassette=Recorder(tape))
    asyncio.run(bound(gateway, records[1]).complete(HELLO))
    asyncio.run(bound(replaying(tape), records[2]).complete(HELLO))
    assert without_time(records[1]) == without_time(records[2]) and records[2][0].cached


def test_a_torn_last_line_is_dropped_and_other_damage_is_named(tmp_path: Path) -> None:
    gateway = recording(tmp_path, Reply("1"), Reply("2"))
    agent = bound(gateway, [])
    for _ in range(2):
        asyncio.run(agent.complete(HELLO))
    (path,) = (tmp_path / "play").iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    replay = bound(replaying(tmp_path), [])
    assert asyncio.run(replay.complete(HELLO)).text == "1"
    with pytest.raises(CassetteMismatch, match="holds 1 replies"):
        asyncio.run(replay.complete(HELLO))
    head, one, _ = whole.splitlines(keepends=True)
    for damaged, error, told in (
        (head + one[:-9] + b"\n" + one, DataFileError, "Line 2 of .* is not JSON"),
        (head + b"[]\n", DataFileError, "Line 2 of .* is not a JSON object"),
        (head + b'{"request": {}}\n', DataFileError, "Line 2 of .* is no recorded call"),
        (head.replace(b"cassette/1", b"cassette/9") + one, SchemaMismatch, "cassette/9.*cassette/1"),
        (b"", SchemaMismatch, "None"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(error, match=told):
            asyncio.run(bound(replaying(tmp_path), []).complete(HELLO))


def test_videos_are_not_in_cassettes(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no generated videos"):
        asyncio.run(replaying(tmp_path).generate_video(VideoRequest("openai/v", "a cat", 4)))


def test_differences() -> None:
    assert difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}) == ("a[1].b", "2", "3")
    assert difference({"a": 1}, {"a": 1}) is None
    assert difference([1], [1, 2], "x") == ("x", "1 items", "2 items")
    assert difference({"a": None}, {"a": {"b": 1}}) == ("a", "null", '{"b": 1}')
