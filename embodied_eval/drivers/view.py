"""What a world driver shows: keeps a renderer's entities in step with the things of its scene."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from embodied_eval.drivers.base import MISSING_MATERIAL, LightPatch, ObjectState, Vec3, eye
from embodied_eval.drivers.render.entity import UNCHANGED, Unchanged
from embodied_eval.drivers.things import Thing
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
    from embodied_eval.drivers.render import Entity

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


Box = tuple[int, int, int, int]
Shown = dict[int, tuple[int, Box | None]]


class Renderer(Protocol):
    """What draws; `drivers.render.Renderer` documents each method. `name` is the renderer's string."""

    name: str

    def add(self, entity: Entity) -> None:
        """Add an entity at the origin, visible."""

    def remove(self, key: str) -> None:
        """Remove an entity."""

    def update(
        self,
        key: str,
        *,
        position: Any = None,
        rotation: Any = None,
        scale: Any = None,
        shadow_offset: Any = None,
        visible: bool | None = None,
        casts_shadow: bool | None = None,
        material: str | Literal[Unchanged.UNCHANGED] | None = UNCHANGED,
        tint: Vec3 | Literal[Unchanged.UNCHANGED] | None = UNCHANGED,
        glow: bool | None = None,
    ) -> None:
        """Change what is given."""

    def set_light(
        self,
        name: str,
        *,
        on: bool | None = None,
        intensity: float | None = None,
        color: Vec3 | None = None,
    ) -> None:
        """Change a lamp or the sun."""

    def render(
        self, eye: Vec3, yaw_deg: float, pitch_deg: float, size: tuple[int, int], modalities: Collection[str]
    ) -> dict[str, Any]:
        """The asked-for arrays of a frame."""

    def shown(
        self,
        eye: Vec3,
        yaw_deg: float,
        pitch_deg: float,
        size: tuple[int, int],
        *,
        overrides: Mapping[str, tuple[Any, Any, Any, bool]] | None = None,
        only: Collection[int] | None = None,
        ids: Collection[int] = (),
    ) -> Shown:
        """For each object id of `ids` its pixels and its box (x0, y0, x1, y1), x1 and y1 exclusive, None
        where it has no pixel; `overrides` and `only` as in `Renderer.ids`."""

    def close(self) -> None:
        """Free what it holds."""


class View:
    """The renderer of one world, in step with its things."""

    def __init__(self, world: World, renderer: Renderer) -> None:
        self.world, self.renderer = world, renderer
        self._drawn: dict[str, tuple[int, object]] = {}
        self._keys: dict[str, list[str]] = {}
        # What was asked for last and its answer, until anything changes: the last frame of a film is often the
        # one at the end of the motion, too.
        self._picture: tuple[object, dict[str, Any]] | None = None
        self._rows: tuple[object, tuple[VisibilityRow, ...]] | None = None

    def close(self) -> None:
        """Free the renderer."""
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
        self._picture = None
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

    def _changed(self) -> None:
        self._picture = self._rows = None

    def _add(self, thing: Thing) -> None:
        from embodied_eval.drivers.render import Entity

        self._changed()
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
        self._changed()
        for key in self._keys.pop(name):
            self.renderer.remove(key)
        del self._drawn[name]

    def _update(self, thing: Thing) -> None:
        self._changed()
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
        """The renderer's arrays from the agent's eye; the caller's own to change."""
        asked = (pose, frozenset(modalities), size)
        if self._picture is None or self._picture[0] != asked:
            point = eye(pose, self.world.eye_height_m)
            drawn = self.renderer.render(point, pose.yaw_deg, pose.pitch_deg, size, modalities)
            self._picture = asked, drawn
        return {name: array.copy() for name, array in self._picture[1].items()}

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
        asked = (tuple(names), dict(twin), pose, size)
        if self._rows is None or self._rows[0] != asked:
            self._rows = asked, self._visibility(ref, names, things, twin, pose, size)
        return tuple(replace(row, ref=ref) for row in self._rows[1])

    def _visibility(
        self,
        ref: str,
        names: Collection[str],
        things: Mapping[str, Thing],
        twin: Mapping[str, ObjectState],
        pose: Pose,
        size: tuple[int, int],
    ) -> tuple[VisibilityRow, ...]:
        camera = (eye(pose, self.world.eye_height_m), pose.yaw_deg, pose.pitch_deg, size)
        overrides = self._twin_overrides(names, things, twin)
        present = [things[name].id for name in names if name in things]
        now = self.renderer.shown(*camera, ids=present)
        clean = self.renderer.shown(*camera, overrides=overrides, ids=present) if overrides else now
        rows = []
        for name in names:
            thing = things.get(name)
            if thing is None:
                rows.append(VisibilityRow(ref, name, 0, 0, None, 0, 0, None, size[0] * size[1]))
                continue
            own = {thing.id}
            alone = clean_alone = self.renderer.shown(*camera, only=own, ids=own)[thing.id]
            if any(key in overrides for key in self._keys[name]):
                clean_alone = self.renderer.shown(*camera, overrides=overrides, only=own, ids=own)[thing.id]
            pixels, box = now[thing.id]
            twin_pixels, twin_box = clean[thing.id]
            rows.append(
                VisibilityRow(
                    ref,
                    name,
                    pixels,
                    alone[0],
                    box,
                    twin_pixels,
                    clean_alone[0],
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
