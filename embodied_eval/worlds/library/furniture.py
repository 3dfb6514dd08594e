"""Tables, shelves and cupboards."""

from __future__ import annotations

from embodied_eval.worlds.library.kinds import Design, Kind, hinged, sliding
from embodied_eval.worlds.library.parts import ball, box, cyl, legs
from embodied_eval.worlds.model import Primitive


def dining_table(wood: str = "oak") -> Design:
    """A table for six, its long side along y."""
    return Design(
        (
            *legs(0.39, 0.82, 0.7, 0.075, wood),
            box((0.0, 0.0, 0.62), (0.76, 1.6, 0.08), wood, solid=False),
            box((0.0, 0.0, 0.7), (0.95, 1.8, 0.045), wood, bevel=0.012),
        )
    )


def coffee_table(wood: str = "walnut") -> Design:
    """A low table with a lower shelf."""
    return Design(
        (
            *legs(0.25, 0.5, 0.38, 0.05, wood),
            box((0.0, 0.0, 0.14), (0.5, 1.0, 0.025), wood),
            box((0.0, 0.0, 0.38), (0.62, 1.15, 0.04), wood, bevel=0.012),
        )
    )


def side_table(wood: str = "oak") -> Design:
    """A small round table on one stem."""
    return Design(
        (
            cyl((0.0, 0.0, 0.0), 0.32, 0.025, "black_metal"),
            cyl((0.0, 0.0, 0.025), 0.045, 0.475, "black_metal"),
            cyl((0.0, 0.0, 0.5), 0.48, 0.03, wood, bevel=0.01),
        )
    )


def desk(wood: str = "oak") -> Design:
    """A writing desk with a drawer unit; one sits at its front (+x)."""
    fronts = tuple(
        box((0.265, 0.47, z), (0.02, 0.36, 0.18), "lacquer_white", bevel=0.004, solid=False)
        for z in (0.1, 0.3, 0.5)
    )
    knobs = tuple(
        box((0.28, 0.47, z + 0.12), (0.018, 0.12, 0.015), "black_metal", solid=False) for z in (0.1, 0.3, 0.5)
    )
    return Design(
        (
            box((0.24, -0.66, 0.0), (0.05, 0.05, 0.71), wood),
            box((-0.24, -0.66, 0.0), (0.05, 0.05, 0.71), wood),
            box((0.0, 0.47, 0.0), (0.52, 0.4, 0.71), "lacquer_white", bevel=0.008),
            *fronts,
            *knobs,
            box((0.0, 0.0, 0.71), (0.62, 1.42, 0.035), wood, bevel=0.01),
        )
    )


def nightstand(wood: str = "oak") -> Design:
    """A bedside cabinet with a drawer that opens."""
    return Design(
        (
            *legs(0.16, 0.18, 0.12, 0.035, wood),
            box((0.0, 0.0, 0.12), (0.4, 0.45, 0.4), wood, bevel=0.01),
            box(
                (0.205, 0.0, 0.34),
                (0.02, 0.41, 0.15),
                "lacquer_white",
                bevel=0.005,
                part="drawer",
                solid=False,
            ),
            box((0.02, 0.0, 0.35), (0.34, 0.38, 0.1), "lacquer_white", part="drawer", solid=False),
            box((0.222, 0.0, 0.41), (0.02, 0.1, 0.018), "brass", part="drawer", solid=False),
            box((0.203, 0.0, 0.15), (0.015, 0.41, 0.17), wood, bevel=0.005, solid=False),
        ),
        sliding("drawer", 0.22),
    )


