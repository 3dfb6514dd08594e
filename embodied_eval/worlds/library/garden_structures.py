"""What is built in a garden: a well, a shed, a swing, a washing line, a bird bath, a bird house, a pinwheel."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import Design, Kind, hinged, spinning
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod
from embodied_eval.worlds.model import Primitive

SHED_LEVEL_M = 0.04


def well(initial: str = "off") -> Design:
    """A stone well with a little roof; its windlass turns, with the rope on it and the crank at +y."""
    blocks: list[Primitive] = []
    for k in range(12):
        angle = 30.0 * k
        x, y = 0.52 * math.cos(math.radians(angle)), 0.52 * math.sin(math.radians(angle))
        mat = ("field_stone", "field_stone_dark", "field_stone")[k % 3]
        blocks.append(
            box((x, y, 0.0), (0.22, 0.31, 0.72 + 0.03 * (k % 2)), mat, bevel=0.03, rot=(0.0, 0.0, angle))
        )
    posts = tuple(
        box((0.0, s * 0.66, 0.0), (0.1, 0.1, 1.95), "weathered_wood", bevel=0.01) for s in (-1.0, 1.0)
    )
    roof = tuple(
        box(
            (0.3 * s, 0.0, 1.98),
            (0.82, 1.7, 0.05),
            "roof_tile",
            bevel=0.008,
            rot=(0.0, 38.0 * s, 0.0),
            solid=False,
        )
        for s in (-1.0, 1.0)
    )
    pivot = (0.0, 0.0, 1.3)
    axle = (
        rod((0.0, -0.74, 1.3), (0.0, 0.86, 1.3), 0.05, "iron", part="windlass"),
        cyl(
            (0.0, 0.0, 0.85), 0.17, 0.9, "oak", bevel=0.0, rot=(90.0, 0.0, 0.0), part="windlass", solid=False
        ),
        rod((0.0, 0.86, 1.3), (0.24, 0.86, 1.3), 0.04, "iron", part="windlass"),
        rod((0.24, 0.86, 1.3), (0.24, 1.06, 1.3), 0.045, "pine", part="windlass"),
    )
    bucket = (
        rod((0.09, 0.0, 0.98), (0.09, 0.0, 1.28), 0.02, "straw"),
        cone((0.09, 0.0, 0.74), 0.2, 0.24, "weathered_wood", taper=1.25, solid=False),
        cyl((0.09, 0.0, 0.9), 0.26, 0.02, "iron", solid=False),
    )
    return Design(
        (
            *blocks,
            cyl((0.0, 0.0, 0.0), 0.84, 0.5, "soot", bevel=0.0),
            *posts,
            *roof,
            rod((0.0, -0.84, 2.3), (0.0, 0.84, 2.3), 0.08, "weathered_wood"),
            *axle,
            *bucket,
        ),
        spinning("windlass", pivot, (0.0, 1.0, 0.0), 110.0, initial),
    )


def garden_shed(swing_deg: float = -100.0) -> Design:
    """A wooden shed of 2.4 x 2.2 m with a lean-to roof; its door, in the middle of +x, opens outwards."""
    w, d, h = 2.4, 2.2, 2.1
    side, depth = w / 2 - 0.03, d / 2 - 0.03
    door, head = 1.0, 1.98
    jamb = (w - door) / 2
    walls = (
        box((-depth, 0.0, 0.0), (0.06, w, h), "shed_boards", bevel=0.0),
        *(
            box((0.0, s * side, 0.0), (d - 0.12, 0.06, h + 0.1), "shed_boards", bevel=0.0)
            for s in (-1.0, 1.0)
        ),
        *(
            box((depth, s * (w - jamb) / 2, 0.0), (0.06, jamb, h + 0.22), "shed_boards", bevel=0.0)
            for s in (-1.0, 1.0)
        ),
        box((depth, 0.0, head), (0.06, door, h + 0.22 - head), "shed_boards", bevel=0.0),
    )
    trim = tuple(
        box(
            (sx * (d / 2 - 0.02), sy * (w / 2 - 0.02), 0.0),
            (0.09, 0.09, h),
            "picket_white",
            bevel=0.004,
            solid=False,
        )
        for sx in (-1.0, 1.0)
        for sy in (-1.0, 1.0)
    )
    x = depth + 0.01
    leaf = (
        box((x, 0.0, 0.05), (0.05, door - 0.04, head - 0.08), "shutter_blue", bevel=0.004, part="leaf"),
        *(
            box(
                (x + 0.035, 0.0, z),
                (0.02, door - 0.1, 0.12),
                "picket_white",
                bevel=0.004,
                part="leaf",
                solid=False,
            )
            for z in (0.25, 1.6)
        ),
        box((x + 0.04, 0.4, 0.95), (0.03, 0.05, 0.16), "iron", bevel=0.006, part="leaf", solid=False),
    )
    inside = (
        box((-0.9, 0.0, 1.0), (0.3, w - 0.2, 0.04), "pine", bevel=0.004, solid=False),
        *(
            box((-0.9, y, 1.04), (0.2, 0.24, 0.2 + 0.06 * k), mat, bevel=0.01, solid=False)
            for k, (y, mat) in enumerate(((-0.8, "cardboard"), (-0.3, "terracotta"), (0.45, "can_zinc")))
        ),
    )
    roof = box((0.0, 0.0, h + 0.12), (d + 0.5, w + 0.4, 0.08), "roof_tile", bevel=0.01, rot=(0.0, -5.5, 0.0))
    floor = box((0.0, 0.0, 0.0), (d - 0.12, w - 0.12, SHED_LEVEL_M), "cottage_planks", bevel=0.0)
    return Design(
        (floor, *walls, *trim, *leaf, *inside, roof),
        hinged("leaf", (x, -door / 2 + 0.02, 0.0), swing_deg, seconds=1.2),
    )


def garden_swing() -> Design:
    """A swing for two on an A-frame, along y; one sits with the face to +x."""
    parts: list[Primitive] = []
    for s in (-1.0, 1.0):
        for x in (-0.75, 0.75):
            parts.append(rod((x, 1.15 * s, 0.05), (0.0, 1.05 * s, 2.25), 0.1, "weathered_wood", solid=True))
        parts.append(rod((-0.4, 1.11 * s, 1.05), (0.4, 1.11 * s, 1.05), 0.07, "weathered_wood"))
    parts.append(rod((0.0, -1.25, 2.27), (0.0, 1.25, 2.27), 0.12, "weathered_wood", solid=True))
    for s in (-1.0, 1.0):
        y = 0.5 * s
        parts.append(box((0.0, y, 0.48), (0.26, 0.5, 0.04), "boat_red", bevel=0.01))
        for k in (-1.0, 1.0):
            parts.append(rod((0.0, y + 0.2 * k, 0.5), (0.0, y + 0.2 * k, 2.2), 0.02, "straw"))
    return Design(tuple(parts))


def washing_line(length_m: float = 3.4) -> Design:
    """A washing line between two posts along y, with laundry on it."""
    half = length_m / 2
    items = (
        (-0.36, 0.62, 0.85, "cotton_white"),
        (-0.17, 0.3, 0.5, "shirt_red"),
        (0.0, 0.42, 0.62, "blanket_blue"),
        (0.2, 0.62, 0.95, "wool_mustard"),
        (0.38, 0.32, 0.48, "towel_aqua"),
    )
    cloths = tuple(
        box((0.0, share * length_m, 1.78 - high), (0.025, wide, high), mat, bevel=0.01, solid=False)
        for share, wide, high, mat in items
    )
    pegs = tuple(
        box(
            (0.0, share * length_m + s * wide * 0.4, 1.74), (0.04, 0.02, 0.09), "pine", bevel=0.0, solid=False
        )
        for share, wide, _, _ in items
        for s in (0.8,)
    )
    posts = tuple(
        item
        for s in (-1.0, 1.0)
        for item in (
            cone((0.0, half * s, 0.0), 0.3, 0.06, "field_stone", taper=0.6),
            cyl((0.0, half * s, 0.0), 0.09, 1.95, "weathered_wood", bevel=0.01),
            box((0.0, half * s, 1.8), (0.6, 0.06, 0.06), "weathered_wood", bevel=0.006, solid=False),
        )
    )
    lines = tuple(rod((x, -half, 1.8), (x, half, 1.8), 0.014, "cotton_white") for x in (-0.25, 0.0, 0.25))
    return Design((*posts, *lines, *cloths, *pegs))


def bird_bath() -> Design:
    """A stone bird bath on a turned foot, with water and a small bird."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.44, 0.08, "field_stone", bevel=0.015),
            cone((0.0, 0.0, 0.08), 0.28, 0.62, "field_stone", taper=0.55),
            cone((0.0, 0.0, 0.68), 0.26, 0.14, "field_stone", taper=2.6),
            cyl((0.0, 0.0, 0.81), 0.6, 0.015, "pond_water", bevel=0.0, solid=False),
            ball((0.28, 0.06, 0.83), (0.13, 0.08, 0.08), "feather_grey", solid=False),
            ball((0.335, 0.06, 0.87), 0.055, "petal_red", solid=False),
            cone((0.36, 0.06, 0.89), 0.014, 0.03, "petal_yellow", rot=(0.0, 90.0, 0.0), solid=False),
        )
    )


