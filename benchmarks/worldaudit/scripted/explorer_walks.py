"""Faults that only show by walking: being stopped by nothing, and walking through something."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from benchmarks.worldaudit.scripted.explorer_body import Body, Call, Leg, Stand, View
from benchmarks.worldaudit.scripted.explorer_floor import HALF_WIDTH_M, Floors, free_fan, parallax, stands_at
from embodied_eval.models.types import Message

WALK_GAZE_DEG = 26.0
CELL_M = 0.15
NEXT_HEADINGS = 24
FEET_GAZE_DEG = 55.0
FAN = tuple(float(degrees) for degrees in range(-40, 41, 5))
SIDES = (-20.0, 0.0, 20.0)
BACK_M = 1.0
LEAST_M = 0.6
RECENT = 40
"""So many pictures are searched for a second look at a spot."""
AHEAD_M, ACROSS_M = 0.5, 0.8
"""The floor before a stopped walker that must be bare."""
BARE = 0.06
"""Pictures of bare floor agree better than this."""
ASIDE_M = 0.35
"""A walker pushed aside farther than this went round something that can be seen."""
THROUGH_M, WELL_THROUGH_M = 0.3, 0.6
"""A walker this far beyond the near edge of a thing may be, or must be, inside it."""
SOLID = 0.04
"""Pictures agree worse than this that something is a pattern of the floor."""
PUSHES = 4


@dataclass
class Ground:
    """The floor as seen so far, in cells of 15 cm: `free` cells looked bare, `walked` ones were walked on."""

    floors: Floors
    free: set[tuple[int, int]] = field(default_factory=set)
    walked: set[tuple[int, int]] = field(default_factory=set)

    def see(self, view: View) -> None:
        """Mark what a view shows as free."""
        for right, far in zip(FAN, free_fan(view, FAN, self.floors), strict=True):
            ray = Stand(view.stand.x, view.stand.y, view.stand.heading_deg + right, 0.0)
            for step in range(1, int((far - 0.2) / CELL_M) + 1):
                self.free |= _disc(ray.ahead(step * CELL_M))

    def walk(self, leg: Leg) -> None:
        """Mark what a leg went over."""
        for step in range(int(leg.made_m / CELL_M) + 1):
            self.walked |= _disc(leg.start.ahead(step * CELL_M))

    def reach(self, stand: Stand) -> tuple[float, int]:
        """How far the way on looks free, and how many of its cells are new."""
        new: set[tuple[int, int]] = set()
        for step in range(1, int(4.0 / CELL_M) + 1):
            cells = _disc(stand.ahead(step * CELL_M))
            if step * CELL_M > 0.7 and len(cells & (self.free | self.walked)) < 0.6 * len(cells):
                return (step - 1) * CELL_M, len(new)
            new |= cells - self.walked
        return 4.0, len(new)


def _disc(stand: Stand) -> set[tuple[int, int]]:
    reach = round(HALF_WIDTH_M / CELL_M)
    x, y = round(stand.x / CELL_M), round(stand.y / CELL_M)
    return {
        (x + dx, y + dy)
        for dx in range(-reach, reach + 1)
        for dy in range(-reach, reach + 1)
        if dx * dx + dy * dy <= reach * reach
    }


@dataclass(frozen=True)
class Stop:
    """A leg that fell short although its way looked free: `doubt` is how badly the pictures of the floor
    ahead agree that it is bare."""

    leg: Leg
    doubt: float


@dataclass(frozen=True)
class Passage:
    """A leg that went on where something stood in the way: the view straight at that thing, how far off it
    seemed, and how far the walker got beyond where it began."""

    leg: Leg
    view: View
    far_m: float
    beyond_m: float


def look_at_feet(body: Body) -> Generator[Call, Message, Floors]:
    """Look down once, to know what the floor looks like."""
    floors = Floors()
    yield from body.look(FEET_GAZE_DEG)
    floors.learn(body.last, body.stand.ahead(0.3))
    return floors


def learn(floors: Floors, leg: Leg) -> None:
    """Know the floor where a leg ended from the view before it."""
    if leg.made_m > 1.6:
        floors.learn(leg.views[0], leg.end)


def press_on(body: Body) -> Generator[Call, Message, list[Stop]]:
    """Walk wherever the floor looks free and new, to the end of the budget; the stops that have no visible
    cause, the surest first."""
    floors = yield from look_at_feet(body)
    yield from body.look(WALK_GAZE_DEG)
    ground, stops, stood = Ground(floors), [], [body.stand]
    seen = [body.last, *(yield from body.circle())]
    while body.left > 1:
        for view in seen:
            ground.see(view)
        heading, far = best_way(body.stand, ground, body.stops)
        if far < LEAST_M:
            seen = [body.last, *(yield from body.circle())]
            heading, far = new_way(seen, ground.floors, stood, body.stops)
        seen = list((yield from body.head(heading)))
        if body.left <= 0:
            break
        leg = yield from body.walk(far)
        ground.walk(leg)
        learn(floors, leg)
        stood.append(body.stand)
        seen += leg.views[1:]
        if leg.short and body.left > 0:
            back = yield from body.walk(-BACK_M)
            seen += back.views[1:]
            doubt = parallax(body.views[-RECENT:], leg.end.ahead(HALF_WIDTH_M), AHEAD_M, ACROSS_M)
            if doubt is not None and doubt < BARE and leg.aside_m < ASIDE_M:
                stops.append(Stop(leg, doubt))
    return sorted(stops, key=lambda stop: stop.doubt)


def push_through(body: Body) -> Generator[Call, Message, list[Passage]]:
    """Walk straight at whatever stands about until something does not stop it."""
    floors = yield from look_at_feet(body)
    yield from body.look(WALK_GAZE_DEG)
    start, tried = body.stand, []
    found: list[Passage] = []
    while body.left > 1:
        seen = [body.last, *(yield from body.circle())]
        for _push in range(PUSHES):
            aim = _next_target(seen, start, floors, tried)
            if aim is None or body.left <= 1:
                break
            heading, far = aim
            tried.append(Stand(body.stand.x, body.stand.y, heading, 0.0).ahead(far))
            yield from body.head(heading)
            if body.left <= 0:
                break
            facing = body.last
            leg = yield from body.walk(far + 1.2)
            doubt = parallax(body.views[-RECENT:], leg.start.ahead(far + 0.1), 0.4, 0.4)
            print(
                "PUSH",
                facing.ref,
                round(leg.start.heading_deg),
                "far",
                round(far, 1),
                "made",
                round(leg.made_m, 2),
                "aside",
                round(leg.aside_m, 2),
                doubt,
            )
            if leg.made_m > far + THROUGH_M and leg.aside_m < ASIDE_M and (doubt is None or doubt > SOLID):
                found.append(Passage(leg, facing, far, leg.made_m - far))
                if leg.made_m > far + WELL_THROUGH_M:
                    return found
            if leg.aside_m > 0.1 or leg.made_m < 0.3 or body.left <= 2:
                break
            yield from body.walk(-leg.made_m)
    return sorted(found, key=lambda passage: -passage.beyond_m)


def _next_target(
    views: Sequence[View], start: Stand, floors: Floors, tried: Sequence[Stand]
) -> tuple[float, float] | None:
    """Heading and distance of what stands out most from what is beside it and was not tried."""
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
            worth = 0.3 * min(2.0, max(fars) - far) + 0.4 * wide - 0.3 * away
            if worth > most and stands_at(view, FAN[at], far, floors):
                best, most = (heading, far), worth
    return best


def best_way(stand: Stand, ground: Ground, stops: Sequence[Stand]) -> tuple[float, float]:
    """The heading that promises most new floor, and how far it is free."""
    best, most, reach = stand.heading_deg, 0.0, 0.0
    for number in range(NEXT_HEADINGS):
        heading = stand.heading_deg + number * 360.0 / NEXT_HEADINGS
        heading = 180.0 - (180.0 - heading) % 360.0
        way = Stand(stand.x, stand.y, heading, 0.0)
        far, new = ground.reach(way)
        if far >= LEAST_M and new > most and not any(way.meets(stop, far) for stop in stops):
            best, most, reach = heading, float(new), far
    return best, reach


def new_way(
    views: Sequence[View], floors: Floors, stood: Sequence[Stand], stops: Sequence[Stand]
) -> tuple[float, float]:
    """Heading and distance of the walk that looks free and ends farthest from where one stood already."""
    best, gain = (views[-1].stand.heading_deg + 100.0, LEAST_M), 0.0
    for view in views:
        for right, free in zip(SIDES, free_fan(view, SIDES, floors), strict=True):
            heading = view.stand.heading_deg + right
            far = min(4.0, free - 0.4)
            way = Stand(view.stand.x, view.stand.y, heading, 0.0)
            goal = way.ahead(far)
            new = min(math.dist((goal.x, goal.y), (place.x, place.y)) for place in stood)
            if far >= LEAST_M and new > gain and not any(way.meets(stop, far) for stop in stops):
                best, gain = (heading, far), new
    return best
