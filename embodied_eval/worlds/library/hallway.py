"""What stands in the hall of a house: coats, umbrellas, boots, a tall clock, a telephone."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, legs, rod
from embodied_eval.worlds.model import Primitive


def coat_stand(wood: str = "dark_wood", coats: tuple[str, str] = ("wool_navy", "wool_rust")) -> Design:
    """A coat stand with hooks, two coats and a hat."""
    hooks = tuple(
        rod((0.0, 0.0, z), (0.16 * math.cos(a), 0.16 * math.sin(a), z + 0.1), 0.022, wood)
        for z, start in ((1.6, 0.0), (1.35, 0.8))
        for a in (start + k * 2.0 * math.pi / 3 for k in range(3))
    )
    feet = tuple(
        rod((0.0, 0.0, 0.09), (0.2 * math.cos(a), 0.2 * math.sin(a), 0.03), 0.04, wood)
        for a in (0.4 + k * math.pi / 2 for k in range(4))
    )
    hung: list[Primitive] = []
    for side, mat in ((1.0, coats[0]), (-1.0, coats[1])):
        hung += [
            box((0.02 * side, 0.13 * side, 0.62), (0.3, 0.13, 0.8), mat, bevel=0.05, solid=False),
            cone((0.02 * side, 0.12 * side, 1.38), 0.24, 0.14, mat, taper=0.4, solid=False),
            box((0.17, 0.13 * side, 0.7), (0.06, 0.1, 0.62), mat, bevel=0.025, solid=False),
        ]
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.4, 0.03, wood, bevel=0.01),
            cyl((0.0, 0.0, 0.03), 0.06, 1.72, wood),
            ball((0.0, 0.0, 1.72), 0.09, wood, solid=False),
            *hooks,
            *feet,
            *hung,
            cyl((0.1, -0.08, 1.74), 0.3, 0.015, "wool_mustard", solid=False),
            cyl((0.1, -0.08, 1.75), 0.17, 0.1, "wool_mustard", bevel=0.03, solid=False),
        )
    )


def umbrella_stand(color: str = "copper") -> Design:
    """A round stand with three rolled umbrellas."""
    umbrellas = tuple(
        part
        for x, y, tx, ty, mat in (
            (0.02, 0.03, 0.05, 0.1, "plastic_red"),
            (-0.04, -0.02, -0.1, 0.02, "plastic_black"),
            (0.03, -0.05, 0.06, -0.1, "plastic_green"),
        )
        for part in (
            rod((x, y, 0.06), (tx, ty, 0.7), 0.055, mat),
            rod((tx, ty, 0.7), (1.25 * tx, 1.25 * ty, 0.86), 0.022, "dark_wood"),
        )
    )
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.28, 0.02, color),
            cyl((0.0, 0.0, 0.02), 0.26, 0.48, color, bevel=0.004),
            cyl((0.0, 0.0, 0.48), 0.285, 0.03, color, bevel=0.008, solid=False),
            cyl((0.0, 0.0, 0.502), 0.22, 0.01, "plastic_black", bevel=0.0, solid=False),
            *umbrellas,
        )
    )


def console_table(wood: str = "walnut", metal: str = "black_metal") -> Design:
    """A narrow hall table with a drawer, its long side along y."""
    return Design(
        (
            *legs(0.13, 0.5, 0.74, 0.035, metal),
            box((0.0, 0.0, 0.2), (0.28, 1.04, 0.02), wood),
            box((0.0, 0.0, 0.62), (0.3, 1.06, 0.12), wood, bevel=0.006, solid=False),
            box((0.153, 0.0, 0.635), (0.012, 0.5, 0.09), wood, bevel=0.004, solid=False),
            ball((0.168, 0.0, 0.67), 0.028, "brass", solid=False),
            box((0.0, 0.0, 0.74), (0.36, 1.16, 0.03), wood, bevel=0.01),
        )
    )


def longcase_clock(wood: str = "walnut") -> Design:
    """A tall pendulum clock; its hands stand at ten past ten."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.3, 0.5, 0.1), wood, bevel=0.01),
            box((0.0, 0.0, 0.1), (0.26, 0.44, 0.44), wood, bevel=0.008),
            box((0.0, 0.0, 0.54), (0.22, 0.34, 0.92), wood, bevel=0.006),
            box((0.0, 0.0, 1.46), (0.28, 0.48, 0.5), wood, bevel=0.01),
            box((0.0, 0.0, 1.96), (0.32, 0.54, 0.05), wood, bevel=0.015),
            cone((0.0, 0.0, 2.01), 0.3, 0.12, wood, taper=0.3),
            ball((0.0, 0.0, 2.11), 0.08, "brass", solid=False),
            box((0.112, 0.0, 0.62), (0.006, 0.24, 0.76), "glass_dark", bevel=0.0, solid=False),
            rod((0.118, 0.0, 0.86), (0.118, 0.0, 1.32), 0.014, "brass"),
            cyl((0.118, 0.0, 0.72), 0.16, 0.012, "brass", rot=(0.0, 90.0, 0.0), solid=False),
            cyl((0.145, 0.0, 1.704), 0.38, 0.012, "brass", rot=(0.0, 90.0, 0.0), solid=False),
            cyl((0.15, 0.0, 1.704), 0.35, 0.012, "paper_white", bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False),
            rod((0.16, 0.0, 1.71), (0.16, 0.08, 1.75), 0.014, "plastic_black"),
            rod((0.162, 0.0, 1.71), (0.162, -0.12, 1.77), 0.01, "plastic_black"),
            box((0.115, 0.0, 0.2), (0.04, 0.3, 0.24), wood, bevel=0.01, solid=False),
        )
    )


