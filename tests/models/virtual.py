"""An event loop whose time passes only by waiting, and a provider in it that limits by a token bucket."""

from __future__ import annotations

import asyncio
import math
import random
import selectors
from dataclasses import dataclass, field
from typing import Any

from embodied_eval.models.limiter import AdaptiveLimiter

MODEL = "openai/x"


class _Selector:
    """A selector that skips the time it is asked to wait."""

    def __init__(self) -> None:
        self.now = 0.0
        self._inner = selectors.DefaultSelector()

    def select(self, timeout: float | None = None) -> Any:
        ready = self._inner.select(0)
        if not ready and timeout:
            self.now += timeout
        return ready

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class VirtualLoop(asyncio.SelectorEventLoop):
    """`loop.time()` starts at 0 and jumps to the next timer whenever nothing else is left to do."""

    def __init__(self) -> None:
        self._virtual = _Selector()
        super().__init__(self._virtual)  # type: ignore[arg-type]

    def time(self) -> float:
        return self._virtual.now


@dataclass
class Bucket:
    """Holds at most `burst` calls, takes in `rate` a second, from `clock`."""

    rate: float
    burst: float
    clock: Any
    allowed: int = 0
    refused: int = 0
    level: float = field(init=False)
    at: float = field(init=False)

    def __post_init__(self) -> None:
        self.level, self.at = self.burst, self.clock()

    def take(self) -> float | None:
        """Let a call through (None), or refuse it: seconds until there is room for one."""
        now = self.clock()
        self.level, self.at = min(self.burst, self.level + (now - self.at) * self.rate), now
        if self.level < 1.0:
            self.refused += 1
            return (1.0 - self.level) / self.rate
        self.level -= 1.0
        self.allowed += 1
        return None


@dataclass(frozen=True)
class Played:
    """What came of `play`."""

    seconds: float
    calls: int
    refused: int
    limit: int
    rate: float | None
    spread: tuple[int, ...]

    @property
    def refused_share(self) -> float:
        """Refusals among all requests."""
        return self.refused / (self.calls + self.refused)


def play(
    *, rate: float, burst: float, latency_s: float, calls: int = 300, callers: int = 16, whole: bool = False
) -> Played:
    """`callers` share one limiter and make `calls` calls of about `latency_s`, each until it is let through.
    `whole` = Retry-After is in whole seconds. `spread` is how many calls each caller made."""
    loop, dice = VirtualLoop(), random.Random(5)
    limiter, bucket = AdaptiveLimiter(clock=loop.time), Bucket(rate, burst, loop.time)
    left, made = calls, [0] * callers

    async def call() -> None:
        while True:
            permit = await limiter.acquire(MODEL)
            await asyncio.sleep(0.2 * latency_s)
            wait_s = bucket.take()
            if wait_s is None:
                await asyncio.sleep(latency_s * dice.uniform(0.5, 1.1))
                limiter.release(permit, "clean")
                return
            limiter.release(permit, "refused")
            limiter.pause(MODEL, max(1, math.ceil(wait_s)) if whole else wait_s)

    async def caller(number: int) -> None:
        nonlocal left
        while left:
            left -= 1
            await call()
            made[number] += 1

    async def all_of_them() -> Played:
        await asyncio.gather(*(caller(number) for number in range(callers)))
        found = limiter.limit(MODEL), limiter.rate(MODEL)
        return Played(loop.time(), calls, bucket.refused, *found, tuple(made))

    try:
        return loop.run_until_complete(all_of_them())
    finally:
        loop.close()
