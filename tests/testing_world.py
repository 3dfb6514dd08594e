"""Worlds of boxes for tests, and the little geometry that `testing_driver` needs."""

from __future__ import annotations

import math

from embodied_eval.drivers.base import Vec3
from embodied_eval.records import Pose
from embodied_eval.worlds.model import (
    Bounds,
    Interaction,
    Light,
    Material,
    Primitive,
    Region,
    Sky,
    Spawn,
    Sun,
    World,
    WorldObject,
)


def box(
    name: str,
    position: Vec3 = (0.0, 0.0, 0.0),
    size: Vec3 = (1.0, 1.0, 1.0),
    *,
    yaw_deg: float = 0.0,
    dynamic: bool = False,
    collides: bool = True,
    label: str = "",
    device: Interaction | None = None,
) -> WorldObject:
    """A box of `size` standing with the middle of its footprint at `position`."""
    return WorldObject(
        name=name,
        kind="block",
        label=label or name,
        primitives=(Primitive("box", size, position=(0.0, 0.0, size[2] / 2)),),
        position=position,
        rotation_deg=(0.0, 0.0, yaw_deg),
        dynamic=dynamic,
        collides=collides,
        interaction=device,
    )


def switch(*lights: str, initial: str = "off") -> Interaction:
    """A device that is "off" or "on" and switches `lights`."""
    return Interaction("toggle", initial=initial, lights=lights)


def plane_world(
    *objects: WorldObject, lights: tuple[Light, ...] = (), spawn: Pose | None = None, name: str = "plane"
) -> World:
    """A floor of 100 x 100 m with `objects`; the agent starts at `spawn` (the origin, looking along +x)."""
    start = spawn or Pose(0.0, 0.0, 0.0)
    everywhere = Bounds((-50.0, -50.0, -1.0), (50.0, 50.0, 10.0))
    return World(
        name=name,
        version=1,
        description="Boxes on a floor.",
        materials={"default": Material()},
        objects=objects,
        lights=lights,
        sun=Sun(),
        sky=Sky(),
        bounds=everywhere,
        regions=(Region("floor", "Floor", everywhere, "An open floor."),),
        spawns=(Spawn("start", (start.x, start.y, start.z), start.yaw_deg, "floor"),),
    )


def corners(part: Primitive) -> list[tuple[float, ...]]:
    """The eight corners of the box around `part`, in its object's frame."""
    halves = [size / 2 for size in part.size]
    found = []
    for signs in ((a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)):
        corner = tuple(sign * half for sign, half in zip(signs, halves, strict=True))
        turned_to = rotated(corner, part.rotation_deg)
        found.append(tuple(a + b for a, b in zip(turned_to, part.position, strict=True)))
    return found


def rotated(point: tuple[float, ...], rotation_deg: Vec3) -> tuple[float, ...]:
    """`point` turned by (roll, pitch, yaw) about the fixed x, then y, then z axis."""
    x, y, z = point
    (cr, sr), (cp, sp), (cy, sy) = (
        (math.cos(math.radians(angle)), math.sin(math.radians(angle))) for angle in rotation_deg
    )
    y, z = cr * y - sr * z, sr * y + cr * z
    x, z = cp * x + sp * z, -sp * x + cp * z
    return (cy * x - sy * y, sy * x + cy * y, z)


def ray_entry(origin: Vec3, direction: Vec3, bounds: tuple[Vec3, Vec3]) -> float | None:
    """Where the ray enters the box, in units of `direction`'s length (0 inside it); None if it misses."""
    near, far = 0.0, math.inf
    for i in range(3):
        if abs(direction[i]) < 1e-12:
            if not bounds[0][i] <= origin[i] <= bounds[1][i]:
                return None
            continue
        first, second = sorted((bounds[side][i] - origin[i]) / direction[i] for side in (0, 1))
        near, far = max(near, first), min(far, second)
    return near if near <= far else None
