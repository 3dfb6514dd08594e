"""What makes a room lived in."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cyl


def painting(
    width_m: float = 0.9, height_m: float = 0.65, picture: str = "picture_hills", frame: str = "walnut"
) -> Design:
    """A framed painting; its back is on the wall, its middle at z = 0."""
    half_h = height_m / 2
    return Design(
        (
            box((0.016, 0.0, -half_h), (0.032, width_m, height_m), frame, bevel=0.008),
            box(
                (0.0325, 0.0, -half_h + 0.04),
                (0.004, width_m - 0.08, height_m - 0.08),
                "paper_white",
                bevel=0.0,
                solid=False,
            ),
            box(
                (0.0345, 0.0, -half_h + 0.08),
                (0.003, width_m - 0.16, height_m - 0.16),
                picture,
                bevel=0.0,
                solid=False,
            ),
        )
    )


def rug(length_m: float = 2.3, width_m: float = 1.6, pattern: str = "rug_red") -> Design:
    """A flat rug, its length along y."""
    return Design((box((0.0, 0.0, 0.0), (width_m, length_m, 0.012), pattern, bevel=0.005),))


def book_stack(count: int = 3) -> Design:
    """A few books lying on each other."""
    colors = ("ceramic_blue_plain", "wool_rust", "linen_beige", "ceramic_green", "wool_mustard")
    parts = []
    z = 0.0
    for index in range(count):
        thick = (0.035, 0.028, 0.04)[index % 3]
        size = 0.24 - 0.02 * index
        # Blocks are level and square to each other so that the stack rests exactly; the spine shows their paper.
        parts.append(box((0.0, 0.0, z), (0.17 - 0.012 * index, size, thick), colors[index % 5], bevel=0.004))
        parts.append(
            box(
                (0.003, 0.0, z + 0.005),
                (0.17 - 0.012 * index, size - 0.01, thick - 0.01),
                "paper_white",
                bevel=0.0,
                solid=False,
            )
        )
        z += thick
    return Design(tuple(parts))


def basket(pattern: str = "wicker") -> Design:
    """A low wicker basket of balls of wool."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.3, 0.38, 0.02), pattern, bevel=0.005),
            box((0.14, 0.0, 0.02), (0.025, 0.38, 0.2), pattern, bevel=0.01),
            box((-0.14, 0.0, 0.02), (0.025, 0.38, 0.2), pattern, bevel=0.01),
            box((0.0, 0.18, 0.02), (0.3, 0.025, 0.2), pattern, bevel=0.01),
            box((0.0, -0.18, 0.02), (0.3, 0.025, 0.2), pattern, bevel=0.01),
            ball((0.04, 0.08, 0.09), 0.16, "wool_rust", solid=False),
            ball((-0.05, 0.0, 0.1), 0.15, "wool_mustard", solid=False),
            ball((0.05, -0.09, 0.08), 0.16, "velvet_teal", solid=False),
        )
    )


def box_carton(mat: str = "cardboard") -> Design:
    """A closed cardboard box with tape."""
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.36, 0.46, 0.34), mat, bevel=0.004),
            box((0.0, 0.0, -0.0005), (0.362, 0.055, 0.3425), "paper_white", bevel=0.0, solid=False),
        )
    )


def waste_bin(color: str = "steel") -> Design:
    """A pedal bin."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.25, 0.04, "plastic_black"),
            cyl((0.0, 0.0, 0.04), 0.26, 0.4, color, bevel=0.004),
            cyl((0.0, 0.0, 0.44), 0.265, 0.02, "plastic_black", solid=False),
            ball((0.0, 0.0, 0.4), (0.255, 0.255, 0.14), color, solid=False),
            box((0.13, 0.0, 0.01), (0.06, 0.09, 0.015), "plastic_black", solid=False),
        )
    )


KINDS = (
    Kind(
        "painting",
        "painting",
        ("picture", "framed picture", "artwork", "wall art"),
        ((0.01, 0.25, 0.25), (0.1, 1.8, 1.4)),
        4.0,
        painting,
    ),
    Kind("rug", "rug", ("carpet", "mat", "floor rug"), ((0.4, 0.5, 0.005), (3.0, 4.0, 0.04)), 9.0, rug),
    Kind(
        "book_stack",
        "stack of books",
        ("books", "pile of books", "book"),
        ((0.1, 0.15, 0.02), (0.35, 0.4, 0.3)),
        2.0,
        book_stack,
    ),
    Kind(
        "basket",
        "basket",
        ("wicker basket", "wool basket", "yarn basket"),
        ((0.2, 0.25, 0.15), (0.5, 0.6, 0.4)),
        2.0,
        basket,
    ),
    Kind(
        "carton",
        "cardboard box",
        ("box", "carton", "crate", "moving box"),
        ((0.2, 0.2, 0.15), (0.7, 0.7, 0.6)),
        4.0,
        box_carton,
        True,
    ),
    Kind(
        "waste_bin",
        "waste bin",
        ("bin", "trash can", "rubbish bin", "pedal bin"),
        ((0.18, 0.18, 0.25), (0.45, 0.45, 0.8)),
        3.0,
        waste_bin,
    ),
)
