"""The gateway over scripted models and prepared answers: no network, no LiteLLM."""

import asyncio
import random
import time

import pytest

from embodied_eval.errors import (
    BudgetReached,
    ConfigError,
    InvalidReply,
    ModelBadRequest,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    PluginError,
    RateLimited,
    UnknownName,
)
from embodied_eval.models.budget import Budget
from embodied_eval.models.gateway import Gateway
from embodied_eval.models.prices import Price
from embodied_eval.models.types import (
    Image,
    Message,
    Reply,
    Request,
    ScriptedModel,
    ToolCall,
    tool_result,
    user,
)
from embodied_eval.records import ModelCall, canonical_json, to_json
from tests.models.tools import MOVE, Answers, Clock, Turns, bind

GOOD = Reply("ok", tokens_in=100, tokens_out=10, cost_usd=0.5)
SCORE = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
HELLO = (user("hello"),)


def test_a_scripted_episode_takes_the_whole_road() -> None:
    calls: list[ModelCall] = []
    move = Reply("", (ToolCall("", "move", {"distance_m": 1}),))
    model = Turns(move, Reply("done"))

    async def play() -> None:
        agent = bind(Gateway(), calls, "scripted/turns", {"turns": model})
        talk: list[Message] = [user("go", Image(b"\xff\xd8", ref="a0"))]
        reply = await agent.complete(talk, tools=[MOVE])
        assert reply.tool_calls[0].id == "call_1_0"
        talk += [reply.as_message(), tool_result(reply.tool_calls[0], "Moved.", Image(b"\xff\xd9", ref="a1"))]
        assert (await agent.complete(talk, tools=[MOVE])).text == "done"

    asyncio.run(play())
    assert [(c.index, c.known_messages, len(c.messages)) for c in calls] == [(0, 0, 1), (1, 1, 2)]
    assert (calls[1].tokens_in, calls[1].cost_usd, calls[1].tries, calls[1].error) == (0, 0.0, 1, "")
    canonical_json([to_json(call) for call in calls])


def test_an_empty_scripted_reply_is_not_asked_for_twice() -> None:
    model, calls = Turns(Reply()), list[ModelCall]()
    asyncio.run(bind(Gateway(), calls, "scripted/n", {"n": model}).complete(HELLO))
    assert model.asked == 1 and calls[0].tries == 1


def test_scripted_models_that_break_rules() -> None:
    class Broken(ScriptedModel):
        def reply(self, request: Request) -> Reply:
            raise KeyError("x")

    calls: list[ModelCall] = []
    broken = {"broken": Broken(random.Random(0))}
    with pytest.raises(PluginError, match="'broken' failed with KeyError"):
        asyncio.run(bind(Gateway(), calls, "scripted/broken", broken).complete(HELLO))
    with pytest.raises(UnknownName, match=r"scripted model.*'borken'"):
        asyncio.run(bind(Gateway(), calls, "scripted/borken", broken).complete(HELLO))
    with pytest.raises(PluginError, match="without being privileged"):
        bind(Gateway(), calls, "scripted/b", {"b": Broken(random.Random(0), {"target": "lamp"})})
    assert [call.error_kind for call in calls] == ["PluginError", "UnknownName"]


def test_retries_wait_and_are_counted() -> None:
    clock, calls, waits = Clock(), list[ModelCall](), list[str]()
    backend = Answers(ModelUnavailable("down"), RateLimited("slow", retry_after_s=7.0), GOOD)
    gateway = Gateway(
        backend=backend, clock=clock, sleep=clock.sleep, on_wait=lambda s, why: waits.append(why)
    )
    reply = asyncio.run(bind(gateway, calls).complete(HELLO))
    assert reply == GOOD and clock.slept[1] == 7.0 and 0.5 <= clock.slept[0] <= 1.5
    assert calls[0].tries == 3 and calls[0].wall_s == pytest.approx(sum(clock.slept))
    assert (calls[0].tokens_in, calls[0].tokens_out, calls[0].cost_usd) == (100, 10, 0.5)
    assert waits == ["ModelUnavailable of openai/x, trying again", "openai/x asked for fewer requests"]


