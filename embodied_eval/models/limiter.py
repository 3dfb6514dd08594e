"""How many calls are in flight to each model and when the next one starts: learnt, and shared by all callers."""

from __future__ import annotations

import asyncio
import functools
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol

from embodied_eval.errors import ConfigError
from embodied_eval.models.pace import Pace

Sleep = Callable[[float], Awaitable[None]]
OnWait = Callable[[float, str], None]
Ending = Literal["clean", "refused", "failed", "other"]
"""How a call ended: answered; refused for its frequency (429); failed on the provider's side (5xx, timeout); or
in a way that says nothing about load (cancelled, a bad request)."""

START = 4
SHRINK = 0.8
SHORTEST_ROUND_S = 1.0
"""Quotas are counted over a second or more: growing faster than that only means more refusals at once."""
MOST = 32
PAUSE_TOLD_S, PACE_TOLD_S = 0.5, 5.0
"""Shorter waits are not worth a line on the screen."""


@dataclass(frozen=True)
class Permit:
    """Leave for one call to `model`, given at `started_s` of the limiter's clock; plain data."""

    model: str
    started_s: float


class Limiter(Protocol):
    """What a gateway asks before each call and tells after it. One may serve many gateways, also from other
    processes: only `acquire` waits, and nothing but plain data passes."""

    async def acquire(self, model: str, on_wait: OnWait | None = None) -> Permit:
        """Wait until a call to `model` may start. Pair with `release`."""

    def release(self, permit: Permit, ending: Ending) -> None:
        """The call of `permit` ended."""

    def pause(self, model: str, seconds: float) -> None:
        """Let no call to `model` start for `seconds` from now; a longer pause in force stays."""


@dataclass
class _State:
    """What is known of one model. `limit` is fractional; its whole part holds."""

    limit: float
    pace: Pace = field(default_factory=Pace)
    in_flight: int = 0
    until: float = 0.0
    refused_at: float = -math.inf
    changed_at: float = 0.0
    clean: int = 0
    full: bool = False
    loop: asyncio.AbstractEventLoop | None = None
    door: asyncio.Lock = field(default_factory=asyncio.Lock)
    freed: asyncio.Event = field(default_factory=asyncio.Event)


class AdaptiveLimiter:
    """The limiter of one process, for one event loop at a time.

    Each model starts with 4 calls at once. A round of clean replies (as many as the limit) while calls queued
    adds 1, up to `most`; a refusal takes 20 % off, once for all calls that were in flight with it; a failure
    begins the round anew. From the first refusal on, `Pace` also spaces the starts. Callers of a model start
    in the order in which they came. `clock` (monotonic seconds) and `sleep` can be replaced in tests.
    """

    def __init__(
        self, most: int = MOST, *, clock: Callable[[], float] = time.monotonic, sleep: Sleep = asyncio.sleep
    ) -> None:
        if most < 1:
            raise ConfigError(f"{most} calls at once is not possible.", hint="Give 1 or more.")
        self.most = most
        self._clock, self._sleep = clock, sleep
        self._states: dict[str, _State] = {}

    async def acquire(self, model: str, on_wait: OnWait | None = None) -> Permit:
        """See `Limiter.acquire`."""
        state = self._state(model)
        async with state.door:
            paced = queued = False
            while True:
                if state.in_flight >= int(state.limit):
                    state.full = queued = True
                    state.freed.clear()
                    await state.freed.wait()
                    continue
                now = self._clock()
                paused_s = state.until - now
                left_s = max(paused_s, state.pace.delay_s(now))
                if left_s <= 0:
                    break
                paced = True
                if on_wait is not None and paused_s >= PAUSE_TOLD_S:
                    on_wait(left_s, f"{model} asked for fewer requests")
                elif on_wait is not None and left_s >= PACE_TOLD_S:
                    on_wait(left_s, f"{model} takes no more requests at a time")
                await self._sleep(left_s)
            state.in_flight += 1
            state.pace.start(now, paced=paced, queued=queued)
            return Permit(model, now)

    def release(self, permit: Permit, ending: Ending) -> None:
        """See `Limiter.release`."""
        state, now = self._state(permit.model), self._clock()
        state.in_flight = max(0, state.in_flight - 1)
        state.freed.set()
        if ending == "clean":
            state.clean += 1
            state.pace.clean(now)
            if state.full and state.clean >= int(state.limit) and now - state.changed_at >= SHORTEST_ROUND_S:
                state.limit = min(float(self.most), state.limit + 1.0)
                state.clean, state.full, state.changed_at = 0, False, now
        elif ending == "refused":
            first = permit.started_s >= state.refused_at
            state.pace.refused(now, first=first)
            state.clean, state.full = 0, False
            if first:
                state.refused_at = now
                state.limit = max(1.0, state.limit * SHRINK)
        elif ending == "failed":
            state.clean, state.full = 0, False
            state.pace.failed()

    def pause(self, model: str, seconds: float) -> None:
        """See `Limiter.pause`."""
        state = self._state(model)
        now = self._clock()
        state.pace.paused(now, max(0.0, now + seconds - max(now, state.until)))
        state.until = max(state.until, now + seconds)

    def limit(self, model: str) -> int:
        """How many calls to `model` may be in flight now."""
        return int(self._state(model).limit)

    def rate(self, model: str) -> float | None:
        """How many calls to `model` may start in a second, None where nothing has shown a limit."""
        return self._state(model).pace.rate

    def _state(self, model: str) -> _State:
        state = self._states.get(model)
        if state is None:
            state = _State(float(min(START, self.most)), changed_at=self._clock())
            self._states[model] = state
        loop = asyncio.get_running_loop()
        if state.loop is not loop:
            # What was learnt outlives an event loop, its calls and its queue do not.
            state.loop, state.in_flight = loop, 0
            state.door, state.freed = asyncio.Lock(), asyncio.Event()
        return state


@functools.cache
def limiter_of(endpoint: str, most: int) -> AdaptiveLimiter:
    """This process's limiter for the models of `endpoint` (an API base, "" = the providers' own)."""
    return AdaptiveLimiter(most)
