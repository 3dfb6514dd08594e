"""LiteLLM against the loopback server: every fault of the wire, tool calls, images, costs."""

import asyncio
import json
import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from importlib.util import find_spec
from typing import Any

import pytest

from embodied_eval.errors import (
    BudgetReached,
    ModelAuthError,
    ModelBadRequest,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    RateLimited,
    UnknownModel,
)
from embodied_eval.models.budget import Budget
from embodied_eval.models.gateway import Gateway
from embodied_eval.models.types import Image, Message, Reply, system, tool_result, user
from embodied_eval.records import ModelCall, canonical_json, to_json
from tests.loopback import (
    EMPTY,
    FILTERED,
    REFUSAL,
    Fault,
    LoopbackServer,
    Say,
    rate_limited,
    server_error,
    wrong_arguments,
)
from tests.models.tools import MOVE, Clock, bind

pytestmark = pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm")
KEY = "sk-loopback-123456"
SCORE = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


class Asked:
    """What came of asking once: the reply or the error, the record, the bodies that the server got."""

    def __init__(
        self,
        answers: Sequence[Say | Fault],
        *,
        messages: Sequence[Message] = (user("hello"),),
        model: str = "openai/loopback",
        ask: dict[str, Any] | None = None,
        sampling: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.clock, self.calls, self.reply = Clock(), list[ModelCall](), Reply()
        self.error: ModelError | BudgetReached | None = None
        with LoopbackServer(answers) as server:
            options = {"api_base": server.base_url, **options}
            self.gateway = Gateway(clock=self.clock, sleep=self.clock.sleep, **options)
            asyncio.run(self._ask(model, messages, ask or {}, sampling or {}))
            self.bodies, self.headers, self.base_url = server.requests, server.headers, server.base_url
        self.call = self.calls[-1]

    async def _ask(
        self, model: str, messages: Sequence[Message], ask: dict[str, Any], sampling: dict[str, Any]
    ) -> None:
        try:
            self.reply = await bind(self.gateway, self.calls, model, **sampling).complete(messages, **ask)
        except (ModelError, BudgetReached) as error:
            self.error = error
        await self.gateway.close()


def test_a_plain_call() -> None:
    asked = Asked([Say("Hi.", tokens=(12, 3))], sampling={"temperature": 0.0, "max_tokens": 50, "seed": 4})
    assert asked.error is None and asked.reply.text == "Hi."
    body = asked.bodies[0]
    assert body["model"] == "loopback" and body["messages"] == [{"role": "user", "content": "hello"}]
    assert (body["temperature"], body["max_tokens"], body["seed"]) == (0.0, 50, 4)
    assert asked.headers[0]["authorization"] == f"Bearer {KEY}"
    assert (asked.call.tokens_in, asked.call.tokens_out, asked.call.cost_usd) == (12, 3, None)
    assert KEY not in canonical_json(to_json(asked.call))


def test_known_and_given_prices() -> None:
    asked = Asked([Say("Hi.", tokens=(1000, 100))], model="openai/gpt-4o")
    assert asked.call.cost_usd == pytest.approx((1000 * 2.5 + 100 * 10) / 1e6)
    given = Asked([Say("Hi.", tokens=(1000, 100))], prices={"openai/loopback": [1.0, 2.0]})
    assert given.call.cost_usd == pytest.approx(1.2e-3)


def test_no_usage_is_unknown_usage() -> None:
    asked = Asked([Say("Hi.", usage=False)], model="openai/gpt-4o")
    assert (asked.call.tokens_in, asked.call.tokens_out, asked.call.cost_usd) == (None, None, None)


def test_tool_calls_and_images() -> None:
    talk: list[Message] = [system("Play."), user("go", Image(b"\xff\xd8", ref="a0"))]
    first = Asked([Say("", [("move", {"distance_m": 2})])], messages=talk, ask={"tools": [MOVE]})
    (call,) = first.reply.tool_calls
    assert (call.name, call.arguments, first.reply.finish) == ("move", {"distance_m": 2}, "tool_calls")
    assert first.bodies[0]["tools"][0]["function"]["parameters"] == MOVE.parameters
    talk += [first.reply.as_message(), tool_result(call, "Moved.", Image(b"\xff\xd9", ref="a1"))]
    second = Asked([Say("Seen.")], messages=talk, ask={"tools": [MOVE]})
    roles = [message["role"] for message in second.bodies[0]["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "user"] and second.reply.text == "Seen."


@pytest.mark.parametrize(
    ("how", "said"),
    [("not-json", "not valid JSON"), ("not-object", "must be a JSON object"), ("wrong-types", "")],
)
def test_wrong_arguments_are_for_the_agent_loop(how: Any, said: str) -> None:
    (call,) = Asked([wrong_arguments("move", how)], ask={"tools": [MOVE]}).reply.tool_calls
    assert said in call.error if said else call.arguments == {"distance_m": "far"}
    assert bool(call.raw) == bool(said)


def test_half_characters_can_be_stored() -> None:
    asked = Asked([Say("half \ud800", [("move", '{"direction": "\\udc00"}')])], ask={"tools": [MOVE]})
    assert asked.reply.text == "half ?" and asked.reply.tool_calls[0].arguments == {"direction": "?"}
    canonical_json(to_json(asked.call)).encode()


def test_duplicate_ids_are_repaired() -> None:
    say = Say(calls=[("move", {}), ("move", {})], ids=["same", "same"])
    calls = Asked([say], ask={"tools": [MOVE]}).reply.tool_calls
    assert [call.id for call in calls] == ["same", "call_1_1"]


@pytest.mark.parametrize(
    "fault",
    [
        server_error(500),
        server_error(503),
        Fault("status", 409),
        Fault("cut"),
        Fault("refuse"),
        Fault("malformed"),
    ],
)
def test_passing_faults_are_ridden_out(fault: Fault) -> None:
    asked = Asked([fault, fault, Say("ok")])
    assert asked.error is None and asked.reply.text == "ok"
    assert len(asked.bodies) == asked.call.tries == 3 and len(asked.clock.slept) == 2


@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [
        (server_error(500), ModelUnavailable, "status 500: the server had an error (tried 2 times)"),
        (Fault("cut"), ModelUnavailable, "the connection broke before the reply was complete"),
        (Fault("refuse"), ModelUnavailable, "the connection broke before the reply was complete"),
        (Fault("malformed"), ModelUnavailable, "something that is not JSON"),
        (rate_limited(), RateLimited, "status 429 (rate_limit_exceeded): slow down"),
    ],
)
def test_lasting_faults_are_named(fault: Fault, kind: type[ModelError], said: str) -> None:
    asked = Asked([fault], tries=2)
    assert type(asked.error) is kind and said in str(asked.error), asked.error
    assert len(asked.bodies) == 2 and asked.call.error_kind == kind.__name__


@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [
        (Fault("status", 400, "no such option"), ModelBadRequest, "status 400: no such option"),
        (Fault("status", 401, f"wrong key {KEY}"), ModelAuthError, "wrong key [secret]"),
        (Fault("status", 403, "not for you"), ModelAuthError, "status 403"),
        (Fault("status", 404, "no such model"), UnknownModel, "Check the model's name"),
        (Fault("status", 422, "unprocessable"), ModelBadRequest, "status 422"),
        (Fault("status", 429, "pay first", "insufficient_quota"), ModelAuthError, "insufficient_quota"),
        (Fault("status", 400, "flagged", "content_policy_violation"), ModelRefused, "flagged"),
        (
            Fault("status", 400, "too long", "context_length_exceeded"),
            ModelBadRequest,
            "context_length_exceeded",
        ),
        (REFUSAL, ModelRefused, "I can't help with that."),
        (FILTERED, ModelRefused, "content filter"),
    ],
)
def test_permanent_faults_are_not_tried_again(fault: Say | Fault, kind: type[ModelError], said: str) -> None:
    asked = Asked([fault])
    assert type(asked.error) is kind and said in str(asked.error), asked.error
    assert len(asked.bodies) == 1 and asked.clock.slept == []
    assert KEY not in str(asked.error) + asked.call.error


def test_retry_after_is_honoured() -> None:
    in_seconds = Asked([rate_limited("7"), Say("ok")])
    assert in_seconds.reply.text == "ok" and in_seconds.clock.slept == [7.0]
    when = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    (waited_s,) = Asked([rate_limited(when), Say("ok")]).clock.slept
    assert 50 < waited_s <= 60
    far = Asked([rate_limited("4000"), Say("ok")])
    assert isinstance(far.error, RateLimited) and "asks to wait 4000 s" in str(far.error)
    assert far.clock.slept == []


def test_a_stalled_server_is_left_at_the_deadline() -> None:
    asked = Asked([Fault("stall"), Say("ok")], timeout_s=0.6)
    assert asked.reply.text == "ok" and asked.call.tries == 2
    late = Asked([Fault("stall")], timeout_s=0.1, tries=1)
    assert isinstance(late.error, ModelTimeout) and "within 0.1 s" in str(late.error)


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("anthropic/claude-3-haiku-20240307", "ANTHROPIC_API_KEY"),
        ("mistral/mistral-small", "MISTRAL_API_KEY"),
    ],
)
def test_other_providers_are_read_by_the_same_rules(
    model: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, KEY)
    slow = Asked([rate_limited("9")], model=model, tries=2)
    assert isinstance(slow.error, RateLimited) and slow.clock.slept == [9.0]
    # LiteLLM calls this one a rate limit for its words; the status is what counts.
    down = Asked([Fault("status", 500, "rate_limit_error")], model=model, tries=1)
    assert isinstance(down.error, ModelUnavailable) and down.error.status == 500


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("perplexity/sonar", "PERPLEXITYAI_API_KEY"),
        ("nvidia_nim/x", "NVIDIA_NIM_API_KEY"),
        ("zai/x", "ZAI_API_KEY"),
        ("scaleway/x", "SCALEWAY_API_KEY"),
        ("litellm_proxy/x", "LITELLM_PROXY_API_KEY"),
    ],
)
def test_the_key_of_openai_goes_nowhere_else(model: str, variable: str) -> None:
    keyless = Asked([Say("thanks")], model=model)
    assert isinstance(keyless.error, ModelAuthError) and variable in str(keyless.error)
    assert keyless.bodies == []


