"""The living room: sofa and television, a reading corner, the hall by the front door."""

from __future__ import annotations

from embodied_eval.worlds.build import WorldBuilder
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The living room of the house. A sofa, an armchair and a coffee table on a rug stand before a television on "
    "a low cabinet; in the far corner there is a reading place with a floor lamp. Bookshelves stand by the wall. "
    "The floor lamp, the table lamp, the ceiling lamp, the television and the bedroom door can be operated. The "
    "front door is locked. A wide opening leads to the kitchen."
)


def furnish_living_room(b: WorldBuilder) -> None:
    """Furnish x 0..7.34, y 0..4.94."""
    b.add_region("living_room", "Living room", Bounds((0.0, 0.0, 0.0), (7.34, 4.94, 2.6)), DESCRIPTION)
    rug = b.put("rug", 4.95, 1.9, length_m=1.9, width_m=1.7)
    b.put("sofa", 3.2, 1.9)
    table = b.on(rug, "coffee_table", 0.0, 0.0)
    stand = b.put("tv_stand", 7.06, 1.9, 180.0)
    b.on(stand, "tv", 0.0, 0.0, initial="on")
    b.put("armchair", 5.0, 0.53, 90.0)
    sofa = "sofa_1"
    b.on(sofa, "cushion", 0.03, 0.62, fabric="wool_mustard")
    b.on(sofa, "cushion", 0.03, -0.6, fabric="velvet_teal")
    side = b.put("side_table", 3.25, 3.3)
    b.on(side, "table_lamp", -0.05, 0.06)
    b.on(side, "mug", 0.12, -0.1, 40.0, color="ceramic_red")
    b.on(table, "vase", 0.02, 0.3)
    b.on(table, "book_stack", 0.08, -0.3, 15.0)
    b.on(table, "candle", -0.16, -0.02)
    b.on(stand, "succulent", 0.05, 0.76)

    # The reading corner.
    b.put("armchair", 0.95, 1.15, 25.0, fabric="wool_rust")
    b.put("floor_lamp", 0.42, 0.42)
    b.put("ottoman", 1.95, 1.5)
    b.put("basket", 0.5, 2.1, 10.0)
    b.put("potted_plant", 0.55, 2.85, 30.0)
    b.put("guitar", 2.35, 0.36, 90.0)

    # The north wall: shelves and the hall bench.
    shelf = b.put("bookshelf", 5.95, 4.75, -90.0)
    b.put("potted_plant", 6.85, 4.42, 70.0, pot="ceramic_white", leaf="leaf_dark")
    b.put("shoe_bench", 1.05, 4.72, -90.0)
    b.put("suitcase", 1.95, 4.7, -90.0)
    b.on(shelf, "succulent", 0.02, 0.2, below_m=2.5)

    # Toys on the open floor.
    b.put("toy_ball", 1.9, 3.2)
    b.put("toy_train", 2.4, 2.9, 35.0)
    b.put("building_blocks", 2.2, 2.45, 20.0)
    b.put("cat", 4.55, 3.35, -60.0)

    b.hang("painting", 4.0, 0.0, 1.5, 90.0, width_m=0.5, height_m=0.7, picture="picture_dusk")
    b.hang("painting", 1.1, 4.94, 1.55, -90.0, width_m=1.0, height_m=0.7, picture="picture_sea")
    b.hang("wall_clock", 7.34, 2.9, 1.75, 180.0)
    b.hang("painting", 7.34, 0.45, 1.6, 180.0, width_m=0.45, height_m=0.6, picture="picture_hills")
    for x in (1.0, 3.4, 4.1, 6.5):
        b.hang("curtain", x, 0.0, 0.12, 90.0, width_m=0.4, height_m=2.2)
    b.overhead("ceiling_lamp", 4.6, 2.4, initial="off")

    b.add_spawn("living_room", 4.0, 4.3, -60.0)
    b.add_spawn("living_room_2", 1.1, 3.5, -30.0)
    for name, x, y in (
        ("by_sofa", 4.15, 0.9),
        ("by_tv", 6.4, 2.6),
        ("reading_corner", 1.4, 2.1),
        ("by_bookshelf", 5.9, 4.1),
        ("hall", 0.8, 3.9),
    ):
        b.add_point(name, x, y)
