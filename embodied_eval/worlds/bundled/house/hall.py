"""The hall: front door, coats, the stairs that go up two storeys high, and the landing before the study."""

from __future__ import annotations

from embodied_eval.worlds.bundled.house.shell import (
    EAST_X,
    HALL_M,
    HALL_TOP_M,
    HALL_Y,
    STUDY_M,
    STUDY_Y,
    THICK_M,
)
from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The hall of a narrow town house, two storeys high. Coats, boots and umbrellas stand by the front door, a "
    "bicycle and a scooter under the stairs, a hall table with a mirror at the far wall. Three steps lead to a "
    "landing before the study; from there the stairs climb along the wall to a gallery with a railing. Another "
    "door leads down to the utility room. The inner doors and the lamps can be operated; the school bag, the "
    "suitcase and the ball can be pushed. The front door is locked."
)


def furnish_hall(b: LevelBuilder) -> None:
    """Furnish x 0..5.4, y 3.72..8.32, and the landing."""
    north = STUDY_Y - THICK_M
    b.add_region(
        "hall", "Hall and landing", Bounds((0.0, HALL_Y, HALL_M), (EAST_X, north, HALL_TOP_M)), DESCRIPTION
    )
    b.level(HALL_M, HALL_TOP_M)
    b.put("rug", 0.5, 5.22, length_m=0.85, width_m=0.5, pattern="doormat", label="doormat")
    b.put("rug", 2.65, 5.25, 90.0, length_m=2.9, width_m=0.95, pattern="rug_teal")
    b.put("coat_stand", 0.42, 4.15, 40.0)
    b.put("umbrella_stand", 0.32, 6.08)
    bench = b.put("shoe_bench", 1.45, 3.95, 90.0, wood="walnut")
    b.on(bench, "cushion", 0.0, 0.2, fabric="wool_rust")
    b.put("rubber_boots", 2.18, 3.93, 90.0)
    b.put("longcase_clock", 2.95, 3.94, 90.0)
    table = b.put("console_table", 5.17, 5.15, 180.0)
    b.on(table, "telephone", 0.0, 0.3)
    b.on(table, "bowl", 0.02, -0.02)
    b.on(table, "vase", -0.02, -0.38, color="ceramic_red")
    b.hang("mirror", EAST_X, 5.15, 1.55, 180.0, width_m=0.8, height_m=0.7, frame="walnut")
    b.hang("wall_lamp", EAST_X, 5.15, 2.0, 180.0)
    b.put("backpack", 2.0, 6.05, 200.0)
    b.put("radiator", 5.24, 6.35, 180.0, length_m=0.9)
    b.put("bicycle", 3.75, 6.68, 180.0)
    b.put("kick_scooter", 2.2, 6.65, 180.0)
    b.put("suitcase", 4.86, 6.66, 0.0, color="leather_black")
    b.put("toy_ball", 5.12, 4.25, color="plastic_green")
    b.put("dog", 4.6, 5.85, 200.0)
    b.hang("painting", 1.45, HALL_Y, 1.6, 90.0, width_m=0.8, height_m=0.6, picture="picture_city")
    b.overhead("pendant_lamp", 2.6, 5.5, drop_m=1.6, shade="brass")

    b.level(STUDY_M, HALL_TOP_M)
    b.put("potted_plant", 0.47, 7.76, 30.0, pot="ceramic_blue_plain")
    b.put("cat", 2.02, 7.85, 190.0)
    for x, z, size, picture in (
        (2.95, 1.9, 0.5, "picture_lake"),
        (3.75, 2.35, 0.6, "picture_hills"),
        (4.6, 2.85, 0.5, "picture_dusk"),
    ):
        b.hang("painting", x, north, z, -90.0, width_m=size, height_m=0.62, picture=picture)
    b.add_point("landing", 1.2, 7.75)

    b.level(HALL_M, HALL_TOP_M)
    b.add_spawn("hall", 1.0, 5.25, 0.0)
    b.add_spawn("hall_2", 4.3, 5.0, 170.0)
    for name, x, y in (
        ("by_coats", 1.05, 4.65),
        ("by_clock", 2.9, 4.7),
        ("by_hall_table", 4.45, 4.9),
        ("by_bicycle", 3.4, 6.0),
        ("foot_of_stairs", 1.4, 5.4),
    ):
        b.add_point(name, x, y)
