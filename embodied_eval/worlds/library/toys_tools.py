"""Toys, luggage and tools."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod


def toy_ball(color: str = "ball_stripes", size_m: float = 0.24) -> Design:
    """A play ball."""
    return Design((ball((0.0, 0.0, 0.0), size_m, color),))


def toy_train() -> Design:
    """A wooden engine with one wagon, driving along +x."""
    wheels = tuple(
        cyl((x, y, 0.0), 0.06, 0.06, "plastic_black", rot=(90.0, 0.0, 0.0), solid=False)
        for x in (0.17, 0.06, -0.1, -0.2)
        for y in (-0.055, 0.055)
    )
    return Design(
        (
            box((0.115, 0.0, 0.0), (0.2, 0.08, 0.02), "plastic_black", bevel=0.0),
            box((-0.15, 0.0, 0.0), (0.16, 0.08, 0.02), "plastic_black", bevel=0.0),
            box((0.115, 0.0, 0.02), (0.22, 0.11, 0.03), "plastic_red", bevel=0.006),
            cyl((0.155, 0.0, 0.04), 0.085, 0.12, "plastic_green", rot=(0.0, 90.0, 0.0), solid=False),
            box((0.055, 0.0, 0.05), (0.09, 0.11, 0.11), "plastic_blue", bevel=0.008),
            box((0.055, 0.0, 0.16), (0.11, 0.13, 0.015), "plastic_yellow", bevel=0.005, solid=False),
            cone((0.19, 0.0, 0.13), 0.03, 0.06, "plastic_yellow", taper=1.5, solid=False),
            box((-0.15, 0.0, 0.02), (0.18, 0.11, 0.09), "plastic_yellow", bevel=0.008),
            rod((-0.06, 0.0, 0.035), (0.01, 0.0, 0.035), 0.015, "plastic_black"),
            *wheels,
        )
    )


def teddy_bear(fur: str = "fur_brown") -> Design:
    """A sitting teddy bear."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.16, 0.16, 0.03), fur, bevel=0.01),
            ball((0.0, 0.0, 0.0), (0.2, 0.22, 0.25), fur, solid=False),
            cyl((0.0, 0.0, 0.03), 0.15, 0.2, fur),
            ball((0.03, 0.0, 0.03), (0.16, 0.14, 0.18), "fur_cream", solid=False),
            ball((0.01, 0.0, 0.21), (0.17, 0.19, 0.17), fur, solid=False),
            ball((0.08, 0.0, 0.245), (0.08, 0.09, 0.07), "fur_cream", solid=False),
            ball((0.115, 0.0, 0.28), 0.022, "plastic_black", solid=False),
            ball((0.083, 0.035, 0.31), 0.017, "plastic_black", solid=False),
            ball((0.083, -0.035, 0.31), 0.017, "plastic_black", solid=False),
            ball((0.0, 0.08, 0.34), (0.04, 0.07, 0.07), fur, solid=False),
            ball((0.0, -0.08, 0.34), (0.04, 0.07, 0.07), fur, solid=False),
            rod((0.03, 0.07, 0.045), (0.15, 0.1, 0.045), 0.075, fur),
            rod((0.03, -0.07, 0.045), (0.15, -0.1, 0.045), 0.075, fur),
            rod((0.0, 0.1, 0.18), (0.08, 0.13, 0.1), 0.06, fur),
            rod((0.0, -0.1, 0.18), (0.08, -0.13, 0.1), 0.06, fur),
        )
    )


def building_blocks() -> Design:
    """A small tower of coloured toy blocks."""
    return Design(
        (
            box((0.0, -0.06, 0.0), (0.1, 0.1, 0.1), "plastic_red", bevel=0.008),
            box((0.0, 0.06, 0.0), (0.1, 0.1, 0.1), "plastic_blue", bevel=0.008),
            box((0.0, 0.0, 0.1), (0.1, 0.2, 0.06), "plastic_yellow", bevel=0.008),
            cyl((0.0, 0.0, 0.16), 0.09, 0.08, "plastic_green", bevel=0.008),
            cone((0.0, 0.0, 0.24), 0.09, 0.08, "plastic_orange", solid=False),
            box((0.14, 0.09, 0.0), (0.08, 0.08, 0.08), "plastic_orange", bevel=0.008, rot=(0.0, 0.0, 25.0)),
        )
    )


def suitcase(color: str = "leather_brown") -> Design:
    """A standing suitcase with straps and a handle."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.2, 0.58, 0.42), color, bevel=0.03),
            box((0.0, 0.17, -0.001), (0.206, 0.04, 0.424), "dark_wood", bevel=0.004, solid=False),
            box((0.0, -0.17, -0.001), (0.206, 0.04, 0.424), "dark_wood", bevel=0.004, solid=False),
            rod((0.0, -0.07, 0.42), (0.0, -0.06, 0.455), 0.022, "dark_wood"),
            rod((0.0, 0.07, 0.42), (0.0, 0.06, 0.455), 0.022, "dark_wood"),
            rod((0.0, -0.06, 0.455), (0.0, 0.06, 0.455), 0.024, "dark_wood"),
            box((0.104, 0.0, 0.3), (0.012, 0.06, 0.05), "brass", bevel=0.004, solid=False),
        )
    )


def broom() -> Design:
    """A broom, standing on its brush."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.1, 0.32, 0.09), "wool_mustard", bevel=0.02),
            box((0.0, 0.0, 0.09), (0.06, 0.3, 0.04), "plastic_red", bevel=0.012),
            cyl((0.0, 0.0, 0.13), 0.028, 1.2, "pine"),
        )
    )


