"""Things on kitchen tops and tables."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, pill, rod


def kettle(color: str = "ceramic_red") -> Design:
    """An electric kettle with a spout and a handle at its back."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.17, 0.02, "plastic_black"),
            cone((0.0, 0.0, 0.02), 0.17, 0.18, color, taper=0.78),
            ball((0.0, 0.0, 0.175), (0.135, 0.135, 0.06), color, solid=False),
            ball((0.0, 0.0, 0.225), 0.025, "plastic_black", solid=False),
            cone((0.085, 0.0, 0.12), 0.048, 0.1, color, taper=0.5, rot=(0.0, 48.0, 0.0), solid=False),
            rod((-0.055, 0.0, 0.195), (-0.12, 0.0, 0.175), 0.022, "plastic_black"),
            rod((-0.12, 0.0, 0.175), (-0.12, 0.0, 0.08), 0.022, "plastic_black"),
            rod((-0.12, 0.0, 0.08), (-0.075, 0.0, 0.05), 0.022, "plastic_black"),
        )
    )


def pot(color: str = "steel") -> Design:
    """A cooking pot with a lid and two handles."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.24, 0.15, color, bevel=0.01),
            cyl((0.0, 0.0, 0.15), 0.245, 0.008, color, bevel=0.003, solid=False),
            ball((0.0, 0.0, 0.13), (0.21, 0.21, 0.07), color, solid=False),
            ball((0.0, 0.0, 0.195), 0.03, "plastic_black", solid=False),
            box((0.0, 0.135, 0.11), (0.08, 0.04, 0.014), "plastic_black", solid=False),
            box((0.0, -0.135, 0.11), (0.08, 0.04, 0.014), "plastic_black", solid=False),
        )
    )


def pan() -> Design:
    """A frying pan; its handle points to the front."""
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.22, 0.045, "iron", taper=1.22),
            cyl((0.0, 0.0, 0.038), 0.235, 0.009, "plastic_black", solid=False),
            rod((0.13, 0.0, 0.035), (0.31, 0.0, 0.06), 0.024, "plastic_black"),
        )
    )


def mug(color: str = "ceramic_blue_plain") -> Design:
    """A mug with a handle and coffee in it."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.085, 0.095, color, bevel=0.006),
            cyl((0.0, 0.0, 0.09), 0.07, 0.007, "soil", bevel=0.0, solid=False),
            rod((0.0, 0.038, 0.075), (0.0, 0.068, 0.062), 0.012, color),
            rod((0.0, 0.068, 0.062), (0.0, 0.068, 0.035), 0.012, color),
            rod((0.0, 0.068, 0.035), (0.0, 0.038, 0.022), 0.012, color),
        )
    )


def plate(color: str = "ceramic_white") -> Design:
    """A dinner plate with a coloured ring."""
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.17, 0.02, color, taper=1.55),
            cyl((0.0, 0.0, 0.0185), 0.2, 0.004, "ceramic_blue_plain", bevel=0.0, solid=False),
            cyl((0.0, 0.0, 0.0195), 0.185, 0.004, color, bevel=0.0, solid=False),
        )
    )


def bowl(color: str = "ceramic_green") -> Design:
    """A deep bowl, filled."""
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.1, 0.075, color, taper=1.8),
            cyl((0.0, 0.0, 0.068), 0.16, 0.009, "petal_white", bevel=0.0, solid=False),
        )
    )


