"""The shell of the house: floors, walls, ceilings, doors, windows, and the garden around it."""

from __future__ import annotations

from embodied_eval.worlds.build import CEILING_M, WorldBuilder
from embodied_eval.worlds.library.building import Opening
from embodied_eval.worlds.library.openings import DOOR_HEIGHT_M, DOOR_WIDTH_M

SAND, SAGE, BLUE, TILE, WHITE = "plaster_sand", "plaster_sage", "plaster_blue", "wall_tile", "plaster_white"
WIDTH_M, DEPTH_M, THICK_M = 13.0, 10.0, 0.12
DIVIDE_X, LIVING_Y, BATH_Y = 7.4, 5.0, 6.6
FRONT_DOOR_Y, BEDROOM_DOOR_Y, BATH_DOOR_X = 3.5, 3.2, 10.2
# (start along the wall, width, sill, head) of each window, per outer wall, measured from its low end.
SOUTH_WINDOWS = ((1.3, 1.8, 0.85, 2.15), (4.4, 1.8, 0.85, 2.15), (9.2, 1.8, 0.9, 2.15))
NORTH_WINDOWS = ((1.95, 1.3, 1.25, 2.15), (5.2, 1.4, 0.95, 2.15), (8.2, 0.9, 1.4, 2.15))
WEST_WINDOWS = ((1.3, 1.5, 0.85, 2.15), (6.4, 1.6, 0.95, 2.15))
EAST_WINDOWS = ((4.3, 1.5, 0.9, 2.15),)


def _holes(
    windows: tuple[tuple[float, float, float, float], ...], offset_m: float = 0.0
) -> tuple[Opening, ...]:
    return tuple(Opening(s + offset_m, s + offset_m + w, low, high) for s, w, low, high in windows)


def _doorway(start_m: float) -> Opening:
    return Opening(start_m, start_m + DOOR_WIDTH_M, 0.0, DOOR_HEIGHT_M)


def build_house(b: WorldBuilder) -> None:
    """Add the building and its surroundings; they belong to no sub-scene."""
    b.region = ""
    _floors_and_ceilings(b)
    _outer_walls(b)
    _inner_walls(b)
    _doors_and_windows(b)
    _garden(b)


def _outer_walls(b: WorldBuilder) -> None:
    # Nobody gets outside: the outer walls are made as they look from within. South and north ones run from
    # outside corner to outside corner, the others between them.
    half = THICK_M / 2
    for y, west, east, windows in (
        (-half, SAND, BLUE, SOUTH_WINDOWS),
        (DEPTH_M + half, SAGE, TILE, NORTH_WINDOWS),
    ):
        for x0, x1, mat in ((-THICK_M, DIVIDE_X, west), (DIVIDE_X, WIDTH_M + THICK_M, east)):
            holes = _holes(tuple(w for w in windows if x0 <= w[0] < x1), -x0)
            _wall(b, x0, y, 0.0, x1 - x0, (mat, mat), holes)
    for x, y0, y1, mat, holes in (
        (-half, 0.0, LIVING_Y, SAND, (*_holes(WEST_WINDOWS[:1]), _doorway(FRONT_DOOR_Y))),
        (-half, LIVING_Y, DEPTH_M, SAGE, _holes(WEST_WINDOWS[1:], -LIVING_Y)),
        (WIDTH_M + half, 0.0, BATH_Y, BLUE, _holes(EAST_WINDOWS)),
        (WIDTH_M + half, BATH_Y, DEPTH_M, TILE, ()),
    ):
        _wall(b, x, y0, 90.0, y1 - y0, (mat, mat), holes)


def _inner_walls(b: WorldBuilder) -> None:
    half = THICK_M / 2
    for y0, y1, faces, holes in (
        (0.0, LIVING_Y + half, (BLUE, SAND), (_doorway(BEDROOM_DOOR_Y),)),
        (LIVING_Y + half, BATH_Y + half, (BLUE, SAGE), ()),
        (BATH_Y + half, DEPTH_M, (TILE, SAGE), ()),
    ):
        _wall(b, DIVIDE_X, y0, 90.0, y1 - y0, faces, holes)
    _wall(b, 0.0, LIVING_Y, 0.0, DIVIDE_X - half, (WHITE, WHITE), (Opening(2.6, 5.2, 0.0, 2.3),))
    start = DIVIDE_X + half
    _wall(b, start, BATH_Y, 0.0, WIDTH_M - start, (BLUE, TILE), (_doorway(BATH_DOOR_X - start),))


