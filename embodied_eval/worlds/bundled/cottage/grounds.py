"""The lie of the land: lawn, lane, paths, fences and hedges, the raised kitchen garden, what is seen beyond."""

from __future__ import annotations

import math

from embodied_eval.worlds.bundled.subway.builder import LevelBuilder
from embodied_eval.worlds.library.garden_ground import PATH_TOP_M, STEP_TREAD_M
from embodied_eval.worlds.library.garden_water import POND_BED_M, POND_DEPTH_M
from embodied_eval.worlds.model import Vec3

LOW: Vec3 = (0.0, -3.0, -0.6)
HIGH: Vec3 = (26.0, 19.0, 6.0)
CEILING_M = 2.6
GATE_X = 11.5
RAISED_M, TERRACE_M = 0.3, 0.15
# The kitchen garden's south and east edges, where its walls stand.
KITCHEN_X, KITCHEN_Y = 7.5, 8.7
RAISED_STEPS_X, RAMP_Y = 4.4, 9.35
TERRACE = (8.5, 10.3, 16.2, 12.6)
BRIDGE_X = 21.6
POND_X, POND_Y, POND_LENGTH_M, POND_WIDTH_M = 21.0, 6.2, 6.6, 5.0
PATH = ((GATE_X, -1.2), (GATE_X, 2.0), (11.0, 4.4), (11.2, 7.2), (11.8, TERRACE[1] + 0.05))


def build_grounds(b: LevelBuilder) -> None:
    """Add the ground and what encloses it; hedges and hills belong to no sub-scene."""
    b.region = ""
    b.level(0.0, CEILING_M)
    _lawn(b)
    _paths(b)
    _raised_garden(b)
    _enclosure(b)
    _beyond(b)


def slab(
    b: LevelBuilder,
    kind: str,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    top: float,
    thick: float,
    mat: str,
    joined: tuple[str, ...] = (),
) -> str:
    """A level plate from (x0, y0) to (x1, y1), its top at the height `top`."""
    return b.fixed(
        kind,
        round((x0 + x1) / 2, 6),
        round((y0 + y1) / 2, 6),
        z=top,
        size_x_m=round(x1 - x0, 6),
        size_y_m=round(y1 - y0, 6),
        thick_m=thick,
        mat=mat,
        joined=joined,
    )


def _lawn(b: LevelBuilder) -> None:
    west, east = POND_X - POND_LENGTH_M / 2, POND_X + POND_LENGTH_M / 2
    south, north = POND_Y - POND_WIDTH_M / 2, POND_Y + POND_WIDTH_M / 2
    lawns = [
        slab(b, "ground", x0, y0, x1, y1, 0.0, 0.5, "lawn")
        for x0, y0, x1, y1 in (
            (0.0, 0.0, west, 19.0),
            (east, 0.0, 26.0, 19.0),
            (west, 0.0, east, south),
            (west, north, east, 19.0),
        )
    ]
    for x0, y0, x1, y1 in (
        (-46.0, -40.0, 13.0, 0.0),
        (13.0, -40.0, 72.0, 0.0),
        (-46.0, 19.0, 13.0, 59.0),
        (13.0, 19.0, 72.0, 59.0),
        (-46.0, 0.0, 0.0, 19.0),
        (26.0, 0.0, 72.0, 19.0),
    ):
        slab(b, "ground", x0, y0, x1, y1, 0.0, 0.5, "meadow")
    b.region = "pond"
    b.fixed(
        "pond",
        POND_X,
        POND_Y,
        z=-POND_BED_M - POND_DEPTH_M,
        length_m=POND_LENGTH_M,
        width_m=POND_WIDTH_M,
        joined=tuple(lawns),
    )
    b.region = ""


def _paths(b: LevelBuilder) -> None:
    b.fixed("gravel_path", 13.0, -2.1, points=((-50.0, 0.0), (0.0, 0.0), (50.0, 0.0)), width_m=2.2)
    b.region = "front_garden"
    b.fixed("gravel_path", 0.0, 0.0, points=PATH, width_m=1.3, joined=("gravel_path_1", "floor_1"))
    b.fixed(
        "gravel_path",
        0.0,
        0.0,
        points=((11.2, 6.8), (10.1, 8.9), (9.45, RAMP_Y)),
        width_m=0.9,
        joined=("gravel_path_2",),
    )
    east = (
        (11.6, 2.3),
        (15.5, 1.9),
        (BRIDGE_X - 0.6, 2.3),
        (BRIDGE_X, 3.0),
        (BRIDGE_X, POND_Y - POND_WIDTH_M / 2),
    )
    b.fixed("gravel_path", 0.0, 0.0, points=east, width_m=1.0, joined=("gravel_path_2",))
    b.fixed("stepping_stones", 7.3, 6.75, 160.5, count=9, pitch_m=0.68)
    b.region = ""


