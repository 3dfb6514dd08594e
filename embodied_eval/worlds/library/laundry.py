"""A utility room: drying, ironing, shelving, cleaning, and what is stored there."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import Design, Kind, hinged, spinning, switch
from embodied_eval.worlds.library.parts import ball, box, cyl, legs, rod
from embodied_eval.worlds.model import Primitive


def tumble_dryer(initial: str = "off") -> Design:
    """A tumble dryer with a dark door; its drum turns while it is on."""
    fins = tuple(
        box(
            (0.302, 0.14 * math.cos(a), 0.4 + 0.14 * math.sin(a)),
            (0.006, 0.06, 0.03),
            "chrome",
            bevel=0.0,
            part="drum",
            solid=False,
        )
        for a in (math.pi / 2 + k * 2.0 * math.pi / 3 for k in range(3))
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.58, 0.6, 0.85), "enamel_white", bevel=0.01),
            cyl((0.292, 0.0, 0.405), 0.44, 0.02, "plastic_grey", rot=(0.0, 90.0, 0.0), solid=False),
            cyl((0.298, 0.0, 0.409), 0.36, 0.012, "glass_dark", rot=(0.0, 90.0, 0.0), solid=False),
            *fins,
            box((0.292, 0.0, 0.72), (0.012, 0.58, 0.11), "plastic_grey", bevel=0.003, solid=False),
            cyl((0.304, -0.2, 0.745), 0.06, 0.02, "chrome", rot=(0.0, 90.0, 0.0), solid=False),
            box((0.3, 0.12, 0.745), (0.004, 0.16, 0.05), "display_amber", bevel=0.0, solid=False),
        ),
        spinning("drum", (0.3, 0.0, 0.415), (1.0, 0.0, 0.0), 240.0, initial),
    )


def ironing_board(cloth: str = "blanket_blue") -> Design:
    """An ironing board along y on crossed legs, with an iron standing on it."""
    return Design(
        (
            rod((0.0, -0.45, 0.02), (0.0, 0.32, 0.86), 0.03, "chrome", solid=True),
            rod((0.0, 0.45, 0.02), (0.0, -0.32, 0.86), 0.03, "chrome", solid=True),
            box((0.0, -0.45, 0.0), (0.4, 0.04, 0.035), "plastic_grey"),
            box((0.0, 0.45, 0.0), (0.4, 0.04, 0.035), "plastic_grey"),
            box((0.0, 0.0, 0.87), (0.36, 1.2, 0.035), cloth, bevel=0.012),
            box((0.0, -0.35, 0.905), (0.11, 0.05, 0.22), "plastic_white", bevel=0.02, solid=False),
            box((0.0, -0.318, 0.905), (0.11, 0.012, 0.22), "chrome", bevel=0.0, solid=False),
            rod((0.0, -0.4, 0.95), (0.0, -0.4, 1.08), 0.035, "plastic_blue"),
        )
    )


def drying_rack(cloths: tuple[str, ...] = ("towel_aqua", "shirt_red", "cotton_white", "denim")) -> Design:
    """A folding rack with washing hung on it, its bars along y."""
    sides = tuple(
        rod((x0, y, 0.02), (x1, y, 0.95), 0.025, "plastic_white", solid=True)
        for y in (-0.5, 0.5)
        for x0, x1 in ((-0.28, 0.2), (0.28, -0.2))
    )
    feet = tuple(box((x, 0.0, 0.0), (0.04, 1.06, 0.03), "plastic_white") for x in (-0.28, 0.28))
    bars = tuple(rod((x, -0.5, 0.95), (x, 0.5, 0.95), 0.02, "plastic_white") for x in (-0.2, 0.0, 0.2))
    hung = tuple(
        box((x, y, 0.955 - drop), (0.03, width, drop), mat, bevel=0.01, solid=False)
        for (x, y, width, drop), mat in zip(
            (
                (0.2, 0.24, 0.42, 0.5),
                (0.2, -0.24, 0.36, 0.42),
                (0.0, -0.05, 0.6, 0.45),
                (-0.2, 0.1, 0.55, 0.6),
            ),
            cloths,
            strict=False,
        )
    )
    return Design((*sides, *feet, *bars, *hung))


def metal_shelf(metal: str = "steel", boards: str = "oak") -> Design:
    """An open storage shelf of four boards on steel posts."""
    posts = tuple(
        box((sx * 0.19, sy * 0.48, 0.0), (0.035, 0.035, 1.75), metal, bevel=0.002)
        for sx in (-1.0, 1.0)
        for sy in (-1.0, 1.0)
    )
    shelves = tuple(box((0.0, 0.0, z), (0.36, 0.92, 0.03), boards, bevel=0.003) for z in (0.1, 0.6, 1.1, 1.6))
    return Design((*posts, *shelves))


def water_heater() -> Design:
    """A boiler with its pipes; its back is on the wall, its underside at z = 0."""
    pipes = tuple(rod((0.14, y, -0.25), (0.14, y, 0.02), 0.028, "copper") for y in (-0.12, -0.04, 0.04, 0.12))
    return Design(
        (
            box((0.17, 0.0, 0.0), (0.34, 0.44, 0.72), "enamel_white", bevel=0.02),
            box((0.343, 0.0, 0.08), (0.008, 0.36, 0.14), "plastic_grey", bevel=0.0, solid=False),
            cyl((0.346, -0.1, 0.11), 0.07, 0.016, "chrome", rot=(0.0, 90.0, 0.0), solid=False),
            box((0.346, 0.08, 0.12), (0.006, 0.12, 0.05), "display_green", bevel=0.0, solid=False),
            cyl((0.17, 0.0, 0.72), 0.13, 0.3, "steel", solid=False),
            *pipes,
        ),
        switch("on"),
    )


def vacuum_cleaner(color: str = "plastic_green") -> Design:
    """A cylinder vacuum cleaner with its hose and floor tool."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.4, 0.26, 0.08), "plastic_black", bevel=0.02),
            box((0.0, 0.0, 0.08), (0.38, 0.25, 0.16), color, bevel=0.06),
            cyl((-0.15, 0.0, -0.06), 0.18, 0.3, "rubber_black", rot=(90.0, 0.0, 0.0), solid=False),
            rod((-0.08, 0.0, 0.27), (0.08, 0.0, 0.27), 0.03, "plastic_black"),
            rod((0.19, 0.0, 0.16), (0.34, -0.1, 0.3), 0.05, "plastic_grey"),
            rod((0.34, -0.1, 0.3), (0.42, -0.22, 0.62), 0.05, "plastic_grey"),
            rod((0.42, -0.22, 0.62), (0.44, 0.06, 0.98), 0.04, "plastic_black"),
            rod((0.44, 0.06, 0.98), (0.56, 0.24, 0.05), 0.035, "chrome"),
            box((0.56, 0.24, 0.0), (0.12, 0.3, 0.05), "plastic_black", bevel=0.012),
        )
    )


