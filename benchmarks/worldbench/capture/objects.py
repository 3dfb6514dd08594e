"""The objects of a scene as pictures show them: where they are in a frame, and whether they move."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.worldbench.capture.manifest import Camera, ObjectMotion, SceneItem, Vec3

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from benchmarks.worldbench.capture.stage import Stage
    from embodied_eval.drivers.browser.scene import SceneGraph, SceneNode

ITEMS = 400
LISTED = 60
MASKED = 6
LEAST_AREA = 0.0005
MASK_STEP = 8
NEAR = 1e-3
Change = tuple[tuple[str, ...], Vec3]


def name_of(graph: SceneGraph, node: SceneNode) -> tuple[str, tuple[str, ...]]:
    """An object's own name or that of the nearest thing it is part of, and all names above it, nearest first."""
    above, at = [], node.parent
    while at >= 0:
        if graph.nodes[at].name:
            above.append(graph.nodes[at].name)
        at = graph.nodes[at].parent
    return node.name or (above[0] if above else ""), tuple(above)


def box_px(
    bounds: tuple[Vec3, Vec3], camera: Camera, size: tuple[int, int]
) -> tuple[float, float, float, float] | None:
    """(left, top, right, bottom) in pixels of a world box in a frame of `size`, cut at its edges; None where none
    of it is in view."""
    low, high = np.asarray(bounds[0]), np.asarray(bounds[1])
    corners = np.asarray([[(low, high)[(n >> axis) & 1][axis] for axis in range(3)] for n in range(8)])
    forward, up = np.asarray(camera.forward), np.asarray(camera.up)
    right = np.cross(forward, up)
    around = corners - np.asarray(camera.position)
    depth = around @ forward
    if depth.max() <= NEAR or camera.fov_deg <= 0:
        return None
    depth = np.maximum(depth, NEAR)
    scale = size[1] / 2 / np.tan(np.radians(camera.fov_deg) / 2)
    x = size[0] / 2 + scale * (around @ right) / depth
    y = size[1] / 2 - scale * (around @ up) / depth
    left, width = max(0.0, float(x.min())), min(float(size[0]), float(x.max()))
    top, height = max(0.0, float(y.min())), min(float(size[1]), float(y.max()))
    return (left, top, width, height) if width > left and height > top else None


def area(box: tuple[float, float, float, float] | None, size: tuple[int, int]) -> float:
    """The share of the frame that a box covers, 0..1."""
    if box is None:
        return 0.0
    return round((box[2] - box[0]) * (box[3] - box[1]) / (size[0] * size[1]), 6)


def scene_items(graph: SceneGraph, camera: Camera) -> tuple[tuple[SceneItem, ...], int, int]:
    """The drawn objects, the 400 largest in view, largest first; how many are drawn in all, and their triangles.

    Objects that share name, parents, type and look are one row: a world of plain meshes has thousands of cubes, and
    what each of them is part of is what matters.
    """
    size = (round(1000 * camera.aspect), 1000)
    drawn = [node for node in graph.nodes if node.visible and node.material is not None]
    rows = []
    for node in drawn:
        covered = area(box_px(node.bounds, camera, size), size) if node.bounds else 0.0
        name, parents = name_of(graph, node)
        assert node.material is not None
        rows.append(
            SceneItem(
                node.id,
                name,
                parents,
                node.type,
                _rounded(node.bounds),
                node.material.color,
                node.material.emissive,
                round(node.material.opacity, 4),
                node.triangles * node.instances,
                node.instances,
                covered,
            )
        )
    joined = sorted(_joined(rows), key=lambda row: (-row.area, row.id))
    return tuple(joined[:ITEMS]), len(drawn), graph.triangles


