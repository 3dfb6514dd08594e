"""Things of a ticket hall: machines, barriers, booths, luggage."""

from __future__ import annotations

from dataclasses import replace

from embodied_eval.worlds.library.kinds import Design, Kind, hinged, switch
from embodied_eval.worlds.library.lettering import lettering
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod


def ticket_machine(initial: str = "on") -> Design:
    """A ticket machine with a lit header, a touch screen, a card reader, a coin slot and a tray."""
    return Design(
        (
            box((-0.02, 0.0, 0.0), (0.46, 0.84, 0.1), "plastic_black", bevel=0.004),
            box((0.0, 0.0, 0.1), (0.52, 0.9, 1.5), "lacquer_blue", bevel=0.015),
            box((0.0, 0.0, 1.6), (0.56, 0.94, 0.28), "header_yellow", bevel=0.015),
            box((0.281, 0.0, 1.69), (0.004, 0.3, 0.1), "enamel_white", bevel=0.0, solid=False),
            box((0.284, 0.07, 1.69), (0.003, 0.012, 0.1), "plastic_black", bevel=0.0, solid=False),
            box((0.2605, -0.12, 0.98), (0.008, 0.56, 0.5), "plastic_black", bevel=0.003, solid=False),
            box((0.265, -0.12, 1.01), (0.003, 0.5, 0.44), "ticket_screen", bevel=0.0, solid=False),
            box((0.262, 0.31, 0.98), (0.01, 0.18, 0.48), "steel", bevel=0.003, solid=False),
            box((0.268, 0.31, 1.36), (0.004, 0.1, 0.014), "plastic_black", bevel=0.0, solid=False),
            cyl(
                (0.268, 0.31, 1.277),
                0.07,
                0.006,
                "display_green",
                bevel=0.0,
                rot=(0.0, 90.0, 0.0),
                solid=False,
            ),
            box((0.268, 0.31, 1.03), (0.004, 0.12, 0.13), "plastic_black", bevel=0.0, solid=False),
            box((0.262, -0.05, 0.5), (0.01, 0.52, 0.24), "black_metal", bevel=0.004, solid=False),
        ),
        switch(initial),
    )


def ticket_barrier(initial: str = "closed") -> Design:
    """A ticket barrier: a steel cabinet along x whose red flap closes the lane on its +y side.

    The lane is meant to be 0.96 m wide; the flap swings to +x. Its arrow glows while it is open.
    """
    gate = hinged("flap", (0.0, 0.175, 0.0), -90.0, seconds=0.6)
    return Design(
        (
            box((0.0, 0.0, 0.0), (1.56, 0.28, 0.92), "steel", bevel=0.04),
            box((0.0, 0.0, 0.92), (1.6, 0.29, 0.06), "rubber_black", bevel=0.025),
            cyl((0.62, 0.0, 0.978), 0.16, 0.02, "plastic_yellow", bevel=0.006, solid=False),
            box((0.7805, 0.0, 0.56), (0.006, 0.16, 0.24), "plastic_black", bevel=0.0, solid=False),
            *lettering("v", 0.785, 0.0, 0.63, 0.12, "display_green"),
            cyl((0.0, 0.175, 0.2), 0.06, 0.72, "rubber_black", part="flap"),
            box((0.0, 0.61, 0.24), (0.03, 0.8, 0.64), "plastic_red", bevel=0.012, part="flap"),
            box((0.0, 0.61, 0.5), (0.034, 0.62, 0.12), "enamel_white", bevel=0.0, part="flap", solid=False),
        ),
        replace(gate, initial=initial),
    )


