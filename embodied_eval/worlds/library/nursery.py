"""A children's room: a bunk bed, a tent, a rocking horse, and a chest for the toys."""

from __future__ import annotations

import math
from itertools import pairwise

from embodied_eval.worlds.library.kinds import Design, Kind, hinged
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, legs, rod
from embodied_eval.worlds.model import Primitive


def bunk_bed(
    wood: str = "pine", covers: tuple[str, str] = ("blanket_blue", "wool_rust"), ladder_y: float = -0.3
) -> Design:
    """Two beds over each other along x, heads at -x, with a ladder on the -y side."""
    length, width = 2.0, 0.96
    posts = tuple(
        box((sx * (length / 2 - 0.035), sy * (width / 2 - 0.035), 0.0), (0.07, 0.07, 1.6), wood, bevel=0.006)
        for sx in (-1.0, 1.0)
        for sy in (-1.0, 1.0)
    )
    beds: list[Primitive] = []
    for z, cover in ((0.22, covers[0]), (1.12, covers[1])):
        beds += [
            box((0.0, 0.0, z), (length - 0.14, width - 0.02, 0.12), wood),
            box((0.0, 0.0, z + 0.12), (length - 0.16, width - 0.1, 0.13), "cotton_white", bevel=0.04),
            box((0.22, 0.0, z + 0.14), (length - 0.66, width - 0.08, 0.14), cover, bevel=0.045),
            box((-0.72, 0.0, z + 0.24), (0.34, 0.56, 0.1), "cotton_white", bevel=0.045, solid=False),
        ]
    rails = tuple(
        box((0.0, y, z), (length - 0.14, 0.03, 0.08), wood, solid=False)
        for y in (width / 2 - 0.035, -width / 2 + 0.035)
        for z in (1.36, 1.5)
    )
    foot = -width / 2 - 0.1
    ladder = (
        *(
            rod((x + 0.55, foot - 0.08, 0.02), (x + 0.55, foot + 0.07, 1.42), 0.04, wood, solid=True)
            for x in (-0.17, 0.17)
        ),
        *(
            rod((0.38, foot - 0.08 + 0.107 * z, z), (0.72, foot - 0.08 + 0.107 * z, z), 0.03, wood)
            for z in (0.3, 0.58, 0.86, 1.14)
        ),
    )
    ends = tuple(
        box((sx * (length / 2 - 0.035), 0.0, z), (0.03, width - 0.14, 0.16), wood, solid=False)
        for sx in (-1.0, 1.0)
        for z in (0.5, 1.38)
    )
    return Design((*posts, *beds, *rails, *ends, *ladder))


def toy_chest(color: str = "lacquer_blue", lid: str = "plastic_yellow") -> Design:
    """A chest for toys whose lid opens to the back."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.46, 0.86, 0.04), color),
            box((0.215, 0.0, 0.04), (0.03, 0.86, 0.4), color, bevel=0.006),
            box((-0.215, 0.0, 0.04), (0.03, 0.86, 0.4), color, bevel=0.006),
            box((0.0, 0.415, 0.04), (0.4, 0.03, 0.4), color, bevel=0.006),
            box((0.0, -0.415, 0.04), (0.4, 0.03, 0.4), color, bevel=0.006),
            box((0.234, 0.22, 0.12), (0.008, 0.26, 0.24), "plastic_red", bevel=0.003, solid=False),
            box((0.234, -0.22, 0.12), (0.008, 0.26, 0.24), "plastic_green", bevel=0.003, solid=False),
            ball((0.05, 0.16, 0.2), 0.2, "plastic_orange", solid=False),
            ball((-0.05, -0.16, 0.22), 0.18, "plastic_green", solid=False),
            box((0.0, 0.0, 0.24), (0.16, 0.12, 0.12), "plastic_red", rot=(10.0, 5.0, 30.0), solid=False),
            box((0.0, 0.0, 0.44), (0.5, 0.9, 0.045), lid, bevel=0.015, part="lid"),
            box((0.255, 0.0, 0.445), (0.02, 0.12, 0.03), "plastic_red", part="lid", solid=False),
        ),
        hinged("lid", (-0.24, 0.0, 0.445), -78.0, axis=(0.0, 1.0, 0.0), seconds=1.0),
    )


def doll_house(wall: str = "petal_pink", roof: str = "wool_rust") -> Design:
    """A doll's house of two floors, open at the front."""
    rooms = (
        box((0.0, -0.2, 0.06), (0.1, 0.14, 0.08), "plastic_blue", solid=False),
        box((0.0, 0.14, 0.06), (0.08, 0.1, 0.1), "oak", solid=False),
        box((0.02, -0.16, 0.36), (0.14, 0.2, 0.06), "plastic_yellow", solid=False),
        box((0.02, 0.16, 0.36), (0.06, 0.12, 0.16), "plastic_green", solid=False),
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.36, 0.74, 0.05), "pine", bevel=0.006),
            box((-0.15, 0.0, 0.05), (0.03, 0.7, 0.58), wall, bevel=0.0),
            box((0.0, 0.335, 0.05), (0.3, 0.03, 0.58), wall, bevel=0.0),
            box((0.0, -0.335, 0.05), (0.3, 0.03, 0.58), wall, bevel=0.0),
            box((0.0, 0.0, 0.05), (0.28, 0.02, 0.58), wall, bevel=0.0, solid=False),
            box((0.0, 0.0, 0.34), (0.3, 0.66, 0.02), "pine", bevel=0.0),
            box((0.0, 0.0, 0.63), (0.34, 0.74, 0.02), "pine", bevel=0.0),
            box((0.0, 0.185, 0.76), (0.38, 0.46, 0.025), roof, rot=(-37.0, 0.0, 0.0), solid=False),
            box((0.0, -0.185, 0.76), (0.38, 0.46, 0.025), roof, rot=(37.0, 0.0, 0.0), solid=False),
            box((-0.02, 0.0, 0.65), (0.26, 0.3, 0.14), wall, bevel=0.0),
            box((0.02, 0.2, 0.78), (0.09, 0.08, 0.2), "plastic_red", solid=False),
            *rooms,
        )
    )