def wardrobe(wood: str = "lacquer_white", trim: str = "oak") -> Design:
    """A three-door wardrobe, one door of which opens on hanging clothes."""
    clothes = tuple(
        box((0.0, y, 0.75), (0.42, 0.07, 1.05), mat, bevel=0.03, solid=False)
        for y, mat in (
            (0.3, "wool_navy"),
            (0.4, "shirt_red"),
            (0.5, "linen_beige"),
            (0.6, "denim"),
            (0.7, "cotton_white"),
        )
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.58, 1.7, 0.08), trim, bevel=0.004),
            box((0.0, 0.0, 2.06), (0.6, 1.7, 0.04), trim),
            box((-0.285, 0.0, 0.08), (0.03, 1.7, 1.98), wood),
            box((0.0, 0.835, 0.08), (0.58, 0.03, 1.98), wood),
            box((0.0, -0.835, 0.08), (0.58, 0.03, 1.98), wood),
            box((0.0, 0.27, 0.08), (0.54, 0.025, 1.98), wood),
            box((0.285, -0.565, 0.09), (0.025, 0.55, 1.96), wood, bevel=0.008),
            box((0.285, 0.0, 0.09), (0.025, 0.55, 1.96), wood, bevel=0.008),
            box((0.285, 0.565, 0.09), (0.025, 0.55, 1.96), wood, bevel=0.008, part="door"),
            box((0.31, 0.33, 0.95), (0.025, 0.018, 0.22), "black_metal", part="door", solid=False),
            box((0.31, 0.235, 0.95), (0.025, 0.018, 0.22), "black_metal", solid=False),
            box((0.31, -0.33, 0.95), (0.025, 0.018, 0.22), "black_metal", solid=False),
            *clothes,
        ),
        hinged("door", (0.285, 0.84, 0.0), 100.0, seconds=1.2),
    )


def dresser(wood: str = "walnut") -> Design:
    """A chest of six drawers; the top left one opens."""
    fronts: list[Primitive] = []
    for row in range(3):
        for side in (-1.0, 1.0):
            part = "drawer" if row == 2 and side > 0 else ""
            z = 0.13 + 0.225 * row
            fronts.append(
                box((0.222, side * 0.29, z), (0.024, 0.555, 0.21), wood, bevel=0.008, part=part, solid=False)
            )
            fronts.append(
                box((0.243, side * 0.29, z + 0.1), (0.022, 0.16, 0.018), "brass", part=part, solid=False)
            )
    return Design(
        (
            *legs(0.18, 0.54, 0.12, 0.045, wood),
            box((0.0, 0.0, 0.12), (0.44, 1.2, 0.69), wood, bevel=0.01),
            box((0.0, 0.0, 0.81), (0.47, 1.22, 0.025), wood, bevel=0.008),
            box((0.02, 0.29, 0.6), (0.38, 0.52, 0.16), "pine", part="drawer", solid=False),
            *fronts,
        ),
        sliding("drawer", 0.24),
    )


def bookshelf(wood: str = "oak", books: tuple[str, str] = ("books", "books_warm")) -> Design:
    """A tall open shelf with rows of books."""
    shelf_z = (0.06, 0.44, 0.80, 1.16, 1.52)
    rows = (
        (0.0, 0.78, 0.26, books[0]),
        (-0.17, 0.46, 0.25, books[1]),
        (0.1, 0.6, 0.27, books[0]),
        (-0.1, 0.58, 0.24, books[1]),
        (0.2, 0.36, 0.22, books[0]),
    )
    shelves = tuple(box((0.0, 0.0, z), (0.3, 0.92, 0.025), wood, bevel=0.003) for z in shelf_z)
    filled = tuple(
        box((-0.015, y, z + 0.025), (0.22, w, h), mat, bevel=0.004, solid=False)
        for z, (y, w, h, mat) in zip(shelf_z, rows, strict=True)
    )
    things = (
        ball((0.02, 0.25, 0.465), 0.16, "ceramic_green", solid=False),
        cyl((0.02, -0.32, 0.825), 0.11, 0.18, "ceramic_blue_plain", bevel=0.02, solid=False),
        box((0.0, -0.25, 1.545), (0.1, 0.18, 0.2), "picture_sea", solid=False),
    )
    return Design(
        (
            box((0.0, 0.475, 0.0), (0.32, 0.03, 1.9), wood, bevel=0.004),
            box((0.0, -0.475, 0.0), (0.32, 0.03, 1.9), wood, bevel=0.004),
            box((-0.15, 0.0, 0.06), (0.015, 0.92, 1.82), wood, bevel=0.0),
            box((0.0, 0.0, 1.875), (0.32, 0.92, 0.025), wood),
            *shelves,
            *filled,
            *things,
        )
    )


