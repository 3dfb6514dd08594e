"""The film of a whole action, as ticks. Ours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from embodied_eval.drivers.base import TickState
from embodied_eval.drivers.page.axes import wrapped
from embodied_eval.records import Pose

EVERY_S = 0.5
"""What `open_env` asks the page for."""
EPSILON = 1e-6


@dataclass(frozen=True)
class Shot:
    """An encoded picture, and the page's seconds at which it was taken."""

    t_s: float
    data: bytes


def film_ticks(start: TickState, end: TickState, film: Sequence[Shot]) -> Iterator[tuple[TickState, bytes]]:
    """A tick for each multiple of `EVERY_S` after `start` that has a picture in `film`, at the time when it was
    taken but not before it was due; what is due at `end` is the action's last picture.

    A page counts a film's seconds from the action's beginning or from its own: the latter if its last one is later
    than the action took. Poses in between are not told; they are taken from the straight way from `start` to `end`.
    """
    elapsed = end.t_s - start.t_s
    if not film:
        return
    begun = film[0].t_s - EVERY_S if film[-1].t_s > elapsed + EVERY_S / 2.0 else 0.0
    told = 0.0
    for number in range(1, math.ceil(elapsed / EVERY_S - EPSILON)):
        due = number * EVERY_S
        shot = min(film, key=lambda one: abs(one.t_s - begun - due))
        at = max(due, shot.t_s - begun)
        if abs(shot.t_s - begun - due) > EVERY_S / 2.0 or at > elapsed - EPSILON:
            continue
        share = at / elapsed
        pose = _between(start.pose, end.pose, share)
        yield TickState(round(start.t_s + at, 9), pose, end.moved_m * share - told, False), shot.data
        told = end.moved_m * share


def _between(a: Pose, b: Pose, share: float) -> Pose:
    def mix(one: float, two: float) -> float:
        return one + (two - one) * share

    yaw = wrapped(a.yaw_deg + wrapped(b.yaw_deg - a.yaw_deg) * share)
    return Pose(mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), yaw, mix(a.pitch_deg, b.pitch_deg))
