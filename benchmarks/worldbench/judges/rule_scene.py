"""What stands where in a running world, by its scene graph, and whether a frame really shows it. Ours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.worldbench.capture.manifest import Camera, Manifest, ObjectMotion, Vec3
from benchmarks.worldbench.capture.objects import box_px
from benchmarks.worldbench.judges.rule_words import words
from benchmarks.worldbench.source.names import Names
from benchmarks.worldbench.spec import Spec

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

SAME_HUE = 0.985
"""Cosine between a pixel's and a thing's colour from which the pixel may be the thing under some light."""
LIT = (0.12, 1.7)
"""How much darker or brighter than its own colour a lit pixel may be."""
LEAST_PX = 6
LEAST_AREA = 2e-5
SOLID = 0.95
Box = tuple[Vec3, Vec3]


@dataclass(frozen=True)
class Thing:
    """All drawn objects of one name in one region: their box, colour (0..1), opacity and place in the graph."""

    biome: str
    name: str
    said: tuple[str, ...]
    box: Box
    color: tuple[float, float, float]
    opacity: float
    instances: int


def things_of(manifest: Manifest, spec: Spec) -> tuple[Thing, ...]:
    """The named things of the scene, each with the region whose group it lies in ("" = none)."""
    names = Names(spec.aliases)
    found: dict[tuple[str, str, str], Thing] = {}
    for item in manifest.scene:
        if item.bounds is None or not item.name:
            continue
        biome = biome_of((*item.parents, item.name), item.name, names)
        key = (biome, item.name, item.color)
        known = found.get(key)
        box = item.bounds if known is None else _joined(known.box, item.bounds)
        count = item.instances + (known.instances if known else 0)
        found[key] = Thing(biome, item.name, words(item.name), box, rgb(item.color), item.opacity, count)
    return tuple(found.values())


def biome_of(parents: Iterable[str], name: str, names: Names) -> str:
    """The region that a group around an object is named after; its own name does not count."""
    for one in parents:
        if one != name:
            named = names.of_string(one)
            if len(named) == 1:
                return next(iter(named))
    return ""


def rgb(color: str) -> tuple[float, float, float]:
    """A colour "#rrggbb" as parts of 1; grey where it is none."""
    try:
        value = int(color.lstrip("#"), 16)
    except ValueError:
        return (0.5, 0.5, 0.5)
    return ((value >> 16 & 255) / 255, (value >> 8 & 255) / 255, (value & 255) / 255)


def shown(thing: Thing, camera: Camera, picture: Picture) -> float:
    """The share of the frame inside the thing's projected box whose pixels have its colour under some light; 0 where
    the box is out of view or next to nothing of it is there."""
    size = (picture.shape[1], picture.shape[0])
    box = box_px(thing.box, camera, size)
    if box is None or (box[2] - box[0]) * (box[3] - box[1]) < LEAST_AREA * size[0] * size[1]:
        return 0.0
    left, top = int(box[0]), int(box[1])
    patch = picture[top : math.ceil(box[3]), left : math.ceil(box[2])]
    if not patch.size:
        return 0.0
    mask = alike(patch, thing.color, veil=thing.opacity < SOLID)
    return float(mask.sum()) / (size[0] * size[1]) if mask.sum() >= LEAST_PX else 0.0


def alike(patch: Picture, color: tuple[float, float, float], *, veil: bool = False) -> NDArray[np.bool_]:
    """Which pixels may be of `color` under some light; for a `veil`, which is seen through, any lit pixel may."""
    pixels = patch.astype(np.float64) / 255.0
    length = np.linalg.norm(pixels, axis=2)
    lit = length > 0.05
    if veil:
        return np.asarray(lit)
    own = np.asarray(color)
    strength = max(float(np.linalg.norm(own)), 1e-3)
    cosine = (pixels @ own) / np.maximum(length * strength, 1e-6)
    ratio = length / strength
    return np.asarray(lit & (cosine >= SAME_HUE) & (ratio >= LIT[0]) & (ratio <= LIT[1]))


def centres(things: Iterable[Thing]) -> Mapping[str, Vec3]:
    """The middle of each region: the median, axis by axis, of the middles of its solid things, so that one that was
    put far away does not move it."""
    middles: dict[str, list[Vec3]] = {}
    for thing in things:
        if thing.biome and thing.opacity >= SOLID:
            middles.setdefault(thing.biome, []).append(_middle(thing.box))
    return {biome: _median(found) for biome, found in middles.items()}


def _middle(box: Box) -> Vec3:
    (a, b, c), (d, e, f) = box
    return (a + d) / 2, (b + e) / 2, (c + f) / 2


def _median(places: Sequence[Vec3]) -> Vec3:
    x, y, z = np.median(np.asarray(places), axis=0)
    return float(x), float(y), float(z)


def off_axis(camera: Camera, place: Vec3) -> float:
    """The angle in degrees between where the camera looks and `place`; 180 where it is at the camera."""
    way = np.asarray(place) - np.asarray(camera.position)
    length = float(np.linalg.norm(way))
    if length < 1e-6:
        return 180.0
    return math.degrees(math.acos(float(np.clip(way @ np.asarray(camera.forward) / length, -1.0, 1.0))))


def way_of(motion: ObjectMotion) -> str:
    """How a thing moved during a burst: "falling", "rising", "sideways", "pulsing" (only its look changed) or ""."""
    if not motion.changed:
        return ""
    x, y, z = motion.drift
    flat = math.hypot(x, z)
    if abs(y) > flat and abs(y) > 1e-4:
        return "falling" if y < 0 else "rising"
    if flat > 1e-4 or {"place", "instances", "geometry"} & set(motion.changed):
        return "sideways"
    return "pulsing"


def _joined(a: Box, b: Box) -> Box:
    low = tuple(min(one, other) for one, other in zip(a[0], b[0], strict=True))
    high = tuple(max(one, other) for one, other in zip(a[1], b[1], strict=True))
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])
