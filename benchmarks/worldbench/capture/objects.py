"""The objects of a scene as pictures show them: where they are in a frame, and whether they move."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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


def join(whole: dict[int, Change], later: Mapping[int, Change]) -> None:
    """Add to `whole` what was other at a later moment; the movement is that of the last."""
    for number, (kinds, by) in later.items():
        known = whole[number][0] if number in whole else ()
        whole[number] = (tuple(dict.fromkeys((*known, *kinds))), by)


@dataclass(frozen=True)
class Moving:
    """What a view of a burst tells of the objects that share name, parents, type and colour: `ids` are theirs."""

    motion: ObjectMotion
    ids: tuple[int, ...]


def motions(
    graph: SceneGraph,
    camera: Camera,
    size: tuple[int, int],
    changed_px: NDArray[np.bool_],
    drift: Mapping[int, Change],
    drift_s: float,
    whole: Mapping[int, Change],
) -> tuple[Moving, ...]:
    """The objects in view, joined as in `scene_items`, changed ones first, then by area: at most 60 that changed and
    60 that did not. `drift` is what changed in the first `drift_s` seconds, `whole` over the burst."""
    groups: dict[object, list[ObjectMotion]] = {}
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
        one = ObjectMotion(
            node.id,
            name,
            parents,
            node.type,
            node.material.color,
            whole[node.id][0] if node.id in whole else (),
            (by[0] / drift_s, by[1] / drift_s, by[2] / drift_s),
            covered,
            float(changed_px[top:bottom, left:right].mean()),
        )
        groups.setdefault(kind_of(one), []).append(one)
    moving = sorted(map(_whole, groups.values()), key=lambda one: (-one.motion.area, one.motion.id))
    changed = [one for one in moving if one.motion.changed][:LISTED]
    return tuple(changed + [one for one in moving if not one.motion.changed][:LISTED])


def kind_of(one: ObjectMotion) -> object:
    """What makes objects one of a kind: name, parents, type and colour."""
    return (one.name, one.parents, one.type, one.color)


def _whole(parts: Sequence[ObjectMotion]) -> Moving:
    """Parts as one: their areas together, the mean share over these, the middle drift of those that drift."""
    covered = sum(one.area for one in parts)
    drifts = np.asarray([one.drift for one in parts if any(one.drift)] or [(0.0, 0.0, 0.0)])
    x, y, z = np.median(drifts, axis=0)
    motion = replace(
        parts[0],
        changed=tuple(dict.fromkeys(kind for one in parts for kind in one.changed)),
        drift=(round(float(x), 4), round(float(y), 4), round(float(z), 4)),
        area=round(min(1.0, covered), 6),
        share_in_box=round(sum(one.area * one.share_in_box for one in parts) / covered, 6),
    )
    return Moving(motion, tuple(one.id for one in parts))


async def masked(
    stage: Stage, found: tuple[Moving, ...], changed_px: NDArray[np.bool_]
) -> tuple[ObjectMotion, ...]:
    """With the share of changed pixels inside what is really to be seen of the largest objects that changed: the
    standing scene is drawn without each of them in turn (`worldbench.md` 5.6)."""
    wanted = [at for at, one in enumerate(found) if one.motion.changed][:MASKED]
    made = [one.motion for one in found]
    if not wanted:
        return tuple(made)
    await stage.script("without", [])
    whole = (await stage.shoot()).astype(np.int16)
    for at in wanted:
        await stage.script("without", list(found[at].ids))
        rgb = await stage.shoot()
        mask = np.abs(rgb.astype(np.int16) - whole).max(axis=2) > MASK_STEP
        inside = float(changed_px[mask].mean()) if mask.any() else 0.0
        made[at] = replace(
            made[at], visible_share=round(float(mask.mean()), 6), share_in_mask=round(inside, 6)
        )
    return tuple(made)
