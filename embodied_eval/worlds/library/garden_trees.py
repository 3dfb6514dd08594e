"""Trees and shrubs of a garden: apple, birch, fir, willow, poplar, round shrubs, distant hills."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod
from embodied_eval.worlds.model import Primitive


def apple_tree(apples: int = 8) -> Design:
    """A spreading apple tree on a short stem, with red apples."""
    crown = (
        (0.0, 0.0, 1.7, 2.3, 2.2, 1.7),
        (0.8, 0.35, 1.55, 1.6, 1.5, 1.25),
        (-0.75, -0.4, 1.6, 1.7, 1.5, 1.2),
        (-0.3, 0.85, 1.65, 1.5, 1.4, 1.25),
        (0.25, -0.8, 1.75, 1.5, 1.3, 1.2),
    )
    fruit: list[Primitive] = []
    for index in range(apples):
        angle, lift = 2.4 * index, 0.3 * (index % 3)
        reach = 1.18 - 0.12 * (index % 3)
        at = (reach * math.cos(angle), reach * math.sin(angle), 1.62 + lift)
        fruit.append(ball(at, 0.11, "apple_red", solid=False))
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.46, 0.25, "bark", taper=0.62),
            cyl((0.0, 0.0, 0.2), 0.26, 1.6, "bark", bevel=0.0),
            rod((0.0, 0.0, 1.35), (0.62, 0.3, 2.0), 0.13, "bark"),
            rod((0.0, 0.0, 1.4), (-0.55, -0.3, 2.0), 0.12, "bark"),
            *(ball((x, y, z), (a, b, c), "crown_apple", solid=False) for x, y, z, a, b, c in crown),
            *fruit,
        )
    )


def birch() -> Design:
    """A slender birch with a white stem and a light, drooping crown."""
    crown = (
        (0.0, 0.0, 2.3, 1.7, 1.7, 2.9),
        (0.4, 0.2, 2.0, 1.3, 1.25, 1.9),
        (-0.42, -0.1, 2.1, 1.25, 1.3, 1.8),
        (0.0, 0.1, 1.75, 1.4, 1.5, 1.4),
    )
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.34, 0.3, "birch_bark", taper=0.6),
            cone((0.0, 0.0, 0.25), 0.2, 3.6, "birch_bark", taper=0.5),
            rod((0.0, 0.0, 2.0), (0.35, 0.2, 3.0), 0.06, "birch_bark"),
            *(ball((x, y, z), (a, b, c), "crown_birch", solid=False) for x, y, z, a, b, c in crown),
        )
    )


def fir_tree(height_m: float = 5.0) -> Design:
    """A fir: a stack of dark green cones on a short stem."""
    tiers = 5
    rise = (height_m - 0.5) / (tiers + 1.2)
    parts = tuple(
        cone(
            (0.0, 0.0, 0.5 + rise * k),
            (0.46 - 0.066 * k) * height_m,
            2.2 * rise,
            "crown_fir",
            taper=0.06,
            solid=False,
        )
        for k in range(tiers)
    )
    return Design((cyl((0.0, 0.0, 0.0), 0.05 * height_m, 0.6 * height_m, "fir_bark", bevel=0.0), *parts))


def willow() -> Design:
    """A weeping willow: a stout stem, a domed crown, long hanging strands all round."""
    strands: list[Primitive] = []
    for index in range(13):
        angle = 2.0 * math.pi * index / 13
        reach = 1.42 - 0.22 * (index % 3)
        low = 0.55 + 0.24 * ((index * 5) % 4)
        at = (reach * math.cos(angle), reach * math.sin(angle), low)
        strands.append(ball(at, (0.66, 0.66, 3.5 - low), "crown_willow", solid=False))
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.8, 0.4, "bark", taper=0.6),
            cyl((0.0, 0.0, 0.3), 0.44, 2.0, "bark", bevel=0.0),
            rod((0.0, 0.0, 1.9), (0.8, 0.4, 3.0), 0.2, "bark"),
            rod((0.0, 0.0, 1.9), (-0.7, -0.5, 3.0), 0.2, "bark"),
            ball((0.0, 0.0, 2.2), (3.5, 3.5, 1.9), "crown_willow", solid=False),
            ball((0.5, 0.4, 2.9), (2.2, 2.1, 1.5), "crown_willow", solid=False),
            ball((-0.6, -0.4, 2.8), (2.2, 2.1, 1.5), "crown_willow", solid=False),
            *strands,
        )
    )


def poplar(height_m: float = 8.0) -> Design:
    """A tall, narrow poplar."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.42, 0.3 * height_m, "bark", bevel=0.0),
            ball((0.0, 0.0, 0.12 * height_m), (1.7, 1.7, 0.7 * height_m), "tree_crown", solid=False),
            ball((0.12, 0.1, 0.38 * height_m), (1.3, 1.3, 0.62 * height_m), "tree_crown", solid=False),
        )
    )