def paint_can(color: str = "plastic_blue") -> Design:
    """A tin of paint with a coloured band."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.18, 0.2, "steel", bevel=0.004),
            cyl((0.0, 0.0, 0.035), 0.184, 0.13, color, bevel=0.0, solid=False),
            cyl((0.0, 0.0, 0.195), 0.165, 0.012, "steel", bevel=0.003, solid=False),
        )
    )


def chest_freezer() -> Design:
    """A chest freezer whose lid opens to the back."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.56, 0.98, 0.06), "plastic_black"),
            box((0.0, 0.0, 0.06), (0.6, 1.02, 0.74), "enamel_white", bevel=0.012),
            box((0.02, 0.0, 0.7), (0.5, 0.9, 0.105), "plastic_grey", bevel=0.0, solid=False),
            box((0.303, -0.36, 0.12), (0.006, 0.16, 0.1), "plastic_grey", bevel=0.0, solid=False),
            box((0.306, -0.4, 0.16), (0.006, 0.02, 0.02), "plastic_green", bevel=0.0, solid=False),
            box((0.0, 0.0, 0.8), (0.62, 1.04, 0.08), "enamel_white", bevel=0.012, part="lid"),
            box((0.32, 0.0, 0.82), (0.03, 0.3, 0.03), "plastic_grey", part="lid", solid=False),
        ),
        hinged("lid", (-0.3, 0.0, 0.81), -70.0, axis=(0.0, 1.0, 0.0), seconds=1.0),
    )


