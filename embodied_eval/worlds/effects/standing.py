"""Changes of what an object already in the world is: laid over its own values, taken off again.

One frozen dataclass a change kind. All formulas are ours.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

from embodied_eval.drivers.base import ObjectState, Vec3
from embodied_eval.worlds.effects.values import Factor, Factors, Metres, Rgb

GOLDEN = (1.0 + math.sqrt(5.0)) / 2.0


@dataclass(frozen=True, kw_only=True)
class Change(ABC):
    """Base of the changes."""

    kind: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset()
    on_target: ClassVar[bool] = True  # whether it needs a target object
    one_of: ClassVar[tuple[str, ...]] = ()  # fields of which exactly one is given


@dataclass(frozen=True, kw_only=True)
class Standing(Change):
    """A change of an object's fields that lasts while its trigger is active. One that `moves` differs from
    moment to moment."""

    fields: ClassVar[tuple[str, ...]]
    moves: ClassVar[bool] = False

    def at(self, t_s: float) -> Standing:
        """The change as it is at the simulated time `t_s`: itself, unless it `moves`."""
        return self

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
        return replace(state, position=plus(state.position, self.by_m))


@dataclass(frozen=True, kw_only=True)
class Jitter(Standing):
    """Let a target that is not dynamic tremble about its place: along the floor, by up to `amp_m` each way,
    about `hz` times a second."""

    kind = "jitter"
    fields = ("position",)
    moves = True
    amp_m: Metres
    hz: Factor

    def at(self, t_s: float) -> Standing:
        """Our formula: two sines of the simulated time, along x and y, whose frequencies have the golden
        ratio, so that no regular interval between pictures can freeze both."""
        turns = 2.0 * math.pi * self.hz * t_s
        # Rounded to a micrometre, so that it does not depend on a machine's sine.
        x, y = (round(self.amp_m * math.sin(angle), 6) for angle in (turns, GOLDEN * turns))
        return Offset(by_m=(x, y, 0.0))

    def over(self, state: ObjectState) -> ObjectState:
        return self.at(0.0).over(state)


@dataclass(frozen=True, kw_only=True)
class Rotate(Standing):
    """Turn the object by `by_deg` (roll, pitch, yaw), added angle by angle to its own about its origin: yaw
    turns it about the vertical, roll and pitch tilt an upright object about its own x and y axis."""

    kind = "rotate"
    fields = ("rotation_deg",)
    by_deg: Vec3

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, rotation_deg=plus(state.rotation_deg, self.by_deg))


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
class Retexture(Standing):
    """Show all of the object in `material`: one of the world's materials, or "missing", the magenta and
    black checker of a missing texture. A tint laid on before goes with the materials it was on."""

    kind = "retexture"
    fields = ("material", "color")
    needs = frozenset({"materials"})
    material: str

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, material=self.material, color=None)


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
class ShadowOffset(Standing):
    """Let the object's sun shadow fall as if it stood `by_m` (world axes, metres) from where it stands."""

    kind = "shadow_offset"
    fields = ("shadow_offset_m",)
    needs = frozenset({"shadows"})
    by_m: Vec3

    def over(self, state: ObjectState) -> ObjectState:
        return replace(state, shadow_offset_m=plus(state.shadow_offset_m, self.by_m))


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


def plus(a: Vec3, b: Vec3) -> Vec3:
    """The sum of two vectors."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])
