"""What the renderer's tests share: a small scene, a renderer of it, an exact ray caster."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.render import Entity, Renderer
from embodied_eval.drivers.render.instances import rotation_matrix
from embodied_eval.worlds.model import Light, Material, Primitive, Sky, Sun

Array = NDArray[Any]
SIZE = (320, 180)
MATERIALS = {
    "default": Material(),
    "red": Material(color=(0.8, 0.1, 0.1), color2=(0.6, 0.05, 0.05)),
    "floor": Material("tile", (0.8, 0.8, 0.8), (0.5, 0.5, 0.5), 0.5),
    "lamp": Material(color=(1.0, 0.9, 0.7), emission=2.0),
    "screen": Material("screen", (0.3, 0.6, 0.9), (0.1, 0.4, 0.2), emission=1.0),
}


def box(size: tuple[float, float, float], material: str = "default", **fields: Any) -> Primitive:
    """A box primitive."""
    return Primitive("box", size, material=material, **fields)


def ball(diameter_m: float, material: str = "default", **fields: Any) -> Primitive:
    """A sphere primitive."""
    return Primitive("ellipsoid", (diameter_m,) * 3, material=material, **fields)


def renderer(lights: Iterable[Light] = (), **fields: Any) -> Renderer:
    """An empty renderer with `MATERIALS`, 90 degrees wide."""
    return Renderer(MATERIALS, Sky(), Sun(), list(lights), fov_deg=90.0, **{"shadow_size": 512, **fields})


def put(
    target: Renderer,
    key: str,
    object_id: int,
    *primitives: Primitive,
    position: tuple[float, float, float] = (0.0, 0.0, 0.0),
    rotation_deg: tuple[float, float, float] = (0.0, 0.0, 0.0),
    **state: Any,
) -> None:
    """Add an entity and set its state."""
    target.add(Entity(key, object_id, primitives))
    target.update(key, position=position, rotation=rotation_matrix(rotation_deg), **state)


def rays(yaw_deg: float, pitch_deg: float, size: tuple[int, int], fov_deg: float) -> Array:
    """Directions (H, W, 3) through the pixels' middles, of length 1 along the view axis."""
    yaw, pitch = np.radians(yaw_deg), np.radians(pitch_deg)
    forward = np.array([np.cos(pitch) * np.cos(yaw), np.cos(pitch) * np.sin(yaw), np.sin(pitch)])
    right = np.array([np.sin(yaw), -np.cos(yaw), 0.0])
    up = np.cross(right, forward)
    tan = np.tan(np.radians(fov_deg) / 2)
    x = ((np.arange(size[0]) + 0.5) / size[0] * 2 - 1) * tan
    y = (1 - (np.arange(size[1]) + 0.5) / size[1] * 2) * tan * size[1] / size[0]
    return forward + x[None, :, None] * right + y[:, None, None] * up


def cast_box(
    eye: Array, directions: Array, center: Array, rotation: Array, size: Array
) -> tuple[Array, Array]:
    """Depth (H, W), inf for a miss, and world normal (H, W, 3) of an oriented box."""
    start = (eye - center) @ rotation
    along = directions @ rotation
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (-size / 2 - start) / along, (size / 2 - start) / along
    enter, leave = np.minimum(low, high), np.maximum(low, high)
    near = enter.max(axis=-1)
    hit = (near < leave.min(axis=-1)) & (near > 0)
    axis = enter.argmax(axis=-1)
    normal = -np.sign(np.take_along_axis(along, axis[..., None], -1)) * np.eye(3)[axis]
    return np.where(hit, near, np.inf), normal @ rotation.T


def cast_ball(eye: Array, directions: Array, center: Array, radius: float) -> tuple[Array, Array]:
    """The same of a sphere."""
    offset = eye - center
    a = (directions**2).sum(-1)
    b = directions @ offset
    root = b**2 - a * (offset @ offset - radius**2)
    with np.errstate(invalid="ignore"):
        near = (-b - np.sqrt(root)) / a
    hit = (root > 0) & (near > 0)
    normal = (eye + near[..., None] * directions - center) / radius
    return np.where(hit, near, np.inf), normal