def bicycle(color: str = "plastic_yellow") -> Design:
    """A bicycle on its kick stand, riding along +x."""
    wheels: list[Primitive] = []
    for x in (-0.52, 0.52):
        wheels += [
            cyl(
                (x, 0.0, 0.3125), 0.66, 0.035, "rubber_black", bevel=0.015, rot=(90.0, 0.0, 0.0), solid=False
            ),
            cyl((x, 0.0, 0.309), 0.57, 0.042, "steel", bevel=0.0, rot=(90.0, 0.0, 0.0), solid=False),
            cyl((x, 0.0, 0.28), 0.07, 0.1, "chrome", rot=(90.0, 0.0, 0.0), solid=False),
            box((x, 0.0, 0.0), (0.1, 0.03, 0.3), "rubber_black", solid=True),
        ]
    tubes = tuple(
        rod((x0, 0.0, z0), (x1, 0.0, z1), d, color)
        for x0, z0, x1, z1, d in (
            (-0.12, 0.3, -0.22, 0.84, 0.035),
            (-0.12, 0.3, 0.36, 0.78, 0.04),
            (-0.18, 0.72, 0.34, 0.86, 0.035),
            (-0.12, 0.3, -0.52, 0.33, 0.025),
            (-0.2, 0.7, -0.52, 0.33, 0.022),
            (0.33, 0.94, 0.52, 0.33, 0.035),
        )
    )
    return Design(
        (
            *wheels,
            *tubes,
            box((-0.26, 0.0, 0.84), (0.26, 0.14, 0.06), "leather_brown", bevel=0.025),
            rod((0.31, -0.28, 1.0), (0.31, 0.28, 1.0), 0.028, "chrome"),
            rod((0.31, -0.3, 1.0), (0.28, -0.19, 1.0), 0.04, "leather_brown"),
            rod((0.31, 0.3, 1.0), (0.28, 0.19, 1.0), 0.04, "leather_brown"),
            rod((0.33, 0.0, 0.92), (0.31, 0.0, 1.0), 0.03, "chrome"),
            cyl((-0.12, 0.0, 0.22), 0.17, 0.03, "chrome", rot=(90.0, 0.0, 0.0), solid=False),
            rod((-0.12, 0.02, 0.3), (-0.02, 0.1, 0.2), 0.025, "black_metal"),
            rod((-0.12, -0.02, 0.3), (-0.22, -0.1, 0.4), 0.025, "black_metal"),
            box((-0.06, 0.12, 0.0), (0.06, 0.1, 0.012), "black_metal"),
            rod((-0.12, 0.02, 0.3), (-0.06, 0.13, 0.02), 0.025, "black_metal", solid=True),
            ball((0.38, 0.0, 0.84), 0.09, "chrome", solid=False),
        )
    )


