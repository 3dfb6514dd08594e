"""What a kitchen garden is worked with: watering can, spade, beehives, firewood, compost, scarecrow."""

from __future__ import annotations

from dataclasses import replace

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, legs, pill, rod
from embodied_eval.worlds.model import Primitive


def watering_can(color: str = "can_zinc") -> Design:
    """A zinc watering can; its spout is to the front."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.24, 0.28, color, bevel=0.01),
            cyl((0.0, 0.0, 0.26), 0.25, 0.02, color, bevel=0.005, solid=False),
            rod((0.08, 0.0, 0.06), (0.36, 0.0, 0.34), 0.04, color),
            cone((0.38, 0.0, 0.31), 0.05, 0.09, color, taper=2.2, rot=(0.0, 45.0, 0.0), solid=False),
            rod((-0.11, 0.0, 0.08), (-0.22, 0.0, 0.22), 0.025, color),
            rod((-0.22, 0.0, 0.22), (-0.1, 0.0, 0.36), 0.025, color),
            rod((-0.1, 0.0, 0.36), (0.1, 0.0, 0.3), 0.025, color),
        )
    )


def beehive(color: str = "hive_yellow") -> Design:
    """A wooden beehive of three boxes on legs; the entrance is to the front."""
    return Design(
        (
            *legs(0.18, 0.17, 0.22, 0.06, "weathered_wood"),
            box((0.03, 0.0, 0.22), (0.56, 0.46, 0.05), "weathered_wood", bevel=0.006),
            *(box((0.0, 0.0, 0.27 + 0.24 * k), (0.46, 0.42, 0.235), color, bevel=0.008) for k in range(3)),
            box((0.0, 0.0, 0.99), (0.54, 0.5, 0.07), "can_zinc", bevel=0.01),
            box((0.235, 0.0, 0.29), (0.012, 0.26, 0.03), "soot", bevel=0.0, solid=False),
        )
    )


def woodpile(length_m: float = 1.8) -> Design:
    """Split logs stacked between two pairs of posts, along y, the cut ends to the front."""
    parts: list[Primitive] = [box((0.0, 0.0, 0.0), (0.5, length_m - 0.1, 0.86), "bark", bevel=0.0)]
    count = round((length_m - 0.1) / 0.28)
    step = (length_m - 0.1) / count
    for row in range(3):
        for k in range(count):
            y = -length_m / 2 + 0.05 + step * (k + 0.5) + (0.05 if row % 2 else -0.03)
            d = 0.25 + 0.012 * ((k + row) % 3)
            middle = (0.02 + 0.012 * ((k * 3 + row) % 4), y, 0.145 + 0.275 * row)
            log = cyl((0.0, 0.0, 0.0), d, 0.5, "log_end", bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False)
            parts.append(
                replace(log, position=(round(middle[0], 6), round(middle[1], 6), round(middle[2], 6)))
            )
    for s in (-1.0, 1.0):
        parts.append(
            box((0.0, s * (length_m / 2 - 0.02), 0.0), (0.1, 0.08, 1.1), "weathered_wood", bevel=0.006)
        )
    parts.append(box((0.02, 0.0, 0.9), (0.6, length_m, 0.04), "shed_boards", bevel=0.004))
    return Design(tuple(parts))


def chopping_block() -> Design:
    """A chopping block with an axe stuck in it."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.5, 0.48, "bark", bevel=0.01),
            cyl((0.0, 0.0, 0.478), 0.46, 0.006, "log_end", bevel=0.0, solid=False),
            rod((0.02, 0.0, 0.56), (-0.42, 0.0, 0.92), 0.038, "pine"),
            box(
                (0.06, 0.0, 0.46), (0.07, 0.035, 0.18), "iron", bevel=0.006, rot=(0.0, 38.0, 0.0), solid=False
            ),
        )
    )


