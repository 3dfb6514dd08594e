"""Signs, maps, boards, posters and clocks of a station."""

from __future__ import annotations

import math
from itertools import pairwise

from embodied_eval.worlds.library.kinds import Design, Kind, switch
from embodied_eval.worlds.library.lettering import lettering
from embodied_eval.worlds.library.parts import ball, box, cyl, rod
from embodied_eval.worlds.model import Primitive


def _disc(x: float, y: float, z: float, d: float, mat: str, thick: float = 0.004) -> Primitive:
    """A flat disc that faces +x, its middle at (y, z) and its back at `x`."""
    return cyl((x + thick / 2, y, z - thick / 2), d, thick, mat, bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False)


def direction_sign(text: str = "EXIT", arrow: str = "^", panel: str = "sign_green") -> Design:
    """A hanging sign with an arrow and a word on its front; it hangs from z = 0."""
    shown = f"{arrow} {text}"
    width = 0.17 * (len(shown) + 1.6)
    return Design(
        (
            box((0.0, 0.0, -0.72), (0.06, width, 0.36), panel, bevel=0.008),
            *(
                cyl((0.0, y, -0.36), 0.03, 0.36, "steel", bevel=0.0)
                for y in (-width / 2 + 0.15, width / 2 - 0.15)
            ),
            *lettering(shown, 0.0315, 0.0, -0.64, 0.2, "sign_white"),
        )
    )


def station_sign(name: str = "ELM") -> Design:
    """The station's name on a white board with a blue band; its back is on the wall."""
    return Design(
        (
            box((0.02, 0.0, -0.3), (0.04, 1.5, 0.6), "enamel_white", bevel=0.01),
            box((0.041, 0.0, -0.16), (0.004, 1.46, 0.32), "sign_blue", bevel=0.0, solid=False),
            _disc(0.0405, 0.52, 0.0, 0.46, "plastic_red"),
            _disc(0.0455, 0.52, 0.0, 0.32, "enamel_white"),
            *lettering(name, 0.0445, -0.12, -0.1, 0.2, "sign_white"),
        )
    )


_LINES = (
    ("plastic_red", ((-0.75, 0.25), (-0.3, 0.25), (0.1, -0.1), (0.75, -0.1))),
    ("plastic_blue", ((-0.75, -0.3), (-0.2, -0.3), (0.1, -0.1), (0.1, 0.38))),
    ("plastic_green", ((-0.5, 0.4), (-0.3, 0.25), (-0.2, -0.3), (0.45, -0.38))),
)


def line_map() -> Design:
    """The map of the network: coloured lines with stations on a white board; its back is on the wall."""
    strokes = tuple(
        rod((0.043, a[0], a[1]), (0.043, b[0], b[1]), 0.026, mat)
        for mat, way in _LINES
        for a, b in pairwise(way)
    )
    stations = tuple(
        _disc(0.05, y, z, 0.06, "enamel_white", 0.012)
        for y, z in ((-0.75, 0.25), (-0.3, 0.25), (0.75, -0.1), (-0.75, -0.3), (-0.2, -0.3), (0.1, 0.38))
    )
    return Design(
        (
            box((0.018, 0.0, -0.62), (0.036, 1.9, 1.24), "steel", bevel=0.01),
            box((0.037, 0.0, -0.57), (0.004, 1.8, 1.14), "enamel_white", bevel=0.0, solid=False),
            box((0.0385, 0.0, 0.45), (0.004, 1.8, 0.12), "sign_blue", bevel=0.0, solid=False),
            *strokes,
            *stations,
            _disc(0.05, 0.1, -0.1, 0.1, "plastic_black", 0.012),
            _disc(0.053, 0.1, -0.1, 0.06, "plastic_yellow", 0.012),
        )
    )