def rocking_horse(coat: str = "fur_cream", mane: str = "wool_rust") -> Design:
    """A wooden rocking horse that looks along +x."""
    runners: list[Primitive] = []
    for y in (-0.15, 0.15):
        spots = [(-0.46, 0.14), (-0.26, 0.045), (0.0, 0.02), (0.26, 0.045), (0.46, 0.14)]
        for (x0, z0), (x1, z1) in pairwise(spots):
            runners.append(rod((x0, y, z0), (x1, y, z1), 0.04, "plastic_red"))
    limbs = tuple(
        rod((0.19 * s, 0.09 * t, 0.46), (0.26 * s, 0.15 * t, 0.07), 0.07, coat)
        for s in (-1.0, 1.0)
        for t in (-1.0, 1.0)
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.5, 0.34, 0.03), "pine"),
            *runners,
            *limbs,
            cyl((0.0, 0.0, 0.03), 0.16, 0.4, coat, solid=False),
            box((0.0, 0.0, 0.03), (0.36, 0.2, 0.5), coat, bevel=0.08, solid=False),
            box((0.0, 0.0, 0.36), (0.42, 0.22, 0.2), coat, bevel=0.09),
            rod((0.18, 0.0, 0.5), (0.32, 0.0, 0.78), 0.14, coat),
            rod((0.3, 0.0, 0.8), (0.46, 0.0, 0.7), 0.12, coat),
            rod((0.16, 0.0, 0.6), (0.26, 0.0, 0.88), 0.08, mane),
            rod((-0.22, 0.0, 0.5), (-0.32, 0.0, 0.3), 0.07, mane),
            box((-0.02, 0.0, 0.53), (0.2, 0.24, 0.05), "plastic_blue", bevel=0.022),
            rod((0.3, -0.14, 0.72), (0.3, 0.14, 0.72), 0.03, "oak"),
            ball((0.4, 0.05, 0.77), 0.028, "plastic_black", solid=False),
            ball((0.4, -0.05, 0.77), 0.028, "plastic_black", solid=False),
        )
    )


def play_tent(cloth: str = "awning") -> Design:
    """A pointed play tent; its entrance is at the front."""
    tips = tuple(
        rod(
            (0.03 * math.cos(a), 0.03 * math.sin(a), 1.5),
            (0.13 * math.cos(a), 0.13 * math.sin(a), 1.72),
            0.03,
            "pine",
        )
        for a in (math.pi / 4 + k * math.pi / 2 for k in range(4))
    )
    tilt = (0.0, -20.6, 0.0)
    return Design(
        (
            cone((0.0, 0.0, 0.0), 1.24, 1.55, cloth, taper=0.06),
            box((0.47, 0.0, 0.0), (0.03, 0.3, 0.84), "tunnel_dark", bevel=0.0, rot=tilt, solid=False),
            box((0.475, 0.17, 0.0), (0.03, 0.07, 0.88), "cotton_white", rot=tilt, solid=False),
            box((0.475, -0.17, 0.0), (0.03, 0.07, 0.88), "cotton_white", rot=tilt, solid=False),
            *tips,
            box((0.06, 0.0, 1.66), (0.005, 0.22, 0.12), "plastic_red", bevel=0.0, solid=False),
        )
    )


def play_table(color: str = "plastic_white", leg: str = "pine") -> Design:
    """A low round table for children with a sheet of paper and pencils on it."""
    return Design(
        (
            *legs(0.22, 0.22, 0.46, 0.05, leg, round_legs=True),
            cyl((0.0, 0.0, 0.46), 0.76, 0.035, color, bevel=0.01),
            box(
                (0.08, 0.06, 0.495),
                (0.21, 0.3, 0.003),
                "paper_white",
                bevel=0.0,
                rot=(0.0, 0.0, 20.0),
                solid=False,
            ),
            *(
                rod((0.1, y, 0.502), (-0.02, y + 0.05, 0.502), 0.012, mat)
                for y, mat in ((-0.2, "plastic_red"), (-0.24, "plastic_blue"), (0.27, "plastic_green"))
            ),
        )
    )


