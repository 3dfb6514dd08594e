"""The cottage itself: terrace, floor, walls, windows, doors, roof and chimney."""

from __future__ import annotations

import math

from embodied_eval.worlds.bundled.cottage.grounds import CEILING_M, TERRACE, TERRACE_M, slab
from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.library.building import Opening
from embodied_eval.worlds.library.cottage_building import ROOF_SLOPE_DEG, roof_height_m
from embodied_eval.worlds.library.openings import DOOR_HEIGHT_M, DOOR_WIDTH_M

# Outer measures.
WEST, EAST, SOUTH, NORTH = 8.6, 16.0, 12.6, 17.4
WALL_M, INNER_M = 0.24, 0.12
FLOOR_M, WALL_TOP_M, EAVES_M = 0.3, 2.7, 0.4
_LAP_M = 0.1
DIVIDE_X = 12.6
FRONT_DOOR_X, BED_DOOR_Y = 11.55, 13.55
SILL_M, WINDOW_M, WINDOW_HEIGHT_M = 1.15, 1.1, 1.05
SOUTH_WINDOWS, NORTH_WINDOW, EAST_WINDOW = (9.85, 14.3), 10.8, 15.2


def build_cottage_walls(b: LevelBuilder) -> None:
    """Add the building; unlike other buildings it casts a shadow, as one walks around it."""
    b.region = ""
    b.level(0.0, CEILING_M)
    slab(b, "floor", *TERRACE, TERRACE_M, TERRACE_M, "flagstone")
    walls = _outer_walls(b)
    # Floor and ceiling reach into the walls: no light comes in at the edges.
    inside = (WEST + _LAP_M, SOUTH + _LAP_M, EAST - _LAP_M, NORTH - _LAP_M)
    slab(b, "floor", *inside, FLOOR_M, FLOOR_M, "cottage_planks", joined=walls)
    slab(b, "ceiling", *inside, WALL_TOP_M, 0.08, "room_cream", joined=walls)
    _inner_wall(b)
    _openings(b)
    _roof(b, walls)


def _window(middle: float, start: float) -> Opening:
    near = middle - start - WINDOW_M / 2
    return Opening(round(near, 6), round(near + WINDOW_M, 6), SILL_M, SILL_M + WINDOW_HEIGHT_M)


def _door(middle: float, start: float) -> Opening:
    near = middle - start - DOOR_WIDTH_M / 2
    return Opening(round(near, 6), round(near + DOOR_WIDTH_M, 6), FLOOR_M, FLOOR_M + DOOR_HEIGHT_M)


def _outer_walls(b: LevelBuilder) -> tuple[str, ...]:
    half = WALL_M / 2
    names: list[str] = []

    def wall(x: float, y: float, yaw: float, length: float, inner: str, holes: tuple[Opening, ...]) -> None:
        names.append(
            b.put(
                "wall",
                x,
                y,
                yaw,
                supports="fixed",
                length_m=round(length, 6),
                height_m=WALL_TOP_M,
                thick_m=WALL_M,
                right="limewash",
                left=inner,
                openings=holes,
                skirting=False,
                joined=tuple(names),
            )
        )

    south, north = SOUTH + half, NORTH - half
    west, east = WEST + WALL_M - _LAP_M, EAST - WALL_M + _LAP_M
    # The corners are posts of one colour; the walls between them have another inside.
    for x, y in ((WEST, south), (EAST - WALL_M, south), (WEST, north), (EAST - WALL_M, north)):
        wall(x, y, 0.0, WALL_M, "limewash", ())
    front = (_window(SOUTH_WINDOWS[0], west), _door(FRONT_DOOR_X, west))
    wall(west, south, 0.0, DIVIDE_X - west, "room_cream", front)
    wall(DIVIDE_X, south, 0.0, east - DIVIDE_X, "room_rose", (_window(SOUTH_WINDOWS[1], DIVIDE_X),))
    wall(DIVIDE_X, north, 180.0, DIVIDE_X - west, "room_cream", (_window(DIVIDE_X, NORTH_WINDOW),))
    wall(east, north, 180.0, east - DIVIDE_X, "room_rose", ())
    side = NORTH - SOUTH - 2 * (WALL_M - _LAP_M)
    low, high = SOUTH + WALL_M - _LAP_M, NORTH - WALL_M + _LAP_M
    wall(EAST - half, low, 90.0, side, "room_rose", (_window(EAST_WINDOW, low),))
    wall(WEST + half, high, -90.0, side, "room_cream", ())
    return tuple(names)


def _inner_wall(b: LevelBuilder) -> None:
    start = SOUTH + WALL_M
    near = BED_DOOR_Y - start - DOOR_WIDTH_M / 2
    b.fixed(
        "wall",
        DIVIDE_X,
        start,
        90.0,
        z=FLOOR_M,
        length_m=round(NORTH - SOUTH - 2 * WALL_M, 6),
        height_m=round(WALL_TOP_M - 0.08 - FLOOR_M, 6),
        thick_m=INNER_M,
        right="room_rose",
        left="room_cream",
        openings=(Opening(round(near, 6), round(near + DOOR_WIDTH_M, 6), 0.0, DOOR_HEIGHT_M),),
        skirting=False,
    )


def _openings(b: LevelBuilder) -> None:
    half = WALL_M / 2
    b.region = "cottage_rooms"
    b.put(
        "door",
        FRONT_DOOR_X,
        SOUTH + half,
        -90.0,
        z=FLOOR_M,
        supports="fixed",
        leaf="shutter_blue",
        panel="shutter_blue",
        frame="picket_white",
        opened=True,
        swing_deg=-92.0,
        label="cottage door",
    )
    b.fixed(
        "door",
        DIVIDE_X,
        BED_DOOR_Y,
        0.0,
        z=FLOOR_M,
        leaf="pine",
        panel="pine",
        frame="picket_white",
        opened=True,
        swing_deg=-92.0,
    )
    b.region = ""
    for x, y, yaw in (
        (SOUTH_WINDOWS[0], SOUTH + half, 90.0),
        (SOUTH_WINDOWS[1], SOUTH + half, 90.0),
        (NORTH_WINDOW, NORTH - half, -90.0),
        (EAST - half, EAST_WINDOW, 180.0),
    ):
        b.put(
            "cottage_window",
            x,
            y,
            yaw,
            z=SILL_M,
            supports="fixed",
            width_m=WINDOW_M,
            height_m=WINDOW_HEIGHT_M,
            wall_m=WALL_M,
        )


def _roof(b: LevelBuilder, walls: tuple[str, ...]) -> None:
    depth = NORTH - SOUTH
    low = WALL_TOP_M - EAVES_M * math.tan(math.radians(ROOF_SLOPE_DEG))
    middle = ((WEST + EAST) / 2, (SOUTH + NORTH) / 2)
    roof = b.put(
        "gable_roof",
        *middle,
        0.0,
        z=round(low, 6),
        supports="fixed",
        length_m=round(EAST - WEST, 6),
        depth_m=round(depth, 6),
        eaves_m=EAVES_M,
        wall_m=WALL_M,
        joined=walls,
    )
    foot = low + roof_height_m(depth, EAVES_M, 0.4) - 0.1
    b.put("chimney", WEST + 0.75, middle[1], z=round(foot, 6), supports="fixed", height_m=1.5, joined=(roof,))
