"""Things from other centuries: out of place in a present-day home."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import WARM, Design, Kind, Lamp, spinning, switch
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod


def cannon() -> Design:
    """A ship's cannon on a wooden truck carriage, its muzzle to the front."""
    trucks = tuple(
        cyl((x, y, 0.11 if x > 0 else 0.09), d, 0.08, "dark_wood", rot=(90.0, 0.0, 0.0), solid=False)
        for x, y, d in ((0.3, 0.31, 0.3), (0.3, -0.31, 0.3), (-0.36, 0.31, 0.26), (-0.36, -0.31, 0.26))
    )
    barrel = tuple(
        cyl((x, 0.0, 0.68 - length / 2), d, length, "iron", bevel=0.008, rot=(0.0, 90.0, 0.0), solid=solid)
        for x, d, length, solid in (
            (-0.3, 0.32, 0.5, True),
            (0.2, 0.27, 0.6, True),
            (0.68, 0.22, 0.5, True),
            (-0.54, 0.36, 0.06, False),
            (-0.05, 0.345, 0.04, False),
            (0.46, 0.29, 0.04, False),
            (0.93, 0.27, 0.06, False),
        )
    )
    return Design(
        (
            box((-0.02, 0.2, 0.1), (1.1, 0.09, 0.42), "dark_wood", bevel=0.015),
            box((-0.02, -0.2, 0.1), (1.1, 0.09, 0.42), "dark_wood", bevel=0.015),
            box((-0.02, 0.0, 0.16), (1.0, 0.32, 0.08), "dark_wood"),
            box((0.3, 0.0, 0.0), (0.1, 0.56, 0.12), "dark_wood", bevel=0.01),
            box((-0.36, 0.0, 0.0), (0.1, 0.56, 0.12), "dark_wood", bevel=0.01),
            box((-0.33, 0.0, 0.24), (0.3, 0.3, 0.3), "dark_wood", bevel=0.02, solid=False),
            *trucks,
            *barrel,
            cyl((0.0, 0.0, 0.38), 0.08, 0.6, "iron", rot=(90.0, 0.0, 0.0), solid=False),
            ball((-0.64, 0.0, 0.61), 0.14, "iron", solid=False),
            cyl(
                (0.955, 0.0, 0.65), 0.11, 0.06, "plastic_black", bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False
            ),
        )
    )


def suit_of_armour() -> Design:
    """A standing suit of plate armour with a halberd, on a plinth."""
    limbs = tuple(
        item
        for s in (-1.0, 1.0)
        for item in (
            box((0.04, 0.11 * s, 0.08), (0.28, 0.1, 0.08), "steel", bevel=0.03, solid=False),
            rod((0.0, 0.11 * s, 0.2), (0.0, 0.11 * s, 0.52), 0.13, "steel"),
            ball((0.02, 0.11 * s, 0.5), 0.15, "chrome", solid=False),
            rod((0.0, 0.11 * s, 0.58), (0.0, 0.1 * s, 0.9), 0.15, "steel"),
            ball((0.0, 0.25 * s, 1.32), (0.2, 0.18, 0.2), "chrome", solid=False),
            rod((0.0, 0.27 * s, 1.36), (0.02, 0.3 * s, 1.12), 0.11, "steel"),
            ball((0.02, 0.3 * s, 1.03), 0.12, "chrome", solid=False),
            rod((0.02, 0.3 * s, 1.08), (0.14, 0.3 * s, 0.98), 0.1, "steel"),
            ball((0.17, 0.3 * s, 0.9), (0.12, 0.09, 0.12), "iron", solid=False),
        )
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.5, 0.7, 0.08), "dark_wood", bevel=0.012),
            *limbs,
            box((0.0, 0.0, 0.08), (0.16, 0.3, 0.82), "iron", bevel=0.04),
            cone((0.0, 0.0, 0.82), 0.44, 0.2, "steel", taper=0.72, solid=False),
            box((0.0, 0.0, 0.98), (0.26, 0.38, 0.46), "steel", bevel=0.1),
            ball((0.06, 0.0, 1.02), (0.24, 0.34, 0.4), "chrome", solid=False),
            cyl((0.0, 0.0, 1.42), 0.17, 0.07, "iron", solid=False),
            ball((0.0, 0.0, 1.46), (0.24, 0.22, 0.32), "steel"),
            box((0.085, 0.0, 1.55), (0.08, 0.17, 0.13), "chrome", bevel=0.03, solid=False),
            box((0.122, 0.0, 1.63), (0.012, 0.14, 0.018), "plastic_black", bevel=0.0, solid=False),
            box((0.126, 0.0, 1.57), (0.01, 0.09, 0.01), "plastic_black", bevel=0.0, solid=False),
            cone((-0.02, 0.0, 1.76), 0.05, 0.18, "ceramic_red", taper=2.6, solid=False),
            rod((0.2, 0.3, 0.1), (0.2, 0.3, 1.95), 0.035, "dark_wood"),
            cone((0.2, 0.3, 1.96), 0.06, 0.24, "steel", solid=False),
            box((0.28, 0.3, 1.72), (0.2, 0.02, 0.22), "steel", bevel=0.008, solid=False),
        )
    )


