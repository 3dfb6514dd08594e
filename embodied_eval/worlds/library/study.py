"""A study: fireplace, globe, piano, telescope, chess, and what stands on a desk."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import WARM, Design, Kind, Lamp, sliding, switch
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, legs, rod
from embodied_eval.worlds.model import Interaction, Primitive

# The flames of a fire that is out are below its hearth.
_SUNK_M = 0.5


def marble_fireplace(stone: str = "marble_white", initial: str = "on") -> Design:
    """A fireplace with a mantelpiece; its back is to the wall. Its fire can be lit and put out: it sinks away."""
    logs = tuple(
        rod((0.08 + dx, y0, z), (0.08 - dx, y1, z), 0.09, "bark")
        for dx, y0, y1, z in ((0.03, -0.24, 0.24, 0.14), (-0.05, -0.22, 0.2, 0.15), (0.0, -0.2, 0.22, 0.22))
    )
    flames = tuple(
        cone((0.08, y, 0.2 - _SUNK_M), w, h, "flame", part="fire", solid=False)
        for y, w, h in ((-0.13, 0.12, 0.24), (0.0, 0.17, 0.36), (0.13, 0.13, 0.27))
    )
    return Design(
        (
            box((0.1, 0.0, 0.0), (0.6, 1.5, 0.06), "granite_dark", bevel=0.006),
            box((0.0, 0.58, 0.06), (0.4, 0.3, 0.94), stone, bevel=0.008),
            box((0.0, -0.58, 0.06), (0.4, 0.3, 0.94), stone, bevel=0.008),
            box((0.0, 0.0, 0.8), (0.4, 0.86, 0.2), stone, bevel=0.0),
            box((-0.17, 0.0, 0.06), (0.06, 0.86, 0.74), "tunnel_dark", bevel=0.0),
            box((0.03, 0.0, 1.0), (0.5, 1.6, 0.06), stone, bevel=0.015),
            box((0.206, 0.58, 0.16), (0.016, 0.18, 0.74), stone, bevel=0.006, solid=False),
            box((0.206, -0.58, 0.16), (0.016, 0.18, 0.74), stone, bevel=0.006, solid=False),
            box((0.16, 0.0, 0.06), (0.03, 0.6, 0.06), "iron"),
            *(rod((0.16, y, 0.1), (0.16, y, 0.26), 0.018, "iron") for y in (-0.3, -0.1, 0.1, 0.3)),
            *logs,
            *flames,
        ),
        Interaction("slide", "fire", (0.0, 0.0, 1.0), travel=_SUNK_M, states=("off", "on"), initial=initial),
        Lamp((0.3, 0.0, 0.4), (1.0, 0.66, 0.36), 0.6, 3.5),
    )


def globe(wood: str = "walnut") -> Design:
    """A floor globe in its wooden ring."""
    land = tuple(
        ball((x, y, z), size, "leaf_green", solid=False)
        for x, y, z, size in (
            (0.12, 0.05, 0.78, (0.14, 0.16, 0.14)),
            (0.1, -0.12, 0.68, (0.12, 0.12, 0.16)),
            (-0.1, 0.1, 0.74, (0.16, 0.14, 0.16)),
            (0.02, 0.15, 0.65, (0.12, 0.1, 0.12)),
            (-0.08, -0.13, 0.8, (0.14, 0.1, 0.12)),
        )
    )
    spokes = tuple(
        rod((0.0, 0.0, 0.16), (0.25 * math.cos(a), 0.25 * math.sin(a), 0.72), 0.03, wood)
        for a in (math.pi / 4 + k * math.pi / 2 for k in range(4))
    )
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.42, 0.03, wood, bevel=0.01),
            cyl((0.0, 0.0, 0.03), 0.07, 0.5, wood),
            *spokes,
            ball((0.0, 0.0, 0.56), 0.42, "drum_blue", solid=False),
            cyl((0.0, 0.0, 0.56), 0.2, 0.4, "drum_blue"),
            *land,
            cyl((0.0, 0.0, 0.745), 0.56, 0.025, wood, bevel=0.006, solid=False),
            ball((0.0, 0.0, 0.97), 0.04, "brass", solid=False),
        )
    )


def filing_cabinet(color: str = "cabinet_grey") -> Design:
    """A steel cabinet of four drawers; the top one opens."""
    fronts: list[Primitive] = []
    for row in range(4):
        part, z = ("drawer" if row == 3 else ""), 0.04 + 0.31 * row
        fronts += [
            box((0.302, 0.0, z), (0.02, 0.42, 0.29), color, bevel=0.006, part=part, solid=False),
            box((0.32, 0.0, z + 0.2), (0.025, 0.14, 0.02), "chrome", part=part, solid=False),
            box((0.314, 0.0, z + 0.1), (0.004, 0.1, 0.05), "paper_white", bevel=0.0, part=part, solid=False),
        ]
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.6, 0.46, 1.29), color, bevel=0.008),
            box((-0.02, 0.0, 0.99), (0.5, 0.4, 0.2), "paper_white", part="drawer", solid=False),
            *fronts,
        ),
        sliding("drawer", 0.35),
    )


def piano(wood: str = "plastic_black") -> Design:
    """An upright piano; one plays at its front (+x)."""
    black = tuple(
        box((0.245, -0.57 + 0.083 * k, 0.745), (0.09, 0.03, 0.018), "plastic_black", bevel=0.002, solid=False)
        for k in range(15)
        if k % 7 not in (2, 6)
    )
    return Design(
        (
            box((-0.1, 0.0, 0.0), (0.36, 1.44, 0.08), wood, bevel=0.006),
            box((-0.12, 0.0, 0.08), (0.3, 1.4, 1.06), wood, bevel=0.006),
            box((-0.1, 0.0, 1.14), (0.38, 1.48, 0.04), wood, bevel=0.01),
            box((0.16, 0.68, 0.0), (0.26, 0.08, 0.62), wood, bevel=0.01),
            box((0.16, -0.68, 0.0), (0.26, 0.08, 0.62), wood, bevel=0.01),
            box((0.16, 0.0, 0.62), (0.32, 1.44, 0.08), wood, bevel=0.008),
            box((0.16, 0.685, 0.7), (0.3, 0.07, 0.08), wood, bevel=0.01),
            box((0.16, -0.685, 0.7), (0.3, 0.07, 0.08), wood, bevel=0.01),
            box((0.22, 0.0, 0.7), (0.18, 1.28, 0.045), "paper_white", bevel=0.004, solid=False),
            *black,
            box((0.05, 0.0, 0.86), (0.02, 0.7, 0.22), wood, rot=(0.0, -12.0, 0.0), solid=False),
            box((0.07, 0.02, 0.88), (0.008, 0.44, 0.26), "newsprint", rot=(0.0, -12.0, 0.0), solid=False),
            *(box((0.1, y, 0.03), (0.1, 0.04, 0.02), "brass", solid=False) for y in (-0.08, 0.08)),
        )
    )


def piano_stool(seat: str = "wool_rust", wood: str = "dark_wood") -> Design:
    """A low padded stool."""
    return Design(
        (
            *legs(0.14, 0.26, 0.42, 0.045, wood),
            box((0.0, 0.0, 0.4), (0.34, 0.6, 0.05), wood),
            box((0.0, 0.0, 0.45), (0.33, 0.58, 0.06), seat, bevel=0.025),
        )
    )


def telescope(tube: str = "enamel_white") -> Design:
    """A telescope on a wooden tripod, pointing up to +x."""
    feet = tuple(
        rod((0.0, 0.0, 1.0), (0.3 * math.cos(a), 0.3 * math.sin(a), 0.02), 0.035, "oak", solid=True)
        for a in (k * 2.0 * math.pi / 3 for k in range(3))
    )
    return Design(
        (
            *feet,
            *(
                cyl((0.3 * math.cos(a), 0.3 * math.sin(a), 0.0), 0.06, 0.02, "rubber_black")
                for a in (k * 2.0 * math.pi / 3 for k in range(3))
            ),
            cyl((0.0, 0.0, 0.98), 0.12, 0.08, "black_metal"),
            rod((-0.28, 0.0, 1.0), (0.38, 0.0, 1.36), 0.1, tube),
            rod((0.33, 0.0, 1.335), (0.45, 0.0, 1.4), 0.13, tube),
            rod((-0.28, 0.0, 1.0), (-0.38, 0.0, 0.945), 0.045, "black_metal"),
            rod((-0.15, 0.055, 1.14), (0.1, 0.055, 1.275), 0.03, "black_metal"),
            cyl((0.0, 0.0, 0.45), 0.2, 0.015, "oak", solid=False),
        )
    )


def chess_table(wood: str = "walnut", board: str = "wicker") -> Design:
    """A square games table set up for chess."""
    pieces: list[Primitive] = []
    for x, mat in (
        (-0.175, "paper_white"),
        (-0.125, "paper_white"),
        (0.125, "dark_wood"),
        (0.175, "dark_wood"),
    ):
        for k in range(0, 8, 2):
            tall = 0.075 if abs(x) > 0.15 else 0.05
            pieces.append(cone((x, -0.175 + 0.05 * k, 0.736), 0.034, tall, mat, taper=0.3, solid=False))
    return Design(
        (
            *legs(0.26, 0.26, 0.7, 0.05, wood),
            box((0.0, 0.0, 0.7), (0.66, 0.66, 0.03), wood, bevel=0.01),
            box((0.0, 0.0, 0.728), (0.4, 0.4, 0.008), board, bevel=0.0, solid=False),
            *pieces,
        )
    )


def monitor(initial: str = "on") -> Design:
    """A computer screen on its foot, with a keyboard and a mouse before it."""
    return Design(
        (
            box((-0.08, 0.0, 0.0), (0.2, 0.26, 0.015), "plastic_black", bevel=0.006),
            box((-0.12, 0.0, 0.015), (0.04, 0.07, 0.2), "plastic_black"),
            box((-0.08, 0.0, 0.12), (0.035, 0.62, 0.37), "plastic_black", bevel=0.008, solid=False),
            box((-0.061, 0.0, 0.14), (0.004, 0.59, 0.335), "laptop_screen", bevel=0.0, solid=False),
            box((0.14, 0.03, 0.0), (0.14, 0.42, 0.02), "plastic_grey", bevel=0.005),
            box((0.14, 0.03, 0.02), (0.11, 0.39, 0.004), "plastic_black", bevel=0.0, solid=False),
            ball((0.14, -0.26, 0.0), (0.1, 0.06, 0.035), "plastic_grey", solid=False),
        ),
        switch(initial),
    )


def printer(initial: str = "off") -> Design:
    """A desk printer with paper in its tray and a status light."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.36, 0.44, 0.18), "plastic_white", bevel=0.015),
            box((-0.06, 0.0, 0.18), (0.2, 0.42, 0.02), "plastic_grey", bevel=0.006, solid=False),
            box((-0.13, 0.0, 0.18), (0.01, 0.22, 0.2), "paper_white", rot=(0.0, -15.0, 0.0), solid=False),
            box((0.19, 0.0, 0.04), (0.06, 0.3, 0.015), "plastic_black", solid=False),
            box((0.185, 0.0, 0.055), (0.1, 0.21, 0.006), "paper_white", bevel=0.0, solid=False),
            box((0.181, -0.17, 0.13), (0.006, 0.05, 0.025), "display_green", bevel=0.0, solid=False),
        ),
        switch(initial),
    )


