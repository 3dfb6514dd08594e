"""What a page's scene names, as objects that can be read and not changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from embodied_eval.drivers.base import ObjectState, Vec3
from embodied_eval.drivers.page.axes import to_ours

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.scene import SceneGraph

Box = tuple[Vec3, Vec3]


def named_objects(scene: SceneGraph | None, scale: float) -> dict[str, ObjectState]:
    """Every node with a name of its own and something to see in it, by name; later ones of the same name are
    told apart by a number ("pot", "pot 2"). Ids are places in the scene graph, rotations are not told."""
    if scene is None:
        return {}
    boxes: list[Box | None] = [node.bounds for node in scene.nodes]
    for node in reversed(scene.nodes):
        if node.parent >= 0:
            boxes[node.parent] = _joined(boxes[node.parent], boxes[node.id])
    made: dict[str, ObjectState] = {}
    counts: dict[str, int] = {}
    for node in scene.nodes:
        box = boxes[node.id]
        if not node.name or node.parent < 0 or box is None:
            continue
        counts[node.name] = counts.get(node.name, 0) + 1
        number = counts[node.name]
        name = node.name if number == 1 else f"{node.name} {number}"
        a, b = to_ours(box[0], scale), to_ours(box[1], scale)
        made[name] = ObjectState(
            id=node.id,
            name=name,
            position=to_ours([float(value) for value in scene.matrices[node.id, 12:15]], scale),
            rotation_deg=(0.0, 0.0, 0.0),
            scale=(1.0, 1.0, 1.0),
            visible=node.visible,
            collides=True,
            casts_shadow=node.cast_shadow,
            color=None,
            state="",
            bounds=((a[0], b[1], a[2]), (b[0], a[1], b[2])),
        )
    return made


def _joined(one: Box | None, two: Box | None) -> Box | None:
    if one is None or two is None:
        return one or two
    (ax, ay, az), (bx, by, bz) = one
    (cx, cy, cz), (dx, dy, dz) = two
    return ((min(ax, cx), min(ay, cy), min(az, cz)), (max(bx, dx), max(by, dy), max(bz, dz)))