def _joined(rows: Sequence[SceneItem]) -> list[SceneItem]:
    made: dict[object, SceneItem] = {}
    for row in rows:
        key = (row.name, row.parents, row.type, row.color, row.emissive, row.opacity)
        one = made.get(key)
        if one is None or one.bounds is None or row.bounds is None:
            made[key] = row if one is None else one
            continue
        (a, b), (c, d) = one.bounds, row.bounds
        low = (min(a[0], c[0]), min(a[1], c[1]), min(a[2], c[2]))
        high = (max(b[0], d[0]), max(b[1], d[1]), max(b[2], d[2]))
        made[key] = replace(
            one,
            bounds=(low, high),
            triangles=one.triangles + row.triangles,
            instances=one.instances + row.instances,
            area=min(1.0, one.area + row.area),
        )
    return list(made.values())


def _rounded(bounds: tuple[Vec3, Vec3] | None) -> tuple[Vec3, Vec3] | None:
    if bounds is None:
        return None
    (a, b, c), (d, e, f) = bounds
    return (round(a, 4), round(b, 4), round(c, 4)), (round(d, 4), round(e, 4), round(f, 4))


async def changes(stage: Stage) -> dict[int, Change]:
    """What is other in the scene than at `stage.script("mark")`: object id -> kinds of change, movement (page
    units, page axes)."""
    text = await stage.script("moved")
    return {
        int(number): (tuple(kinds), (float(by[0]), float(by[1]), float(by[2])))
        for number, kinds, by in (json.loads(text) if text else [])
    }


def motions(
    graph: SceneGraph,
    camera: Camera,
    size: tuple[int, int],
    changed_px: NDArray[np.bool_],
    drift: Mapping[int, Change],
    drift_s: float,
    whole: Mapping[int, Change],
) -> tuple[ObjectMotion, ...]:
    """The objects in view, changed ones first, then by area: at most 60 that changed and 60 that did not. `drift`
    is what changed in the first `drift_s` seconds, `whole` over the burst."""
    found = []
    for node in graph.nodes:
        if node.material is None or node.bounds is None or not (node.visible or node.id in whole):
            continue
        box = box_px(node.bounds, camera, size)
        covered = area(box, size)
        if box is None or covered < LEAST_AREA:
            continue
        left, top, right, bottom = (int(box[0]), int(box[1]), int(np.ceil(box[2])), int(np.ceil(box[3])))
        name, parents = name_of(graph, node)
        by = drift[node.id][1] if node.id in drift else (0.0, 0.0, 0.0)
        speed = tuple(round(value / drift_s, 4) for value in by)
        found.append(
            ObjectMotion(
                node.id,
                name,
                parents,
                node.type,
                node.material.color,
                whole[node.id][0] if node.id in whole else (),
                (speed[0], speed[1], speed[2]),
                covered,
                round(float(changed_px[top:bottom, left:right].mean()), 6),
            )
        )
    found.sort(key=lambda one: (-one.area, one.id))
    moving = [one for one in found if one.changed][:LISTED]
    return tuple(moving + [one for one in found if not one.changed][:LISTED])


async def masked(
    stage: Stage, found: tuple[ObjectMotion, ...], changed_px: NDArray[np.bool_]
) -> tuple[ObjectMotion, ...]:
    """With the share of changed pixels inside what is really to be seen of the largest objects that changed: the
    standing scene is drawn without each of them in turn (`worldbench.md` 5.6)."""
    from dataclasses import replace

    wanted = [one.id for one in found if one.changed][:MASKED]
    if not wanted:
        return found
    await stage.script("without", -1)
    whole = (await stage.shoot()).astype(np.int16)
    measured: dict[int, tuple[float, float]] = {}
    for number in wanted:
        await stage.script("without", number)
        rgb = await stage.shoot()
        mask = np.abs(rgb.astype(np.int16) - whole).max(axis=2) > MASK_STEP
        inside = float(changed_px[mask].mean()) if mask.any() else 0.0
        measured[number] = (round(float(mask.mean()), 6), round(inside, 6))
    return tuple(
        replace(one, visible_share=measured[one.id][0], share_in_mask=measured[one.id][1])
        if one.id in measured
        else one
        for one in found
    )
