"""Parts of a building: floors, walls with openings, ceilings, ground."""

from __future__ import annotations

from dataclasses import dataclass

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import box
from embodied_eval.worlds.model import Primitive

SKIRTING_M, SKIRTING_DEPTH_M = 0.09, 0.012
Trim = tuple[float, float]
FULL: Trim = (0.0, 0.0)


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
    skirting: tuple[Trim | None, Trim | None] = (FULL, FULL),
) -> Design:
    """A wall along +x from the origin, with `right` (-y) and `left` (+y) faces and skirting boards.

    Openings are cut from side to side. Two materials make two half-thick layers. Each side's
    skirting is None or the lengths left out at its (start, end), where another wall comes.
    """
    layers = (
        ((0.0, thick_m, left),)
        if left == right
        else (
            (-thick_m / 4, thick_m / 2, right),
            (thick_m / 4, thick_m / 2, left),
        )
    )
    parts: list[Primitive] = []
    for y, thick, mat in layers:
        for x0, x1, z0, z1 in _panels(length_m, height_m, openings):
            parts.append(box(((x0 + x1) / 2, y, z0), (x1 - x0, thick, z1 - z0), mat, bevel=0.0))
    for side, trim in zip((-1.0, 1.0), skirting, strict=True):
        if trim is None:
            continue
        y = side * (thick_m + SKIRTING_DEPTH_M) / 2
        for start, end, low, _ in _panels(length_m, height_m, openings):
            x0, x1 = max(start, trim[0]), min(end, length_m - trim[1])
            if low == 0.0 and x1 > x0 and height_m > SKIRTING_M:
                size = (x1 - x0, SKIRTING_DEPTH_M, SKIRTING_M)
                parts.append(box(((x0 + x1) / 2, y, 0.0), size, "trim_white", bevel=0.0, solid=False))
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
