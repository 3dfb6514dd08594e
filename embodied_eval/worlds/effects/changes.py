"""What an effect does: one frozen dataclass a change kind.

`Standing` changes lay new values over an object's own and are undone by taking them off again; `Adding`
changes put new objects into the world and take them out again; `LightChange` lays over a lamp or the
sun; `Impulse` acts at an instant and is never undone. All formulas are ours.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from embodied_eval.drivers.base import LightPatch, ObjectState, Vec3
from embodied_eval.records import Pose
from embodied_eval.worlds.effects.values import Factor, Factors, NotNegative, Rgb
from embodied_eval.worlds.model import Primitive, World, WorldObject


@dataclass(frozen=True, kw_only=True)
class Change(ABC):
    """Base of the changes."""

    kind: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset()
    on_target: ClassVar[bool] = True  # whether it needs a target object
    one_of: ClassVar[tuple[str, ...]] = ()  # fields of which exactly one is given


@dataclass(frozen=True, kw_only=True)
class Standing(Change):
    """A change of an object's fields that lasts while its trigger is active."""

    fields: ClassVar[tuple[str, ...]]

    @abstractmethod
    def over(self, state: ObjectState) -> ObjectState:
        """`state` with this change laid over it."""


@dataclass(frozen=True, kw_only=True)
class Offset(Standing):
    """Move the object by `by_m` (world axes, metres)."""

    kind = "offset"
    fields = ("position",)
    by_m: Vec3

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, position=_plus(state.position, self.by_m))


@dataclass(frozen=True, kw_only=True)
class Rotate(Standing):
    """Turn the object by `by_deg` (roll, pitch, yaw), added angle by angle to its own about its origin: yaw
    turns it about the vertical, roll and pitch tilt an upright object about its own x and y axis."""

    kind = "rotate"
    fields = ("rotation_deg",)
    by_deg: Vec3

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, rotation_deg=_plus(state.rotation_deg, self.by_deg))


@dataclass(frozen=True, kw_only=True)
class Scale(Standing):
    """Make the object `by` times as large about its origin, along all axes or (x, y, z) of its own frame."""

    kind = "scale"
    fields = ("scale",)
    by: Factor | Factors

    def over(self, state: ObjectState) -> ObjectState:
        x, y, z = self.by if isinstance(self.by, tuple) else (self.by, self.by, self.by)
        return replace(state, scale=(state.scale[0] * x, state.scale[1] * y, state.scale[2] * z))


@dataclass(frozen=True, kw_only=True)
class Hide(Standing):
    """Make the object invisible; whether it collides stays as it is."""

    kind = "hide"
    fields = ("visible",)

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, visible=False)


@dataclass(frozen=True, kw_only=True)
class Show(Standing):
    """Make the object visible."""

    kind = "show"
    fields = ("visible",)

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, visible=True)


@dataclass(frozen=True, kw_only=True)
class Recolour(Standing):
    """Tint the object with `rgb` (0..1) in place of its materials."""

    kind = "recolour"
    fields = ("color",)
    rgb: Rgb

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, color=self.rgb)


@dataclass(frozen=True, kw_only=True)
class Collision(Standing):
    """Let the object collide or let everything pass through it."""

    kind = "collision"
    fields = ("collides",)
    needs = frozenset({"collision"})
    on: bool

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, collides=self.on)


@dataclass(frozen=True, kw_only=True)
class Shadow(Standing):
    """Let the object cast a shadow or none."""

    kind = "shadow"
    fields = ("casts_shadow",)
    needs = frozenset({"shadows"})
    on: bool

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, casts_shadow=self.on)


@dataclass(frozen=True, kw_only=True)
class State(Standing):
    """Put the object's device into the state `to` ("on", "off", "open", ...). The agent can still operate
    it; an edge trigger puts it there anew at each firing."""

    kind = "state"
    fields = ("state",)
    needs = frozenset({"interact"})
    to: str

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, state=self.to)


@dataclass(frozen=True, kw_only=True)
class Adding(Change):
    """A change that puts new objects into the world."""

    needs = frozenset({"spawn"})
    on_target = False

    @property
    def count(self) -> int:
        """How many objects it adds."""
        return 1

    @abstractmethod
    def items(
        self, names: Sequence[str], world: World, target: tuple[WorldObject, ObjectState] | None
    ) -> tuple[WorldObject, ...]:
        """The objects to add, called `names`; `target` is the target object and its clean state."""


@dataclass(frozen=True, kw_only=True)
class Blocker(Adding):
    """An invisible box that stops the agent: `size_m` along the world axes around `center_m`."""

    kind = "blocker"
    needs = frozenset({"spawn", "collision"})
    center_m: Vec3
    size_m: Factors

    def items(
        self, names: Sequence[str], world: World, target: tuple[WorldObject, ObjectState] | None
    ) -> tuple[WorldObject, ...]:
        x, y, z = self.center_m
        box = Primitive(
            "box",
            self.size_m,
            position=(0.0, 0.0, self.size_m[2] / 2),
            material=next(iter(world.materials)),
        )
        return (
            WorldObject(
                name=names[0],
                kind="block",
                label="block",
                primitives=(box,),
                position=(x, y, z - self.size_m[2] / 2),
                visible=False,
                casts_shadow=False,
                supports="fixed",
            ),
        )


