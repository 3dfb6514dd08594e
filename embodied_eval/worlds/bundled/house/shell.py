"""The shell of the house: floors on four levels, walls, stairs, ceilings, and the garden around it."""

from __future__ import annotations

from typing import Any

from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.library.building import Opening
from embodied_eval.worlds.library.levels import RISER_M, TREAD_M
from embodied_eval.worlds.library.openings import DOOR_HEIGHT_M, DOOR_WIDTH_M

ROSE, BOTTLE, BUTTER, MINT = "plaster_rose", "plaster_bottle", "plaster_butter", "plaster_mint"
BRICK = "outer_brick"
THICK_M = 0.12
LANDING_RISERS, FLIGHT_RISERS, CELLAR_RISERS = 3, 11, 4
UTILITY_M = round(-CELLAR_RISERS * RISER_M, 6)
HALL_M = 0.0
STUDY_M = round(LANDING_RISERS * RISER_M, 6)
UPPER_M = round(STUDY_M + FLIGHT_RISERS * RISER_M, 6)
GARDEN_M = -1.2
# Insides along y from south to north: utility room, hall (and upstairs), study. Upstairs lies east of the hall.
SOUTH_Y, HALL_Y, STUDY_Y, NORTH_Y = 0.0, 3.72, 8.44, 12.2
EAST_X, STUDY_X, GALLERY_X, ATTIC_X = 5.4, 6.6, 6.9, 11.4
LANDING_X, LANDING_Y, FLIGHT_Y = 2.4, 7.0, 7.71
UTILITY_TOP_M, STUDY_TOP_M, HALL_TOP_M, EAVES_M, GABLE_M = 2.2, 3.1, 5.0, 4.3, 5.4
PITCH_DEG = 23.5
FRONT_DOOR_Y, UTILITY_DOOR_X, STUDY_DOOR_X, ATTIC_DOOR_Y = 4.7, 3.55, 0.7, 4.4
Window = tuple[float, float, float, float]


def build_shell(b: LevelBuilder) -> None:
    """Add the building; walls and garden belong to no sub-scene, floors and stairs to the one on them."""
    _floors(b)
    _ceilings(b)
    b.region = ""
    _outer_walls(b)
    _inner_walls(b)
    _stairs(b)
    _doors(b)
    _panelling(b)
    _garden(b)


def _slab(
    b: LevelBuilder,
    kind: str,
    low: tuple[float, float],
    high: tuple[float, float],
    z: float,
    mat: str,
    thick_m: float = 0.2,
    label: str = "",
) -> None:
    """A plate between two corners whose top is at `z` in the world's frame."""
    b.level(0.0, HALL_TOP_M)
    b.fixed(
        kind,
        round((low[0] + high[0]) / 2, 6),
        round((low[1] + high[1]) / 2, 6),
        z=z,
        size_x_m=round(high[0] - low[0], 6),
        size_y_m=round(high[1] - low[1], 6),
        thick_m=thick_m,
        mat=mat,
        label=label,
    )


def _floors(b: LevelBuilder) -> None:
    t = THICK_M
    b.region = "utility_room"
    _slab(b, "floor", (-t, -t), (EAST_X + t, HALL_Y - t), UTILITY_M, "slate_tile")
    b.region = "hall"
    _slab(b, "floor", (-t, HALL_Y), (EAST_X + t, STUDY_Y), HALL_M, "hall_chequer")
    _slab(b, "floor", (0.0, LANDING_Y), (LANDING_X, STUDY_Y - t), STUDY_M, "oak", STUDY_M, "landing")
    b.region = "study"
    _slab(b, "floor", (-t, STUDY_Y), (STUDY_X + t, NORTH_Y + t), STUDY_M, "walnut_planks")
    b.region = "upstairs"
    middle = GALLERY_X + t / 2
    _slab(b, "floor", (EAST_X, HALL_Y), (middle, STUDY_Y - t), UPPER_M, "oak_planks")
    _slab(b, "floor", (middle, HALL_Y), (ATTIC_X, STUDY_Y - t), UPPER_M, "pine_planks")


def _ceilings(b: LevelBuilder) -> None:
    t = THICK_M
    for region, low, high, z in (
        ("utility_room", (-t, -t), (EAST_X + t, HALL_Y - t), UTILITY_TOP_M),
        ("hall", (-t, HALL_Y - t), (GALLERY_X, STUDY_Y), HALL_TOP_M),
        ("study", (-t, STUDY_Y), (STUDY_X + t, NORTH_Y + t), STUDY_TOP_M),
    ):
        b.region = region
        _slab(b, "ceiling", low, high, z + 0.1, "ceiling_white", 0.1)
    b.region = "upstairs"
    b.level(EAVES_M, HALL_TOP_M)
    length, middle = round(ATTIC_X - GALLERY_X - t, 6), (ATTIC_X + GALLERY_X + t) / 2
    north = STUDY_Y - t
    run = round((north - HALL_Y) / 2, 6)
    slopes = tuple(
        b.fixed(
            "roof_slope",
            middle,
            y,
            yaw,
            length_m=length,
            run_m=run,
            pitch_deg=PITCH_DEG,
            mat="ceiling_white",
            beam="pine",
        )
        for y, yaw in ((HALL_Y, 90.0), (north, -90.0))
    )
    b.fixed("roof_beam", middle, HALL_Y + run, 90.0, z=1.0, length_m=length, mat="pine", joined=slopes)


