"""What drivers share whose simulator takes whole actions: how an action becomes ticks, and what is wrong with one. Ours."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import Motion, TickState
from embodied_eval.drivers.page.axes import wrapped
from embodied_eval.drivers.whole.film import film_ticks
from embodied_eval.errors import StaleFrame
from embodied_eval.records import Pose

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embodied_eval.drivers.whole.film import Shot

BLOCKED_M = 0.1
BLOCKED_SHARE = 0.05
WAIT_NEAR_S = 0.25
WAIT_SHARE = 0.1
TURNED_DEG = 0.5


def played(
    start: TickState,
    end: TickState,
    film: Sequence[Shot],
    last: bytes,
    tell: Callable[[TickState, bytes], None],
) -> Motion:
    """The motion of an action from `start` to `end`, whose `moved_m` is all of it, as ticks that `tell` is handed
    with their pictures: those of `film` (seconds from the action's beginning), and `end` with `last`."""
    told = 0.0
    for tick, data in film_ticks(start, end, film):
        told += tick.moved_m
        tell(tick, data)
    tell(replace(end, moved_m=max(0.0, end.moved_m - told)), last)
    elapsed = end.t_s - start.t_s
    return Motion(end.pose, end.t_s, elapsed, end.moved_m, end.blocked, end.contacts, end.interacted)


def fell_short(wanted_m: float, moved_m: float) -> bool:
    """Whether a walk was so much shorter than wanted that something must have been in the way."""
    return wanted_m - moved_m > max(BLOCKED_M, BLOCKED_SHARE * wanted_m)


def waited(asked_s: float, took_s: float) -> bool:
    """Whether a wait took about as long as asked for."""
    return abs(took_s - asked_s) <= WAIT_NEAR_S + WAIT_SHARE * asked_s


def walked_m(a: Pose, b: Pose) -> float:
    """The horizontal distance between two poses, metres."""
    return round(math.hypot(b.x - a.x, b.y - a.y), 9)


def check_fresh(
    before: Pose,
    after: Pose,
    pictures: tuple[bytes, bytes],
    pixels: Callable[[bytes], NDArray[np.uint8]],
    endpoint: str,
    command: str,
) -> None:
    """Raise `StaleFrame` where the encoded `pictures` before and after a turn are the same: the second is an old one,
    unless it is all one colour. b"" is no picture, and nothing to go by."""
    old, new = pictures
    turned = max(abs(wrapped(after.yaw_deg - before.yaw_deg)), abs(after.pitch_deg - before.pitch_deg))
    if turned < TURNED_DEG or not new or old != new:
        return
    picture = pixels(new)
    if (picture != picture[0, 0]).any():
        raise StaleFrame(
            f"The picture is the same before and after a turn of {turned:.1f} degrees.",
            endpoint=endpoint,
            command=command,
        )