def pin_board(width_m: float = 1.2, height_m: float = 0.8) -> Design:
    """A cork board with notes; its back is on the wall, its middle at z = 0."""
    notes = tuple(
        box((0.03, y * width_m, z * height_m - 0.07), (0.004, w, 0.14), mat, bevel=0.0, solid=False)
        for y, z, w, mat in (
            (-0.34, 0.22, 0.12, "paper_white"),
            (-0.15, 0.1, 0.16, "petal_yellow"),
            (0.1, 0.24, 0.2, "picture_hills"),
            (0.34, 0.12, 0.12, "paper_white"),
            (-0.3, -0.2, 0.2, "picture_sea"),
            (0.0, -0.2, 0.12, "petal_pink"),
            (0.28, -0.22, 0.16, "newsprint"),
        )
    )
    return Design(
        (
            box((0.012, 0.0, -height_m / 2), (0.024, width_m, height_m), "oak", bevel=0.004),
            box(
                (0.026, 0.0, -height_m / 2 + 0.03),
                (0.004, width_m - 0.06, height_m - 0.06),
                "cardboard",
                bevel=0.0,
                solid=False,
            ),
            *notes,
        )
    )


def banker_lamp(initial: str = "on", shade: str = "shade_cream") -> Design:
    """A brass desk lamp with a lying glass shade."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.16, 0.2, 0.025), "brass", bevel=0.008),
            cyl((0.0, 0.0, 0.025), 0.028, 0.26, "brass"),
            rod((0.02, -0.13, 0.32), (0.02, 0.13, 0.32), 0.11, shade),
            ball((0.0, 0.0, 0.37), 0.03, "brass", solid=False),
        ),
        switch(initial),
        Lamp((0.1, 0.0, 0.24), WARM, 0.55, 3.0),
    )


KINDS = (
    Kind(
        "marble_fireplace",
        "marble fireplace",
        ("fireplace", "hearth", "chimneypiece", "mantelpiece"),
        ((0.4, 1.0, 0.8), (0.9, 2.2, 1.5)),
        300.0,
        marble_fireplace,
    ),
    Kind(
        "globe",
        "globe",
        ("world globe", "floor globe", "earth globe"),
        ((0.35, 0.35, 0.7), (0.8, 0.8, 1.3)),
        12.0,
        globe,
    ),
    Kind(
        "filing_cabinet",
        "filing cabinet",
        ("file cabinet", "office cabinet", "metal drawers"),
        ((0.4, 0.35, 0.6), (0.8, 0.7, 1.5)),
        40.0,
        filing_cabinet,
    ),
    Kind(
        "piano",
        "piano",
        ("upright piano", "black piano", "keyboard instrument"),
        ((0.45, 1.3, 1.0), (0.8, 1.7, 1.5)),
        200.0,
        piano,
    ),
    Kind(
        "piano_stool",
        "piano stool",
        ("piano bench", "padded stool", "stool"),
        ((0.25, 0.4, 0.4), (0.5, 0.9, 0.6)),
        8.0,
        piano_stool,
    ),
    Kind(
        "telescope",
        "telescope",
        ("spyglass", "telescope on a tripod"),
        ((0.5, 0.4, 1.1), (1.2, 0.9, 1.8)),
        7.0,
        telescope,
    ),
    Kind(
        "chess_table",
        "chess table",
        ("games table", "chess board", "chess set"),
        ((0.5, 0.5, 0.6), (0.9, 0.9, 0.95)),
        15.0,
        chess_table,
    ),
    Kind(
        "monitor",
        "computer screen",
        ("monitor", "computer", "computer monitor", "desktop computer"),
        ((0.2, 0.4, 0.3), (0.5, 0.9, 0.7)),
        6.0,
        monitor,
    ),
    Kind(
        "printer", "printer", ("inkjet printer", "copier"), ((0.3, 0.3, 0.15), (0.6, 0.6, 0.5)), 6.0, printer
    ),
    Kind(
        "pin_board",
        "pin board",
        ("notice board", "cork board", "bulletin board", "corkboard"),
        ((0.01, 0.5, 0.4), (0.1, 2.0, 1.4)),
        4.0,
        pin_board,
    ),
    Kind(
        "banker_lamp",
        "banker's lamp",
        ("bankers lamp", "brass lamp", "green lamp", "desk lamp", "lamp"),
        ((0.1, 0.15, 0.28), (0.35, 0.5, 0.55)),
        2.0,
        banker_lamp,
    ),
)
