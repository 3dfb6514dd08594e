"""Small maths that worlds, drivers and checks share: rotations, solids, bounds.

Everything is in metres and degrees; a rotation matrix takes a vector of the inner frame to the outer one.
Angles are (roll, pitch, yaw) about the fixed x, then y, then z axis: R = Rz(yaw) Ry(pitch) Rx(roll).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from embodied_eval.worlds.meshes import Hull, mesh_of
from embodied_eval.worlds.model import Interaction, Mesh, Primitive, Shape, Vec3, WorldObject

Array = NDArray[np.float64]
IDENTITY: Array = np.eye(3)
ROUND_SIDES = 24
NO_MESHES: Mapping[str, Mesh] = MappingProxyType({})


@lru_cache(maxsize=4096)
def _rotation(roll: float, pitch: float, yaw: float) -> Array:
    if roll == pitch == yaw == 0.0:
        return IDENTITY
    (cr, sr), (cp, sp), (cy, sy) = (_cos_sin(angle) for angle in (roll, pitch, yaw))
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _cos_sin(degrees: float) -> tuple[float, float]:
    # Quarter turns are exact, so that axis-aligned things stay axis-aligned.
    quarter = degrees / 90.0
    if quarter == round(quarter):
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarter) % 4]
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def rotation_matrix(rotation_deg: Vec3) -> Array:
    """(3, 3) matrix of (roll, pitch, yaw). The result is shared: do not write into it."""
    return _rotation(*(float(angle) for angle in rotation_deg))


def rotation_angles(matrix: Array) -> Vec3:
    """(roll, pitch, yaw) in degrees of a rotation matrix; roll is 0 where pitch is +-90 degrees."""
    pitch = math.degrees(math.asin(max(-1.0, min(1.0, -float(matrix[2, 0])))))
    if abs(matrix[2, 0]) > 1.0 - 1e-9:
        return (0.0, pitch, math.degrees(math.atan2(-matrix[0, 1], matrix[1, 1])))
    roll = math.degrees(math.atan2(matrix[2, 1], matrix[2, 2]))
    return (roll, pitch, math.degrees(math.atan2(matrix[1, 0], matrix[0, 0])))


def axis_rotation(axis: Vec3, degrees: float) -> Array:
    """(3, 3) matrix of a turn by `degrees` about `axis` (right-handed; Rodrigues' formula)."""
    x, y, z = (component / math.sqrt(sum(value * value for value in axis)) for component in axis)
    cos, sin = _cos_sin(degrees)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return cos * IDENTITY + sin * cross + (1.0 - cos) * np.outer((x, y, z), (x, y, z))


def quaternion(matrix: Array) -> Array:
    """Unit quaternion (w, x, y, z), w >= 0, of a rotation matrix (Shepperd's method)."""
    m = matrix
    squares = np.array(
        [
            1.0 + m[0, 0] + m[1, 1] + m[2, 2],
            1.0 + m[0, 0] - m[1, 1] - m[2, 2],
            1.0 - m[0, 0] + m[1, 1] - m[2, 2],
            1.0 - m[0, 0] - m[1, 1] + m[2, 2],
        ]
    )
    largest = int(np.argmax(squares))
    products = np.array(
        [
            [squares[0], m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], squares[1], m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]],
            [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], squares[2], m[1, 2] + m[2, 1]],
            [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], squares[3]],
        ]
    )
    found: Array = products[largest] / (2.0 * math.sqrt(squares[largest]))
    found = found / np.linalg.norm(found)
    return -found if found[0] < 0.0 else found


def matrix_of(quaternion_wxyz: Array) -> Array:
    """(3, 3) rotation matrix of a unit quaternion (w, x, y, z)."""
    w, x, y, z = (float(value) for value in quaternion_wxyz)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def vec3(values: Iterable[float]) -> Vec3:
    """Three plain floats."""
    x, y, z = (float(value) for value in values)
    return (x, y, z)