@pytest.mark.parametrize(
    ("error", "tries", "said"),
    [
        (ModelUnavailable("down"), 3, r"down \(tried 3 times\)"),
        (ModelBadRequest("bad"), 1, "bad$"),
        (RateLimited("slow", retry_after_s=9000), 1, "asks to wait 9000 s"),
    ],
)
def test_an_error_that_stays_is_raised_and_recorded(error: Exception, tries: int, said: str) -> None:
    clock, calls = Clock(), list[ModelCall]()
    gateway = Gateway(backend=Answers(error), clock=clock, sleep=clock.sleep)
    with pytest.raises(type(error), match=said):
        asyncio.run(bind(gateway, calls).complete(HELLO))
    assert calls[0].tries == tries and calls[0].reply is None and calls[0].error_kind == type(error).__name__
    assert calls[0].cost_usd == 0.0 and calls[0].messages[0]["role"] == "user"


def test_all_callers_wait_for_the_same_instant() -> None:
    clock, calls = Clock(), list[ModelCall]()
    backend = Answers(RateLimited("slow", retry_after_s=20.0), GOOD)

    async def play() -> None:
        gateway = Gateway(backend=backend, clock=clock, sleep=clock.sleep, concurrency=1)
        await asyncio.gather(*(bind(gateway, calls).complete(HELLO) for _ in range(4)))

    asyncio.run(play())
    assert len(backend.requests) == 5 and clock.now >= 120.0


def test_the_deadline_is_for_the_whole_try() -> None:
    async def never(request: Request) -> Reply:
        await asyncio.get_running_loop().create_future()
        raise AssertionError

    calls: list[ModelCall] = []
    budget = Budget(tokens=50_000)
    gateway = Gateway(backend=Answers(never), timeout_s=0.01, tries=1, budget=budget)
    with pytest.raises(ModelTimeout, match=r"within 0\.01 s"):
        asyncio.run(bind(gateway, calls, max_tokens=100).complete(HELLO))
    assert budget.estimated and 100 < budget.spent_tokens < 200


def test_cancelling_frees_the_slot_and_is_recorded() -> None:
    calls: list[ModelCall] = []

    async def play() -> None:
        entered = asyncio.Event()

        async def hang(request: Request) -> Reply:
            entered.set()
            await asyncio.get_running_loop().create_future()
            raise AssertionError

        gateway = Gateway(backend=Answers(hang, GOOD), concurrency=1)
        task = asyncio.create_task(bind(gateway, calls).complete(HELLO))
        await entered.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await bind(gateway, calls).complete(HELLO)).text == "ok"

    asyncio.run(play())
    assert [call.error_kind for call in calls] == ["CancelledError", ""]


def test_an_empty_reply_is_asked_for_once_more() -> None:
    calls: list[ModelCall] = []
    empty = Reply(tokens_in=100, tokens_out=0, cost_usd=0.25)
    backend = Answers(empty, empty, GOOD)
    reply = asyncio.run(bind(Gateway(backend=backend), calls).complete(HELLO))
    assert reply.text == "" and calls[0].tries == 2 and calls[0].cost_usd == 0.5
    cut = Answers(Reply(finish="length", tokens_in=1, tokens_out=1))
    asyncio.run(bind(Gateway(backend=cut), calls).complete(HELLO))
    assert calls[1].tries == 1


def test_a_refusal_counts_and_is_paid_for() -> None:
    calls: list[ModelCall] = []
    refusal = Reply("I won't.", finish="refusal", tokens_in=10, tokens_out=2, cost_usd=0.1)
    with pytest.raises(ModelRefused, match="declined to answer: I won't"):
        asyncio.run(bind(Gateway(backend=Answers(refusal)), calls).complete(HELLO))
    assert calls[0].cost_usd == 0.1 and calls[0].tries == 1


