"""What is done for a policy that got stuck or fell asleep. Numbers: spec of the benchmark, section 8.1."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from embodied_eval.policies.base import BACK, FORWARD, Act

STUCK_TICKS = 40
"""So many ticks of W without motion are being stuck."""
BACK_TICKS = 10
TURN_TICKS = 12
TURN_PX = 105.0
IDLE_TICKS = 40
"""So many ticks without any key, button or mouse are being asleep."""
LOOK_TICKS = 24
LOOK_PX = 50.0
"""Looking round: two radians to the right (ours; the spec says no numbers)."""
WALK_TICKS = 10
MOVED_M = 0.01
"""A tick that moves less is no motion (ours; a free one moves 0.11)."""


@dataclass
class Reflexes:
    """Watches a policy's ticks and takes over for a while: recovery from being stuck, a nudge where it is idle.
    Each can be switched off."""

    recovery: bool
    nudge: bool
    recoveries: int = 0
    nudges: int = 0
    _stuck: int = 0
    _idle: int = 0
    _side: int = 1
    _kind: str = ""
    _queue: deque[Act] = field(default_factory=deque)

    def next(self) -> tuple[Act, str] | None:
        """The act that is done in the policy's place, and why ("recovery", "nudge"); None where it has its will."""
        return (self._queue.popleft(), self._kind) if self._queue else None

    def note(self, act: Act, moved_m: float) -> bool:
        """Take note of a tick of the policy's own. Returns whether its history is to be cleared now."""
        walks = FORWARD in act.keys and BACK not in act.keys
        self._stuck = self._stuck + 1 if walks and moved_m < MOVED_M else 0
        self._idle = self._idle + 1 if act.idle else 0
        if self.recovery and self._stuck >= STUCK_TICKS:
            self._recover()
        elif self.nudge and self._idle >= IDLE_TICKS:
            return self._wake()
        return False

    def _recover(self) -> None:
        self.recoveries, self._stuck, self._idle = self.recoveries + 1, 0, 0
        turn = Act(dx=self._side * TURN_PX)
        self._begin("recovery", [Act(frozenset({BACK}))] * BACK_TICKS + [turn] * TURN_TICKS)
        self._side = -self._side

    def _wake(self) -> bool:
        self.nudges, self._stuck, self._idle = self.nudges + 1, 0, 0
        second = self.nudges % 2 == 0
        walk = [Act(frozenset({FORWARD}))] * WALK_TICKS if second else []
        self._begin("nudge", [Act(dx=LOOK_PX)] * LOOK_TICKS + walk)
        return second

    def _begin(self, kind: str, acts: list[Act]) -> None:
        self._kind, self._queue = kind, deque(acts)
