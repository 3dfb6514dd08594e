"""Walking a page for one tick: what both ways of doing it share. Formulas ours."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from embodied_eval.drivers.base import WALK_M_S, Command
from embodied_eval.records import Pose

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.session import PageSession

FRAME_MOST_MS = 25.0


@dataclass(frozen=True)
class Walked:
    """What a tick did: virtual milliseconds, pose at its end, metres along the ground, whether stopped."""

    spent_ms: float
    pose: Pose
    moved_m: float
    blocked: bool


class Walker(Protocol):
    """Walks for one tick at a time."""

    @property
    def glides(self) -> bool:
        """Whether it is still on the move although nothing drives it."""

    def tick(self, command: Command, dt_ms: float, passed_ms: float = 0.0) -> Walked:
        """Let about `dt_ms` of virtual time pass under `command`; `passed_ms` of them have passed already."""

    def pose(self) -> Pose:
        """Where the walker is."""

    def put(self, pose: Pose) -> Pose:
        """Stand there at once. Raises `CapabilityMissing` where the page alone decides."""


def wish(command: Command, yaw_deg: float, seconds: float) -> tuple[float, float]:
    """The wanted displacement (our x, y) in metres; walking askew is no faster than straight."""
    yaw = math.radians(yaw_deg)
    x = command.forward * math.cos(yaw) + command.strafe * math.sin(yaw)
    y = command.forward * math.sin(yaw) - command.strafe * math.cos(yaw)
    factor = WALK_M_S * seconds / max(1.0, math.hypot(x, y))
    return (x * factor, y * factor)


def pass_time(session: PageSession, ms: float) -> None:
    """Let the page run for `ms`, in frames of `FRAME_MOST_MS` at most."""
    if ms > 1e-6:
        count = math.ceil(ms / FRAME_MOST_MS - 1e-9)
        session.step(ms / count, count)
