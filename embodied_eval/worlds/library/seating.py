"""Seats and beds: everything one sits or lies on."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import box, cyl, legs, rod
from embodied_eval.worlds.model import Primitive


def sofa(fabric: str = "linen_grey", wood: str = "oak", width_m: float = 2.1, seats: int = 3) -> Design:
    """A sofa with arms, loose seat and back cushions."""
    arm, depth = 0.2, 0.92
    inner = width_m - 2 * arm
    seat = inner / seats
    parts: list[Primitive] = [
        *legs(depth / 2 - 0.1, width_m / 2 - 0.1, 0.12, 0.05, wood),
        box((0.0, 0.0, 0.12), (depth, width_m, 0.17), fabric, bevel=0.03),
        box((-depth / 2 + 0.11, 0.0, 0.29), (0.22, width_m, 0.51), fabric, bevel=0.06),
        box((0.0, width_m / 2 - arm / 2, 0.29), (depth, arm, 0.31), fabric, bevel=0.06),
        box((0.0, -width_m / 2 + arm / 2, 0.29), (depth, arm, 0.31), fabric, bevel=0.06),
    ]
    for index in range(seats):
        y = -inner / 2 + seat * (index + 0.5)
        parts.append(box((0.115, y, 0.29), (0.69, seat - 0.012, 0.16), fabric, bevel=0.045))
        parts.append(
            box((-0.17, y, 0.46), (0.18, seat - 0.04, 0.36), fabric, bevel=0.07, rot=(0.0, -9.0, 0.0))
        )
    return Design(tuple(parts))


def armchair(fabric: str = "velvet_teal", wood: str = "walnut") -> Design:
    """An upholstered easy chair."""
    return Design(
        (
            *legs(0.3, 0.3, 0.17, 0.045, wood),
            box((0.0, 0.0, 0.17), (0.78, 0.8, 0.13), fabric, bevel=0.03),
            box((0.06, 0.0, 0.3), (0.64, 0.52, 0.15), fabric, bevel=0.05),
            box((-0.29, 0.0, 0.3), (0.18, 0.8, 0.58), fabric, bevel=0.07),
            box((0.0, 0.33, 0.3), (0.78, 0.14, 0.3), fabric, bevel=0.05),
            box((0.0, -0.33, 0.3), (0.78, 0.14, 0.3), fabric, bevel=0.05),
        )
    )


def dining_chair(wood: str = "oak", seat: str = "linen_beige") -> Design:
    """A wooden chair with a padded seat and a slatted back."""
    posts = tuple(box((-0.19, y, 0.0), (0.036, 0.036, 0.9), wood, bevel=0.008) for y in (-0.19, 0.19))
    front_legs = tuple(box((0.19, y, 0.0), (0.036, 0.036, 0.41), wood, bevel=0.006) for y in (-0.19, 0.19))
    return Design(
        (
            *front_legs,
            *posts,
            box((0.0, 0.0, 0.4), (0.41, 0.41, 0.035), wood),
            box((0.015, 0.0, 0.435), (0.38, 0.4, 0.035), seat, bevel=0.016),
            box((-0.19, 0.0, 0.6), (0.022, 0.35, 0.07), wood, bevel=0.008, solid=False),
            box((-0.19, 0.0, 0.77), (0.026, 0.35, 0.12), wood, bevel=0.01),
        )
    )


def bar_stool(wood: str = "oak", metal: str = "black_metal") -> Design:
    """A tall backless stool with a foot ring of bars."""
    bars = (
        box((0.14, 0.0, 0.25), (0.02, 0.26, 0.02), metal, solid=False),
        box((-0.14, 0.0, 0.25), (0.02, 0.26, 0.02), metal, solid=False),
    )
    return Design(
        (*legs(0.14, 0.14, 0.64, 0.025, metal), cyl((0.0, 0.0, 0.64), 0.36, 0.04, wood, bevel=0.012), *bars)
    )


def office_chair(fabric: str = "linen_grey") -> Design:
    """A swivel chair on five castors."""
    spokes = tuple(
        rod((0.0, 0.0, 0.1), (0.29 * x, 0.29 * y, 0.075), 0.045, "plastic_black")
        for x, y in ((1.0, 0.0), (0.309, 0.951), (-0.809, 0.588), (-0.809, -0.588), (0.309, -0.951))
    )
    castors = tuple(
        cyl((0.29 * x, 0.29 * y, 0.0), 0.055, 0.06, "plastic_black")
        for x, y in ((1.0, 0.0), (0.309, 0.951), (-0.809, 0.588), (-0.809, -0.588), (0.309, -0.951))
    )
    arms = tuple(
        box((0.02, y, 0.66), (0.26, 0.06, 0.035), "plastic_black", bevel=0.012) for y in (-0.29, 0.29)
    )
    posts = tuple(
        box((0.02, y, 0.46), (0.04, 0.03, 0.2), "plastic_black", solid=False) for y in (-0.29, 0.29)
    )
    return Design(
        (
            *spokes,
            *castors,
            cyl((0.0, 0.0, 0.06), 0.07, 0.38, "chrome"),
            box((0.03, 0.0, 0.43), (0.5, 0.5, 0.09), fabric, bevel=0.035),
            box((-0.24, 0.0, 0.55), (0.07, 0.44, 0.56), fabric, bevel=0.03, rot=(0.0, -6.0, 0.0)),
            box((-0.22, 0.0, 0.44), (0.03, 0.08, 0.2), "plastic_black", solid=False),
            *arms,
            *posts,
        )
    )


def ottoman(fabric: str = "wool_mustard") -> Design:
    """A round upholstered footstool."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.48, 0.05, "walnut"),
            cyl((0.0, 0.0, 0.05), 0.56, 0.33, fabric, bevel=0.05),
            cyl((0.0, 0.0, 0.19), 0.566, 0.015, "walnut", solid=False),
        )
    )


