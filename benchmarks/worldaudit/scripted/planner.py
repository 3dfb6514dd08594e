"""Where to stand to see something, and how to walk there: geometry of the clean world, no simulator.

Used by the oracle alone; nothing here reaches a prompt.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from embodied_eval.worlds.geometry import joint_bounds, world_solids
from embodied_eval.worlds.model import World, WorldObject
from embodied_eval.worlds.navigation import NavGrid

Point = tuple[float, float]
Vec3 = tuple[float, float, float]
RING = 32
SIDE_RAD = math.radians(30.0)


@dataclass(frozen=True)
class Planner:
    """Plans in `world`."""

    world: World

    @cached_property
    def grid(self) -> NavGrid:
        """The walkable floor."""
        return NavGrid(self.world)

    @cached_property
    def _boxes(self) -> tuple[Any, Any, list[str]]:
        import numpy as np

        lows, highs, owners = [], [], []
        for item in self.world.objects:
            if not item.visible:
                continue
            for solid in world_solids(item, meshes=self.world.meshes):
                low, high = solid.bounds()
                lows.append(low)
                highs.append(high)
                owners.append(item.name)
        return np.array(lows), np.array(highs), owners

    def centre(self, name: str) -> Vec3:
        """The middle of an object's bounds."""
        own = world_solids(self.world.object(name), meshes=self.world.meshes)
        low, high = joint_bounds(own)
        return tuple(float(value) for value in (low + high) / 2.0)  # type: ignore[return-value]

    def object(self, name: str) -> WorldObject:
        """The object called `name`."""
        return self.world.object(name)

    def eye(self, point: Point) -> Vec3:
        """The eye of an agent that stands at the free floor point `point`."""
        return (*point, float(self.grid.ground[self.grid.cell(*point)]) + self.world.eye_height_m)

    def sees(self, eye: Vec3, point: Vec3, ignore: str) -> bool:
        """Whether nothing but `ignore` stands between `eye` and `point` (boxes around each solid)."""
        import numpy as np

        lows, highs, owners = self._boxes
        origin = np.array(eye)
        ray = np.array(point) - origin
        with np.errstate(divide="ignore", invalid="ignore"):
            a, b = (lows - origin) / ray, (highs - origin) / ray
        near = np.nanmax(np.minimum(a, b), axis=1)
        far = np.nanmin(np.maximum(a, b), axis=1)
        hit = (near <= far) & (far > 1e-6) & (near < 0.98)
        return not any(hit[index] and owner != ignore for index, owner in enumerate(owners))

    def viewpoint(
        self,
        start: Point,
        name: str,
        distance_m: float,
        *,
        centre: Vec3 | None = None,
        side: Point | None = None,
    ) -> Point:
        """The nearest free floor point about `distance_m` from the object from which its middle is seen.

        `side` restricts to points in that direction from the object. Raises ValueError if there is none.
        """
        middle = centre or self.centre(name)
        best: tuple[float, Point] | None = None
        for radius in (distance_m, distance_m * 0.85, distance_m * 1.15, distance_m * 0.7, distance_m * 1.3):
            for index in range(RING):
                angle = 2.0 * math.pi * index / RING
                point = (middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle))
                if side is not None and _between(angle, side) > SIDE_RAD:
                    continue
                if not self.grid.free(*point) or not self.sees(self.eye(point), middle, name):
                    continue
                path = self.grid.path(start, point)
                if path is None:
                    continue
                length = sum(math.dist(a, b) for a, b in itertools.pairwise(path))
                if best is None or length < best[0]:
                    best = (length, point)
            if best is not None:
                return best[1]
        raise ValueError(f"No floor point shows {name!r} from {distance_m} m.")


def _between(angle_rad: float, direction: Point) -> float:
    """The angle between a bearing and a direction, in 0..pi."""
    turn = angle_rad - math.atan2(direction[1], direction[0])
    return abs((turn + math.pi) % (2.0 * math.pi) - math.pi)
