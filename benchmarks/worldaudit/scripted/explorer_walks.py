"""Walking where the floor looks free, and being stopped there by what cannot be seen. Ours."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from benchmarks.worldaudit.scripted.explorer_body import Body, Call, Leg, Stand, View
from benchmarks.worldaudit.scripted.explorer_floor import HALF_WIDTH_M, Floors, free_fan, looks_bare, parallax
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
SHORT_M, BEYOND_M = 0.3, 0.8
"""Only a walk this much too short counts, and only if the floor looks free this far beyond its end."""
ASIDE_M = 0.4
"""A walker pushed aside farther than this went round something that can be seen."""


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
            if doubt is not None and doubt < BARE and _unseen(leg, floors):
                stops.append(Stop(leg, doubt))
    return sorted(stops, key=lambda stop: stop.doubt)


def _unseen(leg: Leg, floors: Floors) -> bool:
    """Whether the view before a leg shows the way free beyond where it ended, and known floor there; and the
    leg ended well before its time and not far aside."""
    if leg.wanted_m - leg.made_m < SHORT_M or leg.aside_m > ASIDE_M:
        return False
    (free,) = free_fan(leg.views[0], (0.0,), floors)
    return free > leg.made_m + BEYOND_M and looks_bare(leg.views[:1], leg.end.ahead(HALF_WIDTH_M), floors)


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
