"""Things as the page runtime is told of them: numbers in lists. A pose is [x, y, z, w, qx, qy, qz]."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from embodied_eval.drivers.things import Thing
from embodied_eval.worlds.geometry import IDENTITY, Array, Solid, quaternion
from embodied_eval.worlds.mjcf import MIN_HALF_M, parts_of, weighed_solids

_SELF = (IDENTITY, np.zeros(3))


def thing_told(thing: Thing, hulls: dict[str, list[float]]) -> dict[str, Any]:
    """All that `Physics.add` needs; hulls that it names are added to `hulls`. Raises DataFileError for a size
    that no solid can have."""
    item = thing.item
    shapes = weighed_solids(item, thing.scale, thing.meshes)
    parts = parts_of(item)
    return {
        "id": thing.id,
        "name": item.name,
        "free": thing.free,
        "light": thing.light,
        "mass": item.mass_kg,
        "visible": thing.visible,
        "collides": thing.collides,
        "joined": item.joined,
        "pose": pose_told(thing),
        "parts": parts_told(thing),
        "solids": [
            [parts.index(solid.primitive.part), *_solid_told(solid, hulls), mass_kg]
            for solid, mass_kg in shapes
        ],
    }


def pose_told(thing: Thing, part: tuple[Array, Array] | None = None) -> list[float]:
    """Where the thing stands, or one of its parts with rotation and offset `part` in its frame: in the world,
    for a part of a free thing in its body."""
    if part is not None and thing.free:
        return _pose(part[1], part[0])
    rotation, offset = part or _SELF
    return _pose(thing.rotation @ offset + np.array(thing.position), thing.rotation @ rotation)


def parts_told(thing: Thing) -> list[list[float]]:
    """`pose_told` of each of its parts."""
    return [pose_told(thing, thing.part(part)) for part in parts_of(thing.item)]


def _solid_told(solid: Solid, hulls: dict[str, list[float]]) -> tuple[Any, ...]:
    half = tuple(max(extent / 2.0, MIN_HALF_M) for extent in solid.size)
    key = ""
    if solid.hull is not None:
        key = f"{solid.primitive.mesh}:" + ":".join(f"{value:.9g}" for value in solid.size)
        upright = replace(solid, center=np.zeros(3), rotation=IDENTITY)
        hulls.setdefault(key, upright.vertices().ravel().tolist())
    place = _pose(solid.center, solid.rotation)
    return solid.shape, half, solid.taper, key, place, solid.primitive.collides


def _pose(position: Array, rotation: Array) -> list[float]:
    return [*position.tolist(), *quaternion(rotation).tolist()]
