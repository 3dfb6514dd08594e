"""Furniture, lamps and animals of a garden, and what lies about in it."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import WARM, Design, Kind, Lamp, hinged, switch
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, legs, rod


def garden_bench(wood: str = "weathered_wood") -> Design:
    """A slatted wooden bench with arms, its length along y; one sits with the face to +x."""
    w = 1.5
    return Design(
        (
            *(
                box((0.2, s * (w / 2 - 0.05), 0.0), (0.07, 0.07, 0.62), wood, bevel=0.008)
                for s in (-1.0, 1.0)
            ),
            *(
                box(
                    (-0.24, s * (w / 2 - 0.05), 0.0),
                    (0.07, 0.07, 0.92),
                    wood,
                    bevel=0.008,
                    rot=(0.0, 0.0, 0.0),
                )
                for s in (-1.0, 1.0)
            ),
            box((-0.02, 0.0, 0.36), (0.5, w - 0.02, 0.05), wood, bevel=0.006),
            *(box((x, 0.0, 0.41), (0.11, w, 0.025), wood, bevel=0.006) for x in (-0.19, -0.065, 0.06, 0.185)),
            *(box((-0.22, 0.0, z), (0.03, w - 0.16, 0.1), wood, bevel=0.006) for z in (0.52, 0.66, 0.8)),
            *(box((0.0, s * (w / 2 - 0.05), 0.6), (0.5, 0.08, 0.035), wood, bevel=0.01) for s in (-1.0, 1.0)),
        )
    )


def garden_table() -> Design:
    """A round garden table with a gingham cloth."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.5, 0.03, "iron", bevel=0.01),
            cyl((0.0, 0.0, 0.03), 0.07, 0.65, "iron"),
            cyl((0.0, 0.0, 0.68), 1.0, 0.03, "weathered_wood", bevel=0.008),
            cyl((0.0, 0.0, 0.7), 1.04, 0.012, "gingham", bevel=0.004),
            cone((0.0, 0.0, 0.56), 1.1, 0.15, "gingham", taper=0.945, solid=False),
        )
    )


def garden_chair(paint: str = "shutter_blue") -> Design:
    """A folding garden chair of wood."""
    return Design(
        (
            *legs(0.18, 0.19, 0.43, 0.035, paint),
            *(box((x, 0.0, 0.43), (0.12, 0.42, 0.02), paint, bevel=0.004) for x in (-0.14, 0.0, 0.14)),
            *(box((-0.2, s * 0.19, 0.43), (0.035, 0.035, 0.46), paint, bevel=0.004) for s in (-1.0, 1.0)),
            *(box((-0.2, 0.0, z), (0.02, 0.4, 0.12), paint, bevel=0.004) for z in (0.6, 0.77)),
        )
    )