def departure_board(initial: str = "on") -> Design:
    """A hanging board, three rows of amber text on both sides, dark while off; it hangs from z = 0."""
    faces = tuple(
        item
        for s in (1.0, -1.0)
        for item in (
            box((s * 0.0805, 0.0, -1.02), (0.003, 1.7, 0.38), "plastic_black", bevel=0.0, solid=False),
            box((s * 0.0815, s * -0.45, -0.58), (0.003, 0.7, 0.05), "sign_white", bevel=0.0, solid=False),
            *(
                box((s * 0.083, s * y, z), (0.004, w, 0.075), "board_text", bevel=0.0, solid=False)
                for z in (-0.74, -0.87, -1.0)
                for y, w in ((-0.2, 1.1), (0.65, 0.26))
            ),
        )
    )
    return Design(
        (
            box((0.0, 0.0, -1.06), (0.16, 1.8, 0.6), "sign_blue", bevel=0.015),
            *(cyl((0.0, y, -0.46), 0.035, 0.46, "steel", bevel=0.0) for y in (-0.6, 0.6)),
            *faces,
        ),
        switch(initial),
    )


def _advertisement(motif: str) -> tuple[Primitive, ...]:
    if motif == "coffee":
        return (
            box((0.062, 0.0, -0.75), (0.004, 1.02, 1.5), "poster_cream", bevel=0.0, solid=False),
            box((0.066, 0.0, -0.3), (0.006, 0.44, 0.42), "plastic_red", bevel=0.0, solid=False),
            _disc(0.063, 0.26, -0.09, 0.26, "plastic_red"),
            _disc(0.068, 0.26, -0.09, 0.16, "poster_cream"),
            box((0.066, 0.0, -0.37), (0.006, 0.7, 0.06), "leather_brown", bevel=0.0, solid=False),
            *(rod((0.064, y, 0.18), (0.064, y + 0.05, 0.4), 0.03, "leather_brown") for y in (-0.1, 0.05)),
            box((0.066, 0.0, -0.62), (0.006, 0.8, 0.1), "leather_brown", bevel=0.0, solid=False),
        )
    if motif == "film":
        return (
            box((0.062, 0.0, -0.75), (0.004, 1.02, 1.5), "poster_night", bevel=0.0, solid=False),
            _disc(0.063, 0.18, 0.32, 0.44, "plastic_yellow"),
            *(
                box((0.066, y, -0.4), (0.006, 0.17, h), "plastic_black", bevel=0.0, solid=False)
                for y, h in ((-0.4, 0.5), (-0.2, 0.75), (0.0, 0.4), (0.2, 0.62), (0.4, 0.34))
            ),
            box((0.066, 0.0, -0.6), (0.006, 0.86, 0.13), "plastic_red", bevel=0.0, solid=False),
        )
    return (
        box((0.062, 0.0, -0.75), (0.004, 1.02, 1.5), "poster_holiday", bevel=0.0, solid=False),
        box((0.066, 0.0, 0.5), (0.006, 0.7, 0.1), "enamel_white", bevel=0.0, solid=False),
    )


def poster_case(motif: str = "holiday", initial: str = "on") -> Design:
    """A lit advertisement case: `motif` "holiday", "coffee" or "film"; its back is on the wall."""
    return Design(
        (
            box((0.03, 0.0, -0.83), (0.06, 1.18, 1.66), "steel", bevel=0.012),
            *_advertisement(motif),
        ),
        switch(initial),
    )


def station_clock() -> Design:
    """A round clock with two faces on a post."""
    faces: list[Primitive] = []
    for s in (1.0, -1.0):
        x = 0.104 * s
        faces += [
            cyl(
                (0.1015 * s, 0.0, 2.35 - 0.002),
                0.5,
                0.004,
                "enamel_white",
                bevel=0.0,
                rot=(0.0, 90.0, 0.0),
                solid=False,
            ),
            rod((x + 0.004 * s, 0.0, 2.35), (x + 0.004 * s, 0.1 * s, 2.45), 0.024, "plastic_black"),
            rod((x + 0.006 * s, 0.0, 2.35), (x + 0.006 * s, -0.06 * s, 2.53), 0.018, "plastic_black"),
            *(
                box(
                    (x, 0.205 * math.sin(angle), 2.35 + 0.205 * math.cos(angle) - 0.025),
                    (0.006, 0.022, 0.05),
                    "plastic_black",
                    bevel=0.0,
                    rot=(round(-math.degrees(angle), 3), 0.0, 0.0),
                    solid=False,
                )
                for angle in (k * math.pi / 2 for k in range(4))
            ),
        ]
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.36, 0.06, "plastic_black", bevel=0.02),
            cyl((0.0, 0.0, 0.06), 0.11, 2.0, "lacquer_green", bevel=0.0),
            cyl((0.0, 0.0, 2.35 - 0.1), 0.58, 0.2, "lacquer_green", bevel=0.02, rot=(0.0, 90.0, 0.0)),
            *faces,
        )
    )


