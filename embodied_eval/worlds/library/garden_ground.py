"""What a garden's ground is laid out with: paths, ramps, steps, stone walls, stepping stones, boulders."""

from __future__ import annotations

import math
from itertools import pairwise

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cone, cyl
from embodied_eval.worlds.model import Primitive

STEP_RISER_M, STEP_TREAD_M = 0.15, 0.34
PATH_TOP_M = 0.004
_BOARD_M = 0.05


def gravel_path(
    points: tuple[tuple[float, float], ...] = ((-1.0, 0.0), (1.0, 0.0)),
    width_m: float = 1.2,
    mat: str = "gravel",
) -> Design:
    """A path along `points` (m, in its frame), rounded at its bends; its top is 4 mm above the ground.

    Neighbouring pieces differ by 1 mm in height: what lies in one plane twice would glitter.
    """
    parts: list[Primitive] = []
    for index, ((x0, y0), (x1, y1)) in enumerate(pairwise(points)):
        length = math.hypot(x1 - x0, y1 - y0)
        yaw = round(math.degrees(math.atan2(y1 - y0, x1 - x0)), 4)
        top = PATH_TOP_M - 0.001 * (1 + index % 2)
        parts.append(
            box(
                ((x0 + x1) / 2, (y0 + y1) / 2, 0.0),
                (length, width_m, top),
                mat,
                bevel=0.0,
                rot=(0.0, 0.0, yaw),
            )
        )
        if index:
            parts.append(cyl((x0, y0, 0.0), width_m, PATH_TOP_M, mat, bevel=0.0))
    return Design(tuple(parts))


def stepping_stones(count: int = 5, pitch_m: float = 0.62) -> Design:
    """A row of flat round stones along x, a little to the left and to the right."""
    parts = tuple(
        cyl(
            (pitch_m * (k - (count - 1) / 2), 0.08 * math.sin(2.3 * k), 0.0),
            0.44 + 0.05 * (k % 3),
            0.035,
            "field_stone",
            bevel=0.012,
        )
        for k in range(count)
    )
    return Design(parts)


def garden_steps(risers: int = 2, width_m: float = 1.4, mat: str = "field_stone") -> Design:
    """Stone steps of 0.15 m; the origin is the middle of the lower end, they rise towards -x."""
    parts = tuple(
        box(
            (-(k - 0.5) * STEP_TREAD_M, 0.0, 0.0),
            (STEP_TREAD_M, width_m, k * STEP_RISER_M),
            mat,
            bevel=0.0,
        )
        for k in range(1, risers)
    )
    return Design(parts)


def ramp(length_m: float = 1.8, rise_m: float = 0.3, width_m: float = 1.1) -> Design:
    """A ramp of boards on beams from x = 0 up by `rise_m` towards -x, for a wheelbarrow."""
    slope = math.atan2(rise_m - _BOARD_M, length_m)
    along = math.hypot(length_m, rise_m - _BOARD_M)
    high = length_m / 2 * math.tan(slope)
    boards = tuple(
        box(
            (-length_m / 2 - _BOARD_M / 2 * math.sin(slope), y, high),
            (along, width_m / 3 - 0.015, _BOARD_M),
            "weathered_wood",
            bevel=0.004,
            rot=(0.0, round(math.degrees(slope), 4), 0.0),
        )
        for y in (-width_m / 3, 0.0, width_m / 3)
    )
    beams = tuple(
        box(
            (-share * length_m, 0.0, 0.0),
            (0.09, width_m, share * length_m * math.tan(slope) - 0.004),
            "shed_boards",
            bevel=0.004,
        )
        for share in (0.5, 0.95)
    )
    return Design((*boards, *beams))


def dry_wall(length_m: float = 2.4, height_m: float = 0.45) -> Design:
    """A dry stone wall along y with a coping of rough stones."""
    base = height_m - 0.1
    count = max(2, round(length_m / 0.7))
    step = length_m / count
    coping = tuple(
        box(
            (0.012 * math.sin(3.1 * k), -length_m / 2 + step * (k + 0.5), base - 0.02),
            (0.31 + 0.02 * (k % 3), step * 0.96, 0.1 + 0.03 * ((k * 5) % 3)),
            ("field_stone", "field_stone_dark")[k % 2],
            bevel=0.03,
            rot=(0.0, 0.0, round(3.0 * math.sin(2.3 * k), 4)),
        )
        for k in range(count)
    )
    return Design((box((0.0, 0.0, 0.0), (0.28, length_m, base), "field_stone", bevel=0.01), *coping))


def boulder(size_m: float = 0.6) -> Design:
    """A boulder with a smaller stone against it."""
    s = size_m
    return Design(
        (
            cone((0.0, 0.0, 0.0), 0.86 * s, 0.3 * s, "field_stone_dark", taper=0.9),
            ball(
                (0.0, 0.0, 0.0),
                (s, 0.84 * s, 0.62 * s),
                "field_stone_dark",
                rot=(0.0, 0.0, 20.0),
                solid=False,
            ),
            cone((0.5 * s, 0.3 * s, 0.0), 0.42 * s, 0.26 * s, "field_stone", taper=0.6),
        )
    )


KINDS = (
    Kind(
        "gravel_path",
        "gravel path",
        ("path", "garden path", "footpath", "lane"),
        ((0.6, 0.5, 0.002), (120.0, 120.0, 0.1)),
        2000.0,
        gravel_path,
    ),
    Kind(
        "stepping_stones",
        "stepping stones",
        ("flat stones", "stone path"),
        ((0.8, 0.3, 0.02), (6.0, 1.2, 0.1)),
        200.0,
        stepping_stones,
    ),
    Kind(
        "garden_steps",
        "garden steps",
        ("stone steps", "stone stair"),
        ((0.3, 0.6, 0.1), (3.0, 3.0, 1.5)),
        600.0,
        garden_steps,
    ),
    Kind(
        "ramp",
        "ramp",
        ("wooden ramp", "plank ramp", "slope", "boards"),
        ((0.6, 0.6, 0.2), (6.0, 3.0, 1.5)),
        900.0,
        ramp,
    ),
    Kind(
        "dry_wall",
        "dry stone wall",
        ("stone wall", "garden wall", "low wall"),
        ((0.2, 0.6, 0.3), (0.6, 12.0, 1.2)),
        900.0,
        dry_wall,
    ),
    Kind(
        "boulder",
        "boulder",
        ("rock", "stone", "large stone"),
        ((0.3, 0.3, 0.2), (2.0, 2.0, 1.5)),
        300.0,
        boulder,
    ),
)