def bottle(color: str = "glass_green") -> Design:
    """A wine bottle with a label."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.078, 0.2, color, bevel=0.008),
            cyl((0.0, 0.0, 0.07), 0.0795, 0.09, "paper_white", bevel=0.0, solid=False),
            cone((0.0, 0.0, 0.195), 0.078, 0.05, color, taper=0.4, solid=False),
            cyl((0.0, 0.0, 0.24), 0.031, 0.08, color, solid=False),
            cyl((0.0, 0.0, 0.3), 0.034, 0.025, "ceramic_red", solid=False),
        )
    )


def fruit_bowl(wood: str = "bamboo") -> Design:
    """A wide bowl of apples, oranges and bananas."""
    fruit = (
        ball((0.07, 0.04, 0.055), 0.085, "apple_red", solid=False),
        ball((-0.01, 0.08, 0.055), 0.085, "orange_peel", solid=False),
        ball((-0.07, 0.0, 0.055), 0.085, "apple_green", solid=False),
        ball((0.02, -0.05, 0.055), 0.085, "orange_peel", solid=False),
        ball((0.0, 0.02, 0.1), 0.08, "apple_red", solid=False),
    )
    bananas = (
        rod((-0.08, -0.08, 0.11), (0.02, -0.1, 0.125), 0.036, "banana"),
        rod((0.02, -0.1, 0.125), (0.09, -0.06, 0.115), 0.034, "banana"),
    )
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.15, 0.015, wood),
            cone((0.0, 0.0, 0.015), 0.17, 0.075, wood, taper=1.85),
            *fruit,
            *bananas,
        )
    )


def knife_block(wood: str = "walnut") -> Design:
    """A slanted block with five knives."""
    handles = tuple(
        box(
            (0.005 + 0.018 * row, y, 0.2),
            (0.022, 0.016, 0.1),
            "plastic_black",
            rot=(0.0, 18.0, 0.0),
            solid=False,
        )
        for row, y in ((0, -0.03), (0, 0.0), (0, 0.03), (2, -0.015), (2, 0.015))
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.14, 0.11, 0.03), wood, bevel=0.005),
            box((-0.01, 0.0, 0.01), (0.1, 0.1, 0.2), wood, bevel=0.008, rot=(0.0, 18.0, 0.0), solid=False),
            box((-0.01, 0.0, 0.03), (0.1, 0.1, 0.14), wood, bevel=0.008),
            *handles,
        )
    )


def vase(color: str = "ceramic_blue") -> Design:
    """A vase with a bunch of flowers."""
    blooms = (
        (0.0, 0.0, 0.44, "petal_pink"),
        (0.07, 0.03, 0.4, "petal_yellow"),
        (-0.05, 0.07, 0.41, "petal_white"),
        (-0.06, -0.06, 0.39, "petal_pink"),
        (0.05, -0.08, 0.37, "petal_yellow"),
    )
    stems = tuple(rod((0.0, 0.0, 0.2), (x, y, z), 0.01, "leaf_green") for x, y, z, _ in blooms)
    heads = tuple(ball((x, y, z - 0.02), (0.095, 0.095, 0.07), mat, solid=False) for x, y, z, mat in blooms)
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.09, 0.012, color),
            cone((0.0, 0.0, 0.012), 0.09, 0.12, color, taper=1.6),
            cone((0.0, 0.0, 0.132), 0.144, 0.09, color, taper=0.5, solid=False),
            cyl((0.0, 0.0, 0.215), 0.085, 0.02, color, solid=False),
            *stems,
            ball((0.0, 0.0, 0.26), (0.17, 0.17, 0.12), "leaf_green", solid=False),
            *heads,
        )
    )


def candle(color: str = "wax") -> Design:
    """A lit pillar candle on a brass plate."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.11, 0.01, "brass"),
            cyl((0.0, 0.0, 0.01), 0.065, 0.13, color, bevel=0.008),
            pill((0.0, 0.0, 0.14), 0.004, 0.014, "plastic_black", solid=False),
            ball((0.0, 0.0, 0.148), (0.016, 0.016, 0.034), "flame", solid=False),
        )
    )


KINDS = (
    Kind(
        "kettle",
        "kettle",
        ("electric kettle", "tea kettle", "water boiler"),
        ((0.15, 0.12, 0.15), (0.35, 0.25, 0.32)),
        1.2,
        kettle,
    ),
    Kind(
        "pot",
        "cooking pot",
        ("pot", "saucepan", "stockpot"),
        ((0.15, 0.15, 0.1), (0.4, 0.45, 0.35)),
        1.8,
        pot,
    ),
    Kind("pan", "frying pan", ("pan", "skillet"), ((0.3, 0.18, 0.03), (0.6, 0.4, 0.15)), 1.5, pan),
    Kind(
        "mug",
        "mug",
        ("cup", "coffee mug", "coffee cup", "tea cup"),
        ((0.06, 0.06, 0.07), (0.13, 0.15, 0.13)),
        0.35,
        mug,
    ),
    Kind("plate", "plate", ("dinner plate", "dish"), ((0.15, 0.15, 0.01), (0.32, 0.32, 0.05)), 0.6, plate),
    Kind(
        "bowl", "bowl", ("soup bowl", "cereal bowl", "dish"), ((0.1, 0.1, 0.04), (0.3, 0.3, 0.15)), 0.5, bowl
    ),
    Kind(
        "bottle",
        "bottle",
        ("wine bottle", "glass bottle"),
        ((0.05, 0.05, 0.18), (0.13, 0.13, 0.4)),
        1.2,
        bottle,
    ),
    Kind(
        "fruit_bowl",
        "fruit bowl",
        ("bowl of fruit", "fruit", "fruit basket"),
        ((0.2, 0.2, 0.1), (0.45, 0.45, 0.3)),
        2.0,
        fruit_bowl,
    ),
    Kind(
        "knife_block",
        "knife block",
        ("knives", "knife holder"),
        ((0.08, 0.06, 0.15), (0.25, 0.22, 0.4)),
        2.0,
        knife_block,
    ),
    Kind(
        "vase",
        "vase",
        ("flower vase", "flowers", "vase of flowers", "bouquet"),
        ((0.1, 0.1, 0.2), (0.4, 0.4, 0.7)),
        1.4,
        vase,
    ),
    Kind(
        "candle",
        "candle",
        ("pillar candle", "lit candle"),
        ((0.04, 0.04, 0.06), (0.2, 0.2, 0.35)),
        0.5,
        candle,
    ),
)