def shrub(size_m: float = 1.2, bloom: str = "") -> Design:
    """A round garden shrub, in flower where a `bloom` material is given."""
    s = size_m
    tufts = (
        (0.0, 0.0, 0.0, 1.0),
        (0.22, 0.12, 0.03, 0.7),
        (-0.2, 0.16, 0.05, 0.68),
        (0.02, -0.24, 0.02, 0.72),
    )
    blooms: list[Primitive] = []
    for index in range(7 if bloom else 0):
        angle, level = 2.4 * index, 0.32 + 0.07 * index
        # On the surface of an ellipsoid of that size.
        wide = 0.5 * math.sqrt(max(0.0, 1.0 - ((level - 0.42) / 0.46) ** 2)) + 0.05
        at = (wide * s * math.cos(angle), wide * s * math.sin(angle), level * s)
        blooms.append(ball(at, 0.14 * s, bloom, solid=False))
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.5 * s, 0.5 * s, "shrub_leaf", bevel=0.0),
            *(
                ball((x * s, y * s, z * s), (k * s, k * s, 0.88 * k * s), "shrub_leaf", solid=False)
                for x, y, z, k in tufts
            ),
            *blooms,
        )
    )


def hill(width_m: float = 3.0, height_m: float = 0.8, mat: str = "meadow") -> Design:
    """A distant hill; it is a mere shape that nobody comes near."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.5 * width_m, 0.5 * width_m, 0.2 * height_m), mat, bevel=0.0),
            ball((0.0, 0.0, -height_m), (width_m, width_m, 2.0 * height_m), mat, solid=False),
        )
    )


KINDS = (
    Kind("apple_tree", "apple tree", ("fruit tree",), ((1.5, 1.5, 2.2), (4.0, 4.0, 5.0)), 260.0, apple_tree),
    Kind("birch", "birch", ("birch tree", "white tree"), ((1.0, 1.0, 3.0), (3.0, 3.0, 9.0)), 220.0, birch),
    Kind(
        "fir_tree",
        "fir tree",
        ("fir", "conifer", "pine tree", "spruce", "christmas tree", "evergreen"),
        ((0.8, 0.8, 1.5), (6.0, 6.0, 14.0)),
        300.0,
        fir_tree,
    ),
    Kind(
        "willow",
        "willow",
        ("weeping willow", "willow tree"),
        ((2.5, 2.5, 3.0), (6.0, 6.0, 8.0)),
        500.0,
        willow,
    ),
    Kind(
        "poplar", "poplar", ("tall tree", "poplar tree"), ((1.0, 1.0, 4.0), (4.0, 4.0, 16.0)), 500.0, poplar
    ),
    Kind(
        "shrub",
        "shrub",
        ("bush", "flowering shrub", "round bush", "flowering bush"),
        ((0.4, 0.4, 0.3), (2.5, 2.5, 2.2)),
        30.0,
        shrub,
    ),
    Kind("hill", "hill", ("distant hill", "hillside"), ((1.0, 1.0, 0.3), (200.0, 200.0, 40.0)), 1e6, hill),
)
