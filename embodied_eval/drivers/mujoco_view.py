"""What the MuJoCo driver shows: keeps the renderer's entities in step with the things of the scene."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from embodied_eval.drivers.base import MISSING_MATERIAL, LightPatch, ObjectState, Vec3, eye
from embodied_eval.drivers.mujoco_scene import Thing
from embodied_eval.records import Pose, VisibilityRow
from embodied_eval.worlds.geometry import (
    Array,
    matrix_of,
    part_pose,
    quaternion,
    rest_amount,
    rotation_matrix,
)
from embodied_eval.worlds.mjcf import parts_of
from embodied_eval.worlds.model import Material, World

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Movable bodies are drawn on this grid, so that one that trembles at rest does not redraw the shadows.
_DRAWN_M, _DRAWN_TURN = 0.0005, 2048.0
MATERIALS: Mapping[str, Material] = {
    "default": Material(),
    MISSING_MATERIAL: Material("checker", (1.0, 0.0, 1.0), (0.0, 0.0, 0.0), 0.25),
}


def materials_of(world: World) -> dict[str, Material]:
    """The world's materials, with the plain one that primitives have by default and the missing texture."""
    return {**MATERIALS, **world.materials}


def entity_key(name: str, part: str) -> str:
    """The renderer's key of an object's part."""
    return f"{name}/{part}" if part else name


class View:
    """The renderer of one world, in step with its things. Creating it creates the GL context."""

    def __init__(self, world: World) -> None:
        from embodied_eval.drivers.render import Renderer

        self.world = world
        self.renderer = Renderer(
            materials_of(world), world.sky, world.sun, world.lights, fov_deg=world.fov_deg
        )
        self._drawn: dict[str, tuple[int, object]] = {}
        self._keys: dict[str, list[str]] = {}

    def close(self) -> None:
        """Free the GL context."""
        self.renderer.close()

    def reset(self) -> None:
        """Forget what was drawn of the last load: spawned objects go, all others are placed anew."""
        for name, (number, _) in list(self._drawn.items()):
            if number >= len(self.world.objects):
                self._remove(name)
            else:
                self._drawn[name] = (number, None)

    def light(self, name: str, patch: LightPatch) -> None:
        """Change a lamp or the sun."""
        self.renderer.set_light(name, on=patch.on, intensity=patch.intensity, color=patch.color)

    def sync(self, things: Iterable[Thing]) -> None:
        """Bring every entity up to its thing: add what is new, remove what is gone, move what moved."""
        present = {}
        for thing in things:
            name = thing.item.name
            present[name] = thing.id
            if name in self._drawn and self._drawn[name][0] != thing.id:
                self._remove(name)
            if name not in self._drawn:
                self._add(thing)
            mark = _mark(thing)
            if self._drawn[name][1] != mark:
                self._update(thing)
                self._drawn[name] = (thing.id, mark)
        for name in [name for name in self._drawn if name not in present]:
            self._remove(name)

    def _add(self, thing: Thing) -> None:
        from embodied_eval.drivers.render import Entity

        item = thing.item
        keys = []
        for part in parts_of(item):
            primitives = tuple(primitive for primitive in item.primitives if primitive.part == part)
            if primitives:
                keys.append(entity_key(item.name, part))
                self.renderer.add(Entity(keys[-1], thing.id, primitives))
        self._keys[item.name] = keys
        self._drawn[item.name] = (thing.id, None)

    def _remove(self, name: str) -> None:
        for key in self._keys.pop(name):
            self.renderer.remove(key)
        del self._drawn[name]

    def _update(self, thing: Thing) -> None:
        for part in parts_of(thing.item):
            key = entity_key(thing.item.name, part)
            if key not in self._keys[thing.item.name]:
                continue
            position, rotation = _drawn_pose(thing, part)
            self.renderer.update(
                key,
                position=position,
                rotation=rotation,
                scale=thing.scale,
                visible=thing.visible,
                casts_shadow=thing.casts_shadow,
                shadow_offset=thing.shadow_offset_m,
                material=thing.material,
                tint=thing.color,
                glow=thing.device.on if thing.device else True,
            )

    def render(self, pose: Pose, modalities: Collection[str], size: tuple[int, int]) -> dict[str, Any]:
        """The renderer's arrays from the agent's eye."""
        point = eye(pose, self.world.eye_height_m)
        arrays: dict[str, Any] = self.renderer.render(point, pose.yaw_deg, pose.pitch_deg, size, modalities)
        return arrays

    def visibility(
        self,
        ref: str,
        names: Collection[str],
        things: Mapping[str, Thing],
        twin: Mapping[str, ObjectState],
        pose: Pose,
        size: tuple[int, int],
    ) -> tuple[VisibilityRow, ...]:
        """As `Driver.visibility`; a name that is neither loaded nor in `twin` shows nothing."""
        camera = (eye(pose, self.world.eye_height_m), pose.yaw_deg, pose.pitch_deg, size)
        overrides = self._twin_overrides(names, things, twin)
        now = self.renderer.ids(*camera)
        clean = self.renderer.ids(*camera, overrides=overrides) if overrides else now
        rows = []
        for name in names:
            thing = things.get(name)
            if thing is None:
                rows.append(VisibilityRow(ref, name, 0, 0, None, 0, 0, None, size[0] * size[1]))
                continue
            alone = self.renderer.ids(*camera, only={thing.id})
            clean_alone = alone
            if any(key in overrides for key in self._keys[name]):
                clean_alone = self.renderer.ids(*camera, overrides=overrides, only={thing.id})
            pixels, box = _shown(now, thing.id)
            twin_pixels, twin_box = _shown(clean, thing.id)
            rows.append(
                VisibilityRow(
                    ref,
                    name,
                    pixels,
                    _shown(alone, thing.id)[0],
                    box,
                    twin_pixels,
                    _shown(clean_alone, thing.id)[0],
                    twin_box,
                    size[0] * size[1],
                )
            )
        return tuple(rows)

    def _twin_overrides(
        self, names: Collection[str], things: Mapping[str, Thing], twin: Mapping[str, ObjectState]
    ) -> dict[str, tuple[Vec3, Array, Vec3, bool]]:
        found: dict[str, tuple[Vec3, Array, Vec3, bool]] = {}
        for name, thing in things.items():
            if name in twin:
                was = twin[name]
                rotation = rotation_matrix(was.rotation_deg)
                for part in parts_of(thing.item):
                    own, offset = _twin_part(thing, was, part)
                    position = rotation @ offset + np.array(was.position)
                    place = (float(position[0]), float(position[1]), float(position[2]))
                    found[entity_key(name, part)] = (place, rotation @ own, was.scale, was.visible)
            elif thing.spawned and name in names:
                for key in self._keys[name]:
                    found[key] = (thing.position, thing.rotation, thing.scale, False)
        return {
            key: value for key, value in found.items() if any(key in keys for keys in self._keys.values())
        }


