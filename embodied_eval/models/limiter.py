"""How many calls are in flight, and which models are to be left alone for a while."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from embodied_eval.errors import ConfigError

Sleep = Callable[[float], Awaitable[None]]
OnWait = Callable[[float, str], None]


class Limiter:
    """At most `concurrency` calls at once; after a 429 every caller of that model waits for the same
    instant. `clock` (monotonic seconds) and `sleep` can be replaced in tests."""

    def __init__(
        self,
        concurrency: int = 8,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        on_wait: OnWait | None = None,
    ) -> None:
        if concurrency < 1:
            raise ConfigError(f"{concurrency} calls at once is not possible.", hint="Give 1 or more.")
        self._slots = asyncio.Semaphore(concurrency)
        self._clock, self._sleep, self._on_wait = clock, sleep, on_wait
        self._until: dict[str, float] = {}

    async def acquire(self, model: str) -> None:
        """Wait for `model`'s pause to end and for a free slot. Pair with `release`."""
        while True:
            await self._pause_over(model)
            await self._slots.acquire()
            if self.paused_s(model) <= 0:
                return
            self._slots.release()

    def release(self) -> None:
        """Give the slot back."""
        self._slots.release()

    def pause(self, model: str, seconds: float) -> None:
        """Let nobody ask `model` for `seconds` from now; a longer pause in force stays."""
        self._until[model] = max(self._until.get(model, 0.0), self._clock() + seconds)

    def paused_s(self, model: str) -> float:
        """Seconds for which `model` is still paused, 0 where it is not."""
        until = self._until.get(model)
        return 0.0 if until is None else max(0.0, until - self._clock())

    async def wait(self, seconds: float, why: str) -> None:
        """Sleep for `seconds`, telling `on_wait` first."""
        if self._on_wait is not None:
            self._on_wait(seconds, why)
        await self._sleep(seconds)

    async def _pause_over(self, model: str) -> None:
        while (left_s := self.paused_s(model)) > 0:
            await self.wait(left_s, f"{model} asked for fewer requests")
        self._until.pop(model, None)
