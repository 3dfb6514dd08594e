"""The limiter over simulated providers in virtual time: exact, and the same on every machine."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from embodied_eval.errors import ConfigError, ModelUnavailable, RateLimited
from embodied_eval.models.gateway import Gateway, endpoint
from embodied_eval.models.limiter import SHRINK, START, AdaptiveLimiter, Ending, Permit, limiter_of
from embodied_eval.models.types import Reply, Request, user
from tests.models.tools import Answers, Clock, bind
from tests.models.virtual import MODEL, VirtualLoop, play

GOOD = Reply("ok", tokens_in=10, tokens_out=1)


def virtually(loop: VirtualLoop, work: Coroutine[Any, Any, Any]) -> Any:
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()


@pytest.mark.parametrize(
    ("rate", "burst", "latency_s", "calls", "whole"),
    [
        (40, 40, 0.01, 300, False),
        (40, 10, 0.01, 300, False),
        (100, 100, 0.01, 300, False),
        (20, 20, 0.05, 300, False),
        (40, 40, 0.01, 3000, False),
        (40, 40, 0.2, 1500, False),
        (1, 10, 10.0, 600, False),
        (40, 40, 0.01, 300, True),
        (40, 40, 0.01, 3000, True),
        (1, 10, 10.0, 600, True),
    ],
)
def test_a_token_bucket_is_used_up_and_hardly_ever_refuses(
    rate: float, burst: float, latency_s: float, calls: int, whole: bool
) -> None:
    played = play(rate=rate, burst=burst, latency_s=latency_s, calls=calls, whole=whole)
    assert calls / played.seconds >= 0.95 * rate
    assert played.refused_share < 0.02
    assert max(played.spread) - min(played.spread) <= 0.25 * calls / len(played.spread) + 2


def test_a_provider_without_a_limit_gets_all_the_calls_it_may() -> None:
    played = play(rate=1e6, burst=1e6, latency_s=2.0, calls=2000, callers=64)
    assert (played.refused, played.rate, played.limit) == (0, None, 32)
    assert played.seconds < 1.5 * 2000 * 2.0 / 32


def test_growth_and_shrinking() -> None:
    loop = VirtualLoop()
    limiter = AdaptiveLimiter(8, clock=loop.time)

    async def one_round(ending: Ending) -> None:
        """As many calls as may be at once, while one more queues."""
        queued = limiter.limit(MODEL) + 1
        asked = [asyncio.create_task(limiter.acquire(MODEL)) for _ in range(queued)]
        await asyncio.sleep(2.0)
        for task in asked[:-1]:
            limiter.release(task.result(), ending)
        limiter.release(await asked[-1], "other")

    async def work() -> None:
        await one_round("clean")
        assert limiter.limit(MODEL) == START + 1
        await one_round("failed")
        assert limiter.limit(MODEL) == START + 1
        for _ in range(9):
            await one_round("clean")
        assert limiter.limit(MODEL) == 8  # and no further
        await one_round("refused")
        assert limiter.limit(MODEL) == int(8 * SHRINK)  # once for all calls in flight together
        assert limiter.limit("openai/another") == START

    virtually(loop, work())


def test_without_a_queue_there_is_nothing_to_grow_for() -> None:
    async def work() -> int:
        clock = Clock()
        limiter = AdaptiveLimiter(clock=clock)
        for _ in range(50):
            clock.now += 1.0
            limiter.release(await limiter.acquire(MODEL), "clean")
        return limiter.limit(MODEL)

    assert asyncio.run(work()) == START


def test_never_less_than_one() -> None:
    async def work() -> None:
        clock = Clock()
        limiter = AdaptiveLimiter(2, clock=clock, sleep=clock.sleep)
        for _ in range(20):
            permit = await limiter.acquire(MODEL)
            clock.now += 1.0
            limiter.release(permit, "refused")
        assert limiter.limit(MODEL) == 1

    asyncio.run(work())
    with pytest.raises(ConfigError):
        AdaptiveLimiter(0)


def test_a_pause_holds_every_caller_of_that_model_alone() -> None:
    async def work() -> None:
        clock, waits = Clock(), list[tuple[float, str]]()
        limiter = AdaptiveLimiter(2, clock=clock, sleep=clock.sleep)
        limiter.pause("a", 10.0)
        limiter.pause("a", 4.0)
        await limiter.acquire("b")
        assert clock.now == 100.0
        await limiter.acquire("a", lambda seconds, why: waits.append((seconds, why)))
        assert clock.now == 110.0 and waits == [(10.0, "a asked for fewer requests")]

    asyncio.run(work())


def test_a_pause_that_comes_while_queueing_is_kept() -> None:
    async def work() -> None:
        clock = Clock()
        limiter = AdaptiveLimiter(1, clock=clock, sleep=clock.sleep)
        permit = await limiter.acquire("a")
        queued = asyncio.create_task(limiter.acquire("a"))
        await asyncio.sleep(0)
        limiter.pause("a", 5.0)
        limiter.release(permit, "other")
        await queued
        assert clock.now == 105.0

    asyncio.run(work())


def test_a_caller_that_gives_up_in_the_queue_holds_nobody_up() -> None:
    async def work() -> None:
        limiter = AdaptiveLimiter(1)
        permit = await limiter.acquire("a")
        first, second = (asyncio.create_task(limiter.acquire("a")) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        limiter.release(permit, "clean")
        assert (await second).model == "a"

    asyncio.run(work())


def test_rare_calls_are_never_paced() -> None:
    async def work() -> None:
        clock = Clock()
        limiter = AdaptiveLimiter(clock=clock, sleep=clock.sleep)
        for number in range(200):
            clock.now += 30.0
            before = clock.now
            permit = await limiter.acquire(MODEL)
            assert clock.now == before
            limiter.release(permit, "refused" if number % 3 == 2 else "clean")
        assert limiter.rate(MODEL) is None

    asyncio.run(work())


def test_an_idle_hour_does_not_make_the_pace_slow() -> None:
    async def work() -> None:
        clock = Clock()
        limiter = AdaptiveLimiter(clock=clock, sleep=clock.sleep)

        async def calls(number: int, ending: Ending) -> None:
            for _ in range(number):
                permit = await limiter.acquire(MODEL)
                clock.now += 0.1
                limiter.release(permit, ending)

        await calls(30, "clean")
        for _ in range(3):
            await calls(1, "refused")
            await calls(60, "clean")
            clock.now += 3600.0
        learnt = limiter.rate(MODEL)
        assert learnt is not None and learnt > 1.0
        await calls(20, "clean")
        await calls(1, "refused")
        now = limiter.rate(MODEL)
        assert now is not None and now >= 0.4 * min(learnt, 10.0)

    asyncio.run(work())


def test_what_was_learnt_outlives_an_event_loop_and_its_calls_do_not() -> None:
    limiter = AdaptiveLimiter(1)

    async def leave_one_in_flight() -> Permit:
        return await limiter.acquire("a")

    asyncio.run(leave_one_in_flight())
    assert asyncio.run(leave_one_in_flight()).model == "a"


def test_gateways_with_one_limiter_wait_for_each_others_refusals() -> None:
    clock, waits, times = Clock(), list[float](), list[float]()
    limiter = AdaptiveLimiter(1, clock=clock, sleep=clock.sleep)

    async def noted(request: Request) -> Reply:
        times.append(clock.now)
        return GOOD

    gateways = [
        Gateway(backend=backend, limiter=limiter, clock=clock, sleep=clock.sleep, on_wait=on_wait)
        for backend, on_wait in (
            (
                Answers(RateLimited("slow", retry_after_s=20.0), noted),
                lambda seconds, why: waits.append(seconds),
            ),
            (Answers(noted), None),
        )
    ]

    async def work() -> None:
        hello = (user("hello"),)
        await asyncio.gather(*(bind(gateway, []).complete(hello) for gateway in gateways))

    asyncio.run(work())
    assert times == [120.0, 120.0] and waits == [20.0]


def test_a_failing_provider_slows_nobody_down() -> None:
    clock = Clock()
    gateway = Gateway(backend=Answers(ModelUnavailable("down"), GOOD), clock=clock, sleep=clock.sleep)
    asyncio.run(bind(gateway, []).complete((user("hello"),)))
    assert isinstance(gateway.limiter, AdaptiveLimiter)

    async def learnt() -> tuple[int, float | None]:
        assert isinstance(gateway.limiter, AdaptiveLimiter)
        return gateway.limiter.limit("openai/x"), gateway.limiter.rate("openai/x")

    assert asyncio.run(learnt()) == (START, None)


def test_one_limiter_for_each_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_BASE", "http://user:word@127.0.0.1:9/v1")
    assert endpoint(None) == "http://127.0.0.1:9/v1" and endpoint("http://b/v1") == "http://b/v1"
    assert limiter_of("here", 7) is limiter_of("here", 7) is not limiter_of("there", 7)