def _raised_garden(b: LevelBuilder) -> None:
    b.region = "kitchen_garden"
    slab(b, "ground", 0.0, KITCHEN_Y, KITCHEN_X, 19.0, RAISED_M, RAISED_M, "lawn")
    half = 0.14
    steps, ramp = 0.75, 0.6
    for x0, x1 in ((0.7, RAISED_STEPS_X - steps), (RAISED_STEPS_X + steps, KITCHEN_X + 2 * half)):
        b.fixed("dry_wall", (x0 + x1) / 2, KITCHEN_Y - half, 90.0, length_m=round(x1 - x0, 6))
    start = RAMP_Y + ramp
    b.fixed("dry_wall", KITCHEN_X + half, (start + 18.4) / 2, 0.0, length_m=round(18.4 - start, 6))
    b.fixed("garden_steps", RAISED_STEPS_X, KITCHEN_Y - STEP_TREAD_M, -90.0, risers=2, width_m=1.46)
    b.put("ramp", KITCHEN_X + 1.82, RAMP_Y, 0.0, rise_m=RAISED_M, length_m=1.8, width_m=1.16)
    b.level(RAISED_M, CEILING_M)
    trodden = ((RAISED_STEPS_X, KITCHEN_Y), (4.3, 15.6))
    b.fixed("gravel_path", 0.0, 0.0, points=trodden, width_m=0.95, mat="bark_mulch")
    b.level(0.0, CEILING_M)
    b.region = ""


def _enclosure(b: LevelBuilder) -> None:
    b.region = "front_garden"
    gap = 0.65
    for x0, x1 in ((5.0, GATE_X - gap), (GATE_X + gap, 18.0)):
        b.put("picket_fence", (x0 + x1) / 2, 0.0, -90.0, supports="fixed", length_m=round(x1 - x0, 6))
    b.put("garden_gate", GATE_X, 0.0, -90.0, z=PATH_TOP_M, supports="fixed", swing_deg=-88.0)
    b.region = ""
    for x, y, yaw, length, height in (
        (2.48, 0.0, 90.0, 4.9, 1.1),
        (22.0, 0.0, 90.0, 7.9, 1.1),
        (0.35, 4.4, 0.0, 7.9, 1.5),
        (13.0, 18.75, 90.0, 25.2, 1.6),
    ):
        b.put("hedge", x, y, yaw, supports="fixed", length_m=length, height_m=height, joined=_GROUND)
    b.put(
        "hedge",
        0.35,
        13.4,
        0.0,
        z=RAISED_M,
        supports="fixed",
        length_m=9.0,
        height_m=1.3,
        joined=("hedge_4",),
    )
    b.region = "pond"
    b.put("rail_fence", 25.75, 9.6, 0.0, supports="fixed", length_m=17.4)
    b.region = ""


_GROUND = ("ground_11",)


def _beyond(b: LevelBuilder) -> None:
    sunk = tuple(f"ground_{number}" for number in range(1, 12))
    hills: list[str] = []
    for x, y, wide, high, mat in (
        (-60.0, 66.0, 120.0, 15.0, "meadow"),
        (40.0, 104.0, 150.0, 19.0, "far_wood"),
        (110.0, 20.0, 110.0, 13.0, "meadow"),
        (20.0, -96.0, 150.0, 15.0, "far_wood"),
        (-84.0, -30.0, 100.0, 14.0, "meadow"),
    ):
        made = b.fixed("hill", x, y, width_m=wide, height_m=high, mat=mat, joined=(*sunk, *hills))
        hills.append(made)
    for kind, x, y, options in (
        ("poplar", -4.5, -6.0, {}),
        ("poplar", -6.8, -5.4, {"height_m": 9.0}),
        ("poplar", -9.2, -6.4, {"height_m": 8.5}),
        ("fir_tree", 29.6, 21.5, {"height_m": 7.5}),
        ("fir_tree", 33.0, 18.0, {"height_m": 6.5}),
        ("tree", 8.0, 22.5, {}),
        ("tree", 15.5, 23.5, {}),
        ("tree", 34.0, -7.0, {}),
        ("tree", 20.0, -7.5, {}),
    ):
        b.put(kind, x, y, round(math.fmod(53.0 * x, 360.0), 3), supports="fixed", **options)