def shoe_bench(wood: str = "oak") -> Design:
    """A hall bench with a padded top and a shelf with shoes."""
    shoes = tuple(
        box((0.02, y, 0.17), (0.25, 0.085, 0.075), mat, bevel=0.03, solid=False)
        for y, mat in (
            (-0.36, "leather_brown"),
            (-0.25, "leather_brown"),
            (0.02, "plastic_white"),
            (0.13, "plastic_white"),
        )
    )
    return Design(
        (
            box((0.0, 0.47, 0.0), (0.34, 0.04, 0.42), wood),
            box((0.0, -0.47, 0.0), (0.34, 0.04, 0.42), wood),
            box((0.0, 0.0, 0.14), (0.34, 0.9, 0.025), wood),
            box((0.0, 0.0, 0.39), (0.34, 0.9, 0.03), wood),
            box((0.0, 0.0, 0.42), (0.33, 0.96, 0.05), "linen_beige", bevel=0.02),
            *shoes,
        )
    )


def _bed(width_m: float, length_m: float, wood: str, cover: str, pillows: int) -> Design:
    half = length_m / 2
    parts: list[Primitive] = [
        *legs(half - 0.12, width_m / 2 - 0.1, 0.14, 0.07, wood),
        box((0.0, 0.0, 0.14), (length_m, width_m, 0.16), wood, bevel=0.015),
        box((-half - 0.03, 0.0, 0.0), (0.06, width_m + 0.04, 1.05), wood, bevel=0.02),
        box((0.0, 0.0, 0.3), (length_m - 0.06, width_m - 0.06, 0.2), "cotton_white", bevel=0.05),
        box((0.3, 0.0, 0.32), (length_m - 0.62, width_m + 0.02, 0.225), cover, bevel=0.05),
        box((-0.29, 0.0, 0.33), (0.62, width_m + 0.01, 0.2), "cotton_white", bevel=0.04, solid=False),
    ]
    step = width_m / pillows
    for index in range(pillows):
        y = -width_m / 2 + step * (index + 0.5)
        parts.append(
            box((-half + 0.24, y, 0.5), (0.4, min(0.66, step - 0.08), 0.14), "cotton_white", bevel=0.065)
        )
    return Design(tuple(parts))


def double_bed(wood: str = "oak", cover: str = "blanket_blue") -> Design:
    """A double bed with two pillows and a blanket; its foot is to the front."""
    return _bed(1.64, 2.04, wood, cover, 2)


def single_bed(wood: str = "pine", cover: str = "wool_rust") -> Design:
    """A single bed with one pillow."""
    return _bed(0.94, 2.0, wood, cover, 1)


def cushion(fabric: str = "wool_mustard") -> Design:
    """A square scatter cushion, standing."""
    return Design((box((0.0, 0.0, 0.0), (0.15, 0.42, 0.4), fabric, bevel=0.072),))


KINDS = (
    Kind("sofa", "sofa", ("couch", "settee", "lounge"), ((0.75, 1.4, 0.65), (1.1, 2.8, 1.0)), 60.0, sofa),
    Kind(
        "armchair",
        "armchair",
        ("easy chair", "lounge chair", "arm chair", "reading chair"),
        ((0.65, 0.65, 0.7), (1.0, 1.0, 1.15)),
        22.0,
        armchair,
    ),
    Kind(
        "dining_chair",
        "dining chair",
        ("chair", "wooden chair", "kitchen chair"),
        ((0.38, 0.38, 0.75), (0.6, 0.6, 1.1)),
        6.0,
        dining_chair,
    ),
    Kind(
        "bar_stool",
        "bar stool",
        ("stool", "kitchen stool", "counter stool"),
        ((0.28, 0.28, 0.55), (0.5, 0.5, 0.85)),
        5.0,
        bar_stool,
    ),
    Kind(
        "office_chair",
        "office chair",
        ("desk chair", "swivel chair", "computer chair"),
        ((0.5, 0.5, 0.8), (0.8, 0.8, 1.3)),
        14.0,
        office_chair,
    ),
    Kind(
        "ottoman",
        "ottoman",
        ("pouf", "footstool", "pouffe", "hassock"),
        ((0.35, 0.35, 0.25), (0.8, 0.8, 0.55)),
        7.0,
        ottoman,
    ),
    Kind(
        "shoe_bench",
        "shoe bench",
        ("bench", "shoe rack", "hall bench", "entry bench"),
        ((0.25, 0.6, 0.35), (0.5, 1.4, 0.6)),
        14.0,
        shoe_bench,
    ),
    Kind(
        "double_bed",
        "double bed",
        ("bed", "king bed", "queen bed", "large bed"),
        ((1.9, 1.3, 0.8), (2.4, 2.1, 1.4)),
        70.0,
        double_bed,
    ),
    Kind(
        "single_bed",
        "single bed",
        ("bed", "child's bed", "twin bed", "guest bed"),
        ((1.7, 0.8, 0.7), (2.3, 1.2, 1.4)),
        45.0,
        single_bed,
    ),
    Kind(
        "cushion",
        "cushion",
        ("pillow", "throw pillow", "scatter cushion"),
        ((0.08, 0.3, 0.25), (0.25, 0.6, 0.6)),
        0.6,
        cushion,
    ),
)