def test_schema_reply_in_a_fence() -> None:
    calls: list[ModelCall] = []
    backend = Answers(Reply('```json\n{"score": 3}\n```', tokens_in=1, tokens_out=1))
    reply = asyncio.run(bind(Gateway(backend=backend), calls).complete(HELLO, schema=SCORE))
    assert reply.parsed == {"score": 3} and calls[0].reply is not None
    assert calls[0].reply["parsed"] == {"score": 3} and calls[0].cost_usd is None


def test_one_repair_turn_shows_the_errors() -> None:
    calls: list[ModelCall] = []
    bad = Reply('{"score": "high"}', tokens_in=10, tokens_out=5, cost_usd=0.1)
    good = Reply('{"score": 2}', tokens_in=20, tokens_out=5, cost_usd=0.2)
    backend = Answers(bad, good)
    agent = bind(Gateway(backend=backend), calls)
    assert asyncio.run(agent.complete(HELLO, schema=SCORE)).parsed == {"score": 2}
    said, complaint = backend.requests[1].messages[1:]
    assert said.text == bad.text and "answer.score must be of type integer" in complaint.text
    assert len(calls) == 1 and len(calls[0].messages) == 3
    assert (calls[0].tries, calls[0].tokens_in) == (2, 30) and calls[0].cost_usd == pytest.approx(0.3)


@pytest.mark.parametrize("text", ["", "not json", '{"score": null}'])
def test_a_second_invalid_reply_is_final(text: str) -> None:
    calls: list[ModelCall] = []
    backend = Answers(Reply(text))
    with pytest.raises(InvalidReply, match="also after a repair turn") as caught:
        asyncio.run(bind(Gateway(backend=backend), calls).complete(HELLO, schema=SCORE))
    assert caught.value.counts_against_model and calls[0].error_kind == "InvalidReply"
    assert len(backend.requests) == (4 if not text else 2)


def test_tool_calls_stand_instead_of_a_schema_answer() -> None:
    backend = Answers(Reply(tool_calls=(ToolCall("a", "move", {}),)))
    reply = asyncio.run(bind(Gateway(backend=backend), []).complete(HELLO, schema=SCORE, tools=[MOVE]))
    assert reply.tool_calls and reply.parsed is None


def test_the_budget_ends_a_run_in_the_middle() -> None:
    calls: list[ModelCall] = []
    backend = Answers(Reply("ok", tokens_in=1000, tokens_out=100, cost_usd=0.2), price=Price(100.0, 1000.0))
    budget = Budget(usd=1.0)
    agent = bind(Gateway(backend=backend, budget=budget), calls, max_tokens=200)
    with pytest.raises(BudgetReached) as caught:
        for _ in range(10):
            asyncio.run(agent.complete(HELLO))
    assert caught.value.exit_code == 6 and len(backend.requests) == 4
    assert budget.spent_usd == pytest.approx(0.8) and budget.spent_tokens == 4400
    assert calls[-1].error_kind == "BudgetReached"


def test_concurrent_calls_never_exceed_the_budget() -> None:
    calls: list[ModelCall] = []
    backend = Answers(Reply("ok", tokens_in=10, tokens_out=90), price=Price(0.0, 1.0))
    budget = Budget(tokens=1000)

    async def play() -> list[object]:
        gateway = Gateway(backend=backend, budget=budget)
        agents = [bind(gateway, calls, max_tokens=100) for _ in range(20)]
        return await asyncio.gather(*(agent.complete(HELLO) for agent in agents), return_exceptions=True)

    results = asyncio.run(play())
    assert sum(isinstance(result, Reply) for result in results) == 9
    assert budget.spent_tokens == 900 and all(isinstance(r, (Reply, BudgetReached)) for r in results)