def kiosk() -> Design:
    """A newspaper kiosk: a counter under a striped awning, magazines and drinks behind it."""
    return Design(
        (
            box((0.6, 0.0, 0.0), (0.5, 2.4, 0.95), "lacquer_green", bevel=0.01),
            box((0.6, 0.0, 0.95), (0.58, 2.48, 0.05), "oak", bevel=0.012),
            box((-0.82, 0.0, 0.0), (0.08, 2.4, 2.3), "lacquer_green", bevel=0.0),
            box((-0.215, 1.17, 0.0), (1.13, 0.06, 2.3), "lacquer_green", bevel=0.0),
            box((-0.215, -1.17, 0.0), (1.13, 0.06, 2.3), "lacquer_green", bevel=0.0),
            box((0.0, 0.0, 2.3), (1.72, 2.44, 0.14), "lacquer_green", bevel=0.02),
            box((1.0, 0.0, 1.98), (0.62, 2.4, 0.03), "awning", bevel=0.0, rot=(0.0, 24.0, 0.0), solid=False),
            box((0.84, 1.14, 1.0), (0.05, 0.05, 1.3), "lacquer_green", bevel=0.0),
            box((0.84, -1.14, 1.0), (0.05, 0.05, 1.3), "lacquer_green", bevel=0.0),
            *(
                box((-0.68, 0.0, z), (0.2, 2.26, 0.03), "oak", bevel=0.0, solid=False)
                for z in (0.85, 1.3, 1.75)
            ),
            *(
                box((-0.69, 0.0, z + 0.03), (0.14, 2.2, 0.3), mat, bevel=0.0, solid=False)
                for z, mat in ((0.85, "books"), (1.3, "books_warm"), (1.75, "books"))
            ),
            *(
                box((0.46, y, 1.0), (0.3, 0.23, 0.06), mat, bevel=0.004, solid=False)
                for y, mat in ((-0.9, "paper_white"), (-0.6, "newsprint"), (-0.3, "paper_white"))
            ),
            box((0.55, 0.75, 1.0), (0.26, 0.3, 0.14), "plastic_grey", bevel=0.02, solid=False),
        )
    )


def photo_booth() -> Design:
    """A photo booth: a cabin with a curtain, a stool behind it and sample portraits outside."""
    portraits = tuple(
        item
        for z in (1.02, 1.4)
        for item in (
            box((0.362, -0.43, z), (0.006, 0.36, 0.32), "poster_cream", bevel=0.0, solid=False),
            ball((0.366, -0.43, z + 0.11), (0.004, 0.13, 0.16), "skin", solid=False),
            box((0.366, -0.43, z + 0.005), (0.004, 0.24, 0.11), "wool_navy", bevel=0.0, solid=False),
        )
    )
    folds = tuple(
        cyl((0.31, 0.64 - 0.115 * k, 0.72), 0.14, 1.17, "curtain_red", bevel=0.0, solid=False)
        for k in range(4)
    )
    return Design(
        (
            box((0.0, -0.43, 0.0), (0.72, 0.64, 1.95), "lacquer_blue", bevel=0.02),
            box((-0.33, 0.32, 0.0), (0.06, 0.86, 1.95), "lacquer_blue", bevel=0.0),
            box((0.0, 0.75, 0.0), (0.72, 0.05, 1.95), "lacquer_blue", bevel=0.0),
            box((0.0, 0.33, 1.89), (0.72, 0.88, 0.06), "lacquer_blue", bevel=0.0),
            box((0.03, 0.0, 1.951), (0.7, 1.56, 0.22), "header_yellow", bevel=0.015),
            cyl((0.383, -0.5, 2.057), 0.13, 0.01, "plastic_black", rot=(0.0, 90.0, 0.0), solid=False),
            box((0.0, 0.33, 0.0), (0.6, 0.8, 0.03), "rubber_black", bevel=0.0),
            cyl((-0.05, 0.33, 0.03), 0.06, 0.42, "chrome"),
            cyl((-0.05, 0.33, 0.45), 0.34, 0.06, "plastic_orange", bevel=0.015),
            rod((0.31, -0.08, 1.87), (0.31, 0.72, 1.87), 0.025, "chrome"),
            *folds,
            *portraits,
        )
    )


def roller_shutter(width_m: float = 3.0, height_m: float = 2.5) -> Design:
    """A closed roller shutter of steel slats between its guides; its back is on the wall, its foot at z = 0."""
    # Rolled by a quarter turn, so that the stripes of the slats lie level.
    return Design(
        (
            box(
                (0.03, 0.0, height_m / 2 - width_m / 2),
                (0.05, height_m, width_m),
                "shutter_slats",
                bevel=0.0,
                rot=(90.0, 0.0, 0.0),
            ),
            box((0.05, width_m / 2 + 0.05, 0.0), (0.1, 0.1, height_m), "steel", bevel=0.006),
            box((0.05, -width_m / 2 - 0.05, 0.0), (0.1, 0.1, height_m), "steel", bevel=0.006),
            box((0.13, 0.0, height_m), (0.26, width_m + 0.2, 0.3), "steel", bevel=0.02),
            box((0.06, 0.0, 0.0), (0.08, width_m, 0.08), "iron", bevel=0.01),
        )
    )


