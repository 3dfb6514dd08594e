"""Materials as the shaders read them: colours and surface packed into integers, pattern mapping."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.base import Vec3
from embodied_eval.errors import DataFileError, UnknownName
from embodied_eval.worlds.model import TEXTURES, Material, Primitive

PERIODS = 2
"""Periods of `Material.scale_m` in one baked pattern, each way: tones vary inside it."""
FINE_PERIODS = {"fabric": 8, "carpet": 8}
"""The same for patterns whose period is a few threads."""
FITTED = frozenset({"picture", "screen", "rug"})
"""Patterns that fill a face once, whatever `scale_m` says."""
GRAINED = frozenset({"wood", "planks", "metal"})
"""Patterns whose grain follows the primitive's longest axis."""
CONTINUOUS = frozenset({"planks", "tile", "brick", "checker", "stripes", "concrete", "plaster", "carpet"})
"""Patterns that run on from one primitive of an object to the next; the others start anew on each."""
DARK_SCREEN: Vec3 = (0.03, 0.035, 0.045)
ROW_OF_BOOKS_M = 0.30


def check_materials(materials: Mapping[str, Material]) -> None:
    """Raise DataFileError for a texture that there is no pattern for."""
    for name, material in materials.items():
        if material.texture not in TEXTURES:
            raise DataFileError(
                f"Material {name!r} has the texture {material.texture!r}.",
                hint=f"Legal: {', '.join(TEXTURES)}.",
            )


def material_of(materials: Mapping[str, Material], name: str, key: str) -> Material:
    """The material called `name`; UnknownName (naming the entity `key`) if the world has none of that name."""
    if name not in materials:
        raise UnknownName(f"material in this world for {key!r}", name, materials)
    return materials[name]


def look(
    material: Material, object_id: int, layers: Mapping[str, int], tint: Vec3 | None, glow: bool, piece: int
) -> tuple[int, int, int, int]:
    """What `glsl/scene.frag` unpacks: id + 1; colour and layer; second colour and emission; surface
    and a number that tells neighbouring pieces apart."""
    first, second, texture = material.color, material.color2, material.texture
    emission = material.emission if glow else 0.0
    if texture == "screen" and emission <= 0.0:
        first, second, texture = DARK_SCREEN, DARK_SCREEN, "plain"
    if tint is not None:
        first, second = tint, _shaded(tint, first, second)
    surface = (
        _byte(material.roughness) | _byte(material.metallic) << 8 | (object_id * 11 + piece * 7) % 32 << 16
    )
    return (
        object_id + 1,
        _packed(first) | layers[texture] << 24,
        _packed(second) | _byte(math.sqrt(min(max(emission, 0.0), 16.0) / 16.0)) << 24,
        surface,
    )


def _shaded(tint: Vec3, first: Vec3, second: Vec3) -> Vec3:
    """The tint's own second colour: as much darker or lighter as the material's is, within limits."""
    ratio = (sum(second) + 0.1) / (sum(first) + 0.1)
    ratio = min(max(ratio, 0.55), 1.5)
    return (tint[0] * ratio, tint[1] * ratio, tint[2] * ratio)


def _byte(value: float) -> int:
    return round(255.0 * min(max(value, 0.0), 1.0))


def _packed(color: Vec3) -> int:
    return _byte(color[0]) | _byte(color[1]) << 8 | _byte(color[2]) << 16


def mapping(
    material: Material, primitive: Primitive, turned: bool
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Pattern mapping of one primitive: (repeats per metre along x, y, z and taper), (offset along x, y, z
    and the grain's axis or -1), each float32 (4,). `turned` primitives never continue a neighbour's pattern."""
    size = np.maximum(np.asarray(primitive.size, float), 1e-6)
    repeat = np.full(3, 1.0 / (FINE_PERIODS.get(material.texture, PERIODS) * max(material.scale_m, 1e-3)))
    offset = np.full(3, 0.5)
    grain = -1.0
    if material.texture in FITTED:
        repeat = 1.0 / size
    elif material.texture == "books":
        repeat[2] = max(1.0, round(size[2] / ROW_OF_BOOKS_M)) / size[2]
        offset[2] = 0.5 * round(size[2] * repeat[2]) % 1.0
        offset[:2] += _scatter(primitive.position)[:2]
    elif material.texture in CONTINUOUS and not turned:
        offset = np.asarray(primitive.position, float) * repeat
    else:
        offset = offset + _scatter(primitive.position)
    if material.texture in GRAINED:
        grain = float(np.argmax(size * np.array([1.0, 0.999, 0.998])))
    return (
        np.array([*repeat, primitive.taper], np.float32),
        np.array([*(offset % 1.0), grain], np.float32),
    )


def _scatter(position: Vec3) -> NDArray[np.float64]:
    """An offset in 0..1 that differs from place to place: the fraction of the place in odd units."""
    x, y, z = position
    return (
        np.array([x * 1.37 + y * 2.11 + z * 3.17, x * 2.53 + y * 1.71 + z * 0.93, x + y * 3.3 + z * 1.9])
        % 1.0
    )