def _twin_part(thing: Thing, was: ObjectState, part: str) -> tuple[Array, Array]:
    interaction = thing.item.interaction
    if thing.device is None or interaction is None or part != interaction.part:
        return np.eye(3), np.zeros(3)
    # A device that is as it was keeps its amount: mid-swing, and for a spin, which has no rest.
    same = was.state == thing.device.state or interaction.kind == "spin"
    amount = thing.device.amount if same else rest_amount(interaction, was.state)
    return part_pose(interaction, amount, was.scale)


def _drawn_pose(thing: Thing, part: str) -> tuple[Vec3, Array]:
    if not thing.free:
        position, rotation = thing.part_in_world(part)
        return (float(position[0]), float(position[1]), float(position[2])), rotation
    place, turn = _rounded(thing)
    own, offset = thing.part(part)
    base = matrix_of(np.array(turn) / np.linalg.norm(turn))
    position = base @ offset + np.array(place) * _DRAWN_M
    return (float(position[0]), float(position[1]), float(position[2])), base @ own


def _rounded(thing: Thing) -> tuple[tuple[int, ...], tuple[int, ...]]:
    turn = quaternion(thing.rotation) * _DRAWN_TURN
    return (
        tuple(round(value / _DRAWN_M) for value in thing.position),
        tuple(round(float(value)) for value in turn),
    )


def _mark(thing: Thing) -> object:
    """Equal marks mean equal pictures."""
    if not thing.free:
        return thing.stamp
    device = (thing.device.on, thing.device.amount) if thing.device else None
    shown = (thing.scale, thing.visible, thing.casts_shadow, thing.color, thing.material)
    return (_rounded(thing), shown, thing.shadow_offset_m, device)


def _shown(ids: NDArray[np.int32], number: int) -> tuple[int, tuple[int, int, int, int] | None]:
    """Pixels of an object in a mask and its box (x0, y0, x1, y1), x1 and y1 exclusive."""
    mask = ids == number
    rows = np.nonzero(mask.any(axis=1))[0]
    if not rows.size:
        return 0, None
    columns = np.nonzero(mask.any(axis=0))[0]
    box = (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
    return int(mask.sum()), box
