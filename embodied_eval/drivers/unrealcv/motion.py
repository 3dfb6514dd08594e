"""Walking in a game by swept steps of its pawn: forward, up over a step, down onto the ground.

`moveto` goes straight and stops at the first thing in its way; it neither slides nor climbs nor falls, so that is
done here (specification of the protocol, motion with collision). Where the pawn is, is read in the same batch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from embodied_eval.drivers.base import WALK_M_S, Command, Vec3
from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.asking import texts, tried
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.errors import CommandFailed

# No sub-step is longer, so that triggers are evaluated on the way.
SUBSTEP_M = 0.25
STEP_M, SETTLE_M = 0.30, 1.00
# A body that touches the floor may count as stopped by it: steps begin this much above.
HOVER_M = 0.02
# A sweep ends a little before what stops it; less than this is nothing.
SHORT_M = 0.005
_PAWNS = ("Pawn", "Character")
_NEAR_M = 1.0


@dataclass(frozen=True)
class Walked:
    """Where the feet are after a step, whether it was stopped or shortened, whether there is no ground in reach."""

    feet: Vec3
    blocked: bool
    falling: bool


class Pawn:
    """The game's pawn (camera 0): where it is, and its sweeps.

    `camera 0` is the eye while `moveto` is about the pawn's origin. Both are known from the pawn's actor where the
    level lists one; otherwise the distance between them is measured by a sweep to where the eye is.
    `eye_height_m` is how far the feet are below the eye where the pawn's bounds do not tell.
    """

    def __init__(self, client: Client, kinds: dict[str, str], eye_height_m: float) -> None:
        self._client = client
        self.actor = self._own_actor(kinds)
        if self.actor:
            path = f"/object/{self.actor}"
            place, box = texts(client, [f"vget {path}/location", f"vget {path}/bounds"])
            origin = formats.to_metres(formats.parse_vector(place))
            self._where, self._lift_m = f"vget {path}/location", 0.0
            low, high = formats.box_to_metres(formats.parse_box(box))
            feet = low[2] if high[2] - low[2] > STEP_M else origin[2] - eye_height_m
            self._above_feet_m = origin[2] - feet
        else:
            self._where = "vget /camera/0/location"
            self._lift_m = self._measured_lift()
            self._above_feet_m = eye_height_m - self._lift_m

    def feet(self) -> Vec3:
        """Where it stands now."""
        return self._feet(self._client.text(self._where))

    def stand(self, feet: Vec3) -> Vec3:
        """Put it there at once, and where that left the feet. Raises `CommandFailed` if it is elsewhere then."""
        x, y, z = feet
        at = formats.to_cm((x, y, z + self._above_feet_m + self._lift_m))
        path = f"/object/{self.actor}" if self.actor else "/camera/0"
        command = f"vset {path}/location {formats.numbers(at)}"
        _, place = texts(self._client, [command, self._where])
        found = self._feet(place)
        if math.dist(found, feet) > SHORT_M:
            raise CommandFailed(
                f"The pawn was put at {feet} and is at {found}.",
                endpoint=self._client.endpoint,
                command=command,
                hint="The place may lie outside the level, or within something.",
            )
        return found

    def settle(self, feet: Vec3) -> Walked:
        """From `feet` down to the ground, where there is one within `SETTLE_M`."""
        x, y, z = feet
        down = self._feet(self._batch([(x, y, z + HOVER_M), (x, y, z - SETTLE_M)])[-1])
        return Walked(down, False, down[2] < z - SETTLE_M + SHORT_M)

    def walk(self, feet: Vec3, dx_m: float, dy_m: float) -> Walked:
        """One step of at most `SUBSTEP_M` from `feet`, in one frame of the game where nothing is in the way: a little
        up, forward, down to the ground. Where something is, another one tries to step over it."""
        x, y, z = feet
        over = (x, y, z + HOVER_M)
        goal = (x + dx_m, y + dy_m, z + HOVER_M)
        _, ahead, down = self._batch([over, goal, (goal[0], goal[1], z - SETTLE_M)])
        reached, found = self._feet(ahead), self._feet(down)
        wanted = math.hypot(dx_m, dy_m)
        short = math.dist(reached[:2], goal[:2])
        if wanted > 0.0 and short > SHORT_M:
            stepped = self._step_up(found, goal, short)
            if stepped is not None:
                return stepped
        falling = found[2] < z - SETTLE_M + SHORT_M
        return Walked(found, wanted > 0.0 and short > SHORT_M, falling)

    def fall(self, feet: Vec3, by_m: float) -> Walked:
        """Down by at most `by_m`."""
        x, y, z = feet
        found = self._feet(self._batch([(x, y, z - by_m)])[-1])
        return Walked(found, False, found[2] < z - by_m + SHORT_M)

    def _step_up(self, feet: Vec3, goal: Vec3, short_m: float) -> Walked | None:
        """Up by `STEP_M`, on to `goal`, down again; None, the pawn being back at `feet`, if it got no further."""
        x, y, z = feet
        up = z + STEP_M
        answers = self._batch([(x, y, up), (goal[0], goal[1], up), (goal[0], goal[1], z - SHORT_M)])
        rose, ahead, down = (self._feet(answer) for answer in answers)
        left = math.dist(ahead[:2], goal[:2])
        # It may have come to rest on the thing's side, no more than touched: that is no step.
        if left < short_m - SHORT_M and rose[2] > z + SHORT_M and down[2] <= z + STEP_M:
            return Walked(down, left > SHORT_M, False)
        self.stand(feet)
        return None

    def _batch(self, targets: list[Vec3]) -> list[str]:
        """Sweep the feet to each of `targets` in turn; where the pawn was after each."""
        commands = []
        for x, y, z in targets:
            at = formats.to_cm((x, y, z + self._above_feet_m))
            commands += [f"vset /camera/0/moveto {formats.numbers(at)}", self._where]
        return texts(self._client, commands)[1::2]

    def _feet(self, text: str) -> Vec3:
        x, y, z = formats.to_metres(formats.parse_vector(text))
        return (x, y, z - self._lift_m - self._above_feet_m)

    def _own_actor(self, kinds: dict[str, str]) -> str:
        eye = formats.to_metres(formats.parse_vector(self._client.text("vget /camera/0/location")))
        pawns = [name for name, kind in kinds.items() if any(word in kind for word in _PAWNS)]
        places = tried(self._client, [f"vget /object/{name}/location" for name in pawns])
        near = []
        for name, place in zip(pawns, places, strict=True):
            if place is not None:
                at = formats.to_metres(formats.parse_vector(place))
                if math.dist(at[:2], eye[:2]) < _NEAR_M:
                    near.append((math.dist(at, eye), name))
        return min(near)[1] if near else ""

    def _measured_lift(self) -> float:
        """How far the eye is above the origin: by as much it rises when the origin is sent to where it was."""
        where = formats.parse_vector(self._client.text(self._where))
        commands = [f"vset /camera/0/moveto {formats.numbers(where)}", self._where]
        risen = formats.parse_vector(texts(self._client, commands)[1])
        texts(self._client, [f"vset /camera/0/location {formats.numbers(where)}"])
        return max(0.0, risen[2] - where[2]) / formats.CM_A_METRE


def wish(command: Command, yaw_deg: float, dt_s: float) -> tuple[float, float]:
    """Metres along x and y that the agent wants to go in `dt_s`; walking askew is no faster than straight."""
    yaw = math.radians(yaw_deg)
    x = command.forward * math.cos(yaw) + command.strafe * math.sin(yaw)
    y = command.forward * math.sin(yaw) - command.strafe * math.cos(yaw)
    share = WALK_M_S * dt_s / max(1.0, math.hypot(x, y))
    return (x * share, y * share)
