"""What one view draws: the rows it sees, each at a fitting level of detail, what stands in front first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.render.camera import Camera, SunView
from embodied_eval.drivers.render.instances import Table
from embodied_eval.drivers.render.meshes import (
    BOX,
    BOX_BEVEL,
    CAPSULE,
    CONE,
    CYLINDER,
    CYLINDER_BEVEL,
    ELLIPSOID,
    MeshSet,
)

Array = NDArray[Any]
FINER_PX: dict[int, tuple[float, ...]] = {
    CYLINDER: (5.0, 18.0, 55.0),
    CYLINDER_BEVEL: (5.0, 18.0, 55.0),
    ELLIPSOID: (8.0, 25.0, 75.0),
    CAPSULE: (5.0, 18.0, 55.0),
    CONE: (5.0, 18.0, 55.0),
}
"""Radius in pixels from which the next finer mesh is drawn: it keeps outlines within about half a pixel."""
BEVEL_PX = (0.6, 6.0)
"""Bevel in pixels from which an edge is rounded at all, and rounded finely."""
SHADOW_COARSENESS = 0.3
SHELLS_M = (1.5, 2.5, 3.5, 4.5, 6.0, 8.0, 12.0, 20.0)
"""What ends in a nearer shell is drawn before what reaches into a farther one: furniture before the floor and
the walls behind it, a room before what lies beyond, so that little is shaded and then covered."""


@dataclass(frozen=True)
class DrawList:
    """`rows` to upload, in drawing order; `commands` int32 (k, 5) for an indirect draw; `far_m` the
    distance beyond which nothing of it lies."""

    rows: Array
    commands: Array
    far_m: float


def view_list(table: Table, known: MeshSet, camera: Camera, size: tuple[int, int]) -> DrawList:
    """The drawn rows that `camera` may see in a picture of `size`; `known` holds their meshes."""
    relative = table.center - camera.eye
    seen = np.flatnonzero(table.drawn & camera.sees(relative, table.radius))
    relative = relative[seen]
    distance = np.linalg.norm(relative, axis=1) - table.radius[seen]
    px_per_m = size[0] / 2 / camera.tan_x / np.maximum(distance, 0.02)
    ends = distance + 2.0 * table.radius[seen]
    far_m = float(ends.max(initial=1.0)) + 1.0
    return _listed(table, known, seen, relative, ends, px_per_m, far_m)


def shadow_list(table: Table, known: MeshSet, view: SunView, eye: Array, map_px: int) -> DrawList:
    """The casting rows in the sun's view; positions relative to `eye`."""
    seen = np.flatnonzero(table.casts)
    relative = table.caster[seen] - eye
    depth = relative @ view.basis[2]
    px_per_m = np.full(len(seen), map_px / view.width_m * SHADOW_COARSENESS)
    return _listed(table, known, seen, relative, depth, px_per_m, 0.0)


def _listed(
    table: Table, known: MeshSet, seen: Array, relative: Array, ends: Array, px_per_m: Array, far_m: float
) -> DrawList:
    rows = table.row[seen]
    meshes = _finest_needed(table.mesh[seen], rows["half"], px_per_m)
    shell = np.searchsorted(SHELLS_M, ends)
    order = np.lexsort((ends, meshes, shell))
    rows = rows[order]
    rows["row0"][:, 3], rows["row1"][:, 3], rows["row2"][:, 3] = relative[order].T
    meshes = meshes[order]
    batch = meshes + len(known.count) * shell[order]
    starts = np.flatnonzero(np.diff(batch, prepend=-1))
    counts = np.diff(np.append(starts, len(meshes)))
    kinds = meshes[starts]
    commands = np.stack(
        [known.count[kinds], counts, known.first[kinds], known.base[kinds], starts], axis=1
    ).astype(np.int32)
    return DrawList(rows, commands, far_m)


def _finest_needed(coarsest: Array, half: Array, px_per_m: Array) -> Array:
    meshes = coarsest.copy()
    width = np.maximum(half[:, 0], half[:, 1])
    radius_px = np.where(coarsest == ELLIPSOID, np.maximum(width, half[:, 2]), width) * px_per_m
    bevel_px = half[:, 3] * px_per_m
    sharp = bevel_px < BEVEL_PX[0]
    meshes[(coarsest == CYLINDER_BEVEL) & sharp] = CYLINDER
    for mesh, limits in FINER_PX.items():
        of_kind = coarsest == mesh
        meshes[of_kind] += np.searchsorted(limits, radius_px[of_kind], side="right").astype(meshes.dtype)
    rounded = coarsest == BOX_BEVEL
    meshes[rounded & sharp] = BOX
    meshes[rounded & (bevel_px >= BEVEL_PX[1])] = BOX_BEVEL + 1
    return meshes
