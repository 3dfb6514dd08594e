"""Unit meshes of the five solids at several levels of detail, all in one vertex and one index array.

A vertex is (corner, normal, map): `corner` and `normal` are combined with a primitive's size and bevel by
`glsl/scene.vert`; `map` = (texture mapping, angle in turns, solid).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from embodied_eval.worlds.model import Shape

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

SOLID: dict[Shape, int] = {"box": 0, "cylinder": 0, "ellipsoid": 1, "capsule": 2, "cone": 3}
AROUND = 6
"""Texture mapping of sides: around z. 0 to 5 are the planes +x, -x, +y, -y, +z, -z."""


@dataclass(frozen=True)
class Mesh:
    """`vertices` float32 (n, 9), `triangles` int32 (m, 3), counter-clockwise seen from outside."""

    vertices: Floats
    triangles: Ints


@dataclass(frozen=True)
class MeshSet:
    """Every mesh in one array. `first` and `count` (in indices), `base` (in vertices) by mesh number."""

    vertices: Floats
    indices: Ints
    first: Ints
    count: Ints
    base: Ints


BOX, BOX_BEVEL, CYLINDER, CYLINDER_BEVEL, ELLIPSOID, CAPSULE, CONE = 0, 1, 3, 7, 11, 15, 19
"""Number of each solid's coarsest mesh; the finer ones follow it."""
LEVELS: dict[int, int] = {
    BOX: 1,
    BOX_BEVEL: 2,
    CYLINDER: 4,
    CYLINDER_BEVEL: 4,
    ELLIPSOID: 4,
    CAPSULE: 4,
    CONE: 4,
}


SEGMENTS = (8, 14, 24, 44)
"""Sides of the round solids, by level of detail."""
BANDS = (1, 1, 2, 3)
"""Bands over a cylinder's rounded edge, by level of detail."""


@cache
def mesh_set() -> MeshSet:
    """All meshes, in the order of the numbers above."""
    meshes = [_box(None), _box(1), _box(3)]
    meshes += [_revolved(n, _cylinder_profile(1), "cylinder", sharp=True) for n in SEGMENTS]
    meshes += [_revolved(n, _cylinder_profile(k), "cylinder") for n, k in zip(SEGMENTS, BANDS, strict=True)]
    meshes += [_ellipsoid(n) for n in (3, 5, 9, 14)]
    meshes += [_revolved(n, _capsule_profile(n // 4), "capsule") for n in SEGMENTS]
    meshes += [_revolved(n, _cylinder_profile(1), "cone", sharp=True) for n in SEGMENTS]
    counts = [mesh.triangles.size for mesh in meshes]
    sizes = [len(mesh.vertices) for mesh in meshes]
    return MeshSet(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.triangles.ravel() for mesh in meshes]),
        np.cumsum([0, *counts[:-1]]).astype(np.int32),
        np.array(counts, np.int32),
        np.cumsum([0, *sizes[:-1]]).astype(np.int32),
    )


def _grid_sides(ticks: list[tuple[float, float]], solid: int) -> Mesh:
    """Six faces of a cube; `ticks` are (corner sign, tangent of the normal's angle) along a face."""
    vertices: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    n = len(ticks)
    for face in range(6):
        axis, sign = face // 2, 1.0 if face % 2 == 0 else -1.0
        u, v = (axis + 1) % 3, (axis + 2) % 3
        start = len(vertices)
        for corner_v, slope_v in ticks:
            for corner_u, slope_u in ticks:
                corner, normal = [0.0] * 3, [0.0] * 3
                corner[axis], corner[u], corner[v] = sign, corner_u, corner_v
                length = math.sqrt(1.0 + slope_u**2 + slope_v**2)
                normal[axis], normal[u], normal[v] = sign / length, slope_u / length, slope_v / length
                vertices.append([*corner, *normal, float(face), 0.0, float(solid)])
        for j in range(n - 1):
            for i in range(n - 1):
                a = start + j * n + i
                b, c, d = a + 1, a + n + 1, a + n
                quad = [(a, b, c), (a, c, d)]
                triangles += quad if sign > 0 else [(p, r, q) for p, q, r in quad]
    return Mesh(np.array(vertices, np.float32), np.array(triangles, np.int32))


def _box(steps: int | None) -> Mesh:
    """A box; `steps` quads from a flat face to the middle of a rounded edge, None for sharp edges."""
    if steps is None:
        return _grid_sides([(-1.0, 0.0), (1.0, 0.0)], SOLID["box"])
    slopes = [math.tan(math.pi / 4 * i / steps) for i in range(steps + 1)]
    return _grid_sides([(-1.0, -s) for s in reversed(slopes)] + [(1.0, s) for s in slopes], SOLID["box"])


def _ellipsoid(steps: int) -> Mesh:
    """A sphere from a cube, `steps` quads along an edge, its vertices outside by as much as the middles of
    its quads are inside: half the error of depth."""
    ticks = [(0.0, math.tan(math.pi / 4 * (2 * i / steps - 1))) for i in range(steps + 1)]
    mesh = _grid_sides(ticks, SOLID["ellipsoid"])
    normals = mesh.vertices[:, 3:6]
    middles = np.linalg.norm(normals[mesh.triangles[:, [0, 2]]].mean(axis=1), axis=1)
    mesh.vertices[:, :3] = normals * 2.0 / (1.0 + middles.min())
    return mesh


# A profile point is (corner radius, corner z, normal radius, normal z, texture mapping).
Profile = list[tuple[float, float, float, float, int]]


def _cylinder_profile(steps: int) -> Profile:
    """Bottom to top, `steps` bands over a rounded edge."""
    low: Profile = [(0.0, -1.0, 0.0, -1.0, 5), (1.0, -1.0, 0.0, -1.0, 5)]
    for i in range(steps + 1):
        angle = math.pi / 2 * i / steps
        low.append((1.0, -1.0, math.sin(angle), -math.cos(angle), AROUND))
    return low + [(r, -z, nr, -nz, 4 if to == 5 else to) for r, z, nr, nz, to in reversed(low)]


def _capsule_profile(steps: int) -> Profile:
    """Two half spheres of `steps` bands, joined by a side."""
    angles = [math.pi / 2 * i / steps for i in range(steps + 1)]
    low: Profile = [(0.0, -1.0, math.sin(a), -math.cos(a), AROUND) for a in angles]
    return low + [(r, -z, nr, -nz, to) for r, z, nr, nz, to in reversed(low)]


def _revolved(segments: int, profile: Profile, shape: Shape, *, sharp: bool = False) -> Mesh:
    """`profile` turned about z, the seam at -x (the back); `sharp` leaves out bands of no width."""
    turns = [i / segments - 0.5 for i in range(segments + 1)]
    vertices = [
        [r * x, r * y, z, nr * x, nr * y, nz, float(mapping), turn, float(SOLID[shape])]
        for r, z, nr, nz, mapping in profile
        for turn in turns
        for x, y in ((math.cos(2 * math.pi * turn), math.sin(2 * math.pi * turn)),)
    ]
    row = segments + 1
    triangles: list[tuple[int, int, int]] = []
    for ring, (lower, upper) in enumerate(pairwise(profile)):
        if lower[:4] == upper[:4] or (sharp and lower[:2] == upper[:2]):
            continue
        for i in range(segments):
            a, b = ring * row + i, ring * row + i + 1
            c, d = b + row, a + row
            if lower[0] + lower[2] > 0.0:
                triangles.append((a, b, c))
            if upper[0] + upper[2] > 0.0:
                triangles.append((a, c, d))
    return Mesh(np.array(vertices, np.float32), np.array(triangles, np.int32))
