"""The fitted kitchen: counters, sink, stove, fridge, hood."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind, hinged
from embodied_eval.worlds.library.parts import ball, box, cyl, rod
from embodied_eval.worlds.model import Primitive

DEPTH_M = 0.6
TOP_M = 0.9


def _fronts(width_m: float, doors: int, front: str, x: float) -> list[Primitive]:
    """Door fronts with bar handles on a base unit."""
    step = width_m / doors
    parts: list[Primitive] = []
    for index in range(doors):
        y = -width_m / 2 + step * (index + 0.5)
        parts.append(box((x, y, 0.12), (0.02, step - 0.012, 0.72), front, bevel=0.005, solid=False))
        parts.append(box((x + 0.02, y, 0.76), (0.02, step * 0.5, 0.016), "brass", bevel=0.005, solid=False))
    return parts


def counter(width_m: float = 1.2, doors: int = 2, front: str = "lacquer_sage") -> Design:
    """A base unit with doors and a stone worktop; its front is +x."""
    return Design(
        (
            box((-0.03, 0.0, 0.0), (0.5, width_m, 0.1), "black_metal", bevel=0.0, solid=False),
            box((-0.01, 0.0, 0.0), (0.56, width_m, 0.86), front, bevel=0.004),
            *_fronts(width_m, doors, front, 0.28),
            box((0.0, 0.0, 0.86), (0.62, width_m, 0.04), "marble_white", bevel=0.006),
        )
    )


def sink_unit(width_m: float = 1.0, front: str = "lacquer_sage") -> Design:
    """A base unit with an inset steel sink and a tap."""
    y = 0.0
    half = width_m / 2
    side = (width_m - 0.56) / 2
    return Design(
        (
            box((-0.01, 0.0, 0.0), (0.56, width_m, 0.7), front, bevel=0.004),
            box((-0.01, half - side / 2, 0.7), (0.56, side, 0.16), front, bevel=0.0),
            box((-0.01, -half + side / 2, 0.7), (0.56, side, 0.16), front, bevel=0.0),
            *_fronts(width_m, 2, front, 0.28),
            box((0.0, half - side / 2, 0.86), (0.62, side, 0.04), "marble_white", bevel=0.004),
            box((0.0, -half + side / 2, 0.86), (0.62, side, 0.04), "marble_white", bevel=0.004),
            box((0.27, y, 0.7), (0.08, 0.56, 0.2), "marble_white", bevel=0.004),
            box((-0.26, y, 0.7), (0.1, 0.56, 0.2), "marble_white", bevel=0.004),
            box((0.01, y, 0.7), (0.44, 0.56, 0.015), "steel", bevel=0.0),
            box((0.01, 0.27, 0.7), (0.44, 0.02, 0.195), "steel", bevel=0.0, solid=False),
            box((0.01, -0.27, 0.7), (0.44, 0.02, 0.195), "steel", bevel=0.0, solid=False),
            box((-0.2, y, 0.7), (0.02, 0.56, 0.195), "steel", bevel=0.0, solid=False),
            box((0.22, y, 0.7), (0.02, 0.56, 0.195), "steel", bevel=0.0, solid=False),
            cyl((-0.26, y, 0.9), 0.05, 0.02, "chrome", solid=False),
            rod((-0.26, y, 0.91), (-0.26, y, 1.18), 0.026, "chrome"),
            rod((-0.26, y, 1.18), (-0.06, y, 1.2), 0.024, "chrome"),
            rod((-0.06, y, 1.2), (-0.06, y, 1.13), 0.024, "chrome"),
            rod((-0.26, 0.02, 0.97), (-0.24, 0.08, 1.0), 0.014, "chrome"),
        )
    )


def kitchen_island(front: str = "lacquer_navy") -> Design:
    """A free-standing block with doors in front and an overhanging wooden top."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.66, 1.64, 0.1), "black_metal", bevel=0.0),
            box((0.0, 0.0, 0.1), (0.74, 1.7, 0.76), front, bevel=0.006),
            *(
                box((0.378, y, 0.13), (0.016, 0.54, 0.7), front, bevel=0.006, solid=False)
                for y in (-0.56, 0.0, 0.56)
            ),
            *(
                box((0.395, y, 0.74), (0.02, 0.26, 0.016), "brass", bevel=0.005, solid=False)
                for y in (-0.56, 0.0, 0.56)
            ),
            box((-0.06, 0.0, 0.86), (0.98, 1.84, 0.045), "oak", bevel=0.012),
        )
    )


