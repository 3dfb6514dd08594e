"""Parts of a building: floors, walls with openings, ceilings, ground."""

from __future__ import annotations

from dataclasses import dataclass

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import box
from embodied_eval.worlds.model import Primitive

SKIRTING_M = 0.09


@dataclass(frozen=True)
class Opening:
    """A hole in a wall: from `start_m` to `end_m` along it, from `low_m` to `high_m` above the floor."""

    start_m: float
    end_m: float
    low_m: float
    high_m: float


def slab(
    size_x_m: float = 4.0, size_y_m: float = 4.0, thick_m: float = 0.2, mat: str = "oak_planks"
) -> Design:
    """A floor, ceiling or ground plate whose top is at z = 0."""
    return Design((box((0.0, 0.0, -thick_m), (size_x_m, size_y_m, thick_m), mat, bevel=0.0),))


def wall(
    length_m: float = 4.0,
    height_m: float = 2.6,
    thick_m: float = 0.12,
    right: str = "plaster_white",
    left: str = "plaster_white",
    openings: tuple[Opening, ...] = (),
    skirting: bool = True,
) -> Design:
    """A wall along +x from the origin, with `right` (-y) and `left` (+y) faces.

    Openings are cut from side to side. Two materials make two half-thick layers. The skirting is flush: a ledge
    thinner than a pixel would glitter in the sun.
    """
    base = SKIRTING_M if skirting else 0.0
    layers: tuple[tuple[float, float, str], ...] = ((0.0, thick_m, left),)
    if left != right:
        layers = ((-thick_m / 4, thick_m / 2, right), (thick_m / 4, thick_m / 2, left))
    parts: list[Primitive] = []
    for x0, x1, low, high in _panels(length_m, height_m, openings):
        foot = base if low == 0.0 else 0.0
        middle, length = (x0 + x1) / 2, x1 - x0
        if foot:
            parts.append(box((middle, 0.0, 0.0), (length, thick_m, foot), "trim_white", bevel=0.0))
        for y, thick, mat in layers:
            parts.append(box((middle, y, low + foot), (length, thick, high - low - foot), mat, bevel=0.0))
    return Design(tuple(parts))


def _panels(
    length_m: float, height_m: float, openings: tuple[Opening, ...]
) -> list[tuple[float, float, float, float]]:
    """The rectangles (x0, x1, z0, z1) of a wall around its openings, which must not overlap along it."""
    panels = []
    x = 0.0
    for hole in sorted(openings, key=lambda o: o.start_m):
        if hole.start_m > x:
            panels.append((x, hole.start_m, 0.0, height_m))
        if hole.low_m > 0.0:
            panels.append((hole.start_m, hole.end_m, 0.0, hole.low_m))
        if hole.high_m < height_m:
            panels.append((hole.start_m, hole.end_m, hole.high_m, height_m))
        x = hole.end_m
    if x < length_m:
        panels.append((x, length_m, 0.0, height_m))
    return panels


_ANY = ((0.01, 0.01, 0.01), (60.0, 60.0, 10.0))
KINDS = (
    Kind("floor", "floor", ("ground", "flooring"), _ANY, 1000.0, slab),
    Kind("ceiling", "ceiling", ("roof",), _ANY, 1000.0, slab),
    Kind("ground", "lawn", ("ground", "grass", "garden"), _ANY, 1000.0, slab),
    Kind("wall", "wall", ("room wall",), _ANY, 1000.0, wall),
)