def radiator(length_m: float = 1.0, mat: str = "enamel_white") -> Design:
    """A ribbed cast-iron radiator on feet, along y."""
    count = max(3, round(length_m / 0.11))
    step = length_m / count
    ribs = tuple(
        box((0.0, -length_m / 2 + step * (k + 0.5), 0.1), (0.13, 0.75 * step, 0.56), mat, bevel=0.03)
        for k in range(count)
    )
    return Design(
        (
            *ribs,
            box((0.0, length_m / 2 - step / 2, 0.0), (0.14, 0.06, 0.12), mat),
            box((0.0, -length_m / 2 + step / 2, 0.0), (0.14, 0.06, 0.12), mat),
            rod((0.0, -length_m / 2 - 0.05, 0.16), (0.0, length_m / 2, 0.16), 0.035, mat),
            rod((0.0, -length_m / 2, 0.6), (0.0, length_m / 2, 0.6), 0.035, mat),
            cyl((0.0, -length_m / 2 - 0.05, 0.0), 0.025, 0.16, "copper", solid=False),
            cyl((0.0, -length_m / 2 - 0.05, 0.16), 0.05, 0.05, "plastic_black", solid=False),
        )
    )


def telephone(color: str = "plastic_red") -> Design:
    """A desk telephone with a receiver and push buttons."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.22, 0.17, 0.06), color, bevel=0.012),
            rod((-0.055, -0.1, 0.09), (-0.055, 0.1, 0.09), 0.04, color),
            ball((-0.055, -0.1, 0.055), (0.06, 0.06, 0.05), color, solid=False),
            ball((-0.055, 0.1, 0.055), (0.06, 0.06, 0.05), color, solid=False),
            box((0.05, 0.0, 0.058), (0.1, 0.11, 0.008), "paper_white", bevel=0.003, solid=False),
            box((0.05, 0.0, 0.06), (0.085, 0.02, 0.01), "plastic_black", bevel=0.002, solid=False),
        )
    )


def rubber_boots(color: str = "plastic_green") -> Design:
    """A pair of rubber boots side by side, toes to the front."""
    return Design(
        tuple(
            part
            for y in (-0.075, 0.075)
            for part in (
                box((0.03, y, 0.0), (0.27, 0.1, 0.025), "plastic_black", bevel=0.008),
                box((0.03, y, 0.025), (0.26, 0.095, 0.07), color, bevel=0.03),
                cyl((-0.04, y, 0.09), 0.11, 0.24, color, bevel=0.008),
                cyl((-0.04, y, 0.325), 0.118, 0.012, "plastic_yellow", bevel=0.003, solid=False),
            )
        )
    )


def backpack(color: str = "plastic_blue", trim: str = "plastic_orange") -> Design:
    """A standing school bag with a front pocket."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.18, 0.32, 0.38), color, bevel=0.05),
            box((0.1, 0.0, 0.03), (0.08, 0.26, 0.18), trim, bevel=0.03, solid=False),
            box((0.03, 0.0, 0.34), (0.17, 0.31, 0.06), trim, bevel=0.028, solid=False),
            rod((-0.04, -0.06, 0.39), (-0.04, 0.06, 0.39), 0.022, "plastic_black"),
            rod((-0.1, -0.09, 0.08), (-0.1, -0.09, 0.34), 0.035, "plastic_black"),
            rod((-0.1, 0.09, 0.08), (-0.1, 0.09, 0.34), 0.035, "plastic_black"),
            box((0.142, 0.0, 0.14), (0.006, 0.08, 0.02), "plastic_yellow", bevel=0.0, solid=False),
        )
    )


