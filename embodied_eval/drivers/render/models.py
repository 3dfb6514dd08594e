"""A world's meshes as the renderer draws them, behind the unit solids in one vertex array."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.render.meshes import SOLID, Mesh, MeshSet, mesh_set
from embodied_eval.errors import UnknownName
from embodied_eval.worlds.meshes import MeshShape
from embodied_eval.worlds.model import Material


@dataclass(frozen=True)
class ModelGroup:
    """Faces of one look: the `number` of their mesh in the set and their own material."""

    number: int
    material: Material


@dataclass(frozen=True)
class Models:
    """`meshes` holds the unit solids and then every group of every model; `groups` by the model's name."""

    meshes: MeshSet
    groups: Mapping[str, tuple[ModelGroup, ...]]

    def of(self, name: str) -> tuple[ModelGroup, ...]:
        """The groups of a model; UnknownName if the world has none of that name."""
        if name not in self.groups:
            raise UnknownName("mesh in the renderer", name, self.groups)
        return self.groups[name]


def models(shapes: Mapping[str, MeshShape]) -> Models:
    """The set for a world with these meshes."""
    known = mesh_set()
    vertices, indices = [known.vertices], [known.indices]
    first, count, base = list(known.first), list(known.count), list(known.base)
    corners, used = len(known.vertices), len(known.indices)
    groups = {}
    for name in sorted(shapes):
        shape = shapes[name]
        mesh = _mapped(shape)
        groups[name] = tuple(
            ModelGroup(len(first) + number, _material(shape, number)) for number in range(len(shape.groups))
        )
        for group in shape.groups:
            first.append(used + 3 * group.first)
            count.append(3 * group.count)
            base.append(corners)
        vertices.append(mesh.vertices)
        indices.append(mesh.triangles.ravel())
        corners += len(mesh.vertices)
        used += mesh.triangles.size
    merged = MeshSet(
        np.concatenate(vertices),
        np.concatenate(indices),
        np.array(first, np.int32),
        np.array(count, np.int32),
        np.array(base, np.int32),
    )
    return Models(merged, groups)


def no_models() -> Models:
    """The unit solids alone."""
    return Models(mesh_set(), {})


def _material(shape: MeshShape, number: int) -> Material:
    paint = shape.groups[number].paint
    return Material(
        "plain",
        paint.color,
        paint.color,
        roughness=paint.roughness,
        metallic=paint.metallic,
        emission=paint.emission,
    )


def _mapped(shape: MeshShape) -> Mesh:
    """The mesh as `scene.vert` reads it: stretched like an ellipsoid, each face's pattern in the plane that
    it faces most at the model's own proportions; a corner shared by faces of several planes is there once for
    each."""
    extent = np.maximum(np.array(shape.extent_m), 1e-9)
    a, b, c = (shape.vertices[shape.faces] * extent).transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    axis = np.argmax(np.abs(across), axis=1)
    plane = 2 * axis + (np.take_along_axis(across, axis[:, None], axis=1)[:, 0] < 0.0)
    keys = shape.faces.astype(np.int64) * 6 + plane[:, None]
    kinds, corners = np.unique(keys, return_inverse=True)
    source: NDArray[np.int64] = kinds // 6
    vertices = np.zeros((len(kinds), 9), np.float32)
    vertices[:, :3] = 2.0 * shape.vertices[source]
    vertices[:, 3:6] = shape.normals[source]
    vertices[:, 6] = kinds % 6
    vertices[:, 8] = SOLID["ellipsoid"]
    return Mesh(vertices, corners.reshape(-1, 3).astype(np.int32))
