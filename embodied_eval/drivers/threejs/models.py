"""A world's meshes for the page: one piece each, since the page draws them in their own looks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from embodied_eval.drivers.render.meshes import MeshSet
from embodied_eval.drivers.render.models import ModelGroup, Models, models
from embodied_eval.drivers.render.state import OWN
from embodied_eval.worlds.meshes import mesh_of
from embodied_eval.worlds.model import Material, Mesh

# `runtime/models.js` knows a row without a tint by these two colours, and one that may glow by its emission.
OWN_LOOK = Material(OWN, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), emission=1.0)  # type: ignore[arg-type]


def own_models(meshes: Mapping[str, Mesh]) -> Models:
    """The unit solids and all of `meshes`, each with one group of all its faces. Indices count from the first vertex
    of all: WebGL has no base vertex. Raises DataFileError for a mesh that cannot be read."""
    known = models({name: mesh_of(meshes, name) for name in meshes})
    solids = known.meshes
    numbers = [[group.number for group in known.groups[name]] for name in known.groups]
    whole = MeshSet(
        solids.vertices,
        solids.indices + np.repeat(solids.base, solids.count),
        np.append(solids.first, [solids.first[of[0]] for of in numbers]).astype(np.int32),
        np.append(solids.count, [solids.count[of].sum() for of in numbers]).astype(np.int32),
        np.zeros(len(solids.base) + len(numbers), np.int32),
    )
    start = len(solids.first)
    groups = {name: (ModelGroup(start + index, OWN_LOOK),) for index, name in enumerate(known.groups)}
    return Models(whole, groups)
