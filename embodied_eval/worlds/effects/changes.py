"""What an effect does: every change kind by name.

`Standing` changes lay new values over an object's own and are undone by taking them off again; `Adding`
changes put new objects into the world and take them out again; `LightChange` lays over a lamp or the
sun; `Impulse` acts at an instant and is never undone. All formulas are ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from embodied_eval.drivers.base import LightPatch, ObjectState, Vec3
from embodied_eval.records import Pose
from embodied_eval.worlds.effects.adding import Blocker, Duplicate, Replace, Spawn
from embodied_eval.worlds.effects.standing import (
    Change,
    Collision,
    Hide,
    Jitter,
    Offset,
    Recolour,
    Retexture,
    Rotate,
    Scale,
    Shadow,
    ShadowOffset,
    Show,
    State,
)
from embodied_eval.worlds.effects.values import Factor, NotNegative, Rgb


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


CHANGES: dict[str, type[Change]] = {
    cls.kind: cls
    for cls in (
        Offset,
        Rotate,
        Scale,
        Hide,
        Show,
        Recolour,
        Retexture,
        Collision,
        Blocker,
        Duplicate,
        Spawn,
        Replace,
        Impulse,
        Jitter,
        State,
        LightChange,
        Shadow,
        ShadowOffset,
    )
}