@dataclass(frozen=True)
class Solid:
    """A primitive as it stands in some frame: `size` as in `Primitive`, `center` (3,), `rotation` (3, 3); a
    mesh has its `hull`."""

    shape: Shape
    size: Vec3
    taper: float
    center: Array
    rotation: Array
    primitive: Primitive
    hull: Hull | None = None

    def moved(self, rotation: Array, offset: Array) -> Solid:
        """The same solid seen from the outer frame in which its own has this pose."""
        return Solid(
            self.shape,
            self.size,
            self.taper,
            rotation @ self.center + offset,
            rotation @ self.rotation,
            self.primitive,
            self.hull,
        )

    def bounds(self) -> tuple[Array, Array]:
        """Tight axis-aligned (low, high) corners, each (3,)."""
        high = _reach(self, self.rotation)
        low = _reach(self, -self.rotation)
        return self.center - low, self.center + high

    def height(self) -> tuple[float, float]:
        """Heights (low, high) of its lowest and highest points."""
        low, high = self.bounds()
        return float(low[2]), float(high[2])

    def vertices(self, sides: int = ROUND_SIDES, *, outer: bool = False) -> Array:
        """(n, 3) points whose convex hull is the solid; with `outer` it contains the round shapes."""
        grown = 1.0 / math.cos(math.pi / sides) if outer else 1.0
        if self.hull is not None:
            points = self.hull.points * np.array(self.size)
        else:
            points = _vertices(self.shape, self.size, self.taper, sides, grown)
        found: Array = points @ self.rotation.T + self.center
        return found

    def volume(self) -> float:
        """Cubic metres."""
        x, y, z = self.size
        if self.hull is not None:
            return x * y * z * self.hull.volume
        if self.shape == "box":
            return x * y * z
        if self.shape == "ellipsoid":
            return math.pi / 6.0 * x * y * z
        disc = math.pi / 4.0 * x * y
        if self.shape == "cylinder":
            return disc * z
        if self.shape == "cone":
            return disc * z * (1.0 + self.taper + self.taper**2) / 3.0
        ends = min(z, min(x, y))
        return disc * (z - ends) + math.pi / 6.0 * x * y * ends


def _reach(solid: Solid, rotation: Array) -> Array:
    """Support function along each outer axis: how far the solid goes from its centre (3,)."""
    x, y, z = (extent / 2.0 for extent in solid.size)
    across = np.hypot(rotation[:, 0] * x, rotation[:, 1] * y)
    along = rotation[:, 2] * z
    found: Array
    if solid.hull is not None:
        found = np.max((solid.hull.points * np.array(solid.size)) @ rotation.T, axis=0)
    elif solid.shape == "box":
        found = np.abs(rotation) @ np.array([x, y, z])
    elif solid.shape == "ellipsoid":
        found = np.sqrt(across**2 + along**2)
    elif solid.shape == "cylinder":
        found = across + np.abs(along)
    elif solid.shape == "cone":
        found = np.maximum(across - along, across * solid.taper + along)
    else:
        end = min(z, x, y)
        found = np.sqrt(across**2 + (rotation[:, 2] * end) ** 2) + np.abs(rotation[:, 2]) * (z - end)
    return found


_CUBE = Hull(np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]), 1.0)


@lru_cache(maxsize=1024)
def _vertices(shape: Shape, size: Vec3, taper: float, sides: int, grown: float) -> Array:
    x, y, z = (extent / 2.0 for extent in size)
    if shape == "box":
        return np.array([[sx * x, sy * y, sz * z] for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)])
    turn = np.arange(sides) * (2.0 * math.pi / sides)
    circle = np.stack([np.cos(turn) * grown * x, np.sin(turn) * grown * y], axis=1)
    if shape == "cylinder":
        rings = [(1.0, -z), (1.0, z)]
    elif shape == "cone":
        rings = [(1.0, -z), (taper, z)]
    else:
        end = z if shape == "ellipsoid" else min(z, x, y)
        # Facets along the meridian (every 15 degrees) fall short as well.
        more = grown if grown == 1.0 else grown / math.cos(math.radians(7.5))
        rings = [
            (
                math.cos(math.radians(angle)) * more / grown,
                sign * (z - end + math.sin(math.radians(angle)) * end * more),
            )
            for angle in range(0, 91, 15)
            for sign in (-1.0, 1.0)
        ]
    points = []
    for share, height in rings:
        flat = circle * share if share > 1e-9 else np.zeros((1, 2))
        points.append(np.column_stack([flat, np.full(len(flat), height)]))
    return np.concatenate(points)