def bird_house() -> Design:
    """A bird house on a post; its hole is to the front."""
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.34, 0.1, "field_stone", taper=0.6),
            box((0.0, 0.0, 0.0), (0.08, 0.08, 1.5), "weathered_wood", bevel=0.008),
            box((0.0, 0.0, 1.5), (0.3, 0.28, 0.3), "shutter_blue", bevel=0.006),
            *(
                box(
                    (0.0, 0.1 * s, 1.78),
                    (0.4, 0.27, 0.03),
                    "boat_red",
                    bevel=0.004,
                    rot=(-38.0 * s, 0.0, 0.0),
                    solid=False,
                )
                for s in (-1.0, 1.0)
            ),
            cyl((0.151, 0.0, 1.62), 0.07, 0.012, "soot", bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False),
            rod((0.15, 0.0, 1.56), (0.22, 0.0, 1.56), 0.02, "pine"),
        )
    )


def pinwheel(initial: str = "on") -> Design:
    """A garden windmill: a wheel of four coloured sails that turns on a post; it faces +x."""
    hub = (0.1, 0.0, 1.35)
    colors = ("plastic_red", "plastic_yellow", "plastic_blue", "plastic_green")
    sails: list[Primitive] = []
    for k, mat in enumerate(colors):
        turn = math.radians(90.0 * k)
        y, z = -0.31 * math.sin(turn), 0.31 * math.cos(turn)
        sails.append(
            box(
                (hub[0], y, hub[2] + z - 0.2),
                (0.02, 0.19, 0.4),
                mat,
                bevel=0.004,
                rot=(90.0 * k, 0.0, 0.0),
                part="wheel",
                solid=False,
            )
        )
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.32, 0.1, "field_stone", taper=0.6),
            cyl((0.0, 0.0, 0.0), 0.07, 1.4, "picket_white", bevel=0.004),
            *sails,
            cyl(
                (hub[0], 0.0, hub[2] - 0.03),
                0.1,
                0.06,
                "picket_white",
                bevel=0.01,
                rot=(0.0, 90.0, 0.0),
                part="wheel",
            ),
        ),
        spinning("wheel", hub, (1.0, 0.0, 0.0), 80.0, initial),
    )


