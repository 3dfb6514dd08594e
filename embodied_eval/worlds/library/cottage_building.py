"""Parts of a cottage: gabled roof, chimney, shuttered windows, fireplace."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.openings import window
from embodied_eval.worlds.library.parts import box, cone, cyl, rod
from embodied_eval.worlds.model import Primitive

ROOF_SLOPE_DEG = 40.0
_TILES_M = 0.22
_COURSE_M = 0.26


def gable_roof(
    length_m: float = 2.4,
    depth_m: float = 2.0,
    eaves_m: float = 0.4,
    verge_m: float = 0.3,
    gable: str = "limewash",
    tiles: str = "roof_tile",
    wall_m: float = 0.24,
) -> Design:
    """A gabled roof, its ridge along x, over walls of `length_m` by `depth_m` (outer measures).

    It reaches `eaves_m` and `verge_m` beyond them. z = 0 is the lower edge of its eaves; the walls end
    `eaves_m` * tan 40 degrees higher. The gables are courses that end inside the roof's thickness.
    """
    slope = math.radians(ROOF_SLOPE_DEG)
    rise = math.tan(slope)
    run = depth_m / 2 + eaves_m
    along = run / math.cos(slope)
    length = length_m + 2.0 * verge_m
    parts: list[Primitive] = []
    for s in (-1.0, 1.0):
        # The middle of the underside lies half-way up; the slab's centre half a thickness above it.
        y = s * (run / 2 + _TILES_M / 2 * math.sin(slope))
        z = run / 2 * rise + _TILES_M / 2 * math.cos(slope)
        parts.append(
            box(
                (0.0, y, z - _TILES_M / 2),
                (length, along, _TILES_M),
                tiles,
                bevel=0.0,
                rot=(-s * ROOF_SLOPE_DEG, 0.0, 0.0),
            )
        )
        fascia = (0.0, s * (run - 0.02), 0.02)
        parts.append(box(fascia, (length - 0.04, 0.03, 0.14), "picket_white", bevel=0.0, solid=False))
    top = run * rise + _TILES_M / math.cos(slope)
    parts.append(rod((-length / 2 + 0.1, 0.0, top - 0.03), (length / 2 - 0.1, 0.0, top - 0.03), 0.2, tiles))
    low = eaves_m * rise
    courses = max(1, math.floor((run * rise - low) / _COURSE_M))
    for k in range(courses):
        bottom = low + k * _COURSE_M
        wide = 2.0 * (run - bottom / rise)
        for s in (-1.0, 1.0):
            x = s * (length_m / 2 - wall_m / 2)
            parts.append(box((x, 0.0, bottom), (wall_m, wide, _COURSE_M), gable, bevel=0.0))
    for s in (-1.0, 1.0):
        x = s * (length_m / 2 - 0.02)
        parts.append(
            cyl(
                (x, 0.0, low + 0.55),
                0.44,
                0.08,
                "picket_white",
                bevel=0.01,
                rot=(0.0, 90.0, 0.0),
                solid=False,
            )
        )
        parts.append(
            cyl((x, 0.0, low + 0.55), 0.34, 0.09, "glass_dark", bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False)
        )
    return Design(tuple(parts))


def roof_height_m(depth_m: float, eaves_m: float, from_ridge_m: float) -> float:
    """Height above the eaves' lower edge of the roof's underside `from_ridge_m` beside the ridge."""
    return (depth_m / 2 + eaves_m - from_ridge_m) * math.tan(math.radians(ROOF_SLOPE_DEG))


def chimney(height_m: float = 1.6) -> Design:
    """A brick chimney stack with two clay pots."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.6, 0.8, height_m), "chimney_brick", bevel=0.0),
            box((0.0, 0.0, height_m - 0.18), (0.7, 0.9, 0.1), "chimney_brick", bevel=0.0, solid=False),
            box((0.0, 0.0, height_m), (0.68, 0.88, 0.06), "field_stone", bevel=0.01),
            *(cone((0.0, y, height_m + 0.06), 0.24, 0.34, "terracotta", taper=0.75) for y in (-0.2, 0.2)),
        )
    )


def cottage_window(
    width_m: float = 1.2, height_m: float = 1.05, shutter: str = "shutter_blue", wall_m: float = 0.24
) -> Design:
    """A window with muntins and, outside (-x), a pair of open shutters and a stone sill."""
    frame = window(width_m, height_m, "picket_white", 2)
    muntin = box((0.0, 0.0, height_m * 0.55), (0.05, width_m - 0.1, 0.035), "picket_white", bevel=0.0)
    leaf = width_m / 2
    out = -wall_m / 2 - 0.025
    shutters = tuple(
        item
        for s in (-1.0, 1.0)
        for item in (
            box(
                (out, s * (width_m / 2 + leaf / 2 + 0.02), 0.0),
                (0.04, leaf, height_m),
                shutter,
                bevel=0.004,
                solid=False,
            ),
        )
    )
    sill = box(
        (-wall_m / 2 - 0.05, 0.0, -0.06), (0.09, width_m + 0.1, 0.06), "field_stone", bevel=0.01, solid=False
    )
    # The frame's own inner sill would reach into so thick a wall.
    return Design((*frame.primitives[:-1], muntin, *shutters, sill))


def fireplace() -> Design:
    """An open fireplace of stone with a wooden mantel and logs on the hearth; its back is at -x."""
    logs = tuple(
        rod((0.08, -0.22 + 0.04 * k, 0.16 + 0.05 * k), (0.12, 0.2 + 0.03 * k, 0.16 + 0.05 * k), 0.1, "bark")
        for k in range(3)
    )
    return Design(
        (
            box((0.28, 0.0, 0.0), (0.44, 1.5, 0.08), "flagstone", bevel=0.01),
            box((-0.16, 0.0, 0.0), (0.08, 1.3, 1.25), "soot", bevel=0.0),
            *(
                box((0.02, s * 0.55, 0.0), (0.44, 0.26, 0.95), "field_stone", bevel=0.015)
                for s in (-1.0, 1.0)
            ),
            box((0.02, 0.0, 0.95), (0.44, 1.36, 0.3), "field_stone", bevel=0.015),
            box((0.05, 0.0, 1.25), (0.52, 1.6, 0.08), "dark_wood", bevel=0.012),
            box((-0.02, 0.0, 1.33), (0.32, 1.1, 0.95), "room_cream", bevel=0.0),
            *logs,
        )
    )


KINDS = (
    Kind(
        "gable_roof",
        "roof",
        ("tiled roof", "cottage roof", "house roof", "gable"),
        ((2.0, 1.5, 0.8), (14.0, 9.0, 5.0)),
        6000.0,
        gable_roof,
    ),
    Kind(
        "chimney",
        "chimney",
        ("chimney stack", "smokestack", "brick chimney"),
        ((0.5, 0.5, 1.0), (1.2, 1.4, 4.0)),
        900.0,
        chimney,
    ),
    Kind(
        "cottage_window",
        "cottage window",
        ("window", "shuttered window", "window with shutters", "shutters"),
        ((0.15, 1.2, 0.7), (0.5, 4.0, 1.8)),
        40.0,
        cottage_window,
    ),
    Kind(
        "fireplace",
        "fireplace",
        ("open fire", "hearth", "chimney piece", "mantelpiece"),
        ((0.5, 1.2, 1.0), (1.0, 2.4, 2.6)),
        800.0,
        fireplace,
    ),
)
