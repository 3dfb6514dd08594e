"""The bedroom suite: the bedroom with its work place, and the bathroom behind it."""

from __future__ import annotations

from embodied_eval.worlds.build import WorldBuilder
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "A bedroom with its own bathroom. In the bedroom: a double bed between two nightstands, a wardrobe, a dresser "
    "with a mirror, a desk with a laptop and an office chair. In the bathroom: bathtub, toilet, washbasin and "
    "washing machine. Lamps, laptop, radio, fan, washing machine, the wardrobe, the top drawers and both doors "
    "can be operated. Mirrors show no reflections here."
)


def furnish_bedroom(b: WorldBuilder) -> None:
    """Furnish x 7.46..13, y 0..6.54."""
    b.add_region("bedroom_suite", "Bedroom suite", Bounds((7.46, 0.0, 0.0), (13.0, 10.0, 2.6)), DESCRIPTION)
    bed = b.put("double_bed", 11.9, 2.2, 180.0)
    for y in (1.0, 3.4):
        stand = b.put("nightstand", 12.74, y, 180.0)
        b.on(stand, "table_lamp", -0.06, 0.0, base="ceramic_blue_plain", initial="on" if y < 2 else "off")
        b.on(stand, "book_stack" if y < 2 else "mug", 0.1, 0.12 if y < 2 else 0.15, 30.0)
    b.on(bed, "teddy_bear", 0.1, 0.3, -20.0)
    b.put("rug", 10.0, 2.6, length_m=2.2, width_m=1.1, pattern="rug_blue")

    b.put("wardrobe", 8.75, 6.2, -90.0)
    drawers = b.put("dresser", 8.13, 0.28, 90.0)
    b.hang("mirror", 8.13, 0.0, 1.5, 90.0, width_m=0.7, height_m=0.9)
    b.on(drawers, "desk_fan", 0.0, 0.35)
    b.on(drawers, "vase", 0.0, -0.35)
    desk = b.put("desk", 7.81, 2.3)
    b.on(desk, "laptop", 0.03, -0.12)
    b.on(desk, "desk_lamp", -0.12, 0.5, -20.0)
    b.on(desk, "book_stack", -0.05, -0.55, 10.0)
    b.put("office_chair", 8.6, 2.25, 180.0)

    b.put("armchair", 12.3, 5.7, 215.0, fabric="linen_beige", wood="oak")
    b.put("floor_lamp", 12.55, 4.5, initial="off", metal="brass")
    b.put("potted_plant", 11.35, 6.0, 50.0, pot="ceramic_blue_plain")
    b.put("mannequin", 7.85, 5.2, -30.0)
    b.put("toolbox", 9.95, 6.2, -90.0)
    b.hang("painting", 13.0, 2.2, 1.6, 180.0, width_m=1.2, height_m=0.7, picture="picture_sea")
    b.hang("painting", 7.46, 2.3, 1.55, 0.0, width_m=0.6, height_m=0.5, picture="picture_dusk")
    for x in (8.98, 11.22):
        b.hang("curtain", x, 0.0, 0.12, 90.0, width_m=0.38, height_m=2.2, fabric="curtain_green")
    b.overhead("ceiling_lamp", 10.2, 3.3, initial="off")
    b.add_spawn("bedroom_suite", 9.2, 4.4, -40.0)
    b.add_spawn("bedroom_suite_2", 11.6, 4.7, 200.0)
    for name, x, y in (
        ("by_bed", 10.3, 1.2),
        ("by_wardrobe", 8.8, 5.3),
        ("by_desk", 8.9, 3.2),
        ("by_window", 11.9, 4.15),
    ):
        b.add_point(name, x, y)


def furnish_bathroom(b: WorldBuilder) -> None:
    """Furnish x 7.46..13, y 6.66..10."""
    b.put("bathtub", 8.4, 9.6, -90.0)
    b.put("toilet", 10.4, 9.65, -90.0)
    basin = b.put("washbasin", 12.74, 8.6, 180.0)
    b.hang("mirror", 13.0, 8.6, 1.55, 180.0, width_m=0.8, height_m=0.9)
    b.hang("wall_lamp", 13.0, 8.6, 2.1, 180.0)
    b.put("washing_machine", 12.69, 9.6, 180.0)
    b.put("laundry_basket", 11.8, 9.65)
    b.put("bucket", 7.8, 7.1)
    b.put("bar_stool", 9.62, 9.6)
    b.on("bar_stool_3", "candle", 0.06, 0.06)
    b.on("bar_stool_3", "bottle", -0.07, -0.06, color="ceramic_blue_plain")
    b.put("potted_plant", 12.5, 7.2, 130.0, pot="ceramic_white")
    shelf = b.hang("wall_shelf", 10.4, 10.0, 1.45, -90.0)
    b.on(shelf, "succulent", 0.11, 0.28)
    b.on(shelf, "vase", 0.11, -0.05, color="ceramic_green")
    b.on(shelf, "bottle", 0.11, -0.3, color="ceramic_white")
    b.put("rug", 8.4, 8.75, 90.0, length_m=0.6, width_m=0.9, pattern="bath_mat", label="bath mat")
    b.hang("towel_rail", 7.46, 8.3, 1.35, 0.0)
    b.on(basin, "mug", -0.15, 0.32, color="ceramic_white")
    b.on("washing_machine_1", "succulent", 0.1, 0.1)
    b.overhead("ceiling_lamp", 10.2, 8.3)
    b.add_spawn("bedroom_suite_3", 10.6, 7.3, 80.0)
    for name, x, y in (("by_bathtub", 8.4, 8.5), ("by_basin", 11.9, 8.6)):
        b.add_point(name, x, y)
