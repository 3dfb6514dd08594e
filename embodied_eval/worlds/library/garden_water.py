"""A pond and what belongs to it: reeds, water lilies, ducks, a footbridge, a jetty, a rowing boat."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, pill, rod
from embodied_eval.worlds.model import Primitive

POND_DEPTH_M, POND_BED_M = 0.24, 0.2
WATER_M = 0.17
DECK_M = 0.28


def pond(length_m: float = 3.0, width_m: float = 2.4, bank: str = "lawn") -> Design:
    """A shallow garden pond in a rectangular hollow: bed, water, and banks that round its corners.

    The origin is the underside of its bed, 0.44 m below the ground around; the water is 0.17 m deep.
    """
    top = POND_BED_M + POND_DEPTH_M
    parts: list[Primitive] = [
        box((0.0, 0.0, 0.0), (length_m, width_m, POND_BED_M), "pond_mud", bevel=0.0),
        box(
            (0.0, 0.0, POND_BED_M + WATER_M - 0.01),
            (length_m, width_m, 0.01),
            "pond_water",
            bevel=0.0,
            solid=False,
        ),
    ]
    reach = 0.3 * min(length_m, width_m)
    for sx in (-1.0, 1.0):
        for sy in (-1.0, 1.0):
            # Each bank cuts the corner under another angle; they lie a little below one another.
            for number, (angle, share) in enumerate(((45.0, 0.62), (24.0, 0.4), (66.0, 0.4))):
                parts.append(
                    _bank(length_m, width_m, sx, sy, angle, reach * share, top - 0.004 * (number + 1), bank)
                )
    return Design(tuple(parts))


def _bank(
    length_m: float, width_m: float, sx: float, sy: float, angle: float, depth: float, top: float, mat: str
) -> Primitive:
    """A block whose inner edge cuts the corner (sx, sy) of the hollow; `depth` is how far the edge is from it."""
    turn = math.radians(angle)
    nx, ny = sx * math.cos(turn), sy * math.sin(turn)
    middle = length_m / 2 * math.cos(turn) + width_m / 2 * math.sin(turn)
    # The edge ends on the hollow's two sides, at depth / cos and depth / sin from the corner.
    wide = depth * (math.tan(turn) + 1.0 / math.tan(turn))
    aside = depth * (math.tan(turn) - 1.0 / math.tan(turn)) / 2.0
    tx, ty = -sx * math.sin(turn), sy * math.cos(turn)
    along = -length_m / 2 * math.sin(turn) + width_m / 2 * math.cos(turn)
    cx = nx * (middle - depth / 2) + tx * (along + aside)
    cy = ny * (middle - depth / 2) + ty * (along + aside)
    yaw = round(math.degrees(math.atan2(ny, nx)), 4)
    return box((cx, cy, 0.05), (depth, wide, top - 0.05), mat, bevel=0.0, rot=(0.0, 0.0, yaw))


def reeds(stems: int = 8) -> Design:
    """A clump of reeds with brown bulrush heads."""
    parts: list[Primitive] = [cone((0.0, 0.0, 0.0), 0.5, 0.06, "pond_mud", taper=0.6)]
    for k in range(stems):
        reach, angle = 0.08 + 0.2 * ((k * 7) % 5) / 4, 2.4 * k
        x, y = reach * math.cos(angle), reach * math.sin(angle)
        high = 0.9 + 0.16 * ((k * 3) % 5)
        lean = 0.16 * high
        head = (x + lean * math.cos(angle), y + lean * math.sin(angle), high)
        parts.append(rod((x, y, 0.03), head, 0.034, "reed_green"))
        if k % 4 == 0:
            parts.append(pill((head[0], head[1], high - 0.06), 0.06, 0.24, "reed_brown", solid=False))
    return Design(tuple(parts))


def water_lily(petals: str = "petal_pink") -> Design:
    """Lily pads with one flower; z = 0 is the water."""
    pads = ((0.0, 0.0, 0.46), (0.42, 0.16, 0.36), (0.1, 0.42, 0.32), (-0.36, 0.2, 0.34))
    return Design(
        (
            *(cyl((x, y, 0.0), d, 0.012, "lily_green", bevel=0.004) for x, y, d in pads),
            cone((0.02, 0.02, 0.01), 0.07, 0.09, petals, taper=2.6, solid=False),
            ball((0.02, 0.02, 0.05), 0.07, "petal_yellow", solid=False),
        )
    )


def duck(head: str = "drake_green", body: str = "fur_grey") -> Design:
    """A swimming duck; the water line is at z = 0.05."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.16, 0.12, body, bevel=0.0),
            ball((0.0, 0.0, 0.0), (0.44, 0.24, 0.2), body, solid=False),
            ball((-0.19, 0.0, 0.09), (0.18, 0.14, 0.09), "feather_white", rot=(0.0, 25.0, 0.0), solid=False),
            rod((0.14, 0.0, 0.14), (0.19, 0.0, 0.29), 0.07, head),
            ball((0.2, 0.0, 0.25), (0.14, 0.11, 0.11), head, solid=False),
            cone(
                (0.29, 0.0, 0.255), 0.055, 0.1, "petal_yellow", taper=0.5, rot=(0.0, 90.0, 0.0), solid=False
            ),
        )
    )


