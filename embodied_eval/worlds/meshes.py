"""A world's glTF meshes as shapes: what renderers draw and what collides."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from embodied_eval.errors import DataFileError, MissingPart, UnknownName
from embodied_eval.worlds.gltf import Part, read_parts
from embodied_eval.worlds.mesh_colors import Paint, painted
from embodied_eval.worlds.model import Mesh, Vec3

Array = NDArray[np.float64]
MAX_HULL_POINTS = 256
_FLAT_SHARE = 1e-6
_LEAST_HULL = 1e-6


@dataclass(frozen=True)
class Hull:
    """A convex hull inside the unit cube centred at 0: `points` (n, 3), its corners, and `volume`, 0..1."""

    points: Array
    volume: float


@dataclass(frozen=True)
class Group:
    """Faces `first` to `first + count` and their plain look."""

    first: int
    count: int
    paint: Paint


@dataclass(frozen=True)
class MeshShape:
    """A mesh stretched to the unit cube centred at 0, in our axes; `Primitive.size` stretches it further.

    `vertices` (n, 3), `normals` (n, 3) unit normals of the mesh in the cube (stretched by a size they are
    divided by it and normalised), `faces` int32 (m, 3) counter-clockwise seen from outside, `groups` ranges
    of faces of one look in order, `extent_m` the model's own size along our axes, metres.
    """

    vertices: Array
    normals: Array
    faces: NDArray[np.int32]
    groups: tuple[Group, ...]
    hull: Hull
    extent_m: Vec3


def mesh_of(meshes: Mapping[str, Mesh], name: str) -> MeshShape:
    """The shape of the mesh called `name`; arrays are shared and read-only.

    Raises UnknownName if there is none, DataFileError naming it if it is not what `glb.checked_header` and
    `gltf.read_parts` accept, MissingPart without the packages that read meshes.
    """
    if name not in meshes:
        raise UnknownName("mesh in this world", name, meshes)
    return shape_of(meshes[name], f"Mesh {name!r}")


def shape_of(mesh: Mesh, what: str) -> MeshShape:
    """The shape of `mesh`, which errors call `what`; see `mesh_of`."""
    try:
        return _shape(mesh.glb)
    except _Bad as error:
        raise DataFileError(f"{what} {error.message}", hint=error.hint) from error


class _Bad(DataFileError):
    """What is wrong with a mesh, before it has a name."""


@lru_cache(maxsize=64)
def _shape(glb: str) -> MeshShape:
    """By content: a text's hash is kept in it, so a look-up costs nothing."""
    try:
        data = base64.b64decode(glb, validate=True)
    except (binascii.Error, ValueError) as error:
        raise _Bad(f"is not base64 ({error}).") from error
    try:
        parts = read_parts(data, "")
        return _joined([_both_sides(part) if part.surface.double_sided else part for part in parts])
    except DataFileError as error:
        raise _Bad(error.message.strip(), hint=error.hint) from error


def _both_sides(part: Part) -> Part:
    """A part that is seen from behind too: its faces once more, turned over."""
    count = len(part.vertices)
    return Part(
        np.concatenate([part.vertices, part.vertices]),
        np.concatenate([part.normals, -part.normals]),
        np.concatenate([part.faces, part.faces[:, ::-1] + count]),
        part.surface,
        None if part.uv is None else np.concatenate([part.uv, part.uv]),
        None if part.colors is None else np.concatenate([part.colors, part.colors]),
    )


def _joined(parts: list[Part]) -> MeshShape:
    vertices = np.concatenate([part.vertices for part in parts])
    used = np.concatenate([part.vertices[np.unique(part.faces)] for part in parts])
    low, high = used.min(axis=0), used.max(axis=0)
    extent = high - low
    if not extent.max() > 0.0:
        raise _Bad("is a single point.")
    flat = extent <= _FLAT_SHARE * extent.max()
    width = np.where(flat, 1.0, extent)
    # Corners that no face uses may lie outside.
    inside = np.clip((vertices - 0.5 * (low + high)) / width, -0.5, 0.5)
    inside[:, flat] = 0.0
    normals = np.concatenate([part.normals for part in parts]) * width
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    looks: dict[Paint, list[NDArray[np.int64]]] = {}
    base = 0
    for part in parts:
        for numbers, paint in painted(part):
            looks.setdefault(paint, []).append(part.faces[numbers] + base)
        base += len(part.vertices)
    ranges = [np.concatenate(found) for found in looks.values()]
    first = np.cumsum([0, *(len(found) for found in ranges)])
    groups = [
        Group(int(start), len(found), paint)
        for start, found, paint in zip(first, ranges, looks, strict=False)
    ]
    corners = np.concatenate(ranges).astype(np.int32)
    shape = MeshShape(
        inside,
        normals,
        corners,
        tuple(groups),
        _hull(inside[np.unique(corners)], flat),
        (float(extent[0]), float(extent[1]), float(extent[2])),
    )
    for array in (shape.vertices, shape.normals, shape.faces, shape.hull.points):
        array.setflags(write=False)
    return shape


def _hull(points: Array, flat: NDArray[np.bool_]) -> Hull:
    """The convex hull of points in the unit cube. Along an axis in which they are flat it is as thick as the
    cube, so that `Primitive.size` gives the thickness."""
    try:
        import manifold3d
    except ImportError as error:
        raise MissingPart(
            f"Meshes in worlds need manifold3d ({error}).", fix="pip install 'embodied-eval[mujoco]'"
        ) from error
    for axis in np.flatnonzero(flat):
        half = np.zeros(3)
        half[axis] = 0.5
        points = np.concatenate([points - half, points + half])
    hull = manifold3d.Manifold.hull_points(points)
    corners = np.array(hull.to_mesh64().vert_properties, np.float64)[:, :3]
    if len(corners) > MAX_HULL_POINTS:
        corners = corners[_extreme(corners)]
        hull = manifold3d.Manifold.hull_points(corners)
    volume = float(hull.volume())
    if not volume > _LEAST_HULL:
        raise _Bad("is flat and lies askew.", hint="Lay it along the axes, or give it some thickness.")
    return Hull(corners, volume)


def _extreme(points: Array) -> NDArray[np.int64]:
    """The points that lie farthest along the axes and along directions spread evenly (a Fibonacci sphere)."""
    count = MAX_HULL_POINTS - 6
    turn = np.arange(count) * np.pi * (3.0 - np.sqrt(5.0))
    height = 1.0 - (2.0 * np.arange(count) + 1.0) / count
    around = np.sqrt(1.0 - height**2)
    spread = np.stack([np.cos(turn) * around, np.sin(turn) * around, height], axis=1)
    towards = np.concatenate([np.eye(3), -np.eye(3), spread])
    return np.unique(np.argmax(points @ towards.T, axis=0))
