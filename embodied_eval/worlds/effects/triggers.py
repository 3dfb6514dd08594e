"""When an effect acts: one frozen dataclass a trigger kind, a pure function of the tick and its memory.

Level triggers are active or not, and what they change is undone when they are not: `always`, `after`,
`distance`, `gaze`, `half_space`, `seen_unseen`. Edge triggers fire at an instant, what they change stays,
and each later firing acts again: `contact`, `interact`, `leave_return`. `once` on the effect stops
either kind at its first firing and keeps its change.

Stepping a trigger twice with the same state changes nothing, so a capture between two ticks never shifts
what happens. All formulas are ours.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Protocol

from embodied_eval.drivers.base import TickState, Vec3
from embodied_eval.worlds.effects.values import Dot, Metres, Seconds

# Simulated time is a sum of ticks; a deadline counts as reached within this much.
EPSILON_S = 1e-6


class Scene(Protocol):
    """What a trigger may look at: the tick, and where things are in the clean world."""

    @property
    def state(self) -> TickState:
        """The state after the last tick."""

    @property
    def eye(self) -> Vec3:
        """The agent's eye, metres."""

    @property
    def forward(self) -> Vec3:
        """Unit vector along the view."""

    def centre(self, name: str) -> Vec3:
        """The centre of the object's clean bounds, metres."""

    def clear(self, name: str) -> bool:
        """Whether some of seven inner points of the object's bounds is not hidden behind another object;
        True on drivers that cannot cast rays."""


@dataclass(frozen=True)
class Memory:
    """What one effect's trigger remembers. `fires` counts its firings; `flag`, `stage` and `since_s` mean
    what the trigger makes of them."""

    active: bool = False
    fires: int = 0
    flag: bool = False
    stage: int = 0
    since_s: float = -1.0


@dataclass(frozen=True, kw_only=True)
class Trigger(ABC):
    """Base of the triggers."""

    kind: ClassVar[str]
    edge: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset()
    watches: ClassVar[bool] = False  # whether it needs an object: its own `object` or the target

    @abstractmethod
    def step(self, scene: Scene, name: str, memory: Memory) -> Memory:
        """The memory after looking at `scene`; `name` is the object it watches ("" for none)."""

    def subject(self, target: str) -> str:
        """The object it watches when the effect's target is `target`."""
        own: str = getattr(self, "object", "")
        return (own or target) if self.watches else ""


def _level(memory: Memory, active: bool) -> Memory:
    return replace(memory, active=active, fires=memory.fires + (active and not memory.active))


def _fired(memory: Memory) -> Memory:
    return replace(memory, active=True, fires=memory.fires + 1)


def _along_floor_m(scene: Scene, name: str) -> float:
    here, there = scene.eye, scene.centre(name)
    return math.hypot(there[0] - here[0], there[1] - here[1])


@dataclass(frozen=True, kw_only=True)
class Always(Trigger):
    """Active from the moment the world is loaded."""

    kind = "always"

    def step(self, scene: Scene, name: str, memory: Memory) -> Memory:
        return _level(memory, True)


@dataclass(frozen=True, kw_only=True)
class After(Trigger):
    """Active from `t_s` simulated seconds after the load on."""

    kind = "after"
    t_s: Seconds

    def step(self, scene: Scene, name: str, memory: Memory) -> Memory:
        return _level(memory, scene.state.t_s >= self.t_s - EPSILON_S)


@dataclass(frozen=True, kw_only=True)
class Distance(Trigger):
    """Active while the agent is near (or far): it comes near at `enter_m` and is far again at `exit_m`,
    measured along the floor to the centre of the object's bounds. It starts far unless within `enter_m`."""

    kind = "distance"
    watches = True
    enter_m: Metres
    exit_m: Metres
    when: Literal["near", "far"] = "near"
    object: str = ""

    def __post_init__(self) -> None:
        if self.enter_m > self.exit_m:
            raise ValueError(f"enter_m ({self.enter_m:g}) must not be above exit_m ({self.exit_m:g})")

    def step(self, scene: Scene, name: str, memory: Memory) -> Memory:
        away_m = _along_floor_m(scene, name)
        near = away_m < self.exit_m if memory.flag else away_m <= self.enter_m
        return _level(replace(memory, flag=near), near == (self.when == "near"))


@dataclass(frozen=True, kw_only=True)
class _Sight(Trigger):
    """Seeing an object: the cosine between the view and the line from the eye to the centre of its bounds
    reaches `seen_dot` and stays above `unseen_dot`; within `max_m` (no limit if left out); and, with
    `occlusion`, nothing else stands before it (angle only on drivers that cannot cast rays)."""

    watches = True
    seen_dot: Dot = 0.75
    unseen_dot: Dot = 0.25
    max_m: Metres | None = None
    occlusion: bool = True
    object: str = ""

    def __post_init__(self) -> None:
        if self.unseen_dot > self.seen_dot:
            raise ValueError(
                f"unseen_dot ({self.unseen_dot:g}) must not be above seen_dot ({self.seen_dot:g})"
            )

    def sees(self, scene: Scene, name: str, before: bool) -> bool:
        """Whether the object is seen now, given whether it was `before`."""
        dot = view_dot(scene, name)
        turned_to = dot > self.unseen_dot if before else dot >= self.seen_dot
        if not turned_to:
            return False
        if self.max_m is not None and math.dist(scene.eye, scene.centre(name)) > self.max_m:
            return False
        return not self.occlusion or scene.clear(name)