def spinning_wheel() -> Design:
    """A treadle spinning wheel; the wheel turns."""
    rim = tuple(
        rod(
            (0.1 + 0.27 * a[0], 0.0, 0.62 + 0.27 * a[1]),
            (0.1 + 0.27 * b[0], 0.0, 0.62 + 0.27 * b[1]),
            0.035,
            "oak",
            part="wheel",
        )
        for a, b in zip(_CIRCLE, (*_CIRCLE[1:], _CIRCLE[0]), strict=True)
    )
    spokes = tuple(
        rod(
            (0.1 - 0.26 * a[0], 0.0, 0.62 - 0.26 * a[1]),
            (0.1 + 0.26 * a[0], 0.0, 0.62 + 0.26 * a[1]),
            0.016,
            "oak",
            part="wheel",
        )
        for a in _CIRCLE[::2][:3]
    )
    return Design(
        (
            box((0.1, 0.14, 0.0), (0.05, 0.05, 0.66), "walnut", bevel=0.012),
            box((0.1, -0.14, 0.0), (0.05, 0.05, 0.66), "walnut", bevel=0.012),
            box((-0.34, 0.14, 0.0), (0.05, 0.05, 0.32), "walnut", bevel=0.012),
            box((-0.34, -0.14, 0.0), (0.05, 0.05, 0.32), "walnut", bevel=0.012),
            box((-0.1, 0.0, 0.28), (0.62, 0.05, 0.06), "walnut", bevel=0.012, rot=(0.0, 0.0, 0.0)),
            box((0.1, 0.0, 0.28), (0.05, 0.3, 0.05), "walnut", solid=False),
            box((-0.34, 0.0, 0.28), (0.05, 0.3, 0.05), "walnut", solid=False),
            box((-0.1, 0.0, 0.05), (0.36, 0.14, 0.02), "walnut", solid=False, rot=(0.0, 8.0, 0.0)),
            rod((0.1, -0.15, 0.62), (0.1, 0.15, 0.62), 0.03, "iron"),
            *rim,
            *spokes,
            ball((0.1, 0.0, 0.58), 0.08, "walnut", part="wheel", solid=False),
            rod((-0.32, 0.06, 0.34), (-0.32, 0.06, 0.62), 0.025, "walnut"),
            rod((-0.32, -0.06, 0.34), (-0.32, -0.06, 0.62), 0.025, "walnut"),
            rod((-0.32, -0.08, 0.6), (-0.32, 0.08, 0.6), 0.05, "cotton_white"),
            rod((-0.36, 0.0, 0.34), (-0.4, 0.0, 0.98), 0.022, "walnut"),
            ball((-0.4, 0.0, 0.82), (0.12, 0.12, 0.26), "cotton_white", solid=False),
        ),
        spinning("wheel", (0.1, 0.0, 0.62), (0.0, 1.0, 0.0), 120.0),
    )