def test_a_provider_with_a_key_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NVIDIA_NIM_API_KEY", "nv-key-12345")
    asked = Asked([Say("hi")], model="nvidia_nim/x")
    assert asked.reply.text == "hi" and asked.headers[0]["authorization"] == "Bearer nv-key-12345"


def test_nobody_listens() -> None:
    with LoopbackServer([EMPTY]) as server:
        gone = server.base_url
    asked = Asked([EMPTY], api_base=gone, tries=1)
    assert isinstance(asked.error, ModelUnavailable) and "connection was refused at http://127" in str(
        asked.error
    )
    named = Asked([EMPTY], api_base=gone.replace("http://", "http://me:pass-word@"), tries=1)
    assert named.error is not None and "pass-word" not in str(named.error) + named.call.error


def test_an_empty_reply_is_asked_for_once_more() -> None:
    asked = Asked([EMPTY, Say("now")])
    assert asked.reply.text == "now" and asked.call.tries == 2
    assert Asked([EMPTY]).reply.text == ""


def test_schema_by_parameter_or_by_words() -> None:
    native = Asked([Say('{"score": 1}')], model="openai/gpt-4o", ask={"schema": SCORE})
    assert native.reply.parsed == {"score": 1}
    assert native.bodies[0]["response_format"]["json_schema"]["schema"] == SCORE
    words = Asked([Say("```json\n{}\n```"), Say('{"score": 1}')], ask={"schema": SCORE})
    assert words.reply.parsed == {"score": 1} and len(words.bodies) == 2
    assert "response_format" not in words.bodies[0]
    assert json.dumps(SCORE) in words.bodies[0]["messages"][0]["content"]
    assert "answer.score is missing" in words.bodies[1]["messages"][-1]["content"]


def test_a_dollar_budget_by_the_table() -> None:
    budget = Budget(usd=0.002)
    asked = Asked(
        [Say("Hi.", tokens=(100, 20))], model="openai/gpt-4o", budget=budget, sampling={"max_tokens": 100}
    )
    assert asked.error is None and budget.spent_usd == pytest.approx(0.00045)
    second = Asked([Say("Hi.")], model="openai/gpt-4o", budget=budget, sampling={"max_tokens": 1000})
    assert isinstance(second.error, BudgetReached) and second.bodies == []


def test_a_provider_that_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked([EMPTY], model="some-model")
    assert isinstance(asked.error, UnknownModel) and "PROVIDER/some-model" in str(asked.error)
    monkeypatch.delenv("OPENAI_API_KEY")
    keyless = Asked([EMPTY])
    assert isinstance(keyless.error, ModelAuthError) and "OPENAI_API_KEY" in str(keyless.error)
    assert keyless.bodies == []


def test_nothing_is_printed(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        Asked([server_error(500)])
        Asked([Say("ok", [("move", {})])], model="openai/gpt-4o", ask={"tools": [MOVE]})
    assert capsys.readouterr().out == ""
    assert KEY not in caplog.text