KINDS = (
    Kind(
        "well",
        "draw well",
        ("water well", "stone well", "wishing well", "well with a roof"),
        ((1.0, 1.2, 1.8), (1.8, 2.4, 3.0)),
        900.0,
        well,
    ),
    Kind(
        "garden_shed",
        "garden shed",
        ("shed", "tool shed", "wooden hut", "hut"),
        ((1.8, 1.8, 1.9), (3.6, 3.6, 3.0)),
        600.0,
        garden_shed,
    ),
    Kind(
        "garden_swing",
        "swing",
        ("swing set", "double swing", "garden swing", "swings"),
        ((1.2, 2.0, 1.8), (2.2, 3.6, 2.8)),
        90.0,
        garden_swing,
    ),
    Kind(
        "washing_line",
        "washing line",
        ("clothes line", "clothesline", "laundry line", "laundry"),
        ((0.3, 2.0, 1.6), (1.0, 8.0, 2.4)),
        40.0,
        washing_line,
    ),
    Kind(
        "bird_bath",
        "birdbath",
        ("bird bath", "stone basin", "stone bowl"),
        ((0.4, 0.4, 0.6), (0.9, 0.9, 1.2)),
        60.0,
        bird_bath,
    ),
    Kind(
        "bird_house",
        "bird house",
        ("birdhouse", "nesting box", "nest box"),
        ((0.3, 0.2, 1.2), (0.6, 0.6, 2.4)),
        12.0,
        bird_house,
    ),
    Kind(
        "pinwheel",
        "pinwheel",
        ("garden windmill", "toy windmill", "windmill", "wind wheel"),
        ((0.25, 0.5, 1.2), (0.6, 1.2, 2.2)),
        6.0,
        pinwheel,
    ),
)