def _wall(
    b: WorldBuilder,
    x: float,
    y: float,
    yaw: float,
    length_m: float,
    faces: tuple[str, str],
    openings: tuple[Opening, ...],
) -> None:
    """One wall; `faces` are the materials of its (right, left) side. Tiled walls go without skirting."""
    b.fixed(
        "wall",
        x,
        y,
        yaw,
        length_m=length_m,
        height_m=CEILING_M,
        thick_m=THICK_M,
        right=faces[0],
        left=faces[1],
        openings=openings,
        skirting=faces != (TILE, TILE),
    )


def _floors_and_ceilings(b: WorldBuilder) -> None:
    rooms = (
        (-THICK_M, -THICK_M, DIVIDE_X, LIVING_Y, "oak_planks", "living_room"),
        (-THICK_M, LIVING_Y, DIVIDE_X, DEPTH_M + THICK_M, "kitchen_tile", "kitchen_dining"),
        (DIVIDE_X, -THICK_M, WIDTH_M + THICK_M, BATH_Y, "bedroom_carpet", "bedroom_suite"),
        (DIVIDE_X, BATH_Y, WIDTH_M + THICK_M, DEPTH_M + THICK_M, "bath_tile", "bedroom_suite"),
    )
    for x0, y0, x1, y1, mat, region in rooms:
        b.region = region
        b.fixed("floor", (x0 + x1) / 2, (y0 + y1) / 2, size_x_m=x1 - x0, size_y_m=y1 - y0, mat=mat)
    for x0, y0, x1, y1, _, region in rooms:
        b.region = region
        b.fixed(
            "ceiling",
            (x0 + x1) / 2,
            (y0 + y1) / 2,
            z=CEILING_M + 0.1,
            size_x_m=x1 - x0,
            size_y_m=y1 - y0,
            thick_m=0.1,
            mat="ceiling_white",
        )
    b.region = ""


def _doors_and_windows(b: WorldBuilder) -> None:
    half, mid = THICK_M / 2, DOOR_WIDTH_M / 2
    b.fixed("front_door", -half, FRONT_DOOR_Y + mid)
    b.region = "living_room"
    b.fixed("door", DIVIDE_X, BEDROOM_DOOR_Y + mid, 180.0)
    b.region = "bedroom_suite"
    b.fixed("door", BATH_DOOR_X + mid, BATH_Y, 90.0, opened=True, swing_deg=-92.0)
    b.region = ""
    for windows, along_x, edge, yaw in (
        (SOUTH_WINDOWS, True, -half, 90.0),
        (NORTH_WINDOWS, True, DEPTH_M + half, -90.0),
        (WEST_WINDOWS, False, -half, 0.0),
        (EAST_WINDOWS, False, WIDTH_M + half, 180.0),
    ):
        for start, width, low, high in windows:
            middle = start + width / 2
            x, y = (middle, edge) if along_x else (edge, middle)
            b.fixed(
                "window", x, y, yaw, z=low, width_m=width, height_m=high - low, panes=2 if width < 1.7 else 3
            )


def _garden(b: WorldBuilder) -> None:
    b.fixed("ground", WIDTH_M / 2, DEPTH_M / 2, z=-0.2, size_x_m=60.0, size_y_m=60.0, thick_m=0.3, mat="lawn")
    for x, y, yaw, length in (
        (WIDTH_M / 2, -6.5, 90.0, 30.0),
        (WIDTH_M / 2, DEPTH_M + 6.0, 90.0, 30.0),
        (-7.0, DEPTH_M / 2, 0.0, 21.3),
        (WIDTH_M + 6.5, DEPTH_M / 2, 0.0, 21.3),
    ):
        b.fixed("hedge", x, y, yaw, z=-0.2, length_m=length, height_m=1.25)
    for x, y in ((2.0, -5.0), (8.6, -4.6), (3.6, 14.2), (-5.0, 6.5), (17.0, 6.2), (-4.6, 1.2)):
        b.fixed("tree", x, y, yaw=37.0 * x, z=-0.2)
    for x, y, yaw in ((2.2, -0.26, 90.0), (5.3, -0.26, 90.0)):
        b.fixed("flower_box", x, y, yaw, z=0.7, width_m=1.6)