def _planks(length_m: float, width_m: float, mat: str) -> tuple[Primitive, ...]:
    count = round(length_m / 0.45)
    step = length_m / count
    return (
        box((0.0, 0.0, DECK_M - 0.05), (length_m, width_m - 0.04, 0.035), "weathered_wood", bevel=0.0),
        *(
            box(
                (-length_m / 2 + step * (k + 0.5), 0.0, DECK_M - 0.018),
                (step - 0.025, width_m, 0.018),
                mat,
                bevel=0.0,
                solid=False,
            )
            for k in range(count)
        ),
    )


def footbridge(length_m: float = 3.2, width_m: float = 1.3, rail_m: float = 0.85) -> Design:
    """A wooden footbridge along x on piles, with handrails; z = 0 is the bed it stands on."""
    half, side = length_m / 2, width_m / 2 - 0.04
    count = max(3, round(length_m / 1.4) + 1)
    places = [-half + 0.08 + (length_m - 0.16) * k / (count - 1) for k in range(count)]
    posts = tuple(
        box((x, s * side, 0.0), (0.09, 0.09, DECK_M + rail_m), "shed_boards", bevel=0.008)
        for x in places
        for s in (-1.0, 1.0)
    )
    rails = tuple(
        box((0.0, s * side, DECK_M + z), (length_m, 0.05, h), "shed_boards", bevel=0.008)
        for s in (-1.0, 1.0)
        for z, h in ((rail_m - 0.05, 0.07), (0.4 * rail_m, 0.05))
    )
    return Design((*_planks(length_m, width_m, "cottage_planks"), *posts, *rails))


def jetty(length_m: float = 2.0, width_m: float = 1.0) -> Design:
    """A small landing stage along x on four piles; z = 0 is the bed it stands on."""
    piles = tuple(
        cyl((sx * (length_m / 2 - 0.12), sy * (width_m / 2), 0.0), 0.12, DECK_M + 0.18, "bark", bevel=0.01)
        for sx in (-1.0, 1.0)
        for sy in (-1.0, 1.0)
    )
    return Design((*_planks(length_m, width_m, "weathered_wood"), *piles))


def rowing_boat(color: str = "boat_red") -> Design:
    """A small rowing boat with its oars shipped; its bow is at +x."""
    hull = (
        box((-0.1, 0.0, 0.0), (1.7, 0.66, 0.06), "weathered_wood", bevel=0.02),
        *(
            box((-0.15, 0.41 * s, 0.03), (1.7, 0.05, 0.4), color, bevel=0.01, rot=(-14.0 * s, 0.0, 0.0))
            for s in (-1.0, 1.0)
        ),
        *(
            box((0.95, 0.22 * s, 0.05), (0.85, 0.05, 0.4), color, bevel=0.01, rot=(-10.0 * s, 0.0, -31.0 * s))
            for s in (-1.0, 1.0)
        ),
        box((-1.0, 0.0, 0.03), (0.05, 0.84, 0.4), color, bevel=0.01),
        rod((1.28, 0.0, 0.08), (1.36, 0.0, 0.46), 0.07, color),
    )
    seats = tuple(
        box((x, 0.0, 0.27), (0.24, 0.86, 0.035), "pine", bevel=0.006, solid=False) for x in (-0.62, 0.15)
    )
    oars = tuple(
        item
        for s in (-1.0, 1.0)
        for item in (
            rod((-0.9, 0.2 * s, 0.34), (0.75, 0.26 * s, 0.36), 0.035, "pine"),
            box((-0.95, 0.2 * s, 0.33), (0.32, 0.13, 0.02), "pine", bevel=0.004, solid=False),
        )
    )
    return Design((*hull, *seats, *oars))


KINDS = (
    Kind(
        "pond",
        "pond",
        ("garden pond", "water", "pool", "lake", "surface of the pond"),
        ((1.5, 1.5, 0.2), (20.0, 20.0, 1.5)),
        5000.0,
        pond,
    ),
    Kind(
        "reeds",
        "reeds",
        ("bulrushes", "rushes", "cattails", "reed"),
        ((0.4, 0.4, 0.7), (1.4, 1.4, 2.4)),
        8.0,
        reeds,
    ),
    Kind(
        "water_lily",
        "water lily",
        ("lily pads", "lily", "water lilies", "lily pad"),
        ((0.6, 0.5, 0.05), (1.6, 1.6, 0.3)),
        1.0,
        water_lily,
    ),
    Kind("duck", "duck", ("mallard", "drake", "water bird"), ((0.35, 0.15, 0.2), (0.8, 0.4, 0.5)), 1.2, duck),
    Kind(
        "footbridge",
        "footbridge",
        ("wooden bridge", "bridge", "foot bridge"),
        ((1.5, 0.8, 0.8), (9.0, 2.5, 2.5)),
        400.0,
        footbridge,
    ),
    Kind(
        "jetty",
        "jetty",
        ("landing stage", "pier", "dock", "wooden landing", "wooden deck"),
        ((1.0, 0.6, 0.2), (5.0, 2.5, 1.2)),
        180.0,
        jetty,
    ),
    Kind(
        "rowing_boat",
        "rowing boat",
        ("boat", "rowboat", "dinghy", "red boat"),
        ((1.8, 0.7, 0.3), (4.0, 1.6, 0.9)),
        90.0,
        rowing_boat,
    ),
)
