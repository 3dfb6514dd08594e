"""An object of a loaded world as it is now, and the worlds that can't be loaded."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from embodied_eval.drivers.base import MISSING_MATERIAL, ObjectState
from embodied_eval.drivers.body import PUSH_LIMIT_KG
from embodied_eval.errors import CapabilityMissing, DataFileError
from embodied_eval.worlds.devices import Device
from embodied_eval.worlds.geometry import (
    IDENTITY,
    NO_MESHES,
    Array,
    joint_bounds,
    part_pose,
    rotation_angles,
    rotation_matrix,
    solids,
    vec3,
)
from embodied_eval.worlds.model import Mesh, Vec3, World, WorldObject


@dataclass
class Thing:
    """One object as it is now. `stamp` grows with every change that pictures or bounds depend on; `meshes`
    are its world's."""

    id: int
    item: WorldObject
    position: Vec3
    rotation: Array
    scale: Vec3
    visible: bool
    collides: bool
    casts_shadow: bool
    spawned: bool = False
    angles_deg: Vec3 | None = None
    color: Vec3 | None = None
    material: str | None = None
    shadow_offset_m: Vec3 = (0.0, 0.0, 0.0)
    device: Device | None = None
    velocity_m_s: Vec3 = (0.0, 0.0, 0.0)
    meshes: Mapping[str, Mesh] = field(default_factory=dict)
    stamp: int = 0
    _bounds: tuple[int, tuple[Vec3, Vec3]] | None = None

    @classmethod
    def of(
        cls,
        item: WorldObject,
        number: int,
        *,
        spawned: bool = False,
        meshes: Mapping[str, Mesh] = NO_MESHES,
    ) -> Thing:
        """`item` as the world file says, with its id."""
        return cls(
            number,
            item,
            item.position,
            rotation_matrix(item.rotation_deg),
            item.scale,
            item.visible,
            item.collides,
            item.casts_shadow,
            spawned,
            item.rotation_deg,
            device=Device(item.name, item.interaction) if item.interaction else None,
            meshes=meshes,
        )

    @property
    def free(self) -> bool:
        """Whether physics moves it."""
        return self.item.dynamic

    @property
    def light(self) -> bool:
        """Whether the agent can push it."""
        return self.free and self.item.mass_kg <= PUSH_LIMIT_KG

    def part(self, part: str) -> tuple[Array, Array]:
        """Rotation and offset of a part in the object's frame."""
        interaction = self.item.interaction
        if self.device is None or interaction is None or part != interaction.part:
            return IDENTITY, np.zeros(3)
        return part_pose(interaction, self.device.amount, self.scale)

    def part_in_world(self, part: str) -> tuple[Array, Array]:
        """Position and rotation of a part in the world."""
        rotation, offset = self.part(part)
        return self.rotation @ offset + np.array(self.position), self.rotation @ rotation

    def state(self) -> ObjectState:
        """As the driver contract tells it."""
        if self._bounds is None or self._bounds[0] != self.stamp:
            amount = self.device.amount if self.device else None
            shapes = solids(self.item, amount=amount, scale=self.scale, meshes=self.meshes)
            offset = np.array(self.position)
            low, high = joint_bounds(shape.moved(self.rotation, offset) for shape in shapes)
            self._bounds = (self.stamp, (vec3(low), vec3(high)))
        if self.angles_deg is None:
            self.angles_deg = rotation_angles(self.rotation)
        return ObjectState(
            self.id,
            self.item.name,
            self.position,
            self.angles_deg,
            self.scale,
            self.visible,
            self.collides,
            self.casts_shadow,
            self.color,
            self.device.state if self.device else "",
            self._bounds[1],
            self.velocity_m_s,
            self.material,
            self.shadow_offset_m,
        )


def pair_of(first: str, second: str) -> tuple[str, str]:
    """Two names in the order in which contacts give them."""
    return (first, second) if first <= second else (second, first)


def check_world(world: World, materials: Collection[str]) -> None:
    """Raise DataFileError for a world that contradicts itself, where `materials` are those there are, and
    CapabilityMissing for one that is a page or a game."""
    if world.page is not None:
        raise CapabilityMissing(
            f"World {world.name!r} is a page; nothing is known of what is in it.",
            command="load",
            hint="Load it with the driver `page`.",
        )
    if world.game is not None:
        raise CapabilityMissing(
            f"World {world.name!r} is a game; its objects are only known by their boxes.",
            command="load",
            hint="Play it on the driver `unrealcv`.",
        )
    names = [item.name for item in world.objects]
    twice = sorted({name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else ())
    if twice or "agent" in names:
        raise DataFileError(f"World {world.name!r}: names not unique or reserved: {twice or ['agent']}.")
    if MISSING_MATERIAL in world.materials:
        raise DataFileError(f"World {world.name!r}: the material name {MISSING_MATERIAL!r} is reserved.")
    lights = {light.name for light in world.lights}
    for item in world.objects:
        check_item(item, materials)
        missing = set(item.interaction.lights) - lights if item.interaction else set()
        if missing:
            raise DataFileError(
                f"Object {item.name!r} switches lights that are not there: {sorted(missing)}."
            )


def check_item(item: WorldObject, materials: Collection[str]) -> None:
    """Raise DataFileError for an object that uses other materials than `materials`."""
    named = {primitive.material for primitive in item.primitives if primitive.material or not primitive.mesh}
    missing = named - set(materials)
    if missing:
        raise DataFileError(f"Object {item.name!r} uses materials that are not there: {sorted(missing)}.")