@dataclass(frozen=True, kw_only=True)
class Duplicate(Adding):
    """Copies of the target, one at each of `offsets_m` from it (world axes, metres)."""

    kind = "duplicate"
    on_target = True
    offsets_m: tuple[Vec3, ...]

    @property
    def count(self) -> int:
        return len(self.offsets_m)

    def items(
        self, names: Sequence[str], world: World, target: tuple[WorldObject, ObjectState] | None
    ) -> tuple[WorldObject, ...]:
        assert target is not None  # `on_target`: the engine checked it
        item, state = target
        # A copied lamp must not switch the original's light.
        device = replace(item.interaction, lights=()) if item.interaction else None
        return tuple(
            replace(
                item,
                name=name,
                position=_plus(state.position, offset),
                rotation_deg=state.rotation_deg,
                scale=state.scale,
                interaction=device,
            )
            for name, offset in zip(names, self.offsets_m, strict=True)
        )


@dataclass(frozen=True, kw_only=True)
class Spawn(Adding):
    """An object of the library: `item` at `position_m`, turned by `yaw_deg`."""

    kind = "spawn"
    item: str
    position_m: Vec3
    yaw_deg: float = 0.0

    def items(
        self, names: Sequence[str], world: World, target: tuple[WorldObject, ObjectState] | None
    ) -> tuple[WorldObject, ...]:
        from embodied_eval.worlds.library import make

        return (make(self.item, names[0], self.position_m, self.yaw_deg),)


@dataclass(frozen=True, kw_only=True)
class LightChange(Change):
    """Switch, dim or colour the light `name` ("sun" for the sun); what is left out stays."""

    kind = "light"
    needs = frozenset({"lights"})
    on_target = False
    name: str
    on: bool | None = None
    intensity: NotNegative | None = None
    color: Rgb | None = None

    def __post_init__(self) -> None:
        if self.on is None and self.intensity is None and self.color is None:
            raise ValueError("needs one of on, intensity, color")

    def over(self, light: LightPatch) -> LightPatch:
        """`light`, all of whose fields are set, with this change laid over it."""
        return LightPatch(
            on=light.on if self.on is None else self.on,
            intensity=light.intensity if self.intensity is None else self.intensity,
            color=light.color if self.color is None else self.color,
        )


@dataclass(frozen=True, kw_only=True)
class Impulse(Change):
    """Set a dynamic target's velocity when the trigger fires: to `velocity_m_s` (world axes); to `speed_m_s`
    in `direction` (along the floor away from the agent, or up); or with `gain`, which multiplies the part
    of its velocity that points away from the agent and makes it at least `min_speed_m_s`."""

    kind = "impulse"
    needs = frozenset({"push"})
    one_of = ("velocity_m_s", "speed_m_s", "gain")
    velocity_m_s: Vec3 | None = None
    speed_m_s: NotNegative | None = None
    direction: Literal["away", "up"] = "away"
    gain: Factor | None = None
    min_speed_m_s: NotNegative = 0.0

    def velocity(self, state: ObjectState, agent: Pose) -> Vec3:
        """The target's new velocity, m/s, given its `state` and where the agent stands."""
        if self.velocity_m_s is not None:
            return self.velocity_m_s
        if self.speed_m_s is not None and self.direction == "up":
            return (state.velocity_m_s[0], state.velocity_m_s[1], self.speed_m_s)
        away = _away(state, agent)
        if self.speed_m_s is not None:
            return (away[0] * self.speed_m_s, away[1] * self.speed_m_s, state.velocity_m_s[2])
        assert self.gain is not None  # `one_of`: the parser checked it
        vx, vy, vz = state.velocity_m_s
        along = vx * away[0] + vy * away[1]
        added = max(self.gain * max(along, 0.0), self.min_speed_m_s) - along
        return (vx + added * away[0], vy + added * away[1], vz)


def _away(state: ObjectState, agent: Pose) -> tuple[float, float]:
    low, high = state.bounds
    x, y = (low[0] + high[0]) / 2 - agent.x, (low[1] + high[1]) / 2 - agent.y
    length = math.hypot(x, y)
    if length < 1e-6:  # the agent stands right in it: away is where the agent looks
        yaw = math.radians(agent.yaw_deg)
        return (math.cos(yaw), math.sin(yaw))
    return (x / length, y / length)


def _plus(a: Vec3, b: Vec3) -> Vec3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


CHANGES: dict[str, type[Change]] = {
    cls.kind: cls
    for cls in (
        Offset,
        Rotate,
        Scale,
        Hide,
        Show,
        Recolour,
        Collision,
        Blocker,
        Duplicate,
        Spawn,
        Impulse,
        State,
        LightChange,
        Shadow,
    )
}
