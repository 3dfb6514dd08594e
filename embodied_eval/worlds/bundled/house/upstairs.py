"""Upstairs: the gallery at the head of the stairs and the children's room under the roof."""

from __future__ import annotations

from embodied_eval.worlds.bundled.house.shell import (
    ATTIC_X,
    EAST_X,
    GABLE_M,
    GALLERY_X,
    HALL_TOP_M,
    HALL_Y,
    STUDY_Y,
    THICK_M,
    UPPER_M,
)
from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The upper floor of a town house: a gallery with a railing over the hall, and a children's room under the "
    "sloping roof. In the room stand a bunk bed, a play tent, a chest for toys, a rocking horse, a low table with "
    "stools, and a doll's house on a chest of drawers. The toy chest, the top drawer, the lamps and the door can be "
    "operated; the ball and the toy train can be pushed. The stairs lead down to the hall."
)


def furnish_upstairs(b: LevelBuilder) -> None:
    """Furnish the gallery, x 5.4..6.9, and the children's room, x 7.02..11.4, y 3.72..8.32."""
    north = STUDY_Y - THICK_M
    b.add_region(
        "upstairs",
        "Upstairs: gallery and children's bedroom",
        Bounds((EAST_X, HALL_Y, UPPER_M), (ATTIC_X, north, GABLE_M)),
        DESCRIPTION,
    )
    b.level(UPPER_M, HALL_TOP_M)
    b.put("bookshelf", 6.73, 6.5, 180.0, wood="oak", books=("books_warm", "books"))
    b.put("potted_plant", 6.42, 4.16, 80.0, pot="terracotta")
    b.put("laundry_basket", 6.6, 8.02)
    b.hang("painting", GALLERY_X, 7.5, 1.5, 180.0, width_m=0.5, height_m=0.6, picture="picture_sea")
    b.hang("wall_lamp", GALLERY_X, 5.75, 1.95, 180.0)

    # The children's room.
    rug = b.put("rug", 9.2, 5.75, 90.0, length_m=1.8, width_m=1.4, pattern="rug_candy")
    b.on(rug, "play_table", 0.0, 0.1)
    b.put("play_stool", 8.6, 5.5, z=UPPER_M + 0.012, supports=rug, color="lacquer_sky")
    b.put("play_stool", 9.55, 5.25, z=UPPER_M + 0.012, supports=rug, color="lacquer_coral")
    bed = b.put("bunk_bed", 10.34, 7.8)
    b.on(bed, "teddy_bear", 0.55, 0.0, -90.0, below_m=0.9)
    b.put("play_tent", 7.86, 7.5, -40.0, cloth="tent_stripes")
    b.put("bean_bag", 8.9, 7.75, -90.0, fabric="lacquer_coral")
    b.put("toy_chest", 11.1, 5.75, 180.0, color="lacquer_sky", lid="lacquer_white")
    drawers = b.put("dresser", 8.75, 3.98, 90.0, wood="lacquer_white")
    b.on(drawers, "doll_house", 0.0, 0.1)
    b.on(drawers, "table_lamp", 0.0, -0.48, base="ceramic_red")
    b.put("rocking_horse", 10.6, 4.4, 140.0)
    b.put("bookshelf", 7.2, 6.15, wood="lacquer_sky", books=("books_warm", "books"))
    b.put("toy_robot", 9.75, 4.1, 80.0)
    b.put("building_blocks", 11.1, 6.65, 30.0)
    b.put("toy_train", 7.8, 6.35, 20.0)
    b.put("toy_ball", 10.55, 6.35)
    b.put("carton", 11.1, 5.05, 90.0)
    b.put("guitar", 11.05, 3.98, 135.0)
    b.hang("wall_clock", ATTIC_X, 4.6, 1.65, 180.0)
    b.hang(
        "painting",
        GALLERY_X + THICK_M,
        7.3,
        1.5,
        0.0,
        width_m=0.6,
        height_m=0.8,
        picture="picture_hills",
        frame="pine",
    )
    b.hang(
        "painting", 8.9, north, 1.35, -90.0, width_m=0.7, height_m=0.5, picture="picture_sea", frame="pine"
    )
    b.level(UPPER_M, 5.1)
    b.overhead("pendant_lamp", 9.2, 6.02, drop_m=0.75, shade="lacquer_coral")
    b.level(UPPER_M, HALL_TOP_M)
    b.add_spawn("upstairs", 7.75, 5.0, 30.0)
    b.add_spawn("upstairs_2", 10.4, 5.5, 170.0)
    b.add_spawn("upstairs_3", 6.0, 7.6, -90.0)
    for name, x, y in (
        ("head_of_stairs", 6.0, 7.7),
        ("gallery", 6.1, 5.0),
        ("by_tent", 8.75, 6.85),
        ("by_bunk_bed", 9.9, 6.75),
        ("by_toy_chest", 10.45, 5.6),
        ("by_drawers", 8.7, 4.75),
    ):
        b.add_point(name, x, y)