def test_a_dollar_budget_needs_a_price_before_the_first_call() -> None:
    backend, calls = Answers(Reply("ok", tokens_in=1_000_000, tokens_out=100_000)), list[ModelCall]()
    with pytest.raises(ConfigError, match=r"price of openai/x is not known.*budget in tokens.*prices = "):
        asyncio.run(bind(Gateway(backend=backend, budget=Budget(usd=5.0)), calls).complete(HELLO))
    assert backend.requests == []
    gateway = Gateway(backend=backend, budget=Budget(usd=50.0), prices={"openai/x": [2.5, 10]})
    asyncio.run(bind(gateway, calls).complete(HELLO))
    assert calls[1].cost_usd == pytest.approx(3.5) and gateway.budget.spent_usd == pytest.approx(3.5)


def test_an_unknown_cost_stays_unknown() -> None:
    gateway, calls = Gateway(backend=Answers(Reply("ok", tokens_in=5, tokens_out=5))), list[ModelCall]()
    asyncio.run(bind(gateway, calls).complete(HELLO))
    assert (
        calls[0].cost_usd is None and gateway.budget.spent_usd is None and gateway.budget.spent_tokens == 10
    )


def test_a_call_may_be_sampled_otherwise_than_the_run() -> None:
    backend = Answers(GOOD)
    model = bind(Gateway(backend=backend), [], temperature=1.0, max_tokens=9)
    for sampling in (None, {"temperature": 0.0}, {}):
        asyncio.run(model.complete(HELLO, sampling=sampling))
    assert [dict(request.sampling) for request in backend.requests] == [
        {"temperature": 1.0, "max_tokens": 9},
        {"temperature": 0.0},
        {},
    ]
    with pytest.raises(UnknownName, match="temprature"):
        asyncio.run(model.complete(HELLO, sampling={"temprature": 0.0}))


def test_mistakes_of_configuration() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'temperature'"):
        bind(Gateway(backend=Answers(GOOD)), [], temprature=1.0)
    with pytest.raises(UnknownName, match=r"sampling parameter.*'api_key'"):
        bind(Gateway(backend=Answers(GOOD)), [], api_key="x")
    with pytest.raises(ConfigError, match="No model plays the role 'video'"):
        asyncio.run(bind(Gateway(backend=Answers(GOOD)), []).complete(HELLO, role="video"))
    with pytest.raises(ConfigError, match="oneOf"):
        asyncio.run(bind(Gateway(backend=Answers(GOOD)), []).complete(HELLO, schema={"oneOf": []}))
    for wrong in ({"tries": 0}, {"timeout_s": 0.0}, {"concurrency": 0}, {"prices": {"m": [1]}}):
        with pytest.raises(ConfigError):
            Gateway(**wrong)


def test_roles_share_the_gateway_but_not_the_conversation() -> None:
    calls: list[ModelCall] = []
    agent = bind(Gateway(backend=Answers(GOOD)), calls)
    asyncio.run(agent.complete(HELLO))
    asyncio.run(agent.complete(HELLO, role="judge"))
    asyncio.run(agent.complete((*HELLO, GOOD.as_message(), user("more"))))
    assert [(c.role, c.known_messages) for c in calls] == [("agent", 0), ("judge", 0), ("agent", 1)]


@pytest.mark.full
def test_overhead_of_a_scripted_call() -> None:
    """CPU of the gateway alone over an episode of 50 turns with an image each: at most 0.15 ms a call."""

    async def play() -> float:
        agent = bind(Gateway(), [], "scripted/t", {"t": Turns(Reply("", (ToolCall("", "move", {"d": 1}),)))})
        talk: list[Message] = [user("go")]
        images = [Image(bytes([n]) * 34_000, ref=f"a{n}") for n in range(50)]
        started = time.process_time()
        for image in images:
            reply = await agent.complete(talk, tools=[MOVE])
            talk += [reply.as_message(), tool_result(reply.tool_calls[0], "Moved.", image)]
        return (time.process_time() - started) / len(images)

    assert min(asyncio.run(play()) for _ in range(5)) <= 0.15e-3