_H = 0.8660254
_CIRCLE = (
    (1.0, 0.0),
    (_H, 0.5),
    (0.5, _H),
    (0.0, 1.0),
    (-0.5, _H),
    (-_H, 0.5),
    (-1.0, 0.0),
    (-_H, -0.5),
    (-0.5, -_H),
    (0.0, -1.0),
    (0.5, -_H),
    (_H, -0.5),
)


def oil_lantern(initial: str = "on") -> Design:
    """A brass oil lantern with its flame in a cage, and a carrying ring."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.17, 0.06, "brass", bevel=0.012),
            cyl((0.0, 0.0, 0.06), 0.05, 0.035, "copper", bevel=0.0),
            ball((0.0, 0.0, 0.09), (0.045, 0.045, 0.105), "flame", solid=False),
            *(
                rod((0.065 * x, 0.065 * y, 0.06), (0.055 * x, 0.055 * y, 0.23), 0.009, "brass")
                for x, y in ((1.0, 0.0), (0.5, _H), (-0.5, _H), (-1.0, 0.0), (-0.5, -_H), (0.5, -_H))
            ),
            cyl((0.0, 0.0, 0.14), 0.15, 0.008, "brass", bevel=0.0, solid=False),
            cone((0.0, 0.0, 0.22), 0.17, 0.08, "brass", taper=0.4, solid=False),
            cyl((0.0, 0.0, 0.29), 0.06, 0.04, "brass", solid=False),
            rod((0.0, -0.085, 0.2), (0.0, -0.06, 0.38), 0.009, "iron"),
            rod((0.0, 0.085, 0.2), (0.0, 0.06, 0.38), 0.009, "iron"),
            rod((0.0, -0.06, 0.38), (0.0, 0.06, 0.38), 0.014, "iron"),
        ),
        switch(initial),
        Lamp((0.0, 0.0, 0.15), WARM, 0.4, 2.5),
    )


def barrel() -> Design:
    """A wooden barrel with iron hoops."""
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.46, 0.38, "oak", taper=1.22),
            cone((0.0, 0.0, 0.38), 0.5612, 0.38, "oak", taper=0.82),
            cyl((0.0, 0.0, 0.06), 0.505, 0.04, "iron", bevel=0.0, solid=False),
            cyl((0.0, 0.0, 0.24), 0.55, 0.04, "iron", bevel=0.0, solid=False),
            cyl((0.0, 0.0, 0.48), 0.55, 0.04, "iron", bevel=0.0, solid=False),
            cyl((0.0, 0.0, 0.66), 0.505, 0.04, "iron", bevel=0.0, solid=False),
        )
    )


KINDS = (
    Kind(
        "cannon",
        "cannon",
        ("ship's cannon", "naval gun", "old cannon", "artillery gun"),
        ((1.2, 0.5, 0.6), (2.2, 1.1, 1.2)),
        240.0,
        cannon,
    ),
    Kind(
        "suit_of_armour",
        "suit of armour",
        ("armour", "armor", "suit of armor", "knight", "plate armour"),
        ((0.35, 0.5, 1.5), (0.8, 1.0, 2.4)),
        35.0,
        suit_of_armour,
    ),
    Kind(
        "spinning_wheel",
        "spinning wheel",
        ("wool wheel", "treadle wheel"),
        ((0.5, 0.25, 0.7), (1.2, 0.6, 1.3)),
        9.0,
        spinning_wheel,
    ),
    Kind(
        "oil_lantern",
        "oil lantern",
        ("lantern", "oil lamp", "kerosene lamp", "paraffin lamp"),
        ((0.1, 0.1, 0.2), (0.3, 0.3, 0.55)),
        1.6,
        oil_lantern,
    ),
    Kind(
        "barrel", "barrel", ("wooden barrel", "cask", "keg"), ((0.4, 0.4, 0.5), (0.8, 0.8, 1.1)), 30.0, barrel
    ),
)
