"""How fast calls to one model may start, learnt from the provider's refusals.

The rule (ours) is that of a token bucket seen from outside: at a refusal the bucket is empty, so between two
refusals it let through what it took in. Calls per second between two refusals, with demand all the time, are
therefore its rate, exactly, unless it overflowed; then they are less.
"""

from __future__ import annotations

from collections import deque

RECENT = 64
ENOUGH = 8
"""So many calls are taken for evidence of a rate; with fewer, nothing is concluded from them."""
BURST_S = 10.0
LEAST, MOST = 1 / 16, 0.8
"""The first pace, as a share of the rate up to the first refusal: the shorter that time against 10 s, the more
of it was a full bucket being emptied."""
BELOW = 0.985
"""The pace, as a share of the rate that was found: the difference refills the bucket a little."""
GROWTH, ROUND = 0.005, 50
"""What each further round of clean replies adds, once a rate was found."""
SEEK, RAMP = 1.5, 4
"""The factor for each few clean replies, until a rate was found."""
BELIEVED = 4.0
"""So many times the rate that got through since the last refusal is the most that is tried."""
DOUBT, DOUBTED = 1.1, 0.3
"""The factor, four times as rarely, where more than this share of the time measured was a pause: a bucket that
overflowed in it shows less than its rate."""
IDLE_S, LOWEST = 10.0, 0.1
"""Below one call in 10 s there is no pace: the provider's Retry-After is enough."""
BEHIND_S = 0.1
LONGEST_WINDOW_S = 120.0
"""Older refusals are forgotten: a rate may change."""


class Pace:
    """The pace of one model. `rate` is calls a second, None until a refusal has shown that one is needed.

    Times are seconds of any monotonic clock. After the first refusal the pace begins low and grows by half
    with every 4 clean replies until the second one; from then on it stays just below what was measured and
    grows by 0.5 %, 1 %, 1.5 % ... for each further 50. A refusal without a measurement halves it.
    """

    def __init__(self) -> None:
        self.rate: float | None = None
        self._next = 0.0
        self._starts: deque[float] = deque(maxlen=RECENT)
        self._empty: float | None = None
        self._let_through = 0
        self._paused_s = 0.0
        self._ramp = 1.0
        self._unpaced = self._unheld = 0
        self._clean = self._rounds = 0

    def delay_s(self, now: float) -> float:
        """Seconds until the next call may start."""
        return 0.0 if self.rate is None else max(0.0, self._next - now)

    def start(self, now: float, *, paced: bool, queued: bool) -> None:
        """A call starts, held back before by this pace (`paced`) or for want of a free slot (`queued`)."""
        if self._starts and now - self._starts[-1] > IDLE_S:
            # What was asked so rarely tells nothing of a rate, and the bucket may have overflowed.
            self._starts.clear()
            self._empty = None
        self._starts.append(now)
        if self.rate is None:
            return
        self._unpaced = 0 if paced else self._unpaced + 1
        self._unheld = 0 if paced or queued else self._unheld + 1
        if self._unheld > RAMP:
            # Less is asked than may be: the bucket may overflow, and proves nothing until it is empty again.
            self._empty = None
        self._let_through += 1
        # A late wake-up is made up for by the next call, an idle second is not.
        self._next = max(self._next, now - BEHIND_S) + 1.0 / self.rate

    def clean(self, now: float) -> None:
        """A call was answered."""
        if self.rate is None or self._unpaced > RAMP:
            return
        self._clean += 1
        if self._ramp > 1.0:
            if self._clean % (RAMP if self._ramp == SEEK else 4 * RAMP) == 0:
                self.rate = self._believable(self.rate * self._ramp, now)
        elif self._clean % ROUND == 0:
            self._rounds += 1
            self.rate *= 1.0 + GROWTH * self._rounds

    def failed(self) -> None:
        """A call failed for another reason: what was clean before no longer counts."""
        self._clean = self._rounds = 0

    def paused(self, now: float, seconds: float) -> None:
        """No call starts for `seconds` from now."""
        self._next = max(self._next, now + seconds)
        self._paused_s += seconds

    def refused(self, now: float, *, first: bool) -> None:
        """A call was refused for its frequency; `first` of those that were in flight together."""
        self._let_through = max(0, self._let_through - 1)
        if not first:
            return
        self._clean = self._rounds = 0
        if self.rate is None:
            self._begin(now)
            return
        span_s = None if self._empty is None else now - self._empty
        restart = span_s is None or span_s > LONGEST_WINDOW_S
        if span_s and self._let_through >= ENOUGH:
            self.rate = BELOW * self._let_through / span_s
            doubtful = self._paused_s > DOUBTED * span_s
            self._ramp = DOUBT if doubtful else 1.0
            restart |= doubtful
        else:
            self.rate = 0.5 * min(self.rate, self._recent(now))
        self.rate = max(LOWEST, self.rate)
        if restart:
            self._mark(now)

    def _begin(self, now: float) -> None:
        if len(self._starts) <= ENOUGH or now <= self._starts[0]:
            return
        share = min(MOST, max(LEAST, (now - self._starts[0]) / BURST_S))
        self.rate = max(LOWEST, share * self._recent(now))
        self._ramp, self._next = SEEK, now
        self._mark(now)

    def _believable(self, rate: float, now: float) -> float:
        # What got through since the last refusal can be had for certain; far above it, refusals come in heaps.
        if self._empty is None or self._let_through < ENOUGH:
            return rate
        return min(rate, BELIEVED * self._let_through / max(now - self._empty, 1e-3))

    def _recent(self, now: float) -> float:
        return len(self._starts) / max(now - self._starts[0], 1e-3)

    def _mark(self, now: float) -> None:
        self._empty, self._let_through, self._paused_s = now, 0, 0.0
