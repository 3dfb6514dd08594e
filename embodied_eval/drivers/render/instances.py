"""The table of everything drawn: one row a primitive, rewritten only for entities that changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.render.entity import Entity, EntityState, rest_state
from embodied_eval.drivers.render.looks import look, mapping, material_of
from embodied_eval.drivers.render.meshes import (
    BOX,
    BOX_BEVEL,
    CAPSULE,
    CONE,
    CYLINDER,
    CYLINDER_BEVEL,
    ELLIPSOID,
)
from embodied_eval.drivers.render.models import Models, no_models
from embodied_eval.errors import ConfigError, UnknownName
from embodied_eval.worlds.model import Material, Primitive

Array = NDArray[Any]
PLACE = ("position", "rotation", "scale", "shadow_offset")
ROW = np.dtype(
    [
        ("row0", np.float32, 4),
        ("row1", np.float32, 4),
        ("row2", np.float32, 4),
        ("half", np.float32, 4),
        ("repeat", np.float32, 4),
        ("offset", np.float32, 4),
        ("look", np.uint32, 4),
    ]
)
"""One instance as `glsl/scene.vert` reads it; the translation in row0..2[3] is filled in for each view."""


@dataclass(frozen=True)
class _Parts:
    """An entity's pieces in its own frame: centres (n, 3), rotations (n, 3, 3), half extents (n, 3). A piece
    is a primitive, or one group of a mesh."""

    entity: Entity
    materials: tuple[Material, ...]
    centers: Array
    rotations: Array
    halves: Array
    bevels: Array
    repeats: Array
    offsets: Array
    meshes: Array


@dataclass
class Table:
    """Rows of all entities, arrays of equal length. `center` (n, 3) and `extent` (n, 3) are the world's
    axis-aligned box of a primitive, metres; `caster` (n, 3) the middle of what its shadow falls from; `mesh`
    its solid's coarsest mesh in the set; `drawn`, `casts` booleans."""

    row: Array
    center: Array
    caster: Array
    extent: Array
    radius: Array
    mesh: Array
    object_id: Array
    drawn: Array
    casts: Array


class Instances:
    """The entities of a renderer. `changes` counts every change, `shadow_changes` those that the shadow
    map shows."""

    def __init__(
        self, materials: Mapping[str, Material], layers: Mapping[str, int], models: Models | None = None
    ) -> None:
        self._materials, self._layers = materials, layers
        self._models = no_models() if models is None else models
        self._parts: dict[str, _Parts] = {}
        self._states: dict[str, EntityState] = {}
        self._slices: dict[str, slice] = {}
        self._table: Table | None = None
        self._dirty: set[str] = set()
        self.shadow_changes = 0

    def add(self, entity: Entity) -> None:
        """Add at rest; ConfigError if the key is taken, UnknownName for a missing material."""
        if entity.key in self._parts:
            raise ConfigError(f"There is already an entity {entity.key!r}.", hint="Remove it first.")
        self._parts[entity.key] = _parts(entity, self._materials, self._models)
        self._states[entity.key] = rest_state()
        self._table = None
        self.shadow_changes += 1

    def remove(self, key: str) -> None:
        """Forget an entity; UnknownName if there is none."""
        self._known(key)
        shadow = self._states[key].visible and self._states[key].casts_shadow
        del self._parts[key], self._states[key]
        self._dirty.discard(key)
        self._table = None
        self.shadow_changes += shadow

    def state(self, key: str) -> EntityState:
        """An entity's present state; UnknownName if there is none."""
        self._known(key)
        return self._states[key]

    def change(self, key: str, **fields: Any) -> None:
        """Set fields of an entity's state; what is equal to the present value changes nothing."""
        old = self.state(key)
        new = replace(old, **fields)
        moved = not all(np.array_equal(getattr(new, name), getattr(old, name)) for name in PLACE)
        if not moved and _shown(new) == _shown(old):
            return
        if new.material != old.material:
            self._parts[key] = _parts(self._parts[key].entity, self._materials, self._models, new.material)
        self._states[key] = new
        self._dirty.add(key)
        before, after = old.visible and old.casts_shadow, new.visible and new.casts_shadow
        self.shadow_changes += before != after or (moved and after)

    def table(self) -> Table:
        """The rows as they are now."""
        if self._table is None:
            self._table = self._rebuilt()
        for key in self._dirty:
            self._write(self._table, self._slices[key], key, self._states[key])
        self._dirty.clear()
        return self._table

    def overridden(
        self, overrides: Mapping[str, tuple[Any, Any, Any, bool]], only: Collection[int] | None
    ) -> Table:
        """A copy of the rows with other (position, rotation, scale, visible) for some entities and, with
        `only`, nothing but these object ids drawn."""
        table = self.table()
        copy = Table(**{name: value.copy() for name, value in vars(table).items()})
        for key, (position, rotation, scale, visible) in overrides.items():
            fields: dict[str, Any] = transform(key, position, rotation, scale)
            state = replace(self.state(key), **fields, visible=bool(visible))
            self._write(copy, self._slices[key], key, state)
        if only is not None:
            copy.drawn &= np.isin(copy.object_id, list(only))
        return copy

    def _known(self, key: str) -> None:
        if key not in self._parts:
            raise UnknownName("entity in the renderer", key, self._parts)

    def _rebuilt(self) -> Table:
        self._slices.clear()
        start = 0
        # By object and key, so that the picture does not depend on the order of additions.
        for key in sorted(self._parts, key=lambda key: (self._parts[key].entity.object_id, key)):
            count = len(self._parts[key].materials)
            self._slices[key] = slice(start, start + count)
            start += count
        table = Table(
            np.zeros(start, ROW),
            np.zeros((start, 3)),
            np.zeros((start, 3)),
            np.zeros((start, 3)),
            np.zeros(start),
            np.zeros(start, np.int32),
            np.zeros(start, np.int64),
            np.zeros(start, bool),
            np.zeros(start, bool),
        )
        for key, where in self._slices.items():
            self._write(table, where, key, self._states[key])
        return table

    def _write(self, table: Table, where: slice, key: str, state: EntityState) -> None:
        parts = self._parts[key]
        rotations, scales = parts.rotations, state.scale
        # A scale along a primitive's own axes goes into its size, so that a bevel keeps its width.
        stretch = np.einsum("nji,j,njk->nik", rotations, scales, rotations)
        own = np.einsum("nii->ni", stretch)
        aligned = np.abs(stretch - own[:, :, None] * np.eye(3)).max(axis=(1, 2), initial=0.0) < 1e-6
        skewed = state.rotation @ (scales[:, None] * rotations)
        matrix = np.where(aligned[:, None, None], state.rotation @ rotations, skewed)
        fit = np.where(aligned[:, None], own, 1.0)
        half = parts.halves * fit
        center = state.position + (parts.centers * scales) @ state.rotation.T

        row = table.row[where]
        for axis in range(3):
            row[f"row{axis}"][:, :3] = matrix[:, axis]
        row["half"][:, :3] = half
        row["half"][:, 3] = np.minimum(parts.bevels, half.min(axis=1, initial=np.inf))
        row["repeat"] = parts.repeats
        row["repeat"][:, :3] /= np.maximum(fit, 1e-6)
        row["offset"] = parts.offsets
        looks = [
            look(material, parts.entity.object_id, self._layers, state.tint, state.glow, piece)
            for piece, material in enumerate(parts.materials)
        ]
        row["look"] = np.array(looks, np.uint32).reshape(-1, 4)
        table.center[where] = center
        table.caster[where] = center + state.shadow_offset
        table.extent[where] = np.einsum("nij,nj->ni", np.abs(matrix), half)
        table.radius[where] = np.where(
            aligned, np.linalg.norm(half, axis=1), np.linalg.norm(table.extent[where], axis=1)
        )
        table.mesh[where] = parts.meshes
        table.object_id[where] = parts.entity.object_id
        table.drawn[where] = state.visible
        table.casts[where] = state.visible and state.casts_shadow


