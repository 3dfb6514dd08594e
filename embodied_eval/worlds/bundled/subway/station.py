"""The shell of the station: floors, walls, ceilings, stairs, escalators, track and tunnel."""

from __future__ import annotations

from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.library.building import Opening
from embodied_eval.worlds.library.levels import RISER_M, TREAD_M
from embodied_eval.worlds.library.openings import DOOR_HEIGHT_M, DOOR_WIDTH_M
from embodied_eval.worlds.library.railway import PORTAL_HEIGHT_M, PORTAL_WIDTH_M

HALL_RISERS, TRACK_RISERS = 14, 6
HALL_M = 0.0
PLATFORM_M = round(-HALL_RISERS * RISER_M, 6)
TRACK_M = round(PLATFORM_M - TRACK_RISERS * RISER_M, 6)
HALL_CEILING_M, PLATFORM_CEILING_M = 3.1, 1.1
# Along x: service side, platform; concourse, stairs, lower hall. Along y: track, platform, wall, hall.
PLATFORM_X, EAST_X, HALL_X, LANDING_X = 10.0, 30.0, 17.0, 26.0
EDGE_Y, WALL_Y, NORTH_Y = 3.6, 8.5, 16.0
THICK_M = 0.2
STAIRS_FOOT_X = HALL_X + (HALL_RISERS - 1) * TREAD_M
TRACK_FOOT_X = PLATFORM_X - (TRACK_RISERS - 1) * TREAD_M
TRACK_Y, SIDING_Y, CLOSET_Y = 2.0, 5.0, 7.3
TILE, CONCRETE = "station_tile", "concrete_grey"


def build_station(b: LevelBuilder) -> None:
    """Add the building; walls belong to no sub-scene, floors to the one on them."""
    _floors(b)
    _walls(b)
    _ways_down(b)
    _railway(b)


def _slab(
    b: LevelBuilder,
    kind: str,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    z: float,
    mat: str,
    thick_m: float = 0.2,
) -> None:
    b.level(0.0, HALL_CEILING_M)
    b.fixed(
        kind,
        (x0 + x1) / 2,
        (y0 + y1) / 2,
        z=z,
        size_x_m=round(x1 - x0, 6),
        size_y_m=round(y1 - y0, 6),
        thick_m=thick_m,
        mat=mat,
    )


def _floors(b: LevelBuilder) -> None:
    south, north = WALL_Y + THICK_M / 2, WALL_Y - THICK_M / 2
    b.region = "concourse"
    _slab(b, "floor", 0.0, south, HALL_X, NORTH_Y, HALL_M, "hall_floor")
    _slab(b, "floor", HALL_X, south, LANDING_X, NORTH_Y, PLATFORM_M, "platform_floor")
    _slab(b, "ceiling", 0.0, south, LANDING_X, NORTH_Y, HALL_CEILING_M + 0.1, "ceiling_grey", 0.1)
    b.region = "platform"
    _slab(b, "floor", PLATFORM_X, EDGE_Y + 0.9, EAST_X, north, PLATFORM_M, "platform_floor", 1.02)
    b.level(PLATFORM_M, PLATFORM_CEILING_M)
    b.fixed("platform_edge", (PLATFORM_X + EAST_X) / 2, EDGE_Y + 0.45, 90.0, length_m=EAST_X - PLATFORM_X)
    _slab(b, "floor", PLATFORM_X, EDGE_Y, EAST_X, EDGE_Y + 0.9, PLATFORM_M - 0.3, "concrete_light", 0.72)
    _slab(b, "floor", PLATFORM_X, 0.0, EAST_X, EDGE_Y, TRACK_M, "ballast")
    _slab(b, "ceiling", PLATFORM_X, 0.0, EAST_X, north, PLATFORM_CEILING_M + 0.1, "ceiling_grey", 0.1)
    b.region = "trackside"
    _slab(b, "floor", -1.3, 0.0, PLATFORM_X, 6.2, TRACK_M, "ballast")
    _slab(b, "floor", 0.0, 6.2, PLATFORM_X, north, TRACK_M, "service_floor")
    _slab(b, "ceiling", 0.0, 0.0, PLATFORM_X, north, PLATFORM_CEILING_M + 0.1, "concrete_grey", 0.1)


def _wall(
    b: LevelBuilder,
    x: float,
    y: float,
    yaw: float,
    length_m: float,
    low_m: float,
    high_m: float,
    faces: tuple[str, str],
    openings: tuple[Opening, ...] = (),
) -> None:
    """A wall from `low_m` to `high_m`; `faces` are the materials of its (right, left) sides."""
    b.level(low_m, HALL_CEILING_M)
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
        openings=openings,
        skirting=False,
    )


def _band(b: LevelBuilder, x: float, y: float, yaw: float, length_m: float, floor_m: float, mat: str) -> None:
    b.level(floor_m, HALL_CEILING_M)
    b.fixed("wall_band", x, y, yaw, z=0.9, length_m=round(length_m, 6), mat=mat)