def _wall(
    b: LevelBuilder,
    x: float,
    y: float,
    yaw: float,
    length_m: float,
    low_m: float,
    high_m: float,
    faces: tuple[str, str],
    windows: tuple[Window, ...] = (),
    doors: tuple[tuple[float, float], ...] = (),
) -> None:
    """A wall between two heights; `faces` are the materials of its (right, left) sides.

    Windows are (start along it, width, sill, head), doors (start along it, threshold); heights in the world's frame.
    """
    b.level(low_m, HALL_TOP_M)
    holes = [Opening(s, s + w, low - low_m, high - low_m) for s, w, low, high in windows]
    holes += [Opening(s, s + DOOR_WIDTH_M, z - low_m, z - low_m + DOOR_HEIGHT_M) for s, z in doors]
    b.fixed(
        "wall",
        x,
        y,
        yaw,
        length_m=round(length_m, 6),
        height_m=round(high_m - low_m, 6),
        thick_m=THICK_M,
        right=faces[0],
        left=faces[1],
        openings=tuple(
            Opening(round(o.start_m, 6), round(o.end_m, 6), round(o.low_m, 6), round(o.high_m, 6))
            for o in holes
        ),
        skirting=False,
    )
    along_x = yaw == 0.0
    for start, width, low, high in windows:
        middle = start + width / 2
        spot = (x + middle, y) if along_x else (x, y + middle)
        # The sill is on the inner side: the side that is not brick.
        inward = (90.0 if faces[0] == BRICK else -90.0) if along_x else (180.0 if faces[0] == BRICK else 0.0)
        b.level(low, HALL_TOP_M)
        b.fixed("window", *spot, inward, width_m=width, height_m=round(high - low, 6), panes=2)


def _outer_walls(b: LevelBuilder) -> None:
    half, t = THICK_M / 2, THICK_M
    u, s = UTILITY_M, STUDY_M
    _wall(b, -t, -half, 0.0, EAST_X + 2 * t, u, UTILITY_TOP_M, (BRICK, MINT), ((1.72, 1.2, 0.62, 1.7),))
    _wall(b, EAST_X + half, SOUTH_Y, 90.0, HALL_Y - t, u, UTILITY_TOP_M, (BRICK, MINT))
    _wall(b, -half, SOUTH_Y, 90.0, HALL_Y - t, u, UTILITY_TOP_M, (MINT, BRICK))
    west = HALL_Y - t
    _wall(
        b,
        -half,
        west,
        90.0,
        STUDY_Y - west,
        HALL_M,
        HALL_TOP_M,
        (ROSE, BRICK),
        ((6.0 - west, 0.75, 1.0, 2.2), (7.3 - west, 0.8, 1.6, 3.2)),
        ((FRONT_DOOR_Y - west, HALL_M),),
    )
    _wall(
        b, -half, STUDY_Y, 90.0, NORTH_Y - STUDY_Y, s, STUDY_TOP_M, (BOTTLE, BRICK), ((1.2, 1.4, 1.5, 2.7),)
    )
    _wall(
        b,
        -t,
        NORTH_Y + half,
        0.0,
        STUDY_X + 2 * t,
        s,
        STUDY_TOP_M,
        (BOTTLE, BRICK),
        ((4.0, 1.5, 1.3, 2.7),),
    )
    _wall(b, STUDY_X + half, STUDY_Y, 90.0, NORTH_Y - STUDY_Y, s, STUDY_TOP_M, (BRICK, BOTTLE))
    middle = GALLERY_X + half
    east = ATTIC_X + t - middle
    _wall(b, middle, HALL_Y - half, 0.0, east, GARDEN_M, EAVES_M, (BRICK, BUTTER), ((3.0, 1.2, 3.2, 4.1),))
    _wall(b, middle, STUDY_Y - half, 0.0, east, GARDEN_M, EAVES_M, (BUTTER, BRICK))
    _wall(
        b,
        ATTIC_X + half,
        HALL_Y,
        90.0,
        STUDY_Y - t - HALL_Y,
        GARDEN_M,
        GABLE_M,
        (BRICK, BUTTER),
        ((1.6, 1.4, 3.25, 4.65),),
    )


def _inner_walls(b: LevelBuilder) -> None:
    half, t = THICK_M / 2, THICK_M
    middle = GALLERY_X + half
    _wall(
        b,
        0.0,
        HALL_Y - half,
        0.0,
        middle,
        UTILITY_M,
        HALL_TOP_M,
        (MINT, ROSE),
        ((1.2, 1.6, 3.0, 4.3),),
        ((UTILITY_DOOR_X, HALL_M),),
    )
    _wall(
        b,
        0.0,
        STUDY_Y - half,
        0.0,
        middle,
        HALL_M,
        HALL_TOP_M,
        (ROSE, BOTTLE),
        doors=((STUDY_DOOR_X, STUDY_M),),
    )
    _wall(b, EAST_X + half, HALL_Y, 90.0, STUDY_Y - t - HALL_Y, HALL_M, UPPER_M - 0.2, (BRICK, ROSE))
    _wall(
        b,
        middle,
        HALL_Y,
        90.0,
        STUDY_Y - t - HALL_Y,
        UPPER_M,
        GABLE_M,
        (BUTTER, ROSE),
        doors=((ATTIC_DOOR_Y - HALL_Y, UPPER_M),),
    )


