"""Flowers and vegetables: beds, roses, sunflowers, lavender, pots, pumpkins, beans."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod
from embodied_eval.worlds.model import Primitive

PETALS = ("petal_red", "petal_yellow", "petal_violet", "petal_white", "petal_orange")


def flower_bed(length_m: float = 2.4, width_m: float = 0.8, petals: tuple[str, ...] = PETALS) -> Design:
    """A bed of mixed flowers with an edge of small stones, its length along y."""
    parts: list[Primitive] = [
        box((0.0, 0.0, 0.0), (width_m, length_m, 0.08), "garden_soil", bevel=0.02),
        *(
            box((s * width_m / 2, 0.0, 0.0), (0.1, length_m + 0.1, 0.11), "field_stone", bevel=0.03)
            for s in (-1.0, 1.0)
        ),
        *(
            box((0.0, s * length_m / 2, 0.0), (width_m - 0.1, 0.1, 0.11), "field_stone", bevel=0.03)
            for s in (-1.0, 1.0)
        ),
    ]
    count = max(3, round(length_m / 0.38))
    step = (length_m - 0.2) / count
    for row, x in enumerate((-0.2 * width_m, 0.2 * width_m)):
        low = 0.22 + 0.1 * row
        parts.append(
            box((x, 0.0, 0.06), (0.3 * width_m, length_m - 0.2, low), "shrub_leaf", bevel=0.08, solid=False)
        )
        for index in range(count):
            number = 2 * index + row
            y = -length_m / 2 + 0.1 + step * (index + 0.35 + 0.3 * row)
            wide = 0.17 + 0.03 * (number % 3)
            lift = low + 0.02 * ((number * 7) % 4)
            bloom = petals[(number * 3 + row) % len(petals)]
            parts.append(ball((x, y, lift), (wide, wide, 0.14), bloom, solid=False))
    return Design(tuple(parts))


def rose_trellis(petals: str = "petal_red", height_m: float = 1.9) -> Design:
    """A trough with a trellis on which roses climb; its back is at -x."""
    parts: list[Primitive] = [box((0.0, 0.0, 0.0), (0.34, 0.8, 0.3), "weathered_wood", bevel=0.01)]
    for y in (-0.32, 0.0, 0.32):
        parts.append(box((-0.1, y, 0.3), (0.03, 0.03, height_m - 0.3), "picket_white", bevel=0.0))
    for k in range(2):
        z = 0.9 + k * (height_m - 1.1)
        parts.append(box((-0.1, 0.0, z), (0.03, 0.78, 0.03), "picket_white", bevel=0.0, solid=False))
    for y, z in ((0.06, 0.22), (-0.06, 0.72), (0.04, height_m - 0.95)):
        parts.append(ball((-0.06, y, z), (0.26, 0.72, 0.95), "shrub_leaf", solid=False))
    for k in range(6):
        y, z = 0.28 * math.sin(3.7 * k + 0.6), 0.42 + k * (height_m - 0.62) / 5
        parts.append(ball((0.05, y, z), 0.12, petals, solid=False))
    return Design(tuple(parts))


def sunflower(height_m: float = 1.7) -> Design:
    """A tall sunflower; its head looks to the front."""
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.26, 0.12, "garden_soil", taper=0.4),
            cyl((0.0, 0.0, 0.0), 0.05, height_m - 0.1, "leaf_green", bevel=0.0),
            *(
                ball((x, y, z), (0.36, 0.18, 0.03), "leaf_green", rot=(0.0, 20.0, yaw), solid=False)
                for x, y, z, yaw in (
                    (0.14, 0.02, 0.5, 10.0),
                    (-0.14, 0.05, 0.75, 160.0),
                    (0.0, -0.15, 1.0, 270.0),
                )
            ),
            cyl(
                (0.06, 0.0, height_m - 0.2),
                0.36,
                0.03,
                "petal_yellow",
                bevel=0.01,
                rot=(0.0, 78.0, 0.0),
                solid=False,
            ),
            cyl(
                (0.075, 0.0, height_m - 0.2),
                0.18,
                0.04,
                "seed_brown",
                bevel=0.01,
                rot=(0.0, 78.0, 0.0),
                solid=False,
            ),
        )
    )


def lavender() -> Design:
    """A bush of lavender in flower."""
    spikes = tuple(
        cone(
            (
                0.15 * math.cos(2.4 * k) * (1 + k % 2) / 1.5,
                0.15 * math.sin(2.4 * k) * (1 + k % 2) / 1.5,
                0.28,
            ),
            0.09,
            0.26 - 0.03 * (k % 3),
            "petal_violet",
            taper=0.3,
            solid=False,
        )
        for k in range(5)
    )
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.3, 0.2, "leaf_pale", bevel=0.0),
            ball((0.0, 0.0, 0.02), (0.62, 0.62, 0.4), "leaf_pale", solid=False),
            *spikes,
        )
    )


def flower_pot(petals: str = "petal_red", pot: str = "terracotta") -> Design:
    """A clay pot of geraniums."""
    blooms = tuple(
        ball(
            (0.1 * math.cos(2.1 * k), 0.1 * math.sin(2.1 * k), 0.37 + 0.03 * (k % 3)),
            0.1,
            petals,
            solid=False,
        )
        for k in range(3)
    )
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.2, 0.24, pot, taper=1.35),
            cyl((0.0, 0.0, 0.21), 0.29, 0.04, pot, bevel=0.01),
            ball((0.0, 0.0, 0.2), (0.36, 0.36, 0.24), "leaf_green", solid=False),
            *blooms,
        )
    )


def _crop(crop: str, x: float, y: float, z: float, number: int) -> tuple[Primitive, ...]:
    if crop == "cabbage":
        return (ball((x, y, z - 0.04), (0.34, 0.34, 0.28), "cabbage_green", solid=False),)
    if crop == "lettuce":
        return (cone((x, y, z), 0.16, 0.14, "leaf_pale", taper=1.7, solid=False),)
    if crop == "carrot":
        return (cone((x, y, z), 0.1, 0.24 + 0.03 * (number % 3), "shrub_leaf", taper=2.4, solid=False),)
    return (
        ball((x, y, z), (0.42, 0.42, 0.85), "shrub_leaf", solid=False),
        ball((x + 0.17, y, z + 0.3), 0.1, "apple_red", solid=False),
        ball((x - 0.03, y + 0.17, z + 0.5), 0.1, "apple_red", solid=False),
    )


def vegetable_bed(crop: str = "cabbage", length_m: float = 2.4, width_m: float = 1.0) -> Design:
    """A raised bed in a frame of boards, planted with "cabbage", "lettuce", "carrot" or "tomato"; its length
    is along y."""
    spacing = {"cabbage": 0.5, "lettuce": 0.42, "carrot": 0.4, "tomato": 0.75}[crop]
    rows = 2
    count = max(2, round((length_m - 0.2) / spacing))
    step = (length_m - 0.2) / count
    plants = tuple(
        item
        for row in range(rows)
        for index in range(count)
        for item in _crop(
            crop,
            width_m * (0.5 * row - 0.25),
            -length_m / 2 + 0.1 + step * (index + 0.5),
            0.2,
            index + row,
        )
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (width_m - 0.06, length_m - 0.06, 0.2), "garden_soil", bevel=0.0),
            *(
                box(
                    (s * (width_m / 2 - 0.02), 0.0, 0.0),
                    (0.04, length_m, 0.25),
                    "weathered_wood",
                    bevel=0.004,
                )
                for s in (-1.0, 1.0)
            ),
            *(
                box(
                    (0.0, s * (length_m / 2 - 0.02), 0.0),
                    (width_m - 0.08, 0.04, 0.25),
                    "weathered_wood",
                    bevel=0.004,
                )
                for s in (-1.0, 1.0)
            ),
            *plants,
        )
    )


def bean_poles(count: int = 3) -> Design:
    """A row of crossed bean poles with climbing beans, along y."""
    parts: list[Primitive] = []
    length = 0.6 * (count - 1)
    for index in range(count):
        y = -length / 2 + 0.6 * index
        for s in (-1.0, 1.0):
            parts.append(rod((0.42 * s, y, 0.02), (-0.05 * s, y, 1.95), 0.035, "bamboo", solid=True))
            low, high = 0.22 + 0.09 * ((index + (s > 0)) % 3), 1.62 + 0.1 * (index % 2)
            x0, x1 = (s * (0.42 - 0.47 * z / 1.95) for z in (low, high))
            parts.append(rod((x0, y, low), (x1, y, high), 0.25, "shrub_leaf"))
        parts.append(ball((0.3 * (1 if index % 2 else -1), y + 0.05, 0.8), 0.1, "petal_red", solid=False))
    parts.append(rod((0.0, -length / 2 - 0.2, 1.8), (0.0, length / 2 + 0.2, 1.8), 0.04, "bamboo", solid=True))
    return Design(tuple(parts))


def pumpkin(size_m: float = 0.36) -> Design:
    """A ribbed orange pumpkin with its stalk."""
    s = size_m
    lobes = tuple(
        ball(
            (0.22 * s * math.cos(math.pi * k / 2), 0.22 * s * math.sin(math.pi * k / 2), 0.02 * s),
            (0.6 * s, 0.6 * s, 0.7 * s),
            "pumpkin_orange",
            solid=False,
        )
        for k in range(4)
    )
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.62 * s, 0.6 * s, "pumpkin_orange", bevel=0.0),
            *lobes,
            cone(
                (0.0, 0.0, 0.64 * s),
                0.14 * s,
                0.2 * s,
                "reed_green",
                taper=0.6,
                rot=(0.0, 12.0, 0.0),
                solid=False,
            ),
        )
    )


KINDS = (
    Kind(
        "flower_bed",
        "flower bed",
        ("bed of flowers", "flower border", "flowerbed"),
        ((0.4, 0.6, 0.2), (2.5, 8.0, 1.0)),
        200.0,
        flower_bed,
    ),
    Kind(
        "rose_trellis",
        "climbing rose",
        ("rose trellis", "climbing roses", "trellis", "rambling rose"),
        ((0.2, 0.6, 1.2), (0.7, 1.2, 2.6)),
        25.0,
        rose_trellis,
    ),
    Kind(
        "sunflower", "sunflower", ("tall yellow flower",), ((0.2, 0.2, 0.9), (0.8, 0.8, 2.6)), 1.5, sunflower
    ),
    Kind(
        "lavender",
        "lavender",
        ("lavender bush", "purple flowers", "violet flowers"),
        ((0.4, 0.4, 0.3), (0.9, 0.9, 0.8)),
        4.0,
        lavender,
    ),
    Kind(
        "flower_pot",
        "flower pot",
        ("geranium pot", "pot of geraniums", "clay pot", "geraniums", "flowerpot"),
        ((0.25, 0.25, 0.3), (0.6, 0.6, 0.7)),
        6.0,
        flower_pot,
    ),
    Kind(
        "vegetable_bed",
        "vegetable bed",
        ("raised bed", "vegetable patch", "garden bed"),
        ((0.6, 1.0, 0.3), (1.6, 5.0, 1.4)),
        300.0,
        vegetable_bed,
    ),
    Kind(
        "bean_poles",
        "bean poles",
        ("beans", "runner beans", "bean trellis", "bamboo poles"),
        ((0.6, 1.2, 1.5), (1.4, 4.0, 2.4)),
        15.0,
        bean_poles,
    ),
    Kind(
        "pumpkin", "pumpkin", ("squash", "orange pumpkin"), ((0.2, 0.2, 0.15), (0.6, 0.6, 0.6)), 5.0, pumpkin
    ),
)