def detergent(color: str = "plastic_orange") -> Design:
    """A bottle of washing liquid with a handle."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.1, 0.17, 0.2), color, bevel=0.03),
            box((0.0, -0.02, 0.2), (0.09, 0.1, 0.05), color, bevel=0.025, solid=False),
            cyl((0.0, -0.02, 0.245), 0.05, 0.04, "plastic_white", solid=False),
            rod((0.0, 0.075, 0.12), (0.0, 0.04, 0.23), 0.03, color),
            box((0.051, 0.0, 0.05), (0.004, 0.13, 0.1), "plastic_white", bevel=0.0, solid=False),
        )
    )


def workbench(wood: str = "pine") -> Design:
    """A sturdy bench with a vice; one works at its front (+x)."""
    return Design(
        (
            *legs(0.22, 0.58, 0.8, 0.09, wood),
            box((0.0, 0.0, 0.18), (0.5, 1.2, 0.03), wood),
            box((0.0, 0.0, 0.8), (0.6, 1.4, 0.06), wood, bevel=0.008),
            box((0.3, 0.45, 0.72), (0.12, 0.16, 0.12), "iron", bevel=0.01, solid=False),
            box((0.38, 0.45, 0.7), (0.04, 0.16, 0.16), "iron", bevel=0.01, solid=False),
            rod((0.43, 0.36, 0.75), (0.43, 0.54, 0.75), 0.018, "chrome"),
            box((-0.27, 0.0, 0.86), (0.02, 1.38, 0.1), wood, solid=False),
        )
    )


KINDS = (
    Kind(
        "tumble_dryer",
        "tumble dryer",
        ("dryer", "clothes dryer", "drier", "laundry dryer"),
        ((0.5, 0.5, 0.75), (0.75, 0.75, 1.0)),
        40.0,
        tumble_dryer,
    ),
    Kind(
        "ironing_board",
        "ironing board",
        ("iron board", "ironing table", "iron"),
        ((0.25, 1.0, 0.8), (0.6, 1.7, 1.3)),
        6.0,
        ironing_board,
    ),
    Kind(
        "drying_rack",
        "clothes rack",
        ("drying rack", "clothes horse", "laundry rack", "clothes airer"),
        ((0.4, 0.8, 0.8), (1.0, 1.6, 1.3)),
        5.0,
        drying_rack,
    ),
    Kind(
        "metal_shelf",
        "storage shelf",
        ("metal shelf", "storage rack", "shelving", "steel shelf", "shelf"),
        ((0.25, 0.6, 1.2), (0.7, 1.6, 2.2)),
        25.0,
        metal_shelf,
    ),
    Kind(
        "water_heater",
        "boiler",
        ("water heater", "heating boiler", "gas boiler", "heater"),
        ((0.2, 0.3, 0.6), (0.6, 0.8, 1.6)),
        40.0,
        water_heater,
    ),
    Kind(
        "vacuum_cleaner",
        "vacuum cleaner",
        ("hoover", "vacuum", "cleaner"),
        ((0.4, 0.25, 0.25), (1.2, 0.9, 1.3)),
        6.0,
        vacuum_cleaner,
    ),
    Kind(
        "paint_can",
        "paint tin",
        ("paint can", "can of paint", "tin of paint", "paint bucket"),
        ((0.1, 0.1, 0.1), (0.35, 0.35, 0.4)),
        3.0,
        paint_can,
    ),
    Kind(
        "chest_freezer",
        "freezer",
        ("chest freezer", "deep freezer", "freezer chest"),
        ((0.5, 0.7, 0.7), (0.9, 1.7, 1.1)),
        50.0,
        chest_freezer,
    ),
    Kind(
        "bicycle",
        "bicycle",
        ("bike", "cycle", "push bike", "yellow bike"),
        ((1.4, 0.3, 0.8), (2.0, 0.8, 1.3)),
        15.0,
        bicycle,
    ),
    Kind(
        "detergent",
        "detergent bottle",
        ("washing liquid", "detergent", "laundry detergent", "cleaning bottle"),
        ((0.06, 0.08, 0.15), (0.25, 0.3, 0.4)),
        1.5,
        detergent,
    ),
    Kind(
        "workbench",
        "workbench",
        ("work bench", "bench with a vice", "wooden bench"),
        ((0.5, 1.0, 0.7), (0.9, 2.2, 1.1)),
        45.0,
        workbench,
    ),
)
