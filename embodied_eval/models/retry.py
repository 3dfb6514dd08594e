"""When a failed call is tried again, and after how long."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from embodied_eval.errors import ModelError, RateLimited


@dataclass(frozen=True)
class Retry:
    """At most `tries` tries of a call. The wait after the n-th failure is `first_s * 2**(n-1)` capped at
    `cap_s`, times a jitter in 0.5..1.5 (ours); the provider's own figure where it gave one, unless that
    exceeds `longest_s`: then the call fails at once and says so."""

    tries: int = 3
    first_s: float = 1.0
    cap_s: float = 30.0
    longest_s: float = 300.0

    def wait_s(self, failures: int, error: ModelError, rng: random.Random) -> float | None:
        """Seconds to wait after failure number `failures` (from 1); None = do not try again."""
        if not error.retriable or failures >= self.tries:
            return None
        asked = error.retry_after_s if isinstance(error, RateLimited) else None
        if asked is not None:
            return asked if asked <= self.longest_s else None
        return float(min(self.cap_s, self.first_s * 2.0 ** (failures - 1)) * rng.uniform(0.5, 1.5))


def retry_after_s(value: str | None, now: datetime | None = None) -> float | None:
    """A `Retry-After` header as seconds from `now`: delay seconds or an HTTP date (RFC 9110, 10.2.3).

    None where it is missing or neither; a date that is past gives 0.
    """
    if value is None:
        return None
    text = value.strip()
    if text.replace(".", "", 1).isdigit() and text.isascii():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