def _stairs(b: LevelBuilder) -> None:
    b.region = "hall"
    b.level(HALL_M, HALL_TOP_M)
    b.fixed(
        "wooden_stairs",
        0.95,
        LANDING_Y - (LANDING_RISERS - 1) * TREAD_M,
        -90.0,
        risers=LANDING_RISERS,
        width_m=1.5,
    )
    b.fixed(
        "wall",
        LANDING_X,
        7.16,
        length_m=EAST_X - LANDING_X,
        height_m=STUDY_M,
        thick_m=THICK_M,
        left="trim_white",
        right="trim_white",
        skirting=False,
    )
    b.level(STUDY_M, HALL_TOP_M)
    b.fixed("wooden_stairs", LANDING_X, FLIGHT_Y, 180.0, risers=FLIGHT_RISERS, width_m=1.22)
    b.fixed("banister", LANDING_X, 7.05, 180.0, risers=FLIGHT_RISERS, wood="walnut")
    b.fixed("wooden_railing", 1.99, 7.05, 90.0, length_m=0.54, posts=1, wood="walnut")
    b.region = "upstairs"
    b.level(UPPER_M, HALL_TOP_M)
    b.fixed("wooden_railing", EAST_X + 0.06, 5.36, length_m=3.24, posts=0, wood="walnut")
    b.region = "utility_room"
    b.level(UTILITY_M, UTILITY_TOP_M)
    b.fixed(
        "wooden_stairs",
        UTILITY_DOOR_X + DOOR_WIDTH_M / 2,
        HALL_Y - THICK_M - (CELLAR_RISERS - 1) * TREAD_M,
        -90.0,
        risers=CELLAR_RISERS,
        width_m=DOOR_WIDTH_M,
        tread="pine",
    )


def _doors(b: LevelBuilder) -> None:
    half, mid = THICK_M / 2, DOOR_WIDTH_M / 2
    b.region = "hall"
    b.level(HALL_M, HALL_TOP_M)
    b.fixed("front_door", -half, FRONT_DOOR_Y + mid)
    look: dict[str, Any] = {"leaf": "panel_teal", "panel": "panel_teal", "opened": True, "swing_deg": 92.0}
    b.fixed("door", UTILITY_DOOR_X + mid, HALL_Y - half, 90.0, **look)
    b.region = "study"
    b.level(STUDY_M, STUDY_TOP_M)
    b.fixed("door", STUDY_DOOR_X + mid, STUDY_Y - half, -90.0, **look)
    b.region = "upstairs"
    b.level(UPPER_M, HALL_TOP_M)
    b.fixed(
        "door",
        GALLERY_X + half,
        ATTIC_DOOR_Y + mid,
        0.0,
        leaf="lacquer_sky",
        panel="lacquer_white",
        opened=True,
        swing_deg=-92.0,
    )


def _panelling(b: LevelBuilder) -> None:
    b.region = "hall"
    b.level(HALL_M, HALL_TOP_M)
    for x, y0, y1, yaw in ((0.0, HALL_Y, 4.66, 0.0), (0.0, 5.79, 6.4, 0.0), (EAST_X, HALL_Y, 7.0, 180.0)):
        b.fixed("wainscot", x, (y0 + y1) / 2, yaw, length_m=round(y1 - y0, 6), mat="panel_teal")
    for x0, x1 in ((0.034, UTILITY_DOOR_X - 0.04), (UTILITY_DOOR_X + DOOR_WIDTH_M + 0.04, EAST_X - 0.034)):
        b.fixed("wainscot", (x0 + x1) / 2, HALL_Y, 90.0, length_m=round(x1 - x0, 6), mat="panel_teal")


def _garden(b: LevelBuilder) -> None:
    b.region = ""
    b.level(GARDEN_M, HALL_TOP_M)
    b.fixed("ground", 5.7, 6.0, size_x_m=60.0, size_y_m=60.0, thick_m=0.3, mat="lawn")
    for x, y, yaw, length in (
        (-8.1, -8.0, 0.0, 28.2),
        (-8.1, 20.0, 0.0, 28.2),
        (-8.0, -7.9, 90.0, 27.8),
        (20.0, -7.9, 90.0, 27.8),
    ):
        b.fixed(
            "wall",
            x,
            y,
            yaw,
            length_m=length,
            height_m=1.9,
            thick_m=0.2,
            left=BRICK,
            right=BRICK,
            skirting=False,
        )
    for x, y in ((2.0, -5.0), (9.6, -3.6), (3.6, 16.2), (-4.5, 6.5), (16.0, 6.2)):
        b.fixed("tree", x, y, yaw=37.0 * x)
