"""The plain colours that stand for a mesh's textures.

Our renderer draws meshes without textures. Each face gets the mean of its texture's colours where it lies;
faces of nearly one colour form a group with their mean (ours). A texture that is a palette, as low-poly
models have, keeps all its colours that way; a photograph becomes a few patches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embodied_eval.worlds.gltf import Part, Surface
from embodied_eval.worlds.model import Vec3

Array = NDArray[np.float64]
MAX_COLORS = 12
"""Groups that one part may have."""
# Steps a channel within which colours count as one; the coarsest leaves 8 colours.
_STEPS = (16, 8, 6, 4, 3, 2)
# Where a face looks: its middle and near its corners, in barycentric coordinates.
_AT: Array = np.array([[1, 1, 1], [4, 1, 1], [1, 4, 1], [1, 1, 4]], float)
_AT /= _AT.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class Paint:
    """A plain look: `color` display-coded sRGB in 0..1, `roughness` and `metallic` 0..1, `emission` as in
    `Material`."""

    color: Vec3
    roughness: float
    metallic: float
    emission: float


def painted(part: Part) -> list[tuple[NDArray[np.int64], Paint]]:
    """The part's face numbers by look; every face once."""
    surface = part.surface
    colors = _face_colors(part)
    glow = surface.emissive * _mean(surface.emissive_texture)
    roughness, metallic = _finish(surface)
    emission = float(glow.max())
    if emission > 0.0:
        # What glows shows its own light's colour.
        colors = colors * 0.0 + glow / emission
    weights = _areas(part)
    found = []
    for faces in _alike(colors):
        share = weights[faces] + 1e-12 * weights.max() + 1e-30
        mean = (colors[faces] * share[:, None]).sum(axis=0) / share.sum()
        red, green, blue = (round(float(value), 6) for value in coded(mean))
        found.append((faces, Paint((red, green, blue), roughness, metallic, emission)))
    return found


def coded(linear: Array) -> Array:
    """sRGB's transfer function (IEC 61966-2-1): display-coded values of linear ones."""
    high = np.clip(linear, 0.0031308, 1.0)
    return np.where(linear <= 0.0031308, 12.92 * np.clip(linear, 0.0, 1.0), 1.055 * high ** (1 / 2.4) - 0.055)


def decoded(values: Array) -> Array:
    """Linear values of display-coded sRGB ones."""
    found: Array = np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)
    return found


def _face_colors(part: Part) -> Array:
    surface = part.surface
    colors = np.tile(surface.color, (len(part.faces), 1))
    if part.colors is not None:
        colors = colors * part.colors[part.faces].mean(axis=1)
    if surface.color_texture is None:
        return colors
    if part.uv is None or not surface.fitted:
        return colors * _mean(surface.color_texture)
    texels = decoded(surface.color_texture)
    height, width = texels.shape[:2]
    at = np.einsum("sk,mki->msi", _AT, part.uv[part.faces])
    at = at - np.floor(at)
    column = np.minimum((at[..., 0] * width).astype(int), width - 1)
    row = np.minimum(((1.0 - at[..., 1]) * height).astype(int), height - 1)
    found: Array = colors * texels[row, column].mean(axis=1)
    return found


def _mean(texture: Array | None) -> Array:
    """Linear mean colour of a colour texture; white without one."""
    return np.ones(3) if texture is None else decoded(texture).mean(axis=(0, 1))


def _finish(surface: Surface) -> tuple[float, float]:
    """Roughness and metallic: factors times the texture's green and blue means (glTF 2.0, 3.9.2)."""
    if surface.metallic_texture is None:
        return surface.roughness, surface.metallic
    _, green, blue = surface.metallic_texture.mean(axis=(0, 1))
    return surface.roughness * float(green), surface.metallic * float(blue)


def _areas(part: Part) -> Array:
    a, b, c = part.vertices[part.faces].transpose(1, 0, 2)
    found: Array = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return found


def _alike(colors: Array) -> list[NDArray[np.int64]]:
    """Face numbers by colour, with the finest steps that give few enough groups."""
    display = coded(colors)
    for steps in _STEPS:
        cells = np.minimum((display * steps).astype(np.int64), steps - 1) @ np.array(
            [steps * steps, steps, 1]
        )
        kinds, which = np.unique(cells, return_inverse=True)
        if len(kinds) <= MAX_COLORS:
            break
    return [np.flatnonzero(which == kind) for kind in range(len(kinds))]