def wall_cabinet(width_m: float = 1.0, doors: int = 2, front: str = "lacquer_sage") -> Design:
    """A cupboard that hangs on the wall; its back is at x = 0, its underside at z = 0."""
    step = width_m / doors
    parts: list[Primitive] = [box((0.16, 0.0, 0.0), (0.32, width_m, 0.7), front, bevel=0.004)]
    for index in range(doors):
        y = -width_m / 2 + step * (index + 0.5)
        parts.append(box((0.328, y, 0.01), (0.018, step - 0.012, 0.68), front, bevel=0.005, solid=False))
        parts.append(box((0.347, y, 0.05), (0.02, step * 0.5, 0.016), "brass", bevel=0.005, solid=False))
    return Design(tuple(parts))


def stove() -> Design:
    """A cooker with four hotplates and an oven whose door folds down."""
    plates = tuple(
        cyl((x, y, 0.8945), d, 0.006, "iron", solid=False)
        for x, y, d in ((0.13, 0.14, 0.16), (0.13, -0.14, 0.19), (-0.14, 0.14, 0.19), (-0.14, -0.14, 0.16))
    )
    knobs = tuple(
        cyl((0.3, y, 0.795), 0.04, 0.03, "plastic_black", rot=(0.0, 90.0, 0.0), solid=False)
        for y in (-0.22, -0.12, 0.12, 0.22)
    )
    return Design(
        (
            box((-0.01, 0.0, 0.0), (0.56, 0.6, 0.88), "steel", bevel=0.006),
            box((0.0, 0.0, 0.88), (0.6, 0.6, 0.02), "glass_dark", bevel=0.004),
            box((0.275, 0.0, 0.76), (0.02, 0.58, 0.11), "steel", bevel=0.005, solid=False),
            box((0.288, 0.0, 0.785), (0.004, 0.12, 0.05), "display_amber", bevel=0.0, solid=False),
            *knobs,
            *plates,
            box((0.272, 0.0, 0.16), (0.005, 0.5, 0.52), "oven_glass", bevel=0.0, solid=False),
            box((0.29, 0.0, 0.14), (0.03, 0.58, 0.6), "steel", bevel=0.008, part="door"),
            box((0.307, 0.0, 0.24), (0.004, 0.42, 0.34), "oven_glass", bevel=0.0, part="door", solid=False),
            box((0.33, 0.0, 0.67), (0.025, 0.46, 0.022), "chrome", bevel=0.008, part="door", solid=False),
        ),
        hinged("door", (0.29, 0.0, 0.14), 88.0, axis=(0.0, 1.0, 0.0)),
    )


