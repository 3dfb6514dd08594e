"""How the explorer acts and remembers: its calls, its pose as told, and every picture it was sent."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.worldaudit.scripted.explorer_camera import Camera
from embodied_eval.models.types import Image, Message
from embodied_eval.records import Json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Call = tuple[str, dict[str, Json]]
Script = Generator[Call, Message, None]
POSE = re.compile(
    r"at x (-?[\d.]+), y (-?[\d.]+), height -?[\d.]+ m, heading (-?[\d.]+), gaze (-?[\d.]+) deg"
)
LEFT = re.compile(r"(\d+) actions? left")
PICTURES = re.compile(r"pictures? ((?:a\d+(?:\.f\d+)?(?:, )?)+);")
FILM_S = 0.5
TURN_DEG_S = 90.0
WALK_M_S = 2.2
STOP_M = 0.35
"""What stops a walker stands about so far from its middle."""
A_TIME = 4
"""Pictures that one `inspect` may ask for."""


@dataclass(frozen=True)
class Stand:
    """Where the agent is, in its own words: metres, x ahead and y to the right for heading 0; degrees, to
    the right and downwards positive."""

    x: float
    y: float
    heading_deg: float
    gaze_deg: float

    def ahead(self, distance_m: float) -> Stand:
        """The stand `distance_m` straight on."""
        turn = math.radians(self.heading_deg)
        return Stand(
            self.x + distance_m * math.cos(turn),
            self.y + distance_m * math.sin(turn),
            self.heading_deg,
            self.gaze_deg,
        )

    def meets(self, spot: Stand, far_m: float) -> bool:
        """Whether a walk of `far_m` straight on runs into `spot`."""
        turn = math.radians(self.heading_deg)
        dx, dy = spot.x - self.x, spot.y - self.y
        aside = abs(-dx * math.sin(turn) + dy * math.cos(turn))
        return aside < STOP_M and 0.0 < self.along(spot) < far_m + STOP_M

    def along(self, other: Stand) -> float:
        """How far `other` lies ahead along this heading, in metres."""
        turn = math.radians(self.heading_deg)
        return (other.x - self.x) * math.cos(turn) + (other.y - self.y) * math.sin(turn)


@dataclass(frozen=True)
class View:
    """One picture, from where it was taken: rgb float32 (H, W, 3) in 0..1, H and W as decoded."""

    ref: str
    stand: Stand
    rgb: NDArray[np.float32] = field(repr=False)

    @property
    def camera(self) -> Camera:
        """The geometry of its pixels."""
        height, width = self.rgb.shape[:2]
        return Camera(width, height, self.stand.gaze_deg)


@dataclass(frozen=True)
class Leg:
    """What a move did: wanted and made good along the heading in metres, from where, and its pictures (the
    view before it first). `edge` = it ended at the edge of the area."""

    wanted_m: float
    made_m: float
    start: Stand
    end: Stand
    views: tuple[View, ...]
    edge: bool

    @property
    def aside_m(self) -> float:
        """How far it ended to the side of its heading."""
        turn = math.radians(self.start.heading_deg)
        dx, dy = self.end.x - self.start.x, self.end.y - self.start.y
        return abs(-dx * math.sin(turn) + dy * math.cos(turn))

    @property
    def short(self) -> bool:
        """Whether something shortened it, other than the edge of the area."""
        return self.made_m < self.wanted_m - 0.12 and not self.edge


class Body:
    """The agent's side of an episode, told by texts and pictures alone."""

    def __init__(self, tools: Iterable[str]) -> None:
        self.tools = frozenset(tools)
        self.stand = Stand(0.0, 0.0, 0.0, 0.0)
        self.left = 0
        self.told_pose = False
        self.views: list[View] = []
        self.stops: list[Stand] = []
        self._kept: dict[str, View] = {}
        self._ref = ""
        self._filmed = True

    @property
    def last(self) -> View:
        """The view as it is now: the last picture of the last action."""
        return self._kept[self._ref]

    @property
    def refs(self) -> tuple[str, ...]:
        """The name of the present view, if there is one."""
        return (self._ref,) if self._ref in self._kept else ()

    def open(self) -> Script:
        """Read the example where there is one, then open the world."""
        if "read_example" in self.tools:
            yield "read_example", {}
        answer = yield "observe", {}
        self._read(answer)
        self._keep(answer, {"a0": self.stand})
        self._ref = "a0"

    def turn(self, degrees: float) -> Generator[Call, Message, tuple[View, ...]]:
        """Turn right by `degrees` in -180..180; the views on the way and at the end."""
        before = self.stand
        answer = yield "turn", {"degrees": round(degrees, 2)}
        self.stand = Stand(before.x, before.y, _wrapped(before.heading_deg + degrees), before.gaze_deg)
        refs = self._read(answer)
        sign = math.copysign(1.0, degrees)
        taken = {}
        for number, ref in enumerate(refs[:-1], 1):
            done = min(abs(degrees), TURN_DEG_S * FILM_S * number) * sign
            taken[ref] = Stand(before.x, before.y, _wrapped(before.heading_deg + done), before.gaze_deg)
        return (yield from self._see(answer, refs, taken))

    def look(self, gaze_deg: float) -> Script:
        """Bring the gaze to `gaze_deg`, downwards positive."""
        change = gaze_deg - self.stand.gaze_deg
        if abs(change) < 0.5 or self.left <= 0:
            return
        answer = yield "look", {"degrees": round(change, 2)}
        before = self.stand
        self.stand = Stand(before.x, before.y, before.heading_deg, gaze_deg)
        refs = self._read(answer)
        self._keep(answer, {refs[-1]: self.stand} if refs else {})

    def walk(self, distance_m: float) -> Generator[Call, Message, Leg]:
        """Walk straight on (back if negative), 0.3 to 4 m."""
        before, first = self.stand, self.last
        direction = "forward" if distance_m > 0 else "back"
        wanted = max(0.3, min(4.0, abs(distance_m)))
        answer = yield "move", {"direction": direction, "distance_m": round(wanted, 2)}
        sign = math.copysign(1.0, distance_m)
        self.stand = before.ahead(sign * wanted)
        refs = self._read(answer)
        made = sign * before.along(self.stand)
        taken = {
            ref: before.ahead(sign * min(made, WALK_M_S * FILM_S * number))
            for number, ref in enumerate(refs[:-1], 1)
        }
        views = yield from self._see(answer, refs, taken)
        edge = "edge of the area" in answer.text
        leg = Leg(wanted, made, before, self.stand, (first, *views), edge)
        if leg.short or edge:
            self.stops.append(Stand(self.stand.x, self.stand.y, before.heading_deg, 0.0).ahead(sign * STOP_M))
        return leg

    def wait(self, seconds: float) -> Generator[Call, Message, tuple[View, ...]]:
        """Stand still; the pictures meanwhile."""
        answer = yield "wait", {"seconds": seconds}
        refs = self._read(answer)
        return (yield from self._see(answer, refs, dict.fromkeys(refs[:-1], self.stand)))

    def head(self, heading_deg: float) -> Generator[Call, Message, tuple[View, ...]]:
        """Turn to `heading_deg` if that is more than a degree away."""
        change = _wrapped(heading_deg - self.stand.heading_deg)
        if abs(change) <= 1.0:
            return ()
        return (yield from self.turn(change))

    def circle(self) -> Generator[Call, Message, list[View]]:
        """Once round, ending as it began: two half turns where the pictures on the way can be seen, else
        four quarters. Stops where the actions end."""
        seen: list[View] = []
        turned = 0.0
        while turned < 359.0 and self.left > 0:
            step = 180.0 if self._filmed else 90.0
            views = yield from self.turn(step)
            self._filmed = self._filmed and len(views) > 1
            turned += step
            seen += views
        return seen

    def _see(
        self, answer: Message, refs: Sequence[str], taken: Mapping[str, Stand]
    ) -> Generator[Call, Message, tuple[View, ...]]:
        """The views of an answer in order of time: those sent, and those on the way by `inspect`."""
        if not refs:
            return ()
        stands = {**taken, refs[-1]: self.stand}
        self._keep(answer, stands)
        wanted = [ref for ref in refs[:-1] if ref not in self._kept and _differs(stands, ref, refs[-1])]
        if "inspect" in self.tools:
            for at in range(0, len(wanted), A_TIME):
                asked: list[Json] = list(wanted[at : at + A_TIME])
                self._keep((yield "inspect", {"refs": asked}), stands)
        return tuple(self._kept[ref] for ref in refs if ref in self._kept)

    def _keep(self, answer: Message, stands: Mapping[str, Stand]) -> None:
        from benchmarks.worldaudit.scripted.explorer_vision import decode

        for part in answer.parts:
            if isinstance(part, Image):
                ref = part.ref.partition("#")[0]
                if ref in stands and ref not in self._kept:
                    self._kept[ref] = View(ref, stands[ref], decode(part.data))
                    self.views.append(self._kept[ref])

    def _read(self, answer: Message) -> list[str]:
        """Take pose and actions left from an answer; the refs of its pictures in order."""
        text = answer.text
        found = POSE.search(text)
        self.told_pose = found is not None
        if found:
            self.stand = Stand(*map(float, found.groups()))
        left = LEFT.search(text)
        if left:
            self.left = int(left.group(1))
        found_refs = PICTURES.search(text)
        refs = found_refs.group(1).split(", ") if found_refs else []
        if refs:
            self._ref = refs[-1]
        return refs


def _differs(stands: Mapping[str, Stand], ref: str, last: str) -> bool:
    """Whether a picture on the way was taken elsewhere than the last one, or at another time on a wait."""
    return ref in stands and (stands[ref] != stands[last] or all(s == stands[last] for s in stands.values()))


def _wrapped(degrees: float) -> float:
    return 180.0 - (180.0 - degrees) % 360.0
