"""What triggers look at: the agent's eye, and where things are in the clean world."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from embodied_eval.drivers.base import Driver, ObjectState, TickState, Vec3, eye, view_direction
from embodied_eval.worlds.effects.overlay import ObjectOverlay, read
from embodied_eval.worlds.model import World

Bounds = tuple[Vec3, Vec3]


class CleanGeometry:
    """Bounds of objects as they are without the effects, so that what an effect moves or hides does not
    switch its own trigger. Objects that cannot move by themselves are read once. `stand_ins` gives, for each
    object that replaces another one, that one's name: to see it is to see the other."""

    def __init__(
        self, driver: Driver, world: World, objects: ObjectOverlay, stand_ins: Mapping[str, str]
    ) -> None:
        self.driver = driver
        self.stand_ins = stand_ins
        self.casts_rays = "raycast" in driver.capabilities
        self._objects = objects
        self._still: dict[str, Bounds] = {}
        self._moving = {
            item.name
            for item in world.objects
            if item.dynamic or (item.interaction is not None and item.interaction.kind in ("hinge", "slide"))
        }

    def bounds(self, name: str) -> Bounds:
        """(min, max) corners in metres."""
        if name in self._moving:
            return self._read(name)
        if name not in self._still:
            self._still[name] = self._read(name)
        return self._still[name]

    def _read(self, name: str) -> Bounds:
        now: ObjectState = read(self.driver, name)
        return self._objects.twin(name, now).bounds


class Look:
    """One look at the world at one state: `triggers.Scene`. Answers are kept, as reading costs time."""

    def __init__(self, geometry: CleanGeometry, state: TickState) -> None:
        self._geometry = geometry
        self._bounds: dict[str, Bounds] = {}
        self._clear: dict[str, bool] = {}
        self.state = state
        self.eye = eye(state.pose, geometry.driver.eye_height_m)
        self.forward = view_direction(state.pose)

    def centre(self, name: str) -> Vec3:
        low, high = self._bounds_of(name)
        return ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2)

    def clear(self, name: str) -> bool:
        if name not in self._clear:
            self._clear[name] = not self._geometry.casts_rays or any(
                self._reaches(point, name) for point in _inner_points(self._bounds_of(name))
            )
        return self._clear[name]

    def _bounds_of(self, name: str) -> Bounds:
        if name not in self._bounds:
            self._bounds[name] = self._geometry.bounds(name)
        return self._bounds[name]

    def _reaches(self, point: Vec3, name: str) -> bool:
        length = math.dist(self.eye, point)
        if length < 1e-6:
            return True
        x, y, z = ((there - here) / length for there, here in zip(point, self.eye, strict=True))
        hit = self._geometry.driver.raycast(self.eye, (x, y, z), length)
        return hit is None or self._geometry.stand_ins.get(hit.object, hit.object) == name


def _inner_points(bounds: Bounds) -> Iterator[Vec3]:
    """The centre of `bounds` and the six points half-way from it to the faces."""
    low, high = bounds
    x, y, z = ((a + b) / 2 for a, b in zip(low, high, strict=True))
    dx, dy, dz = ((b - a) / 4 for a, b in zip(low, high, strict=True))
    yield (x, y, z)
    for sign in (1, -1):
        yield (x, y, z + sign * dz)
        yield (x + sign * dx, y, z)
        yield (x, y + sign * dy, z)