def compost_bin() -> Design:
    """A compost bin of boards, full of leaves and peelings."""
    w, h = 1.0, 0.8
    boards = tuple(
        item
        for z in (0.06, 0.42)
        for s in (-1.0, 1.0)
        for item in (
            box((s * (w / 2 - 0.02), 0.0, z), (0.03, w, 0.3), "weathered_wood", bevel=0.004),
            box((0.0, s * (w / 2 - 0.02), z), (w - 0.08, 0.03, 0.3), "weathered_wood", bevel=0.004),
        )
    )
    corners = tuple(
        box((sx * (w / 2 - 0.07), sy * (w / 2 - 0.07), 0.0), (0.07, 0.07, h), "shed_boards", bevel=0.004)
        for sx in (-1.0, 1.0)
        for sy in (-1.0, 1.0)
    )
    return Design(
        (
            *boards,
            *corners,
            box((0.0, 0.0, 0.0), (w - 0.16, w - 0.16, 0.5), "garden_soil", bevel=0.0),
            ball((0.0, 0.0, 0.25), (0.82, 0.8, 0.5), "bark_mulch", solid=False),
            ball((0.16, 0.1, 0.62), (0.22, 0.2, 0.14), "cabbage_green", solid=False),
            ball((-0.15, -0.1, 0.66), 0.1, "apple_red", solid=False),
        )
    )


def scarecrow() -> Design:
    """A scarecrow in an old red shirt and a straw hat."""
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.4, 0.12, "garden_soil", taper=0.5),
            cyl((0.0, 0.0, 0.0), 0.07, 1.5, "weathered_wood"),
            rod((0.0, -0.72, 1.28), (0.0, 0.72, 1.28), 0.05, "weathered_wood"),
            pill((0.0, 0.0, 0.78), 0.34, 0.66, "shirt_red", solid=False),
            *(rod((0.0, 0.14 * s, 1.28), (0.0, 0.58 * s, 1.26), 0.15, "shirt_red") for s in (-1.0, 1.0)),
            *(
                cone(
                    (0.0, 0.62 * s, 1.2),
                    0.05,
                    0.13,
                    "straw",
                    taper=2.4,
                    rot=(-80.0 * s, 0.0, 0.0),
                    solid=False,
                )
                for s in (-1.0, 1.0)
            ),
            cone((0.0, 0.0, 0.5), 0.42, 0.42, "denim", taper=0.76, solid=False),
            ball((0.0, 0.0, 1.42), 0.27, "linen_beige", solid=False),
            *(ball((0.12, 0.055 * s, 1.57), 0.03, "plastic_black", solid=False) for s in (-1.0, 1.0)),
            cone((0.12, 0.0, 1.5), 0.04, 0.1, "petal_orange", rot=(0.0, 80.0, 0.0), solid=False),
            cyl((0.0, 0.0, 1.64), 0.54, 0.02, "straw", bevel=0.006, solid=False),
            cone((0.0, 0.0, 1.65), 0.28, 0.18, "straw", taper=0.7, solid=False),
        )
    )


def garden_spade() -> Design:
    """A spade stuck in the ground."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.03, 0.18, 0.16), "iron", bevel=0.004),
            cyl((0.0, 0.0, 0.14), 0.036, 0.78, "pine", bevel=0.0),
            box((0.0, 0.0, 0.9), (0.04, 0.14, 0.04), "pine", bevel=0.01, solid=False),
        )
    )


KINDS = (
    Kind(
        "watering_can",
        "watering can",
        ("zinc can", "metal can"),
        ((0.4, 0.2, 0.25), (0.9, 0.4, 0.6)),
        2.5,
        watering_can,
        dynamic=True,
    ),
    Kind(
        "beehive",
        "beehive",
        ("hive", "bee box", "bee hive"),
        ((0.4, 0.4, 0.8), (0.8, 0.8, 1.4)),
        40.0,
        beehive,
    ),
    Kind(
        "woodpile",
        "woodpile",
        ("stack of firewood", "firewood", "log pile", "stacked logs", "wood stack"),
        ((0.4, 1.0, 0.7), (1.0, 4.0, 1.6)),
        500.0,
        woodpile,
    ),
    Kind(
        "chopping_block",
        "chopping block",
        ("tree stump", "stump", "axe", "stump with an axe"),
        ((0.4, 0.4, 0.6), (1.0, 0.7, 1.3)),
        70.0,
        chopping_block,
    ),
    Kind(
        "compost_bin",
        "compost bin",
        ("compost heap", "compost"),
        ((0.8, 0.8, 0.6), (1.4, 1.4, 1.2)),
        200.0,
        compost_bin,
    ),
    Kind("scarecrow", "scarecrow", ("straw man",), ((0.3, 1.2, 1.5), (0.7, 1.9, 2.2)), 12.0, scarecrow),
    Kind(
        "garden_spade",
        "spade",
        ("garden spade", "shovel"),
        ((0.02, 0.12, 0.8), (0.2, 0.3, 1.3)),
        2.0,
        garden_spade,
    ),
)