def _walls(b: LevelBuilder) -> None:
    b.region = ""
    half = THICK_M / 2
    top = HALL_CEILING_M
    # Between platform and hall; the way through is at the foot of the stairs.
    way = Opening(21.2 - PLATFORM_X, 25.6 - PLATFORM_X, PLATFORM_M - TRACK_M, PLATFORM_M - TRACK_M + 2.7)
    _wall(b, 0.0, WALL_Y, 0.0, PLATFORM_X, TRACK_M, top, (CONCRETE, TILE))
    _wall(b, PLATFORM_X, WALL_Y, 0.0, EAST_X - PLATFORM_X, TRACK_M, top, (TILE, TILE), (way,))
    _wall(b, 0.0, NORTH_Y + half, 0.0, LANDING_X, PLATFORM_M, top, (TILE, TILE))
    _wall(b, -half, WALL_Y - half, 90.0, NORTH_Y + THICK_M - WALL_Y + half, PLATFORM_M, top, (TILE, TILE))
    _wall(b, LANDING_X + half, WALL_Y + half, 90.0, NORTH_Y + half - WALL_Y, PLATFORM_M, top, (TILE, TILE))
    # Under the edge of the concourse.
    _wall(b, HALL_X - half, WALL_Y + half, 90.0, NORTH_Y - WALL_Y - half, PLATFORM_M, -0.2, (TILE, TILE))
    _wall(b, PLATFORM_X, -half, 0.0, EAST_X - PLATFORM_X, TRACK_M, PLATFORM_CEILING_M, (TILE, TILE))
    _wall(b, -1.4, -half, 0.0, PLATFORM_X + 1.4, TRACK_M, PLATFORM_CEILING_M, (CONCRETE, CONCRETE))
    mouth = Opening(TRACK_Y - PORTAL_WIDTH_M / 2, TRACK_Y + PORTAL_WIDTH_M / 2, 0.0, PORTAL_HEIGHT_M)
    _wall(b, -half, 0.0, 90.0, WALL_Y - half, TRACK_M, PLATFORM_CEILING_M, (CONCRETE, CONCRETE), (mouth,))
    low = PLATFORM_M - TRACK_M
    start = CLOSET_Y - DOOR_WIDTH_M / 2 + THICK_M
    closet = Opening(start, start + DOOR_WIDTH_M, low, low + DOOR_HEIGHT_M)
    east = WALL_Y + THICK_M + half
    _wall(b, EAST_X + half, -THICK_M, 90.0, east, TRACK_M, PLATFORM_CEILING_M, (CONCRETE, TILE), (closet,))
    _closet(b)
    for x, y, yaw, length, floor, mat in (
        (HALL_X / 2, WALL_Y + half, 90.0, HALL_X, HALL_M, "band_green"),
        (HALL_X / 2, NORTH_Y, -90.0, HALL_X, HALL_M, "band_green"),
        (LANDING_X, (WALL_Y + half + NORTH_Y) / 2, 180.0, NORTH_Y - WALL_Y - half, PLATFORM_M, "band_green"),
        ((PLATFORM_X + 21.2) / 2, WALL_Y - half, -90.0, 21.2 - PLATFORM_X, PLATFORM_M, "band_blue"),
        ((EAST_X + 25.6) / 2, WALL_Y - half, -90.0, EAST_X - 25.6, PLATFORM_M, "band_blue"),
        ((PLATFORM_X + EAST_X) / 2, 0.0, 90.0, EAST_X - PLATFORM_X, PLATFORM_M, "band_blue"),
    ):
        _band(b, x, y, yaw, length, floor, mat)


def _closet(b: LevelBuilder) -> None:
    """The cleaners' closet behind the service door."""
    near, far, half = EAST_X + THICK_M, EAST_X + 1.0, DOOR_WIDTH_M / 2 + 0.15
    b.region = "platform"
    _slab(b, "floor", near, CLOSET_Y - half, far, CLOSET_Y + half, PLATFORM_M, "service_floor")
    _slab(b, "ceiling", near, CLOSET_Y - half, far, CLOSET_Y + half, PLATFORM_M + 2.4, "concrete_grey", 0.1)
    for y in (CLOSET_Y - half - 0.1, CLOSET_Y + half + 0.1):
        _wall(b, near, y, 0.0, far - near, PLATFORM_M, PLATFORM_M + 2.4, (CONCRETE, CONCRETE))
    _wall(
        b,
        far + 0.1,
        CLOSET_Y - half - 0.2,
        90.0,
        2 * half + 0.4,
        PLATFORM_M,
        PLATFORM_M + 2.4,
        (CONCRETE, CONCRETE),
    )
    b.level(PLATFORM_M, PLATFORM_CEILING_M)
    b.fixed("service_door", EAST_X + THICK_M / 2, CLOSET_Y, 180.0)


def _ways_down(b: LevelBuilder) -> None:
    b.region = "concourse"
    b.level(PLATFORM_M, HALL_CEILING_M)
    b.fixed("stairs", STAIRS_FOOT_X, 13.25, risers=HALL_RISERS, width_m=2.7)
    # Their sides go on under the floors.
    sunk = ("floor_1", "floor_2", "wall_6")
    for y in (15.3, 11.2):
        b.fixed("escalator", STAIRS_FOOT_X, y, risers=HALL_RISERS, joined=sunk)
    b.region = "trackside"
    b.level(TRACK_M, PLATFORM_CEILING_M)
    b.fixed(
        "stairs", TRACK_FOOT_X, 7.55, 180.0, risers=TRACK_RISERS, width_m=1.6, mat="concrete_light", nosing=""
    )
    b.fixed("handrail", TRACK_FOOT_X, 6.7, 180.0, risers=TRACK_RISERS)


def _railway(b: LevelBuilder) -> None:
    b.region = "trackside"
    b.level(TRACK_M, PLATFORM_CEILING_M)
    b.fixed("tunnel_portal", 0.0, TRACK_Y, joined=("wall_8",))
    b.fixed("track", 14.35, TRACK_Y, length_m=31.2, sleepers_m=15.0)
    b.fixed("track", 4.9, SIDING_Y, length_m=5.6)