def tv_stand(wood: str = "walnut") -> Design:
    """A low media cabinet with doors at the sides and an open bay in the middle."""
    return Design(
        (
            *legs(0.16, 0.72, 0.1, 0.05, "black_metal"),
            box((0.0, 0.0, 0.1), (0.42, 1.7, 0.03), wood),
            box((0.0, 0.0, 0.43), (0.44, 1.72, 0.035), wood, bevel=0.008),
            box((0.0, 0.6, 0.13), (0.42, 0.5, 0.3), wood),
            box((0.0, -0.6, 0.13), (0.42, 0.5, 0.3), wood),
            box((-0.2, 0.0, 0.13), (0.015, 0.7, 0.3), "black_metal", bevel=0.0),
            box((0.212, 0.6, 0.14), (0.012, 0.47, 0.28), "linen_beige", bevel=0.004, solid=False),
            box((0.212, -0.6, 0.14), (0.012, 0.47, 0.28), "linen_beige", bevel=0.004, solid=False),
            box((0.0, 0.05, 0.13), (0.28, 0.38, 0.08), "plastic_black", solid=False),
        )
    )


def wall_shelf(wood: str = "oak") -> Design:
    """A plain shelf board on two brackets; its back is on the wall."""
    return Design(
        (
            box((0.11, 0.0, 0.1), (0.22, 0.9, 0.03), wood),
            box((0.08, 0.32, 0.0), (0.14, 0.02, 0.1), "black_metal", solid=False),
            box((0.08, -0.32, 0.0), (0.14, 0.02, 0.1), "black_metal", solid=False),
        )
    )


KINDS = (
    Kind(
        "dining_table",
        "dining table",
        ("table", "kitchen table", "dinner table"),
        ((0.7, 1.2, 0.65), (1.3, 2.6, 0.85)),
        38.0,
        dining_table,
    ),
    Kind(
        "coffee_table",
        "coffee table",
        ("low table", "cocktail table", "table"),
        ((0.4, 0.7, 0.3), (0.9, 1.5, 0.55)),
        18.0,
        coffee_table,
    ),
    Kind(
        "side_table",
        "side table",
        ("end table", "round table", "small table"),
        ((0.3, 0.3, 0.4), (0.7, 0.7, 0.75)),
        6.0,
        side_table,
    ),
    Kind(
        "desk",
        "desk",
        ("writing desk", "work table", "study desk"),
        ((0.5, 1.0, 0.65), (0.9, 2.0, 0.85)),
        32.0,
        desk,
    ),
    Kind(
        "nightstand",
        "nightstand",
        ("bedside table", "bedside cabinet", "night table"),
        ((0.3, 0.3, 0.4), (0.6, 0.6, 0.75)),
        12.0,
        nightstand,
    ),
    Kind(
        "wardrobe",
        "wardrobe",
        ("closet", "armoire", "clothes cupboard"),
        ((0.45, 0.9, 1.7), (0.8, 2.4, 2.5)),
        90.0,
        wardrobe,
    ),
    Kind(
        "dresser",
        "dresser",
        ("chest of drawers", "drawers", "sideboard", "bureau"),
        ((0.35, 0.8, 0.65), (0.65, 1.8, 1.3)),
        45.0,
        dresser,
    ),
    Kind(
        "bookshelf",
        "bookshelf",
        ("bookcase", "shelf", "book shelf", "shelving unit"),
        ((0.2, 0.6, 1.4), (0.5, 1.6, 2.4)),
        55.0,
        bookshelf,
    ),
    Kind(
        "tv_stand",
        "TV stand",
        ("media console", "tv cabinet", "television stand", "media cabinet"),
        ((0.3, 1.0, 0.3), (0.6, 2.2, 0.7)),
        35.0,
        tv_stand,
    ),
    Kind(
        "wall_shelf", "wall shelf", ("shelf", "board"), ((0.12, 0.4, 0.02), (0.4, 1.6, 0.3)), 4.0, wall_shelf
    ),
)