def kick_scooter(color: str = "plastic_red") -> Design:
    """A child's scooter on its kick stand, driving along +x."""
    return Design(
        (
            cyl((0.3, 0.0, 0.0625), 0.16, 0.035, "rubber_black", rot=(90.0, 0.0, 0.0), solid=False),
            cyl((-0.3, 0.0, 0.0625), 0.16, 0.035, "rubber_black", rot=(90.0, 0.0, 0.0), solid=False),
            box((0.3, 0.0, 0.0), (0.06, 0.03, 0.1), "chrome"),
            box((-0.3, 0.0, 0.0), (0.06, 0.03, 0.1), "chrome"),
            box((0.0, 0.0, 0.09), (0.5, 0.12, 0.035), color, bevel=0.01),
            box((0.0, 0.06, 0.0), (0.03, 0.1, 0.09), "black_metal"),
            rod((0.27, 0.0, 0.13), (0.2, 0.0, 0.82), 0.035, "chrome", solid=True),
            rod((0.2, -0.2, 0.82), (0.2, 0.2, 0.82), 0.028, "chrome"),
            rod((0.2, -0.22, 0.82), (0.2, -0.13, 0.82), 0.042, color),
            rod((0.2, 0.13, 0.82), (0.2, 0.22, 0.82), 0.042, color),
        )
    )


KINDS = (
    Kind(
        "coat_stand",
        "coat stand",
        ("coat rack", "hat stand", "clothes stand", "coat tree"),
        ((0.3, 0.3, 1.4), (0.8, 0.8, 2.1)),
        9.0,
        coat_stand,
    ),
    Kind(
        "umbrella_stand",
        "umbrella stand",
        ("umbrella holder", "umbrellas", "umbrella rack"),
        ((0.2, 0.2, 0.5), (0.5, 0.5, 1.1)),
        4.0,
        umbrella_stand,
    ),
    Kind(
        "console_table",
        "hall table",
        ("console table", "console", "narrow table", "sideboard table"),
        ((0.25, 0.7, 0.65), (0.5, 1.6, 0.95)),
        14.0,
        console_table,
    ),
    Kind(
        "longcase_clock",
        "grandfather clock",
        ("longcase clock", "tall clock", "standing clock", "pendulum clock"),
        ((0.2, 0.35, 1.6), (0.5, 0.7, 2.4)),
        45.0,
        longcase_clock,
    ),
    Kind(
        "radiator",
        "radiator",
        ("heater", "heating", "cast-iron radiator"),
        ((0.08, 0.4, 0.5), (0.3, 2.0, 1.0)),
        35.0,
        radiator,
    ),
    Kind(
        "telephone",
        "telephone",
        ("phone", "landline phone", "desk phone"),
        ((0.12, 0.1, 0.06), (0.35, 0.35, 0.25)),
        1.2,
        telephone,
    ),
    Kind(
        "rubber_boots",
        "rubber boots",
        ("boots", "wellington boots", "wellies", "rain boots"),
        ((0.2, 0.15, 0.2), (0.4, 0.4, 0.45)),
        2.0,
        rubber_boots,
    ),
    Kind(
        "backpack",
        "school bag",
        ("backpack", "rucksack", "satchel", "school backpack"),
        ((0.15, 0.2, 0.3), (0.4, 0.5, 0.6)),
        3.0,
        backpack,
        True,
    ),
    Kind(
        "kick_scooter",
        "scooter",
        ("kick scooter", "child's scooter", "push scooter"),
        ((0.5, 0.2, 0.6), (1.0, 0.6, 1.1)),
        4.0,
        kick_scooter,
    ),
)