def toolbox(color: str = "plastic_red") -> Design:
    """A steel toolbox with a carrying handle."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.2, 0.44, 0.17), color, bevel=0.012),
            box((0.0, 0.0, 0.155), (0.206, 0.446, 0.012), "plastic_black", bevel=0.003, solid=False),
            box((0.0, 0.0, 0.17), (0.16, 0.42, 0.035), color, bevel=0.015),
            rod((0.0, -0.13, 0.2), (0.0, -0.13, 0.25), 0.018, "chrome"),
            rod((0.0, 0.13, 0.2), (0.0, 0.13, 0.25), 0.018, "chrome"),
            rod((0.0, -0.13, 0.25), (0.0, 0.13, 0.25), 0.026, "plastic_black"),
            box((0.103, 0.12, 0.13), (0.012, 0.04, 0.05), "chrome", bevel=0.003, solid=False),
            box((0.103, -0.12, 0.13), (0.012, 0.04, 0.05), "chrome", bevel=0.003, solid=False),
        )
    )


def bucket(color: str = "plastic_blue") -> Design:
    """A cleaning bucket with its handle up and water in it."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.21, 0.02, color),
            cone((0.0, 0.0, 0.02), 0.21, 0.24, color, taper=1.4),
            cyl((0.0, 0.0, 0.245), 0.31, 0.02, color, bevel=0.008, solid=False),
            cyl((0.0, 0.0, 0.26), 0.27, 0.007, "water", bevel=0.0, solid=False),
            rod((0.0, -0.15, 0.25), (0.0, -0.1, 0.38), 0.01, "chrome"),
            rod((0.0, -0.1, 0.38), (0.0, 0.1, 0.38), 0.02, "plastic_white"),
            rod((0.0, 0.1, 0.38), (0.0, 0.15, 0.25), 0.01, "chrome"),
        )
    )


def guitar() -> Design:
    """An acoustic guitar on its stand, strings to the front."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.28, 0.3, 0.02), "black_metal", bevel=0.008),
            rod((-0.09, 0.0, 0.02), (-0.07, 0.0, 0.62), 0.02, "black_metal"),
            box((0.02, 0.0, 0.06), (0.1, 0.3, 0.42), "pine", bevel=0.0),
            cyl((0.02, 0.0, 0.215), 0.4, 0.105, "oak", bevel=0.02, rot=(0.0, 90.0, 0.0), solid=False),
            cyl((0.02, 0.0, 0.45), 0.3, 0.1, "oak", bevel=0.02, rot=(0.0, 90.0, 0.0), solid=False),
            cyl(
                (0.073, 0.0, 0.385), 0.1, 0.006, "plastic_black", bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False
            ),
            box((0.076, 0.0, 0.2), (0.016, 0.14, 0.022), "dark_wood", bevel=0.004, solid=False),
            box((0.06, 0.0, 0.5), (0.03, 0.055, 0.5), "dark_wood", bevel=0.006, solid=False),
            box((0.052, 0.0, 0.98), (0.022, 0.075, 0.15), "walnut", bevel=0.008, solid=False),
            box((0.082, 0.0, 0.2), (0.002, 0.036, 0.8), "chrome", bevel=0.0, solid=False),
            *(
                cyl((0.052, y, z), 0.02, 0.03, "chrome", rot=(90.0, 0.0, 0.0), solid=False)
                for y in (-0.045, 0.045)
                for z in (1.0, 1.05)
            ),
        )
    )


KINDS = (
    Kind(
        "toy_ball",
        "ball",
        ("toy ball", "play ball", "beach ball"),
        ((0.12, 0.12, 0.12), (0.4, 0.4, 0.4)),
        0.4,
        toy_ball,
        True,
    ),
    Kind(
        "toy_train",
        "toy train",
        ("train", "wooden train", "toy locomotive", "toy"),
        ((0.25, 0.08, 0.1), (0.7, 0.25, 0.3)),
        0.8,
        toy_train,
        True,
    ),
    Kind(
        "teddy_bear",
        "teddy bear",
        ("teddy", "stuffed bear", "plush bear", "stuffed toy"),
        ((0.15, 0.2, 0.25), (0.4, 0.5, 0.6)),
        0.6,
        teddy_bear,
    ),
    Kind(
        "building_blocks",
        "building blocks",
        ("toy blocks", "blocks", "toy bricks"),
        ((0.1, 0.15, 0.1), (0.45, 0.5, 0.5)),
        1.0,
        building_blocks,
    ),
    Kind(
        "suitcase",
        "suitcase",
        ("luggage", "travel case", "trunk", "bag"),
        ((0.15, 0.4, 0.3), (0.4, 0.8, 0.7)),
        8.0,
        suitcase,
        True,
    ),
    Kind(
        "broom", "broom", ("brush", "sweeper", "broomstick"), ((0.05, 0.2, 1.0), (0.3, 0.5, 1.6)), 1.0, broom
    ),
    Kind(
        "toolbox",
        "toolbox",
        ("tool box", "tool chest", "tool case"),
        ((0.15, 0.3, 0.15), (0.35, 0.6, 0.4)),
        7.0,
        toolbox,
        True,
    ),
    Kind(
        "bucket",
        "bucket",
        ("pail", "cleaning bucket", "water bucket"),
        ((0.2, 0.2, 0.2), (0.4, 0.4, 0.5)),
        5.0,
        bucket,
    ),
    Kind(
        "guitar",
        "guitar",
        ("acoustic guitar", "guitar on a stand"),
        ((0.08, 0.25, 0.8), (0.45, 0.55, 1.3)),
        4.0,
        guitar,
    ),
)
