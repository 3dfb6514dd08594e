"""The utility room, some steps below the hall: washing, drying, ironing, tools and stores."""

from __future__ import annotations

from typing import Any

from embodied_eval.worlds.bundled.house.shell import (
    EAST_X,
    HALL_Y,
    SOUTH_Y,
    THICK_M,
    UTILITY_M,
    UTILITY_TOP_M,
)
from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The utility room of a town house, four steps below the hall. A washing machine, a tumble dryer and a sink "
    "stand under the window; there are a freezer, a boiler, storage shelves, a workbench, an ironing board and a "
    "rack with washing. The machines, the boiler, the freezer's lid, the lamp and the door can be operated; the "
    "toolbox and the cardboard boxes can be pushed."
)


def furnish_utility(b: LevelBuilder) -> None:
    """Furnish x 0..5.4, y 0..3.6."""
    north = HALL_Y - THICK_M
    b.add_region(
        "utility_room",
        "Utility room",
        Bounds((0.0, SOUTH_Y, UTILITY_M), (EAST_X, north, UTILITY_TOP_M)),
        DESCRIPTION,
    )
    b.level(UTILITY_M, UTILITY_TOP_M)
    b.put("washing_machine", 0.5, 0.33, 90.0)
    b.put("tumble_dryer", 1.15, 0.31, 90.0)
    b.put("sink_unit", 2.1, 0.33, 90.0, width_m=1.1)
    b.put("laundry_basket", 2.95, 0.33)
    b.put("bucket", 3.5, 0.3, color="lacquer_coral")
    b.put("broom", 4.3, 0.16, 90.0)
    b.put("chest_freezer", 0.36, 2.7)
    b.hang("water_heater", 0.0, 1.5, 1.3, 0.0)
    first = b.put("metal_shelf", 1.45, 3.38, -90.0)
    second = b.put("metal_shelf", 2.6, 3.38, -90.0)
    stored: tuple[tuple[str, str, float, float, dict[str, Any]], ...] = (
        (first, "paint_can", 0.3, 0.9, {"color": "plastic_blue"}),
        (first, "paint_can", 0.05, 0.9, {"color": "plastic_yellow"}),
        (first, "paint_can", -0.25, 0.9, {"color": "plastic_red"}),
        (first, "detergent", 0.25, 1.3, {}),
        (first, "detergent", 0.0, 1.3, {"color": "plastic_blue"}),
        (first, "basket", 0.0, 1.9, {}),
        (second, "carton", 0.15, 0.4, {}),
        (second, "book_stack", 0.2, 0.9, {}),
        (second, "radio", -0.15, 1.3, {}),
        (second, "bottle", 0.25, 1.3, {}),
    )
    for shelf, kind, dy, below, options in stored:
        b.on(shelf, kind, 0.0, dy, below_m=below, **options)
    bench = b.put("workbench", 5.05, 1.15, 180.0)
    b.on(bench, "toolbox", 0.02, -0.2)
    b.on(bench, "desk_lamp", -0.1, 0.35, -30.0, initial="on")
    b.put("ironing_board", 1.5, 1.85, 85.0)
    b.put("drying_rack", 3.5, 1.1, 90.0)
    b.put("vacuum_cleaner", 5.12, 2.95, 90.0)
    b.put("carton", 5.1, 2.3, 10.0)
    shelf = b.hang("wall_shelf", 0.85, 0.0, 1.45, 90.0, wood="pine")
    b.on(shelf, "detergent", 0.11, 0.2, color="plastic_green")
    b.on(shelf, "succulent", 0.11, -0.15)
    b.overhead("ceiling_lamp", 2.7, 1.8)
    b.add_spawn("utility_room", 3.95, 2.2, 200.0)
    b.add_spawn("utility_room_2", 1.0, 1.2, 20.0)
    for name, x, y in (
        ("by_washing", 0.85, 1.1),
        ("by_freezer", 1.15, 2.65),
        ("by_shelves", 2.6, 2.6),
        ("by_workbench", 4.15, 1.75),
    ):
        b.add_point(name, x, y)
