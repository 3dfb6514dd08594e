"""The concourse: ticket hall, barriers, stairs and escalators, and the lower hall at their foot."""

from __future__ import annotations

from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.bundled.subway.station import (
    HALL_CEILING_M,
    HALL_M,
    HALL_X,
    LANDING_X,
    NORTH_Y,
    PLATFORM_M,
    WALL_Y,
)
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The concourse of the station. Ticket machines, a newspaper kiosk and a photo booth stand on the street side, "
    "whose entrance is shut for the night; a row of ticket barriers leads to the stairs and escalators, which go "
    "down to a lower hall and the platform. The ticket machines, the ticket barriers, the escalators, the "
    "lit posters and the lamps can be operated. Wheeled suitcases, boxes and the ball can be pushed."
)
SOUTH_Y = WALL_Y + 0.1
BARRIERS_X = 9.6
# What hangs over the tile band keeps off the wall by its thickness.
BAND_M = 0.013


def furnish_concourse(b: LevelBuilder) -> None:
    """Furnish x 0..26, y 8.6..16."""
    b.level(HALL_M, HALL_CEILING_M)
    b.add_region(
        "concourse",
        "Concourse",
        Bounds((0.0, SOUTH_Y, PLATFORM_M), (LANDING_X, NORTH_Y, HALL_CEILING_M)),
        DESCRIPTION,
    )
    _street_side(b)
    _barriers(b)
    _paid_side(b)
    _lower_hall(b)
    b.level(HALL_M, HALL_CEILING_M)
    b.add_spawn("concourse", 7.1, 11.4, 125.0)
    b.add_spawn("concourse_2", 15.6, 9.6, 150.0)
    for name, x, y in (
        ("by_ticket_machines", 3.9, 14.6),
        ("by_kiosk", 3.4, 10.6),
        ("by_map", 7.6, 15.1),
        ("by_entrance", 0.9, 12.4),
        ("stairs_head", 16.4, 13.25),
    ):
        b.add_point(name, x, y)
    b.level(PLATFORM_M, HALL_CEILING_M)
    b.add_spawn("concourse_3", 24.6, 12.4, 180.0)
    b.add_point("stairs_foot", 21.8, 13.25)


def _street_side(b: LevelBuilder) -> None:
    for x, initial in ((2.6, "on"), (3.9, "on"), (5.2, "off")):
        b.put("ticket_machine", x, NORTH_Y - 0.3, -90.0, initial=initial)
    b.hang("line_map", 7.4, NORTH_Y - BAND_M, 1.7, -90.0)
    b.put("photo_booth", 0.4, 14.6, 0.0)
    b.fixed("roller_shutter", 0.0, 12.0, 0.0, width_m=2.8, height_m=2.4)
    b.put("kiosk", 1.6, SOUTH_Y + 0.88, 90.0)
    b.hang("poster_case", 4.4, SOUTH_Y + BAND_M, 1.45, 90.0, motif="coffee")
    b.hang("poster_case", 8.4, SOUTH_Y + BAND_M, 1.45, 90.0, motif="film")
    bench = b.put("station_bench", 6.0, SOUTH_Y + 0.34, 90.0)
    b.on(bench, "newspaper", 0.03, 0.6, 12.0)
    b.put("litter_bin", 7.25, SOUTH_Y + 0.4, 90.0)
    for y in (10.7, 13.9):
        b.put("column", 7.9, y, height_m=HALL_CEILING_M)
    b.put("queue_barrier", 4.6, 13.6, 90.0)
    b.put("trolley_case", 3.1, 12.9, 20.0)
    b.put("toy_ball", 5.1, 11.9)
    b.put("carton", 3.35, 9.0, 10.0, dynamic=True)
    b.put("wet_floor_sign", 4.9, 10.5, 25.0)
    b.put("pushchair", 6.5, 14.4, -30.0)
    b.put("person", 4.15, 12.0, 100.0, shirt="wool_mustard")
    b.hang("security_camera", 0.0, 9.9, 2.7, 0.0)
    b.hang("fire_extinguisher", 0.0, 15.6, 0.9, 0.0)
    for x, y in ((3.8, 12.6), (3.8, 9.9), (7.2, 12.4)):
        b.overhead("strip_light", x, y)


def _barriers(b: LevelBuilder) -> None:
    # The last lane is wider, for luggage.
    lanes = ((9.8, "open"), (11.05, "closed"), (12.3, "closed"), (13.55, "open"))
    for y, initial in lanes:
        b.put("ticket_barrier", BARRIERS_X, y, initial=initial)
    b.put("railing", BARRIERS_X, 9.14, length_m=1.02)
    b.put("railing", BARRIERS_X, 15.44, length_m=1.06)


def _paid_side(b: LevelBuilder) -> None:
    b.overhead("direction_sign", 12.2, 12.4, 0.0)
    b.hang("station_sign", 12.0, NORTH_Y - BAND_M, 1.75, -90.0)
    b.hang("poster_case", 14.6, NORTH_Y - BAND_M, 1.45, -90.0, motif="holiday")
    b.put("station_bench", 12.0, NORTH_Y - 0.34, -90.0)
    b.put("potted_plant", 13.4, NORTH_Y - 0.5, 20.0, pot="ceramic_white", leaf="leaf_dark")
    b.put("station_clock", 11.6, 12.9)
    b.put("column", 13.6, 14.1, height_m=HALL_CEILING_M)
    b.put("litter_bin", 12.6, SOUTH_Y + 0.4, 90.0)
    b.put("help_point", 11.3, SOUTH_Y + 0.25, 90.0)
    b.put("traffic_cone", 15.0, 14.7)
    b.put("railing", HALL_X - 0.1, 9.56, length_m=1.9)
    b.put("pigeon", 14.6, 11.7, 140.0)
    for x, y in ((12.2, 14.2), (13.0, 9.9)):
        b.overhead("strip_light", x, y)


def _lower_hall(b: LevelBuilder) -> None:
    b.level(PLATFORM_M, HALL_CEILING_M)
    b.hang("station_sign", LANDING_X, 12.4, 1.9, 180.0)
    b.hang("poster_case", LANDING_X - BAND_M, 10.2, 1.45, 180.0, motif="holiday")
    b.put("trolley_case", 22.3, 9.6, 130.0, color="case_plum")
    b.put("litter_bin", 25.5, 9.1, 180.0)
    b.put("station_bench", 18.6, SOUTH_Y + 0.36, 90.0)
    b.overhead("strip_light", 23.4, 12.0, 90.0, drop_m=1.6)