def parasol(cloth: str = "parasol_stripes") -> Design:
    """An open parasol in a stone foot."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.5, 0.1, "field_stone", bevel=0.02),
            cyl((0.0, 0.0, 0.1), 0.05, 2.4, "picket_white"),
            cone((0.0, 0.0, 2.03), 1.9, 0.42, cloth, taper=0.06, solid=False),
            ball((0.0, 0.0, 2.44), 0.09, "picket_white", solid=False),
        )
    )


def lantern_post(initial: str = "off") -> Design:
    """A garden lantern on a wooden post."""
    corners = tuple(
        box((x, y, 1.55), (0.02, 0.02, 0.26), "black_metal", bevel=0.0, solid=False)
        for x in (-0.09, 0.09)
        for y in (-0.09, 0.09)
    )
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.3, 0.06, "field_stone", bevel=0.015),
            box((0.0, 0.0, 0.06), (0.1, 0.1, 1.46), "black_metal", bevel=0.015),
            box((0.0, 0.0, 1.52), (0.24, 0.24, 0.03), "black_metal", bevel=0.006),
            box((0.0, 0.0, 1.55), (0.15, 0.15, 0.26), "lantern_glow", bevel=0.01),
            *corners,
            cone((0.0, 0.0, 1.81), 0.36, 0.16, "black_metal", taper=0.25, solid=False),
            ball((0.0, 0.0, 1.95), 0.06, "black_metal", solid=False),
        ),
        switch(initial),
        Lamp((0.0, 0.0, 1.7), WARM, 0.9, 4.5),
    )


def letter_box() -> Design:
    """A red letter box on a post; its flap opens to the front."""
    pivot = (0.15, 0.0, 1.02)
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.28, 0.06, "field_stone", taper=0.6),
            box((0.0, 0.0, 0.0), (0.09, 0.09, 1.0), "weathered_wood", bevel=0.008),
            box((0.0, 0.0, 1.0), (0.28, 0.38, 0.26), "boat_red", bevel=0.02),
            box((0.0, 0.0, 1.26), (0.34, 0.44, 0.03), "black_metal", bevel=0.01),
            box((0.15, 0.0, 1.03), (0.02, 0.34, 0.2), "petal_yellow", bevel=0.006, part="flap"),
            box((0.165, 0.0, 1.17), (0.02, 0.1, 0.03), "brass", bevel=0.004, part="flap", solid=False),
        ),
        hinged("flap", pivot, 100.0, axis=(0.0, 1.0, 0.0), seconds=0.8),
    )


def garden_gnome(coat: str = "plastic_blue") -> Design:
    """A garden gnome with a pointed red cap and a white beard."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.24, 0.04, "field_stone", bevel=0.01),
            cone((0.0, 0.0, 0.04), 0.21, 0.24, coat, taper=0.75),
            cyl((0.0, 0.0, 0.13), 0.205, 0.035, "leather_black", bevel=0.0, solid=False),
            ball((0.0, 0.0, 0.25), 0.15, "skin", solid=False),
            ball((0.05, 0.0, 0.18), (0.11, 0.13, 0.15), "cotton_white", solid=False),
            ball((0.075, 0.0, 0.31), 0.035, "skin", solid=False),
            cone((0.0, 0.0, 0.355), 0.165, 0.25, "petal_red", taper=0.05, solid=False),
            *(ball((0.08, 0.11 * s, 0.16), 0.07, coat, solid=False) for s in (-1.0, 1.0)),
        )
    )


def hen(feathers: str = "feather_brown") -> Design:
    """A hen with a red comb."""
    return Design(
        (
            *(
                cyl((0.0, 0.05 * s, 0.0), 0.03, 0.14, "petal_yellow", bevel=0.0, solid=False)
                for s in (-1.0, 1.0)
            ),
            *(
                box((0.0, 0.05 * s, 0.0), (0.2, 0.07, 0.012), "petal_yellow", bevel=0.002)
                for s in (-1.0, 1.0)
            ),
            cyl((0.0, 0.0, 0.01), 0.1, 0.16, feathers, bevel=0.0),
            ball((-0.02, 0.0, 0.11), (0.36, 0.22, 0.23), feathers, solid=False),
            ball((-0.18, 0.0, 0.22), (0.18, 0.09, 0.2), feathers, rot=(0.0, 40.0, 0.0), solid=False),
            rod((0.12, 0.0, 0.24), (0.16, 0.0, 0.36), 0.09, feathers),
            ball((0.17, 0.0, 0.32), 0.1, feathers, solid=False),
            box((0.16, 0.0, 0.4), (0.08, 0.018, 0.05), "petal_red", bevel=0.008, solid=False),
            cone((0.215, 0.0, 0.355), 0.03, 0.05, "petal_yellow", rot=(0.0, 90.0, 0.0), solid=False),
            ball((0.2, 0.0, 0.295), (0.03, 0.025, 0.055), "petal_red", solid=False),
        )
    )


