"""The two rooms of the cottage: a room to live and cook in, and a bedroom."""

from __future__ import annotations

from embodied_eval.worlds.bundled.cottage.building import (
    DIVIDE_X,
    EAST,
    FLOOR_M,
    INNER_M,
    NORTH,
    SOUTH,
    WALL_M,
    WALL_TOP_M,
    WEST,
)
from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The two rooms of a small country cottage of today. In the first are a fireplace with an armchair, a dining "
    "table, a sink and a cooker; a door leads to the bedroom with its bed, wardrobe and desk. Lamps, the radio, the "
    "cooker's oven, the wardrobe and both doors can be operated. The open front door leads to the terrace."
)
X0, X1, Y0, Y1 = WEST + WALL_M, EAST - WALL_M, SOUTH + WALL_M, NORTH - WALL_M
ROOM_X, BED_X = DIVIDE_X - INNER_M / 2, DIVIDE_X + INNER_M / 2


def furnish_rooms(b: LevelBuilder) -> None:
    """Furnish x 8.84..15.76, y 12.84..17.16."""
    low, high = (X0, Y0, FLOOR_M), (X1, Y1, WALL_TOP_M)
    b.add_region("cottage_rooms", "Rooms of the cottage", Bounds(low, high), DESCRIPTION)
    b.level(FLOOR_M, WALL_TOP_M - 0.08)
    _room(b)
    _bedroom(b)
    b.add_spawn("cottage_rooms", 11.75, 13.6, 130.0)
    b.add_spawn("cottage_rooms_2", 13.2, 14.7, 40.0)
    for name, x, y in (("by_table", 12.1, 15.0), ("by_sink", 10.8, 16.05), ("by_bed", 14.1, 15.6)):
        b.add_point(name, x, y)


def _room(b: LevelBuilder) -> None:
    b.put("fireplace", X0 + 0.22, 15.05)
    b.hang("wall_clock", X0 + 0.36, 15.05, 1.9, 0.0)
    b.put("armchair", X0 + 0.6, 13.5, 38.0, fabric="wool_rust")
    back = Y1 - 0.33
    worktop = b.put("counter", X0 + 0.76, back, -90.0, width_m=1.3)
    b.put("sink_unit", 10.8, back, -90.0)
    stove = b.put("stove", 11.63, back, -90.0)
    b.on(worktop, "kettle", 0.02, 0.35, 20.0)
    b.on(worktop, "radio", -0.05, -0.3)
    b.on(stove, "pot", -0.12, 0.13, 40.0)
    table = b.put("dining_table", 10.75, 15.05, 90.0)
    for x in (10.35, 11.2):
        b.put("dining_chair", x, 14.27, 90.0, seat="blanket_blue")
    b.on(table, "fruit_bowl", 0.0, 0.05)
    b.on(table, "plate", -0.2, 0.42)
    b.on(table, "mug", 0.1, -0.6, 70.0)
    b.overhead("pendant_lamp", 10.75, 15.05, drop_m=0.75)
    b.hang("painting", ROOM_X, 14.85, 1.5, 180.0)


def _bedroom(b: LevelBuilder) -> None:
    b.put("single_bed", X1 - 1.07, 16.6, 180.0)
    stand = b.put("nightstand", X1 - 0.24, 15.75, 180.0)
    b.on(stand, "table_lamp", 0.0, -0.05)
    b.put("wardrobe", BED_X + 0.32, 16.2, 0.0, wood="shutter_blue", trim="pine")
    desk = b.put("desk", 14.6, Y0 + 0.33, 90.0, wood="pine")
    b.on(desk, "book_stack", 0.0, -0.45, 20.0)
    b.put("dining_chair", 14.5, Y0 + 0.98, -90.0, wood="pine", seat="blanket_blue")
    b.put("rug", 14.25, 14.85, 90.0, pattern="rug_blue", length_m=1.5, width_m=1.0)