def solids(
    item: WorldObject,
    *,
    amount: float | None = None,
    scale: Vec3 | None = None,
    meshes: Mapping[str, Mesh] | None = NO_MESHES,
) -> list[Solid]:
    """The object's primitives in its own frame, scaled (by `item.scale` unless given).

    `amount` is how far its device has gone (degrees or metres); None = as `Interaction.initial` says. A
    turned primitive is scaled along its own axes by the length that the scale gives them, which is exact for
    quarter turns and for uniform scales (ours). `meshes` are the world's; raises UnknownName for a mesh that
    is not among them, and what `mesh_of` raises. With None a mesh counts as the box that it fills.
    """
    factors = np.array(item.scale if scale is None else scale, dtype=float)
    found = []
    for primitive in item.primitives:
        turned = rotation_matrix(primitive.rotation_deg)
        own = np.sqrt(np.sum((factors[:, None] * turned) ** 2, axis=0))
        solid = Solid(
            primitive.shape,
            vec3(own * np.array(primitive.size)),
            primitive.taper,
            factors * np.array(primitive.position),
            turned,
            primitive,
            _hull(primitive, meshes),
        )
        if item.interaction is not None and primitive.part == item.interaction.part:
            rotation, offset = part_pose(item.interaction, amount, vec3(factors))
            solid = solid.moved(rotation, offset)
        found.append(solid)
    return found


def _hull(primitive: Primitive, meshes: Mapping[str, Mesh] | None) -> Hull | None:
    if primitive.shape != "mesh":
        return None
    return _CUBE if meshes is None else mesh_of(meshes, primitive.mesh).hull


def rest_amount(interaction: Interaction, state: str) -> float:
    """How far a device has gone once it is wholly in `state`: degrees, metres, or 0."""
    operated = interaction.kind in ("hinge", "slide") and state == interaction.states[1]
    return interaction.travel if operated else 0.0


def part_pose(interaction: Interaction, amount: float | None, scale: Vec3) -> tuple[Array, Array]:
    """Rotation (3, 3) and offset (3,) of the device's part in the object's frame after `amount`."""
    gone = rest_amount(interaction, interaction.initial) if amount is None else amount
    factors = np.array(scale, dtype=float)
    if interaction.kind == "toggle" or gone == 0.0:
        return IDENTITY, np.zeros(3)
    if interaction.kind == "slide":
        axis = np.array(interaction.axis, dtype=float)
        return IDENTITY, factors * axis / np.linalg.norm(axis) * gone
    rotation = axis_rotation(interaction.axis, gone)
    pivot = factors * np.array(interaction.pivot)
    return rotation, pivot - rotation @ pivot


def world_solids(
    item: WorldObject, *, amount: float | None = None, meshes: Mapping[str, Mesh] | None = NO_MESHES
) -> list[Solid]:
    """The object's primitives in the world frame, at its own pose and scale."""
    rotation, offset = rotation_matrix(item.rotation_deg), np.array(item.position, dtype=float)
    return [solid.moved(rotation, offset) for solid in solids(item, amount=amount, meshes=meshes)]


def joint_bounds(parts: Iterable[Solid]) -> tuple[Array, Array]:
    """(low, high) corners of several solids together; zeros for none."""
    boxes = [solid.bounds() for solid in parts]
    if not boxes:
        return np.zeros(3), np.zeros(3)
    return np.min([low for low, _ in boxes], axis=0), np.max([high for _, high in boxes], axis=0)


def object_extent(item: WorldObject, meshes: Mapping[str, Mesh] | None = NO_MESHES) -> Vec3:
    """Whole extents (x, y, z) in the object's own frame with its device at rest (closed), scale included."""
    low, high = joint_bounds(solids(item, amount=0.0, meshes=meshes))
    return vec3(high - low)