def view_dot(scene: Scene, name: str) -> float:
    """Cosine of the angle between the view and the direction to the object's centre (1 when inside it)."""
    line = [there - here for there, here in zip(scene.centre(name), scene.eye, strict=True)]
    length = math.hypot(*line)
    if length < 1e-9:
        return 1.0
    return sum(a * b for a, b in zip(line, scene.forward, strict=True)) / length


@dataclass(frozen=True, kw_only=True)
class Gaze(_Sight):
    """Active while the agent sees the object (or does not)."""

    kind = "gaze"
    when: Literal["seen", "unseen"] = "seen"

    def step(self, scene: Scene, name: str, memory: Memory) -> Memory:
        seen = self.sees(scene, name, memory.flag)
        return _level(replace(memory, flag=seen), seen == (self.when == "seen"))


@dataclass(frozen=True, kw_only=True)
class HalfSpace(Trigger):
    """Active while the agent's eye is on one side of the plane `axis` = `value` (metres)."""

    kind = "half_space"
    axis: Literal["x", "y", "z"]
    value: float
    side: Literal["below", "above"]

    def step(self, scene: Scene, name: str, memory: Memory) -> Memory:
        at = scene.eye["xyz".index(self.axis)]
        return _level(memory, at < self.value if self.side == "below" else at > self.value)


@dataclass(frozen=True, kw_only=True)
class LeaveReturn(_Sight):
    """Fires when the agent is within `near_m` (along the floor) again, after it has seen the object from
    within `near_m` and then been at least `far_m` away and turned away from it (cosine at most
    `unseen_dot`)."""

    kind = "leave_return"
    edge = True
    near_m: Metres
    far_m: Metres

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.near_m >= self.far_m:
            raise ValueError(f"near_m ({self.near_m:g}) must be below far_m ({self.far_m:g})")

    def step(self, scene: Scene, name: str, memory: Memory) -> Memory:
        away_m = _along_floor_m(scene, name)
        if memory.stage == 2 and away_m <= self.near_m:
            memory = replace(_fired(memory), stage=0)
        if memory.stage == 0 and away_m <= self.near_m and self.sees(scene, name, False):
            memory = replace(memory, stage=1)
        if memory.stage == 1 and away_m >= self.far_m and view_dot(scene, name) <= self.unseen_dot:
            memory = replace(memory, stage=2)
        return memory


@dataclass(frozen=True, kw_only=True)
class SeenUnseen(_Sight):
    """Active while the object is unseen, once it has been seen for `seen_s` and then unseen for `unseen_s`,
    each without a break; inactive again when it is seen."""

    kind = "seen_unseen"
    seen_s: Seconds = 0.5
    unseen_s: Seconds = 1.0

    def step(self, scene: Scene, name: str, memory: Memory) -> Memory:
        now_s = scene.state.t_s
        seen = self.sees(scene, name, memory.flag)
        if seen != memory.flag or memory.since_s < 0:
            memory = replace(memory, flag=seen, since_s=now_s)
        lasted_s = now_s - memory.since_s + EPSILON_S
        if memory.stage == 2 and seen:
            memory = replace(_level(memory, False), stage=0)
        if memory.stage == 0 and seen and lasted_s >= self.seen_s:
            memory = replace(memory, stage=1)
        if memory.stage == 1 and not seen and lasted_s >= self.unseen_s:
            memory = replace(_level(memory, True), stage=2)
        return memory


@dataclass(frozen=True, kw_only=True)
class Contact(Trigger):
    """Fires when the object and `with` ("agent" or an object's name) begin to touch."""

    kind = "contact"
    edge = True
    needs = frozenset({"contacts"})
    watches = True
    with_: str = "agent"
    object: str = ""

    def step(self, scene: Scene, name: str, memory: Memory) -> Memory:
        low, high = sorted((name, self.with_))
        touching = (low, high) in scene.state.contacts
        if touching and not memory.flag:
            memory = _fired(memory)
        return replace(memory, flag=touching)


@dataclass(frozen=True, kw_only=True)
class Interact(Trigger):
    """Fires each time the agent operates the object."""

    kind = "interact"
    edge = True
    needs = frozenset({"interact"})
    watches = True
    object: str = ""

    def step(self, scene: Scene, name: str, memory: Memory) -> Memory:
        state = scene.state
        if state.interacted == name and state.t_s > memory.since_s:
            memory = replace(_fired(memory), since_s=state.t_s)
        return memory


TRIGGERS: dict[str, type[Trigger]] = {
    cls.kind: cls
    for cls in (
        Always,
        After,
        Distance,
        Gaze,
        HalfSpace,
        LeaveReturn,
        Contact,
        Interact,
        SeenUnseen,
    )
}