def queue_barrier(length_m: float = 1.6) -> Design:
    """Two posts on round feet with a red belt between them, along y."""
    half = length_m / 2
    posts = tuple(
        item
        for y in (-half, half)
        for item in (
            cyl((0.0, y, 0.0), 0.34, 0.03, "black_metal", bevel=0.012),
            cyl((0.0, y, 0.03), 0.06, 0.93, "chrome"),
            cyl((0.0, y, 0.96), 0.085, 0.05, "black_metal", bevel=0.015),
        )
    )
    return Design((*posts, box((0.0, 0.0, 0.86), (0.012, length_m, 0.06), "plastic_red", bevel=0.0)))


def wet_floor_sign() -> Design:
    """A yellow folding sign: caution, wet floor."""
    parts = tuple(
        item
        for s in (1.0, -1.0)
        for item in (
            box(
                (0.09 * s, 0.0, -0.008),
                (0.02, 0.3, 0.62),
                "plastic_yellow",
                bevel=0.006,
                rot=(0.0, -14.0 * s, 0.0),
            ),
            rod((0.103 * s, -0.08, 0.28), (0.068 * s, 0.0, 0.42), 0.024, "plastic_black"),
            rod((0.103 * s, 0.08, 0.28), (0.068 * s, 0.0, 0.42), 0.024, "plastic_black"),
            rod((0.122 * s, -0.1, 0.2), (0.122 * s, 0.1, 0.2), 0.03, "plastic_black"),
        )
    )
    return Design((*parts, box((0.0, 0.0, 0.585), (0.06, 0.16, 0.04), "plastic_yellow", bevel=0.015)))


def trolley_case(color: str = "case_teal") -> Design:
    """A wheeled hard-shell suitcase with its handle pulled out."""
    return Design(
        (
            *(box((0.0, y, 0.0), (0.2, 0.05, 0.06), "rubber_black", bevel=0.02) for y in (-0.14, 0.14)),
            box((0.0, 0.0, 0.06), (0.24, 0.4, 0.54), color, bevel=0.045),
            box((0.121, 0.0, 0.12), (0.008, 0.2, 0.42), color, bevel=0.003, solid=False),
            rod((-0.08, 0.1, 0.58), (-0.08, 0.1, 0.98), 0.02, "chrome"),
            rod((-0.08, -0.1, 0.58), (-0.08, -0.1, 0.98), 0.02, "chrome"),
            rod((-0.08, -0.11, 0.98), (-0.08, 0.11, 0.98), 0.034, "rubber_black"),
        )
    )


def pushchair(fabric: str = "wool_navy") -> Design:
    """A pushchair with a hood, four wheels and a handle."""
    wheels = tuple(
        cyl((x, y, 0.0), 0.2, 0.05, "rubber_black", bevel=0.012, rot=(90.0, 0.0, 0.0))
        for x in (-0.28, 0.3)
        for y in (-0.22, 0.22)
    )
    frame = tuple(
        item
        for y in (-0.2, 0.2)
        for item in (
            rod((0.3, y, 0.1), (-0.34, y, 0.92), 0.028, "chrome"),
            rod((-0.28, y, 0.1), (0.08, y, 0.5), 0.028, "chrome"),
        )
    )
    lifted = tuple(replace(w, position=(w.position[0], w.position[1], 0.1)) for w in wheels)
    return Design(
        (
            *lifted,
            *frame,
            box((0.04, 0.0, 0.36), (0.36, 0.34, 0.09), fabric, bevel=0.03),
            box(
                (-0.18, 0.0, 0.4), (0.08, 0.34, 0.46), fabric, bevel=0.03, rot=(0.0, -20.0, 0.0), solid=False
            ),
            cone((-0.22, 0.0, 0.62), 0.4, 0.3, fabric, taper=0.55, rot=(0.0, 35.0, 0.0), solid=False),
            box((0.22, 0.0, 0.2), (0.1, 0.26, 0.03), "rubber_black", bevel=0.008, solid=False),
            rod((-0.34, -0.2, 0.92), (-0.34, 0.2, 0.92), 0.04, "rubber_black"),
        )
    )