def play_stool(color: str = "plastic_green") -> Design:
    """A low round stool."""
    return Design(
        (
            *legs(0.09, 0.09, 0.27, 0.035, "pine", round_legs=True),
            cyl((0.0, 0.0, 0.27), 0.3, 0.035, color, bevel=0.012),
        )
    )


def bean_bag(fabric: str = "wool_mustard") -> Design:
    """A soft seat: a sack of beans."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.62, 0.2, fabric, bevel=0.09),
            ball((0.0, 0.0, -0.001), (0.88, 0.88, 0.46), fabric, solid=False),
            cone((0.0, 0.0, 0.28), 0.85, 0.3, fabric, taper=0.42),
            ball((0.0, 0.0, 0.46), (0.38, 0.38, 0.2), fabric, solid=False),
        )
    )


def toy_robot(color: str = "plastic_orange") -> Design:
    """A tin robot of knee height."""
    return Design(
        (
            box((0.02, 0.07, 0.0), (0.13, 0.08, 0.05), "plastic_grey", bevel=0.01),
            box((0.02, -0.07, 0.0), (0.13, 0.08, 0.05), "plastic_grey", bevel=0.01),
            cyl((0.0, 0.07, 0.05), 0.06, 0.12, "chrome"),
            cyl((0.0, -0.07, 0.05), 0.06, 0.12, "chrome"),
            box((0.0, 0.0, 0.17), (0.16, 0.24, 0.22), color, bevel=0.015),
            box((0.082, 0.0, 0.22), (0.006, 0.14, 0.12), "plastic_grey", bevel=0.0, solid=False),
            cyl((0.087, 0.04, 0.27), 0.035, 0.006, "plastic_red", rot=(0.0, 90.0, 0.0), solid=False),
            cyl((0.087, -0.04, 0.27), 0.035, 0.006, "plastic_green", rot=(0.0, 90.0, 0.0), solid=False),
            box((0.0, 0.0, 0.4), (0.13, 0.16, 0.12), color, bevel=0.015),
            ball((0.065, 0.035, 0.445), 0.04, "plastic_yellow", solid=False),
            ball((0.065, -0.035, 0.445), 0.04, "plastic_yellow", solid=False),
            rod((0.0, 0.0, 0.52), (0.0, 0.0, 0.6), 0.012, "chrome"),
            ball((0.0, 0.0, 0.59), 0.03, "plastic_red", solid=False),
            rod((0.0, 0.14, 0.36), (0.1, 0.16, 0.24), 0.05, "chrome"),
            rod((0.0, -0.14, 0.36), (0.1, -0.16, 0.24), 0.05, "chrome"),
        )
    )


KINDS = (
    Kind(
        "bunk_bed",
        "bunk bed",
        ("bunk beds", "double-decker bed", "loft bed", "bed"),
        ((1.8, 0.9, 1.4), (2.3, 1.5, 2.0)),
        90.0,
        bunk_bed,
    ),
    Kind(
        "toy_chest",
        "toy chest",
        ("toy box", "chest", "toy trunk", "wooden chest"),
        ((0.35, 0.6, 0.35), (0.8, 1.2, 0.8)),
        18.0,
        toy_chest,
    ),
    Kind(
        "doll_house",
        "doll's house",
        ("dollhouse", "doll house", "dolls house", "toy house"),
        ((0.25, 0.5, 0.5), (0.6, 1.1, 1.2)),
        8.0,
        doll_house,
    ),
    Kind(
        "rocking_horse",
        "rocking horse",
        ("toy horse", "horse", "wooden horse", "hobby horse"),
        ((0.7, 0.25, 0.6), (1.2, 0.6, 1.2)),
        9.0,
        rocking_horse,
    ),
    Kind(
        "play_tent",
        "play tent",
        ("tent", "tepee", "teepee", "tipi", "wigwam"),
        ((0.9, 0.9, 1.2), (1.6, 1.6, 2.0)),
        6.0,
        play_tent,
    ),
    Kind(
        "play_table",
        "play table",
        ("children's table", "low round table", "small round table", "kids table"),
        ((0.5, 0.5, 0.4), (1.0, 1.0, 0.6)),
        8.0,
        play_table,
    ),
    Kind(
        "play_stool",
        "play stool",
        ("children's stool", "small stool", "low stool", "kids stool"),
        ((0.2, 0.2, 0.2), (0.45, 0.45, 0.45)),
        2.5,
        play_stool,
    ),
    Kind(
        "bean_bag",
        "bean bag",
        ("beanbag", "bean bag chair", "sack chair"),
        ((0.5, 0.5, 0.4), (1.1, 1.1, 0.9)),
        5.0,
        bean_bag,
    ),
    Kind(
        "toy_robot",
        "toy robot",
        ("robot", "tin robot", "orange robot"),
        ((0.12, 0.2, 0.4), (0.35, 0.5, 0.8)),
        1.5,
        toy_robot,
    ),
)
