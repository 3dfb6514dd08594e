"""The service side at the end of the platform: tracks, tunnel mouth, cabinets, tools."""

from __future__ import annotations

from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.bundled.subway.station import (
    PLATFORM_CEILING_M,
    PLATFORM_M,
    PLATFORM_X,
    SIDING_Y,
    TRACK_M,
    WALL_Y,
)
from embodied_eval.worlds.model import Bounds

DESCRIPTION = (
    "The service side of the station, on the level of the tracks. The main track runs from the train into the "
    "tunnel mouth, a siding with a maintenance trolley ends at a buffer stop. Switch cabinets, drums and tools "
    "stand along the wall. The railway signal, the switch cabinets, the ventilation fan, the work light and the "
    "tunnel lamps can be operated. The tool trolley, the fuel can and the toolbox can be pushed. Steps lead up to "
    "the platform."
)
BACK_Y = WALL_Y - 0.1
RAIL_M = 0.16


def furnish_trackside(b: LevelBuilder) -> None:
    """Furnish x 0..10, y 0..8.4."""
    b.add_region(
        "trackside",
        "Trackside",
        Bounds((-1.3, 0.0, TRACK_M), (PLATFORM_X, BACK_Y, PLATFORM_CEILING_M)),
        DESCRIPTION,
    )
    b.level(PLATFORM_M, PLATFORM_CEILING_M)
    b.put("railing", PLATFORM_X + 0.1, 5.2, length_m=2.8, glass=False, mat="safety_yellow")
    b.level(TRACK_M, PLATFORM_CEILING_M)
    _by_the_tracks(b)
    _by_the_wall(b)
    b.add_spawn("trackside", 7.9, 7.4, 205.0)
    b.add_spawn("trackside_2", 2.5, 3.5, 14.0)
    for name, x, y in (
        ("steps_foot", 8.1, 7.2),
        ("by_signal", 2.2, 3.5),
        ("by_tunnel", 0.9, 2.0),
        ("by_cabinets", 4.2, 7.0),
        ("between_tracks", 5.4, 3.5),
        ("by_train_front", 11.6, 2.0),
    ):
        b.add_point(name, x, y)


def _by_the_tracks(b: LevelBuilder) -> None:
    b.put("buffer_stop", 2.2, SIDING_Y, joined=("track_2",))
    trolley = b.put("rail_trolley", 4.7, SIDING_Y, 180.0, z=TRACK_M + RAIL_M, supports="track_2")
    b.on(trolley, "cable_drum", -0.25, 0.0, 90.0)
    b.on(trolley, "hard_hat", 0.7, 0.3, 40.0)
    b.put("signal_lamp", 1.3, 3.5)
    b.put("signal_lamp", 9.3, 3.5, 180.0, initial="green")
    b.put("barricade", 8.4, 4.95)
    for x, y in ((8.3, 3.75), (8.0, 6.4), (2.6, 6.5)):
        b.put("traffic_cone", x, y)
    b.put("work_lamp", 6.9, 3.5, 150.0)
    pallet = b.put("pallet", 0.65, 5.0, 90.0)
    b.on(pallet, "carton", -0.28, 0.0, 5.0)
    b.on(pallet, "carton", 0.28, 0.0, -8.0)


def _by_the_wall(b: LevelBuilder) -> None:
    b.put("oil_drum", 0.45, 7.9)
    b.put("oil_drum", 1.1, 8.0, 50.0, color="plastic_red")
    b.on("oil_drum_1", "hard_hat", -0.05, 0.0, 200.0, color="plastic_orange")
    b.put("jerrycan", 1.75, 8.15, -70.0, dynamic=True)
    b.put("wheelbarrow", 1.1, 6.8, 20.0)
    for x in (2.6, 3.7):
        b.put("electric_cabinet", x, BACK_Y - 0.25, -90.0)
    b.hang("warning_sign", 3.15, BACK_Y, 1.95, -90.0)
    b.hang("cable_tray", 4.1, BACK_Y, 2.7, -90.0, length_m=7.8)
    b.hang("tunnel_fan", 4.9, BACK_Y, 1.9, -90.0)
    b.put("tool_trolley", 4.8, BACK_Y - 0.4, -90.0, dynamic=True)
    b.put("step_ladder", 6.0, 7.85, -90.0)
    b.put("toolbox", 4.3, 6.4, 30.0)
    b.hang("fire_extinguisher", 7.4, BACK_Y, 0.7, -90.0)
    b.hang("bulkhead_light", 1.2, BACK_Y, 2.1, -90.0)
    b.hang("bulkhead_light", 7.4, BACK_Y, 2.1, -90.0)
    b.hang("bulkhead_light", 0.0, 5.6, 2.4, 0.0)