def _shown(state: EntityState) -> tuple[Any, ...]:
    """What else a change of shows in a picture."""
    return (state.visible, state.casts_shadow, state.material, state.tint, state.glow)


def transform(
    key: str, position: Any, rotation: Any, scale: Any, shadow_offset: Any = None
) -> dict[str, Array]:
    """The given ones as float64 arrays (3,), (3, 3), (3,), (3,); ConfigError for another shape or a value
    that is not finite."""
    fields: dict[str, Array] = {}
    for name, value, shape in (
        ("position", position, (3,)),
        ("rotation", rotation, (3, 3)),
        ("scale", scale, (3,)),
        ("shadow_offset", shadow_offset, (3,)),
    ):
        if value is None:
            continue
        array = np.array(value, np.float64)
        if array.shape != shape or not np.isfinite(array).all():
            raise ConfigError(f"The {name} of {key!r} must be {shape} finite numbers, not {value!r}.")
        fields[name] = array
    return fields


def rotation_matrix(rotation_deg: tuple[float, float, float]) -> Array:
    """3x3 matrix of (roll, pitch, yaw) about the fixed x, then y, then z axis."""
    roll, pitch, yaw = np.radians(rotation_deg)
    cr, sr, cp, sp, cy, sy = (
        np.cos(roll),
        np.sin(roll),
        np.cos(pitch),
        np.sin(pitch),
        np.cos(yaw),
        np.sin(yaw),
    )
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def _coarsest_mesh(primitive: Primitive) -> int:
    if primitive.shape == "box":
        return BOX_BEVEL if primitive.bevel_m > 0 else BOX
    if primitive.shape == "cylinder":
        return CYLINDER_BEVEL if primitive.bevel_m > 0 else CYLINDER
    return {"ellipsoid": ELLIPSOID, "capsule": CAPSULE, "cone": CONE}[primitive.shape]


def _pieces(
    entity: Entity, materials: Mapping[str, Material], models: Models, instead: str | None
) -> Iterator[tuple[Primitive, Material, int]]:
    """Each piece with its material and the number of its coarsest mesh."""
    for item in entity.primitives:
        if item.shape != "mesh":
            yield item, material_of(materials, instead or item.material, entity.key), _coarsest_mesh(item)
            continue
        name = instead or item.material
        given = material_of(materials, name, entity.key) if name else None
        for group in models.of(item.mesh):
            yield item, given or group.material, group.number


def _parts(
    entity: Entity, materials: Mapping[str, Material], models: Models, instead: str | None = None
) -> _Parts:
    """`instead` names the material that replaces those of the primitives."""
    pieces = list(_pieces(entity, materials, models, instead))
    count = len(pieces)
    items = [item for item, _, _ in pieces]
    mapped = [mapping(material, item, any(item.rotation_deg)) for item, material, _ in pieces]
    return _Parts(
        entity,
        tuple(material for _, material, _ in pieces),
        np.array([item.position for item in items], float).reshape(count, 3),
        np.array([rotation_matrix(item.rotation_deg) for item in items]).reshape(count, 3, 3),
        np.array([item.size for item in items], float).reshape(count, 3) / 2,
        np.array([item.bevel_m for item in items], float),
        np.array([repeat for repeat, _ in mapped], np.float32).reshape(count, 4),
        np.array([offset for _, offset in mapped], np.float32).reshape(count, 4),
        np.array([number for _, _, number in pieces], np.int32),
    )
