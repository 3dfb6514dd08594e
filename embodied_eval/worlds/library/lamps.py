"""Lamps: each has a switch and gives light while on."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import NEUTRAL, Design, Kind, Lamp, switch
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod


def floor_lamp(initial: str = "on", metal: str = "black_metal") -> Design:
    """A standing lamp with a fabric shade."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.34, 0.03, metal, bevel=0.01),
            cyl((0.0, 0.0, 0.03), 0.028, 1.32, metal),
            cone((0.0, 0.0, 1.3), 0.44, 0.3, "shade_cream", taper=0.68),
            ball((0.0, 0.0, 1.6), 0.03, "brass", solid=False),
        ),
        switch(initial),
        Lamp((0.0, 0.0, 1.62), intensity=0.9, range_m=5.0),
    )


def table_lamp(initial: str = "on", base: str = "ceramic_green") -> Design:
    """A table lamp with a bellied foot."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.13, 0.02, base),
            ball((0.0, 0.0, 0.01), (0.17, 0.17, 0.2), base, solid=False),
            cyl((0.0, 0.0, 0.02), 0.03, 0.25, "brass"),
            cone((0.0, 0.0, 0.25), 0.28, 0.19, "shade_cream", taper=0.7),
        ),
        switch(initial),
        Lamp((0.0, 0.0, 0.48), intensity=0.6, range_m=3.2),
    )


def desk_lamp(initial: str = "off") -> Design:
    """A jointed work lamp."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.19, 0.03, "black_metal", bevel=0.008),
            rod((-0.04, 0.0, 0.045), (-0.14, 0.0, 0.26), 0.018, "black_metal", solid=True),
            rod((-0.14, 0.0, 0.26), (0.07, 0.0, 0.42), 0.018, "black_metal"),
            ball((-0.14, 0.0, 0.245), 0.032, "brass", solid=False),
            cone((0.09, 0.0, 0.33), 0.14, 0.1, "black_metal", taper=0.35, rot=(0.0, -15.0, 0.0), solid=False),
            ball((0.1, 0.0, 0.315), 0.055, "bulb", solid=False),
        ),
        switch(initial),
        Lamp((0.11, 0.0, 0.28), NEUTRAL, 0.5, 2.5),
    )


def ceiling_lamp(initial: str = "on") -> Design:
    """A flat round ceiling light; it hangs from z = 0."""
    return Design(
        (
            cyl((0.0, 0.0, -0.03), 0.46, 0.03, "brass", bevel=0.006),
            cyl((0.0, 0.0, -0.1), 0.42, 0.07, "bulb", bevel=0.03),
        ),
        switch(initial),
        Lamp((0.0, 0.0, -0.2), NEUTRAL, 0.8, 6.0),
    )


def pendant_lamp(drop_m: float = 0.9, shade: str = "copper", initial: str = "on") -> Design:
    """A bell-shaped lamp that hangs by its cord from z = 0 and reaches `drop_m` down."""
    return Design(
        (
            cyl((0.0, 0.0, -0.025), 0.11, 0.025, "black_metal"),
            rod((0.0, 0.0, -0.02), (0.0, 0.0, -drop_m + 0.2), 0.012, "black_metal"),
            cone((0.0, 0.0, -drop_m), 0.34, 0.2, shade, taper=0.28),
            cyl((0.0, 0.0, -drop_m + 0.19), 0.075, 0.05, shade, solid=False),
            ball((0.0, 0.0, -drop_m - 0.035), 0.11, "bulb", solid=False),
        ),
        switch(initial),
        Lamp((0.0, 0.0, -drop_m - 0.12), intensity=0.75, range_m=4.0),
    )


def wall_lamp(initial: str = "on") -> Design:
    """A bar light for over a mirror or a picture; its back is on the wall."""
    return Design(
        (
            box((0.01, 0.0, -0.03), (0.02, 0.12, 0.06), "chrome", bevel=0.006),
            rod((0.01, 0.0, 0.0), (0.08, 0.0, 0.01), 0.016, "chrome"),
            rod((0.09, -0.24, 0.01), (0.09, 0.24, 0.01), 0.05, "bulb", solid=True),
        ),
        switch(initial),
        Lamp((0.2, 0.0, 0.0), NEUTRAL, 0.6, 3.0),
    )


KINDS = (
    Kind(
        "floor_lamp",
        "floor lamp",
        ("standing lamp", "lamp", "standard lamp"),
        ((0.25, 0.25, 1.2), (0.7, 0.7, 2.0)),
        6.0,
        floor_lamp,
    ),
    Kind(
        "table_lamp",
        "table lamp",
        ("lamp", "bedside lamp", "small lamp"),
        ((0.15, 0.15, 0.28), (0.45, 0.45, 0.8)),
        2.0,
        table_lamp,
    ),
    Kind(
        "desk_lamp",
        "desk lamp",
        ("work lamp", "reading lamp", "lamp"),
        ((0.15, 0.1, 0.28), (0.5, 0.35, 0.7)),
        1.6,
        desk_lamp,
    ),
    Kind(
        "ceiling_lamp",
        "ceiling lamp",
        ("ceiling light", "overhead light", "lamp"),
        ((0.2, 0.2, 0.05), (0.8, 0.8, 0.4)),
        2.5,
        ceiling_lamp,
    ),
    Kind(
        "pendant_lamp",
        "pendant lamp",
        ("hanging lamp", "pendant light", "lamp", "hanging light"),
        ((0.2, 0.2, 0.4), (0.7, 0.7, 1.8)),
        2.0,
        pendant_lamp,
    ),
    Kind(
        "wall_lamp",
        "wall lamp",
        ("wall light", "sconce", "mirror light"),
        ((0.05, 0.1, 0.04), (0.35, 0.9, 0.5)),
        1.2,
        wall_lamp,
    ),
)
