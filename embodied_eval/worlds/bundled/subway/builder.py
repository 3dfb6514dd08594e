"""A world builder for floors on several levels."""

from __future__ import annotations

from typing import Any

from embodied_eval.worlds.build import WorldBuilder
from embodied_eval.worlds.model import PointOfInterest, Spawn


class LevelBuilder(WorldBuilder):
    """Everything that is placed stands on, or is measured from, the current floor at `floor_m`; lamps and
    signs hang from a ceiling at `ceiling_m`. Both are heights in the world's frame."""

    def __init__(self, name: str, version: int, description: str) -> None:
        super().__init__(name, version, description)
        self.floor_m, self.ceiling_m = 0.0, 3.0

    def level(self, floor_m: float, ceiling_m: float) -> None:
        """Build on another level from now on."""
        self.floor_m, self.ceiling_m = floor_m, ceiling_m

    def put(
        self,
        kind: str,
        x: float,
        y: float,
        yaw: float = 0.0,
        *,
        z: float | None = None,
        supports: str = "floor",
        **options: Any,
    ) -> str:
        """As `WorldBuilder.put`, on the current floor unless a height `z` in the world's frame is given."""
        height = self.floor_m if z is None else z
        return super().put(kind, x, y, yaw, z=round(height, 6), supports=supports, **options)

    def hang(self, kind: str, x: float, y: float, z: float, yaw: float, **options: Any) -> str:
        """As `WorldBuilder.hang`, `z` above the current floor."""
        return super().hang(kind, x, y, self.floor_m + z, yaw, **options)

    def fixed(
        self, kind: str, x: float, y: float, yaw: float = 0.0, *, z: float = 0.0, **options: Any
    ) -> str:
        """As `WorldBuilder.fixed`, `z` above the current floor."""
        return super().fixed(kind, x, y, yaw, z=self.floor_m + z, **options)

    def overhead(self, kind: str, x: float, y: float, yaw: float = 0.0, **options: Any) -> str:
        """Hang a `kind` from the current ceiling."""
        return self.put(kind, x, y, yaw, z=self.ceiling_m, supports="ceiling", casts_shadow=False, **options)

    def add_spawn(self, name: str, x: float, y: float, yaw: float) -> None:
        """Declare a start on the current floor."""
        self._spawns.append(Spawn(name, (x, y, round(self.floor_m, 6)), yaw, self.region))

    def add_point(self, name: str, x: float, y: float) -> None:
        """Declare a point of the current floor that must be reachable."""
        self._points.append(PointOfInterest(name, (x, y, round(self.floor_m, 6)), self.region))
