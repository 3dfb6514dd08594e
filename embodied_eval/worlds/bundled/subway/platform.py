"""The platform: a train at the edge, benches, boards and machines along the wall."""

from __future__ import annotations

from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.bundled.subway.station import (
    CLOSET_Y,
    EAST_X,
    PLATFORM_CEILING_M,
    PLATFORM_M,
    PLATFORM_X,
    TRACK_M,
    TRACK_Y,
    WALL_Y,
)
from embodied_eval.worlds.library.railway import CAR_DOORS_M, CAR_FLOOR_M, CAR_LENGTH_M, CAR_WIDTH_M
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The platform of the station. A train stands at its edge, some of its doors open; one can walk in. Benches, "
    "a vending machine, an emergency phone and lit posters line the tiled wall; departure boards hang over the "
    "yellow strip. The train doors, the departure boards, the vending machine, the posters, the lamps and the "
    "service door can be operated. The suitcases and the carton can be pushed. Steps at the western end lead "
    "down to the service side."
)
BACK_Y = WALL_Y - 0.1
# What hangs over the tile band keeps off the wall by its thickness.
BAND_M = 0.013
CAR_X = EAST_X - 0.1 - CAR_LENGTH_M / 2


def furnish_platform(b: LevelBuilder) -> None:
    """Furnish x 10..30, y 0..8.4."""
    b.add_region(
        "platform",
        "Platform",
        Bounds((PLATFORM_X, 0.0, TRACK_M), (EAST_X, BACK_Y, PLATFORM_CEILING_M)),
        DESCRIPTION,
    )
    _train(b)
    b.level(PLATFORM_M, PLATFORM_CEILING_M)
    _along_the_wall(b)
    _on_the_floor(b)
    b.add_spawn("platform", 16.4, 5.6, 20.0)
    b.add_spawn("platform_2", 28.9, 5.5, 176.0)
    for name, x, y in (
        ("platform_west", 11.2, 7.2),
        ("by_bench", 14.4, 6.9),
        ("by_train_door", 21.6, 4.7),
        ("by_way_up", 23.4, 7.6),
        ("platform_east", 29.0, 7.0),
        ("in_train", 21.6, 2.6),
    ):
        b.add_point(name, x, y)


def _train(b: LevelBuilder) -> None:
    b.level(TRACK_M, PLATFORM_CEILING_M)
    car = b.put("train_car", CAR_X, TRACK_Y, 180.0, supports="fixed", casts_shadow=False)
    for offset, initial in zip(CAR_DOORS_M, ("closed", "open", "open"), strict=True):
        b.put(
            "train_door",
            CAR_X - offset,
            TRACK_Y + CAR_WIDTH_M / 2,
            90.0,
            z=TRACK_M + CAR_FLOOR_M,
            supports=car,
            joined=(car,),
            casts_shadow=False,
            initial=initial,
        )


def _along_the_wall(b: LevelBuilder) -> None:
    for x in (14.4, 18.6):
        b.put("station_bench", x, BACK_Y - 0.36, -90.0)
    b.hang("station_sign", 14.4, BACK_Y - BAND_M, 1.9, -90.0)
    for x, motif in ((12.4, "holiday"), (16.5, "coffee"), (20.3, "film")):
        b.hang("poster_case", x, BACK_Y - BAND_M, 1.5, -90.0, motif=motif)
    b.put("vending_machine", 28.0, BACK_Y - 0.45, -90.0)
    b.hang("fire_extinguisher", 13.2, BACK_Y - BAND_M, 0.6, -90.0)
    b.put("help_point", 17.2, BACK_Y - 0.28, -90.0)
    b.put("litter_bin", 15.9, BACK_Y - 0.36, -90.0)
    b.put("litter_bin", 29.6, 5.2, -90.0)
    b.hang("security_camera", EAST_X, 5.0, 2.9, 180.0)
    b.put("bucket", EAST_X + 0.65, CLOSET_Y - 0.35)
    b.put("broom", EAST_X + 0.75, CLOSET_Y + 0.3, 180.0)
    b.hang("safety_mirror", 11.2, BACK_Y, 2.4, -90.0)


def _on_the_floor(b: LevelBuilder) -> None:
    for x in (14.0, 24.9):
        b.overhead("departure_board", x, 5.6, 0.0 if x < 20 else 180.0)
    b.overhead("direction_sign", 23.4, 7.6, -90.0)
    for x in (12.9, 20.4, 26.4):
        b.put("column", x, 6.6, height_m=PLATFORM_CEILING_M - PLATFORM_M)
    b.put("trolley_case", 19.6, 6.2, 100.0)
    b.put("suitcase", 15.6, 7.3, 80.0)
    b.put("carton", 26.95, 6.7, 15.0, dynamic=True)
    b.put("pigeon", 17.4, 5.9, -60.0)
    b.put("traffic_cone", 10.6, 4.3)
    b.put("wet_floor_sign", 24.6, 5.6, 70.0)
    b.put("paper_cup", 16.35, 7.2)
    b.put("person", 22.6, 5.6, -70.0, shirt="wool_navy", trousers="linen_grey")
    for x in (14.2, 19.2, 24.2, 28.6):
        b.overhead("strip_light", x, 6.0)
