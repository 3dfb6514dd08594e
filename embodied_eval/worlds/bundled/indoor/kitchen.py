"""The kitchen along the north wall, its island, and the dining table."""

from __future__ import annotations

from embodied_eval.worlds.build import WorldBuilder
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "An open kitchen with a dining area. Counters, a cooker with its hood, a sink under the window and a fridge "
    "line the far wall; an island with stools stands before them, a dining table with chairs under a hanging lamp "
    "at the side. The fridge, the oven, the microwave oven and the lamps can be operated. A wide opening leads to "
    "the living room."
)


def furnish_kitchen(b: WorldBuilder) -> None:
    """Furnish x 0..7.34, y 5.06..10."""
    b.add_region(
        "kitchen_dining", "Kitchen and dining area", Bounds((0.0, 5.06, 0.0), (7.34, 10.0, 2.6)), DESCRIPTION
    )
    back = 9.68
    b.put("fridge", 0.5, 9.64, -90.0)
    left = b.put("counter", 1.375, back, -90.0, width_m=1.0)
    b.put("sink_unit", 3.3 - 0.86, back, -90.0, width_m=1.1)
    middle = b.put("counter", 3.3, back, -90.0, width_m=0.6, doors=1)
    stove = b.put("stove", 3.91, back, -90.0)
    right = b.put("counter", 4.63, back, -90.0, width_m=0.8)
    b.hang("wall_cabinet", 1.375, 10.0, 1.45, -90.0, width_m=1.0)
    b.hang("range_hood", 3.91, 10.0, 1.6, -90.0)
    b.hang("wall_cabinet", 4.63, 10.0, 1.45, -90.0, width_m=0.8)
    b.on(left, "microwave", -0.08, 0.18)
    b.on(left, "fruit_bowl", 0.02, -0.3)
    b.on(middle, "knife_block", -0.12, 0.12)
    b.on(stove, "pot", -0.14, 0.14, 90.0)
    b.on(stove, "pan", 0.13, -0.14, 20.0)
    b.on(right, "kettle", 0.02, 0.18, -70.0)
    b.on(right, "bottle", -0.16, -0.12)
    b.on(right, "mug", 0.1, -0.2, 100.0)

    island = b.put("kitchen_island", 2.4, 7.75, -90.0)
    b.on(island, "bowl", 0.0, 0.5)
    b.on(island, "plate", 0.1, -0.1)
    b.on(island, "bottle", 0.16, 0.2)
    b.on(island, "succulent", -0.02, -0.62)
    for x in (1.85, 2.95):
        b.put("bar_stool", x, 7.0, 90.0)

    table = b.put("dining_table", 6.05, 7.2)
    for y, x, yaw in ((6.75, 5.42, 0.0), (7.65, 5.42, 0.0), (6.75, 6.68, 180.0), (7.65, 6.68, 180.0)):
        b.put("dining_chair", x, y, yaw)
    b.put("dining_chair", 6.05, 6.08, 90.0)
    b.put("dining_chair", 6.05, 8.32, -90.0)
    b.on(table, "vase", 0.0, 0.05, color="ceramic_red")
    for dx, dy in ((-0.28, -0.45), (-0.28, 0.45), (0.28, -0.45), (0.28, 0.45)):
        b.on(table, "plate", dx, dy)
    b.on(table, "mug", -0.3, 0.02, color="ceramic_green")

    drawers = b.put("dresser", 7.05, 9.1, 180.0, wood="oak")
    b.on(drawers, "radio", 0.0, 0.3)
    b.on(drawers, "candle", 0.06, -0.35)
    b.put("potted_plant", 0.5, 5.6, 10.0)
    b.put("waste_bin", 5.3, 9.72, -90.0)
    b.put("broom", 7.1, 5.4, 180.0)
    b.put("dog", 1.5, 6.0, -20.0)

    b.hang("wall_clock", 0.0, 8.6, 1.8, 0.0)
    b.hang("painting", 7.34, 7.2, 1.6, 180.0, width_m=1.1, height_m=0.75, picture="picture_hills")
    b.hang("wall_shelf", 1.1, 5.06, 1.5, 90.0)
    b.on("wall_shelf_1", "book_stack", 0.1, 0.2)
    b.on("wall_shelf_1", "succulent", 0.1, -0.25)
    b.overhead("pendant_lamp", 2.0, 7.75, drop_m=0.75)
    b.overhead("pendant_lamp", 2.8, 7.75, drop_m=0.75)
    b.overhead("pendant_lamp", 6.05, 7.2, drop_m=0.95, shade="brass")

    b.add_spawn("kitchen_dining", 4.4, 5.6, 110.0)
    b.add_spawn("kitchen_dining_2", 1.0, 6.9, 30.0)
    for name, x, y in (
        ("by_sink", 2.4, 8.9),
        ("by_stove", 3.9, 8.9),
        ("by_island", 2.4, 6.4),
        ("by_table", 4.7, 7.2),
        ("by_dresser", 6.25, 9.15),
    ):
        b.add_point(name, x, y)
