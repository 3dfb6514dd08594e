"""The budget of a run, in tokens and dollars, shared by all its calls."""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass

from embodied_eval.errors import BudgetReached, ConfigError


@dataclass(frozen=True)
class Reservation:
    """What one call may use at most: tokens in and out together, and dollars (None = price unknown)."""

    tokens: int = 0
    usd: float | None = 0.0


class Budget:
    """At most `usd` dollars and `tokens` tokens (None = no limit), over all models of a run.

    A call reserves its largest possible cost before it starts and settles at what it did cost. A call that
    would fit were it not for calls in flight waits for these. For one event loop.
    """

    def __init__(self, usd: float | None = None, tokens: int | None = None) -> None:
        if usd is not None and not (math.isfinite(usd) and usd >= 0):
            raise ConfigError(
                f"A budget of {usd} dollars is not possible.", hint="Give a number of 0 or more."
            )
        if tokens is not None and tokens < 0:
            raise ConfigError(f"A budget of {tokens} tokens is not possible.", hint="Give 0 or more.")
        self.usd, self.tokens = usd, tokens
        self.spent_tokens = 0
        self.estimated = False
        self._spent_usd, self._usd_known = 0.0, True
        self._held_usd, self._held_tokens = 0.0, 0
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self.usd is not None or self.tokens is not None

    @property
    def spent_usd(self) -> float | None:
        """Dollars spent; None once a call of unknown cost is among them. `estimated` tells whether a call
        that failed late, or whose usage the provider did not say, is in it at its largest possible cost."""
        return self._spent_usd if self._usd_known else None

    async def reserve(self, tokens: int = 0, usd: float | None = 0.0) -> Reservation:
        """Set aside `tokens` and `usd`, waiting for calls in flight where that helps.

        Raises BudgetReached when they exceed what is left, ConfigError for an unknown price under a limit
        in dollars.
        """
        if self.usd is not None and usd is None:
            raise ConfigError("A budget in dollars needs a known price.", hint="Give `prices`.")
        while True:
            self._refuse(tokens, usd or 0.0)
            if self._fits(tokens, usd or 0.0):
                break
            freed = asyncio.get_running_loop().create_future()
            self._waiting.append(freed)
            await freed
        self._held_tokens += tokens
        self._held_usd += usd or 0.0
        return Reservation(tokens, usd)

    def settle(self, reservation: Reservation, tokens: int | None, usd: float | None) -> None:
        """Release `reservation` and charge what the call cost; None = not known: the reserved figure counts."""
        if tokens is None or (usd is None and reservation.usd is not None):
            self.estimated = True
        if usd is None and reservation.usd is None:
            self._usd_known = False
        self._release(reservation)
        self.spent_tokens += reservation.tokens if tokens is None else tokens
        self._spent_usd += (reservation.usd or 0.0) if usd is None else usd

    def forfeit(self, reservation: Reservation) -> None:
        """Charge all of `reservation`: the call gave no reply but may have been billed."""
        self.settle(reservation, None, None)

    def _release(self, reservation: Reservation) -> None:
        self._held_tokens -= reservation.tokens
        self._held_usd = max(0.0, self._held_usd - (reservation.usd or 0.0))
        waiting, self._waiting = self._waiting, []
        for freed in waiting:
            if not freed.done():
                freed.set_result(None)

    def _fits(self, tokens: int, usd: float) -> bool:
        return (self.tokens is None or self.spent_tokens + self._held_tokens + tokens <= self.tokens) and (
            self.usd is None or self._spent_usd + self._held_usd + usd <= self.usd + 1e-9
        )

    def _refuse(self, tokens: int, usd: float) -> None:
        if self.tokens is not None and (
            self.spent_tokens >= self.tokens or self.spent_tokens + tokens > self.tokens
        ):
            raise BudgetReached(
                f"The budget of {self.tokens:,} tokens is used up: {self.spent_tokens:,} spent, and the next "
                f"call may use {tokens:,}.",
                hint="What is done is kept: resume with a larger budget, or with a smaller max_tokens.",
            )
        if self.usd is not None and (
            self._spent_usd >= self.usd > 0 or self._spent_usd + usd > self.usd + 1e-9
        ):
            raise BudgetReached(
                f"The budget of ${self.usd:.2f} is used up: ${self._spent_usd:.4f} spent, and the next call "
                f"may cost ${usd:.4f}.",
                hint="What is done is kept: resume with a larger budget, or with a smaller max_tokens.",
            )