def warning_sign() -> Design:
    """A yellow diamond with a black border and a flash: danger of electric shock; its back is on the wall."""
    return Design(
        (
            box((0.008, 0.0, -0.17), (0.016, 0.34, 0.34), "plastic_black", bevel=0.0, rot=(45.0, 0.0, 0.0)),
            box((0.011, 0.0, -0.15), (0.016, 0.3, 0.3), "plastic_yellow", bevel=0.0, rot=(45.0, 0.0, 0.0)),
            rod((0.022, 0.04, 0.14), (0.022, -0.03, 0.0), 0.03, "plastic_black"),
            rod((0.022, -0.03, 0.0), (0.022, 0.04, 0.0), 0.024, "plastic_black"),
            rod((0.022, 0.04, 0.0), (0.022, -0.02, -0.14), 0.024, "plastic_black"),
        )
    )


def safety_mirror() -> Design:
    """A round convex mirror on an arm, as drivers use at the end of a platform; it hangs on a wall."""
    return Design(
        (
            box((0.01, 0.0, -0.08), (0.02, 0.12, 0.16), "steel", bevel=0.004),
            rod((0.02, 0.0, 0.0), (0.26, 0.0, 0.0), 0.03, "steel"),
            cyl((0.28, 0.0, -0.02), 0.6, 0.04, "plastic_orange", bevel=0.01, rot=(0.0, 75.0, 0.0)),
            ball((0.285, 0.0, -0.26), (0.13, 0.52, 0.52), "mirror", rot=(0.0, -15.0, 0.0), solid=False),
        )
    )


_THIN = 0.15
KINDS = (
    Kind(
        "direction_sign",
        "exit sign",
        ("sign", "direction sign", "hanging sign", "overhead sign", "way-out sign"),
        ((0.03, 0.6, 0.4), (0.2, 3.0, 1.2)),
        8.0,
        direction_sign,
    ),
    Kind(
        "station_sign",
        "station name sign",
        ("station sign", "name board", "station name", "name sign"),
        ((0.02, 0.8, 0.3), (_THIN, 2.5, 1.0)),
        12.0,
        station_sign,
    ),
    Kind(
        "line_map",
        "network map",
        ("map", "metro map", "subway map", "route map", "line map"),
        ((0.02, 1.0, 0.7), (_THIN, 2.6, 1.8)),
        15.0,
        line_map,
    ),
    Kind(
        "departure_board",
        "departure board",
        ("information board", "train indicator", "display board", "departures display"),
        ((0.08, 1.0, 0.6), (0.4, 3.0, 1.6)),
        25.0,
        departure_board,
    ),
    Kind(
        "poster_case",
        "advertisement poster",
        ("poster", "advertisement", "advert", "billboard", "poster case"),
        ((0.03, 0.7, 1.0), (0.2, 1.8, 2.2)),
        30.0,
        poster_case,
    ),
    Kind(
        "station_clock",
        "station clock",
        ("clock", "post clock", "clock on a post", "platform clock"),
        ((0.15, 0.4, 2.0), (0.5, 0.9, 3.2)),
        45.0,
        station_clock,
    ),
    Kind(
        "warning_sign",
        "high-voltage sign",
        ("warning sign", "danger sign", "electrical hazard sign", "yellow diamond sign"),
        ((0.01, 0.2, 0.2), (_THIN, 0.8, 0.8)),
        1.0,
        warning_sign,
    ),
    Kind(
        "safety_mirror",
        "convex mirror",
        ("safety mirror", "traffic mirror", "round mirror", "platform mirror"),
        ((0.15, 0.4, 0.4), (0.6, 0.9, 0.9)),
        6.0,
        safety_mirror,
    ),
)