def newspaper() -> Design:
    """A folded newspaper."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.28, 0.2, 0.018), "paper_white", bevel=0.005),
            box((0.0, 0.0, 0.018), (0.24, 0.17, 0.001), "newsprint", bevel=0.0, solid=False),
            box((0.085, 0.0, 0.0185), (0.05, 0.16, 0.0012), "plastic_black", bevel=0.0, solid=False),
        )
    )


def paper_cup() -> Design:
    """A paper coffee cup with a lid and a brown sleeve."""
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.06, 0.115, "enamel_white", taper=1.4),
            cone((0.0, 0.0, 0.035), 0.069, 0.045, "cardboard", taper=1.15, solid=False),
            cyl((0.0, 0.0, 0.115), 0.088, 0.012, "plastic_black", bevel=0.004),
        )
    )


KINDS = (
    Kind(
        "newspaper",
        "newspaper",
        ("paper", "folded newspaper", "daily paper"),
        ((0.15, 0.1, 0.005), (0.5, 0.5, 0.08)),
        0.3,
        newspaper,
    ),
    Kind(
        "paper_cup",
        "paper cup",
        ("coffee cup", "cup", "litter", "disposable cup"),
        ((0.05, 0.05, 0.08), (0.14, 0.14, 0.25)),
        0.1,
        paper_cup,
        True,
    ),
    Kind(
        "ticket_machine",
        "ticket machine",
        ("ticket vending machine", "fare machine", "ticket dispenser"),
        ((0.3, 0.5, 1.4), (0.9, 1.3, 2.3)),
        180.0,
        ticket_machine,
    ),
    Kind(
        "ticket_barrier",
        "ticket barrier",
        ("fare gate", "ticket gate", "turnstile", "barrier gate"),
        ((1.0, 0.25, 0.8), (2.0, 1.5, 1.3)),
        120.0,
        ticket_barrier,
    ),
    Kind(
        "kiosk",
        "kiosk",
        ("newspaper kiosk", "newsstand", "news stand", "stall", "booth"),
        ((1.0, 1.5, 1.9), (2.6, 3.2, 2.9)),
        400.0,
        kiosk,
    ),
    Kind(
        "photo_booth",
        "photo booth",
        ("photo cabin", "passport photo machine", "photo machine"),
        ((0.5, 1.2, 1.7), (1.2, 2.2, 2.4)),
        220.0,
        photo_booth,
    ),
    Kind(
        "roller_shutter",
        "roller shutter",
        ("shutter", "metal shutter", "rolling shutter", "closed entrance"),
        ((0.05, 1.0, 1.5), (0.5, 6.0, 4.0)),
        120.0,
        roller_shutter,
    ),
    Kind(
        "queue_barrier",
        "queue barrier",
        ("belt barrier", "rope barrier", "stanchion", "crowd barrier"),
        ((0.2, 0.8, 0.8), (0.6, 2.6, 1.2)),
        18.0,
        queue_barrier,
    ),
    Kind(
        "wet_floor_sign",
        "wet floor sign",
        ("caution sign", "yellow floor sign", "slippery floor sign", "cleaning sign"),
        ((0.15, 0.2, 0.4), (0.5, 0.5, 0.9)),
        2.0,
        wet_floor_sign,
    ),
    Kind(
        "trolley_case",
        "wheeled suitcase",
        ("trolley case", "rolling suitcase", "suitcase", "luggage", "carry-on"),
        ((0.15, 0.3, 0.7), (0.4, 0.6, 1.3)),
        9.0,
        trolley_case,
        True,
    ),
    Kind(
        "pushchair",
        "pushchair",
        ("stroller", "buggy", "pram", "baby carriage"),
        ((0.5, 0.35, 0.7), (1.1, 0.7, 1.2)),
        9.0,
        pushchair,
    ),
)