def fridge(color: str = "lacquer_white") -> Design:
    """A tall fridge with a freezer drawer below; the upper door opens on filled shelves."""
    shelves = tuple(
        box((-0.02, 0.0, z), (0.56, 0.6, 0.015), "plastic_white", bevel=0.0) for z in (0.98, 1.28, 1.56)
    )
    food = (
        box((0.08, 0.15, 0.735), (0.2, 0.2, 0.16), "apple_green", bevel=0.05, solid=False),
        cyl((0.1, -0.12, 0.995), 0.09, 0.22, "petal_white", solid=False),
        cyl((0.12, 0.08, 0.995), 0.08, 0.16, "ceramic_red", solid=False),
        box((0.08, 0.1, 1.295), (0.2, 0.24, 0.1), "banana", solid=False),
        ball((0.1, -0.16, 1.295), 0.13, "orange_peel", solid=False),
        cyl((0.1, 0.05, 1.575), 0.16, 0.1, "ceramic_blue_plain", solid=False),
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.64, 0.7, 0.7), color, bevel=0.01),
            box((0.332, 0.0, 0.06), (0.026, 0.69, 0.62), color, bevel=0.01, solid=False),
            box((0.36, 0.0, 0.6), (0.03, 0.4, 0.022), "chrome", bevel=0.009, solid=False),
            box((-0.305, 0.0, 0.7), (0.03, 0.7, 1.15), color, bevel=0.0),
            box((0.0, 0.335, 0.7), (0.64, 0.03, 1.15), color, bevel=0.0),
            box((0.0, -0.335, 0.7), (0.64, 0.03, 1.15), color, bevel=0.0),
            box((0.0, 0.0, 1.82), (0.64, 0.7, 0.03), color, bevel=0.006),
            box((-0.01, 0.0, 0.7), (0.6, 0.63, 0.03), "plastic_white", bevel=0.0, solid=False),
            *shelves,
            *food,
            box((0.345, 0.0, 0.705), (0.05, 0.7, 1.14), color, bevel=0.014, part="door"),
            box((0.385, 0.29, 0.85), (0.03, 0.024, 0.5), "chrome", bevel=0.01, part="door", solid=False),
        ),
        hinged("door", (0.345, -0.35, 0.0), -92.0, seconds=1.2),
    )


def range_hood() -> Design:
    """An extractor hood; its back is on the wall, its underside at z = 0."""
    return Design(
        (
            box((0.24, 0.0, 0.0), (0.48, 0.6, 0.06), "steel", bevel=0.006),
            box((0.2, 0.0, 0.06), (0.4, 0.44, 0.07), "steel", bevel=0.02, solid=False),
            box((0.15, 0.0, 0.13), (0.28, 0.28, 0.72), "steel", bevel=0.006),
            box((0.481, 0.0, 0.018), (0.006, 0.16, 0.024), "plastic_black", bevel=0.0, solid=False),
        )
    )


KINDS = (
    Kind(
        "counter",
        "kitchen counter",
        ("counter", "countertop", "worktop", "base cabinet", "kitchen cabinet"),
        ((0.5, 0.3, 0.8), (0.8, 3.2, 1.0)),
        60.0,
        counter,
    ),
    Kind(
        "sink_unit",
        "kitchen sink",
        ("sink", "sink unit", "tap", "faucet"),
        ((0.5, 0.6, 0.9), (0.8, 1.6, 1.5)),
        50.0,
        sink_unit,
    ),
    Kind(
        "kitchen_island",
        "kitchen island",
        ("island", "island counter", "kitchen block"),
        ((0.7, 1.2, 0.8), (1.3, 2.6, 1.0)),
        110.0,
        kitchen_island,
    ),
    Kind(
        "wall_cabinet",
        "wall cabinet",
        ("upper cabinet", "cupboard", "hanging cabinet", "kitchen cupboard"),
        ((0.25, 0.3, 0.4), (0.5, 2.4, 1.1)),
        25.0,
        wall_cabinet,
    ),
    Kind(
        "stove",
        "stove",
        ("cooker", "oven", "range", "stove with oven", "hob"),
        ((0.5, 0.5, 0.8), (0.8, 1.0, 1.1)),
        55.0,
        stove,
    ),
    Kind(
        "fridge",
        "fridge",
        ("refrigerator", "freezer", "fridge freezer", "icebox"),
        ((0.5, 0.5, 1.4), (0.9, 1.1, 2.1)),
        75.0,
        fridge,
    ),
    Kind(
        "range_hood",
        "range hood",
        ("extractor hood", "cooker hood", "exhaust hood", "hood"),
        ((0.3, 0.5, 0.3), (0.7, 1.1, 1.4)),
        14.0,
        range_hood,
    ),
)
