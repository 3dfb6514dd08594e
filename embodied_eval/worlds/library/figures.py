"""People and animals."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod


def person(shirt: str = "shirt_red", trousers: str = "denim", hair: str = "hair_dark") -> Design:
    """A standing person, 1.74 m tall."""
    limbs = tuple(
        item
        for s in (-1.0, 1.0)
        for item in (
            box((0.03, 0.1 * s, 0.0), (0.26, 0.1, 0.08), "leather_brown", bevel=0.03),
            rod((0.0, 0.1 * s, 0.12), (0.0, 0.09 * s, 0.85), 0.14, trousers),
            rod((0.0, 0.2 * s, 1.38), (-0.01, 0.27 * s, 1.1), 0.1, shirt),
            rod((-0.01, 0.27 * s, 1.08), (0.06, 0.27 * s, 0.86), 0.075, "skin"),
            ball((0.075, 0.27 * s, 0.75), (0.06, 0.05, 0.1), "skin", solid=False),
        )
    )
    return Design(
        (
            *limbs,
            box((0.0, 0.0, 0.08), (0.18, 0.3, 0.75), trousers, bevel=0.05),
            box((0.0, 0.0, 0.82), (0.2, 0.34, 0.12), trousers, bevel=0.06, solid=False),
            box((0.0, 0.0, 0.92), (0.22, 0.38, 0.52), shirt, bevel=0.09),
            cyl((0.0, 0.0, 1.4), 0.1, 0.12, "skin"),
            ball((0.015, 0.0, 1.48), (0.19, 0.165, 0.235), "skin"),
            ball((-0.02, 0.0, 1.54), (0.215, 0.19, 0.2), hair, solid=False),
            ball((0.105, 0.0, 1.575), (0.03, 0.025, 0.04), "skin", solid=False),
            ball((0.092, 0.035, 1.605), 0.02, "plastic_black", solid=False),
            ball((0.092, -0.035, 1.605), 0.02, "plastic_black", solid=False),
        )
    )


def mannequin() -> Design:
    """A tailor's dummy on a turned stand, with a dress on it."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.34, 0.03, "dark_wood", bevel=0.012),
            cyl((0.0, 0.0, 0.03), 0.04, 0.75, "brass"),
            cone((0.0, 0.0, 0.55), 0.5, 0.5, "wool_navy", taper=0.5, solid=False),
            box((0.0, 0.0, 0.72), (0.2, 0.3, 0.7), "linen_beige", bevel=0.09),
            ball((0.0, 0.0, 0.98), (0.25, 0.36, 0.44), "wool_navy", solid=False),
            ball((0.0, 0.0, 1.2), (0.21, 0.4, 0.2), "linen_beige", solid=False),
            cyl((0.0, 0.0, 1.36), 0.11, 0.1, "linen_beige", solid=False),
            ball((0.0, 0.0, 1.44), (0.08, 0.08, 0.07), "dark_wood", solid=False),
        )
    )


def cat(fur: str = "fur_grey") -> Design:
    """A sitting cat."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.2, 0.13, 0.05), fur, bevel=0.02),
            ball((-0.04, 0.0, 0.0), (0.26, 0.19, 0.22), fur, solid=False),
            ball((0.03, 0.0, 0.06), (0.16, 0.15, 0.25), fur, solid=False),
            cyl((0.0, 0.0, 0.05), 0.12, 0.2, fur),
            rod((0.09, 0.04, 0.03), (0.06, 0.04, 0.16), 0.05, fur),
            rod((0.09, -0.04, 0.03), (0.06, -0.04, 0.16), 0.05, fur),
            ball((0.08, 0.0, 0.27), (0.13, 0.13, 0.12), fur, solid=False),
            cone((0.07, 0.04, 0.37), 0.05, 0.055, fur, solid=False),
            cone((0.07, -0.04, 0.37), 0.05, 0.055, fur, solid=False),
            ball((0.135, 0.0, 0.3), (0.04, 0.05, 0.035), "fur_cream", solid=False),
            ball((0.135, 0.028, 0.335), 0.016, "apple_green", solid=False),
            ball((0.135, -0.028, 0.335), 0.016, "apple_green", solid=False),
            rod((-0.14, 0.03, 0.03), (-0.02, 0.12, 0.025), 0.04, fur),
            rod((-0.02, 0.12, 0.025), (0.1, 0.11, 0.025), 0.036, fur),
        )
    )


def dog(fur: str = "fur_tan") -> Design:
    """A standing dog with a red collar."""
    legs = tuple(cyl((x, y, 0.0), 0.065, 0.28, fur, bevel=0.0) for x in (0.2, -0.2) for y in (-0.075, 0.075))
    return Design(
        (
            *legs,
            box((0.0, 0.0, 0.27), (0.56, 0.19, 0.2), fur, bevel=0.09),
            ball((0.12, 0.0, 0.22), (0.34, 0.23, 0.29), fur, solid=False),
            rod((0.2, 0.0, 0.4), (0.3, 0.0, 0.55), 0.14, fur),
            rod((0.275, 0.0, 0.5), (0.285, 0.0, 0.515), 0.155, "plastic_red"),
            ball((0.27, 0.0, 0.5), (0.2, 0.17, 0.17), fur, solid=False),
            box((0.385, 0.0, 0.525), (0.14, 0.09, 0.08), fur, bevel=0.035, solid=False),
            ball((0.445, 0.0, 0.565), 0.04, "plastic_black", solid=False),
            ball((0.352, 0.05, 0.605), 0.022, "plastic_black", solid=False),
            ball((0.352, -0.05, 0.605), 0.022, "plastic_black", solid=False),
            ball((0.27, 0.09, 0.5), (0.07, 0.03, 0.14), "leather_brown", solid=False),
            ball((0.27, -0.09, 0.5), (0.07, 0.03, 0.14), "leather_brown", solid=False),
            rod((-0.27, 0.0, 0.43), (-0.38, 0.0, 0.58), 0.045, fur),
        )
    )


KINDS = (
    Kind(
        "person",
        "person",
        ("man", "woman", "human", "figure", "human figure"),
        ((0.2, 0.4, 1.4), (0.6, 0.9, 2.0)),
        72.0,
        person,
    ),
    Kind(
        "mannequin",
        "mannequin",
        ("tailor's dummy", "dress form", "dress dummy", "dummy"),
        ((0.2, 0.3, 1.2), (0.7, 0.7, 1.9)),
        9.0,
        mannequin,
    ),
    Kind("cat", "cat", ("kitty", "house cat", "pet cat"), ((0.2, 0.12, 0.25), (0.6, 0.35, 0.55)), 4.5, cat),
    Kind("dog", "dog", ("puppy", "hound", "pet dog"), ((0.5, 0.15, 0.4), (1.2, 0.4, 0.9)), 18.0, dog),
)
