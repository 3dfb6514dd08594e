"""Plants in pots, and the garden's trees and hedges."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cone, cyl, rod


def potted_plant(pot: str = "terracotta", leaf: str = "leaf_green") -> Design:
    """A tall indoor plant with large leaves on a stem."""
    leaves = (
        (0.0, 0.0, 1.3, 0.0, -60.0),
        (0.18, 0.06, 1.12, 25.0, -25.0),
        (-0.12, 0.16, 1.16, 120.0, -25.0),
        (-0.14, -0.14, 1.08, 230.0, -20.0),
        (0.1, -0.18, 1.02, 305.0, -15.0),
        (0.2, 0.14, 0.86, 50.0, 5.0),
        (-0.2, 0.02, 0.88, 175.0, 0.0),
    )
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.26, 0.02, pot),
            cone((0.0, 0.0, 0.02), 0.26, 0.32, pot, taper=1.35),
            cyl((0.0, 0.0, 0.32), 0.37, 0.035, pot, bevel=0.01, solid=False),
            cyl((0.0, 0.0, 0.33), 0.32, 0.03, "soil", bevel=0.0, solid=False),
            cyl((0.0, 0.0, 0.34), 0.045, 0.96, "bark", bevel=0.0),
            *(
                ball((x, y, z - 0.02), (0.46, 0.2, 0.045), leaf, rot=(0.0, tilt, yaw), solid=False)
                for x, y, z, yaw, tilt in leaves
            ),
        )
    )


def succulent(pot: str = "ceramic_white") -> Design:
    """A small succulent in a white pot."""
    outer = tuple(
        ball((0.0, 0.0, 0.088), (0.2, 0.05, 0.03), "leaf_pale", rot=(0.0, 0.0, yaw), solid=False)
        for yaw in (0.0, 60.0, 120.0)
    )
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.08, 0.01, pot),
            cone((0.0, 0.0, 0.01), 0.08, 0.075, pot, taper=1.35),
            cyl((0.0, 0.0, 0.078), 0.095, 0.009, "soil", bevel=0.0, solid=False),
            *outer,
            ball((0.0, 0.0, 0.085), (0.06, 0.06, 0.08), "leaf_pale", solid=False),
        )
    )


def tree() -> Design:
    """A round garden tree."""
    crown = (
        (0.0, 0.0, 1.8, 2.2, 2.2, 2.0),
        (0.7, 0.3, 1.6, 1.5, 1.5, 1.4),
        (-0.6, -0.5, 1.7, 1.6, 1.5, 1.4),
        (-0.2, 0.7, 2.3, 1.5, 1.4, 1.3),
    )
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.28, 2.0, "bark", bevel=0.0),
            rod((0.0, 0.0, 1.5), (0.5, 0.3, 2.2), 0.14, "bark"),
            *(ball((x, y, z), (a, b, c), "tree_crown", solid=False) for x, y, z, a, b, c in crown),
        )
    )


def hedge(length_m: float = 6.0, height_m: float = 1.4) -> Design:
    """A clipped hedge, its length along y."""
    return Design((box((0.0, 0.0, 0.0), (0.7, length_m, height_m), "hedge", bevel=0.12),))


def flower_box(width_m: float = 1.2) -> Design:
    """A trough of red and yellow flowers."""
    count = max(3, round(width_m / 0.19))
    step = width_m / count
    blooms = tuple(
        ball(
            (0.03 if index % 2 else -0.04, -width_m / 2 + step * (index + 0.5), 0.27 + 0.02 * (index % 3)),
            (0.1, 0.1, 0.075),
            ("petal_pink", "petal_yellow", "petal_white")[index % 3],
            solid=False,
        )
        for index in range(count)
    )
    leaves = box((0.0, 0.0, 0.16), (0.2, width_m - 0.06, 0.14), "leaf_green", bevel=0.06, solid=False)
    return Design((box((0.0, 0.0, 0.0), (0.22, width_m, 0.2), "terracotta", bevel=0.02), leaves, *blooms))


KINDS = (
    Kind(
        "potted_plant",
        "potted plant",
        ("plant", "houseplant", "indoor tree", "pot plant"),
        ((0.35, 0.35, 0.8), (1.1, 1.1, 2.0)),
        12.0,
        potted_plant,
    ),
    Kind(
        "succulent",
        "succulent",
        ("small plant", "little plant", "cactus", "plant"),
        ((0.08, 0.08, 0.08), (0.25, 0.25, 0.3)),
        0.6,
        succulent,
    ),
    Kind("tree", "tree", ("garden tree",), ((1.5, 1.5, 2.5), (4.0, 4.0, 6.0)), 300.0, tree),
    Kind("hedge", "hedge", ("bush", "shrub"), ((0.4, 1.0, 0.6), (1.2, 30.0, 2.4)), 200.0, hedge),
    Kind(
        "flower_box",
        "flower box",
        ("planter", "window box", "flower trough"),
        ((0.15, 0.5, 0.2), (0.4, 2.5, 0.6)),
        8.0,
        flower_box,
    ),
)
