"""Explorers without a network: the baselines that any policy must beat."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from embodied_eval.policies.base import FORWARD, INTERACT, LEFT, RIGHT, STILL, Act, Policy, mouse_px

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TURN_PX = 60.0
"""Mouse pixels a tick while turning: 115 degrees a second."""
SAME = 1.5
"""Mean difference of two pictures (of 255) below which a walker has not come forward (ours)."""
SAME_TICKS = 6
"""So many ticks of walking against the same picture are a wall (ours)."""


class Scripted(Policy):
    """Holds nothing that must be freed."""

    def close(self) -> None:
        """See `Policy.close`."""


class Still(Scripted):
    """Does nothing, ever: what the idle nudge alone explores."""

    sees = False

    def reset(self) -> None:
        """See `Policy.reset`."""

    def act(self, rgb: NDArray[np.uint8] | None, text: str) -> Act:
        """See `Policy.act`."""
        return STILL


class RandomWalk(Scripted):
    """Walks on, turns, strafes and looks about at random, each for a while; operates now and then."""

    sees = False

    def __init__(self, seed: str) -> None:
        self._rng = random.Random(seed)
        self._left, self._doing = 0, STILL

    def reset(self) -> None:
        """See `Policy.reset`: the chance goes on where it was, or each reset would bring the same walk."""
        self._left = 0

    def act(self, rgb: NDArray[np.uint8] | None, text: str) -> Act:
        """See `Policy.act`."""
        if self._left == 0:
            self._doing, self._left = self._next()
        self._left -= 1
        return self._doing

    def _next(self) -> tuple[Act, int]:
        rng = self._rng
        kind = rng.choices(("walk", "turn", "strafe", "look", "interact"), (10, 8, 2, 1, 1))[0]
        if kind == "walk":
            return Act(frozenset({FORWARD})), rng.randint(10, 50)
        if kind == "turn":
            return Act(dx=rng.choice((-1, 1)) * TURN_PX), rng.randint(4, 24)
        if kind == "strafe":
            return Act(frozenset({rng.choice((LEFT, RIGHT))})), rng.randint(6, 20)
        if kind == "look":
            return Act(dy=rng.choice((-1, 1)) * mouse_px(1.5)), rng.randint(4, 10)
        return Act(frozenset({INTERACT})), 1


class Frontier(Scripted):
    """Walks straight on until the picture no longer changes, then turns to where it has turned least so far; looks
    round from time to time. It goes by its eyes alone."""

    def __init__(self, seed: str) -> None:
        self._rng = random.Random(seed)
        self.reset()

    def reset(self) -> None:
        """See `Policy.reset`."""
        self._before: NDArray[np.uint8] | None = None
        self._same, self._turning, self._side, self._walked = 0, 0, 1, 0

    def act(self, rgb: NDArray[np.uint8] | None, text: str) -> Act:
        """See `Policy.act`."""
        same = rgb is not None and self._unchanged(rgb)
        self._before = rgb
        if self._turning:
            self._turning -= 1
            return Act(dx=self._side * TURN_PX)
        self._same = self._same + 1 if same else 0
        self._walked += 1
        if self._same >= SAME_TICKS:
            # To the other side each time but for chance, so that a corner does not hold it.
            self._side = -self._side if self._rng.random() < 0.7 else self._side
            self._begin_turn(self._rng.randint(12, 26))
        elif self._walked >= 100:
            self._begin_turn(63)
        return Act(frozenset({FORWARD}))

    def _begin_turn(self, ticks: int) -> None:
        self._turning, self._same, self._walked = ticks, 0, 0

    def _unchanged(self, rgb: NDArray[np.uint8]) -> bool:
        if self._before is None:
            return False
        import numpy as np

        change = np.abs(rgb[::4, ::4].astype(np.int16) - self._before[::4, ::4])
        return float(change.mean()) < SAME