def fruit_crate(fruit: str = "apple_red") -> Design:
    """A wooden crate of fruit."""
    pieces = tuple(
        ball(
            (-0.1 + 0.2 * (k % 2) + 0.02 * (k % 3), -0.17 + 0.115 * (k // 2), 0.16), 0.15, fruit, solid=False
        )
        for k in range(8)
    )
    slats = tuple(
        item
        for s in (-1.0, 1.0)
        for item in (
            box((s * 0.19, 0.0, 0.03), (0.015, 0.52, 0.19), "pine", bevel=0.003),
            box((0.0, s * 0.255, 0.03), (0.365, 0.015, 0.19), "pine", bevel=0.003),
        )
    )
    return Design((box((0.0, 0.0, 0.0), (0.36, 0.49, 0.18), "pine", bevel=0.0), *slats, *pieces))


def picnic_blanket() -> Design:
    """A chequered blanket spread on the grass."""
    return Design((box((0.0, 0.0, 0.0), (1.7, 1.5, 0.012), "gingham", bevel=0.003),))


def picnic_basket() -> Design:
    """A wicker picnic basket with its lid shut."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.3, 0.44, 0.22), "wicker", bevel=0.02),
            box((0.0, 0.0, 0.22), (0.33, 0.47, 0.03), "wicker", bevel=0.012),
            rod((0.0, -0.2, 0.24), (0.0, -0.12, 0.4), 0.025, "oak"),
            rod((0.0, 0.2, 0.24), (0.0, 0.12, 0.4), 0.025, "oak"),
            rod((0.0, -0.12, 0.4), (0.0, 0.12, 0.4), 0.025, "oak"),
            box((0.168, 0.0, 0.17), (0.012, 0.06, 0.09), "leather_brown", bevel=0.003, solid=False),
        )
    )


_SMALL = ((0.15, 0.15, 0.2), (0.6, 0.6, 0.8))
KINDS = (
    Kind(
        "garden_bench",
        "garden bench",
        ("wooden bench", "bench", "park bench"),
        ((0.4, 1.0, 0.7), (0.9, 2.2, 1.1)),
        40.0,
        garden_bench,
    ),
    Kind(
        "garden_table",
        "garden table",
        ("round table", "terrace table", "patio table"),
        ((0.7, 0.7, 0.6), (1.5, 1.5, 0.9)),
        25.0,
        garden_table,
    ),
    Kind(
        "garden_chair",
        "garden chair",
        ("blue chair", "folding chair", "terrace chair", "patio chair"),
        ((0.35, 0.35, 0.75), (0.7, 0.7, 1.1)),
        6.0,
        garden_chair,
    ),
    Kind(
        "parasol",
        "parasol",
        ("sunshade", "umbrella", "sun umbrella"),
        ((1.2, 1.2, 2.0), (3.0, 3.0, 3.0)),
        30.0,
        parasol,
    ),
    Kind(
        "lantern_post",
        "garden lantern",
        ("lantern", "lamp post", "garden lamp", "lantern post", "post lamp"),
        ((0.25, 0.25, 1.4), (0.6, 0.6, 2.4)),
        18.0,
        lantern_post,
    ),
    Kind(
        "letter_box",
        "letter box",
        ("mailbox", "letterbox", "post box", "mail box"),
        ((0.25, 0.3, 0.9), (0.6, 0.6, 1.6)),
        9.0,
        letter_box,
    ),
    Kind(
        "picnic_blanket",
        "picnic blanket",
        ("checkered blanket", "picnic rug", "red blanket"),
        ((1.0, 1.0, 0.005), (2.5, 2.5, 0.05)),
        2.0,
        picnic_blanket,
    ),
    Kind(
        "picnic_basket",
        "picnic basket",
        ("hamper", "picnic hamper"),
        ((0.25, 0.35, 0.3), (0.5, 0.7, 0.6)),
        4.0,
        picnic_basket,
        dynamic=True,
    ),
    Kind("garden_gnome", "garden gnome", ("gnome", "dwarf", "garden dwarf"), _SMALL, 7.0, garden_gnome),
    Kind("hen", "hen", ("chicken", "brown hen", "white hen"), ((0.3, 0.15, 0.3), (0.6, 0.4, 0.6)), 2.5, hen),
    Kind(
        "fruit_crate",
        "crate of apples",
        ("apple crate", "fruit crate", "crate", "wooden crate", "box of apples"),
        ((0.3, 0.4, 0.2), (0.6, 0.8, 0.5)),
        14.0,
        fruit_crate,
    ),
)
