"""Walking at things: what does not stop a walker, and what flies off at a touch. Ours."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from benchmarks.worldaudit.scripted.explorer_body import Body, Call, Leg, Stand, View
from benchmarks.worldaudit.scripted.explorer_floor import Floors, free_fan, parallax, stands_at
from benchmarks.worldaudit.scripted.explorer_vision import CHANGE, Region, difference, regions
from benchmarks.worldaudit.scripted.explorer_walks import (
    FAN,
    RECENT,
    WALK_GAZE_DEG,
    learn,
    look_at_feet,
    new_way,
)
from embodied_eval.models.types import Message

THROUGH_M, WELL_THROUGH_M = 0.3, 0.6
"""A walker this far beyond the near edge of a thing may be, or must be, inside it."""
SOLID = 0.04
"""Pictures agree worse than this that something is a pattern of the floor."""
PUSHES = 4
ASIDE_M = 0.4
"""A walker pushed aside farther than this went past the thing."""


@dataclass(frozen=True)
class Push:
    """A leg against something that stood in the way: the view straight at it, how far off it seemed, how far
    beyond its near edge the walker got, the pictures that show what came of it, and where the last of them
    shows something on the move."""

    leg: Leg
    view: View
    far_m: float
    beyond_m: float
    shown: tuple[View, ...]
    moving: Region | None = None


def push_at_things(body: Body, *, touching: bool) -> Generator[Call, Message, list[Push]]:
    """Walk straight at whatever stands about until something does not stop the walker or, if `touching`,
    until something is on the move after the touch; what came of it, the surest first."""
    floors = yield from look_at_feet(body)
    yield from body.look(WALK_GAZE_DEG)
    start, tried, stood, found = body.stand, list[Stand](), list[Stand](), list[Push]()
    while body.left > 1:
        stood.append(body.stand)
        seen = [body.last, *(yield from body.circle())]
        for _push in range(PUSHES):
            if body.left <= 1:
                break
            aim = _next_target(seen, start, floors, tried, small=touching)
            heading, far = aim or new_way(seen, floors, stood, body.stops)
            yield from body.head(heading)
            if aim is None:
                learn(floors, (yield from body.walk(far)))
                break
            tried.append(Stand(body.stand.x, body.stand.y, heading, 0.0).ahead(far))
            push = yield from _push_on(body, far, touching)
            if push is not None:
                found.append(push)
                if touching or push.beyond_m > WELL_THROUGH_M:
                    return found
            if math.dist((seen[0].stand.x, seen[0].stand.y), (body.stand.x, body.stand.y)) > 0.1:
                break
    return sorted(found, key=lambda push: -push.beyond_m)


def _push_on(body: Body, far_m: float, touching: bool) -> Generator[Call, Message, Push | None]:
    """One push at what stands `far_m` ahead; back to where it began if nothing came of it."""
    facing = body.last
    leg = yield from body.walk(far_m + 1.2)
    if touching and body.left > 0:
        still = yield from body.wait(1.0)
        moving = regions(difference(still[0].rgb, still[-1].rgb) > CHANGE)
        if moving:
            return Push(leg, facing, far_m, 0.0, still, moving[0])
    beyond = leg.made_m - far_m
    doubt = parallax(body.views[-RECENT:], leg.start.ahead(far_m + 0.1), 0.4, 0.4)
    solid = doubt is None or doubt > SOLID
    if not touching and beyond > THROUGH_M and leg.aside_m < ASIDE_M and solid:
        return Push(leg, facing, far_m, beyond, leg.views[1:])
    if leg.aside_m < 0.1 and leg.made_m >= 0.3 and body.left > 2:
        yield from body.walk(-leg.made_m)
    return None


def _next_target(
    views: Sequence[View], start: Stand, floors: Floors, tried: Sequence[Stand], *, small: bool
) -> tuple[float, float] | None:
    """Heading and distance of what stands out most, is widest (or narrowest, if `small`) and nearest to the
    start, and was not tried."""
    best, most = None, -math.inf
    for view in views:
        fars = free_fan(view, FAN, floors)
        for at in range(3, len(FAN) - 3):
            far = fars[at]
            heading = view.stand.heading_deg + FAN[at]
            goal = Stand(view.stand.x, view.stand.y, heading, 0.0).ahead(far)
            if not 0.9 <= far <= 2.8 or any(math.dist((goal.x, goal.y), (t.x, t.y)) < 0.7 for t in tried):
                continue
            wide = sum(abs(other - far) < 0.3 for other in fars[at - 3 : at + 4])
            away = math.dist((goal.x, goal.y), (start.x, start.y))
            worth = 0.3 * min(2.0, max(fars) - far) + (-0.4 if small else 0.4) * wide - 0.3 * away
            if worth > most and stands_at(view, FAN[at], far, floors):
                best, most = (heading, far), worth
    return best
