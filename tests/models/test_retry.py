import asyncio
import random
from datetime import UTC, datetime

import pytest

from embodied_eval.errors import ConfigError, ModelBadRequest, ModelTimeout, RateLimited
from embodied_eval.models.limiter import Limiter
from embodied_eval.models.retry import Retry, retry_after_s
from tests.models.tools import Clock

NOW = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        (" 1.5 ", 1.5),
        ("Wed, 02 Jan 2030 03:04:35 GMT", 30.0),
        ("Wed, 02 Jan 2030 03:00:00 GMT", 0.0),
        ("soon", None),
        ("-3", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after_s(value, NOW) == seconds


def test_waits() -> None:
    retry, rng = Retry(tries=10), random.Random(3)
    late = ModelTimeout("late")
    for failures, base in ((1, 1), (2, 2), (3, 4), (9, 30)):
        wait_s = retry.wait_s(failures, late, rng)
        assert wait_s is not None and 0.5 * base <= wait_s <= 1.5 * base
    assert retry.wait_s(10, late, rng) is None
    assert retry.wait_s(1, ModelBadRequest("no"), rng) is None
    assert retry.wait_s(1, RateLimited("slow", retry_after_s=12.0), rng) == 12.0
    assert retry.wait_s(1, RateLimited("slow", retry_after_s=3600.0), rng) is None


def test_a_pause_holds_every_caller_of_that_model_alone() -> None:
    async def play() -> None:
        clock, waits = Clock(), list[tuple[float, str]]()
        limiter = Limiter(2, clock=clock, sleep=clock.sleep, on_wait=lambda s, why: waits.append((s, why)))
        limiter.pause("a", 10.0)
        limiter.pause("a", 4.0)
        await limiter.acquire("b")
        assert clock.now == 100.0
        await limiter.acquire("a")
        assert clock.now == 110.0 and waits == [(10.0, "a asked for fewer requests")]

    asyncio.run(play())


def test_a_pause_that_comes_while_queueing_is_kept() -> None:
    async def play() -> None:
        clock = Clock()
        limiter = Limiter(1, clock=clock, sleep=clock.sleep)
        await limiter.acquire("a")
        queued = asyncio.create_task(limiter.acquire("a"))
        await asyncio.sleep(0)
        limiter.pause("a", 5.0)
        limiter.release()
        await queued
        assert clock.now == 105.0

    asyncio.run(play())


def test_concurrency() -> None:
    async def play() -> int:
        limiter, running, most = Limiter(3), 0, 0

        async def call() -> None:
            nonlocal running, most
            await limiter.acquire("a")
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1
            limiter.release()

        await asyncio.gather(*(call() for _ in range(12)))
        return most

    assert asyncio.run(play()) == 3
    with pytest.raises(ConfigError):
        Limiter(0)
