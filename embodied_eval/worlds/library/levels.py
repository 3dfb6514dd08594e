"""What joins and edges levels: flights of steps, escalators, railings, platform edges."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import Design, Kind, switch
from embodied_eval.worlds.library.parts import box, cyl, rod
from embodied_eval.worlds.model import Primitive

RISER_M, TREAD_M = 0.17, 0.30


def _steps(risers: int, width_m: float, mat: str, nosing: str) -> tuple[Primitive, ...]:
    """Solid steps from the lower floor (x = 0, z = 0) up towards -x; the last riser ends at the upper floor."""
    parts: list[Primitive] = []
    for k in range(1, risers):
        x, top = -(k - 0.5) * TREAD_M, k * RISER_M
        parts.append(box((x, 0.0, 0.0), (TREAD_M, width_m, top), mat, bevel=0.0))
        if nosing:
            edge = (x + TREAD_M / 2 - 0.022, 0.0, top - 0.035)
            parts.append(box(edge, (0.048, width_m - 0.02, 0.037), nosing, bevel=0.0, solid=False))
    return tuple(parts)


def stairs(
    risers: int = 6, width_m: float = 1.4, mat: str = "granite_grey", nosing: str = "safety_yellow"
) -> Design:
    """A straight flight of `risers` of 0.17 m with treads of 0.30 m.

    The origin is the middle of its lower end; it rises towards -x by `risers` * 0.17 m over
    (`risers` - 1) * 0.30 m.
    """
    return Design(_steps(risers, width_m, mat, nosing))


def escalator(risers: int = 6, width_m: float = 0.96, initial: str = "on") -> Design:
    """An escalator with steel steps between balustrades; origin and rise as for `stairs`.

    `width_m` is the clear width. Its steps stand still; the running lights at both ends glow while it is on.
    """
    run, rise = (risers - 1) * TREAD_M, risers * RISER_M
    slope = round(math.degrees(math.atan2(rise, run + TREAD_M)), 4)
    length = math.hypot(rise, run + TREAD_M)
    parts: list[Primitive] = []
    for s in (-1.0, 1.0):
        y = s * (width_m / 2 + 0.1)
        middle = (-run / 2, y, rise / 2 - 0.16)
        # The panel is centred on the slope and reaches from the steps to the handrail.
        parts += [
            box(middle, (length + 0.1, 0.05, 0.96), "balustrade", bevel=0.0, rot=(0.0, slope, 0.0)),
            box(
                (-run / 2, y, rise / 2 - 0.28),
                (length + 0.2, 0.2, 0.3),
                "iron",
                bevel=0.0,
                rot=(0.0, slope, 0.0),
                solid=False,
            ),
            rod((-run - 0.3, y, rise + 0.92), (0.15, y, 0.92), 0.085, "rubber_black"),
            rod((-run - 0.3, y, rise + 0.92), (-run - 0.85, y, rise + 0.92), 0.085, "rubber_black"),
            rod((0.15, y, 0.92), (0.65, y, 0.92), 0.085, "rubber_black"),
            box((0.36, y, 0.0), (0.66, 0.16, 0.9), "steel", bevel=0.03),
            box((-run - 0.56, y, rise), (0.66, 0.16, 0.9), "steel", bevel=0.03),
            cyl(
                (0.698, y, 0.585), 0.11, 0.016, "running_light", bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False
            ),
        ]
    plates = (
        box((0.3, 0.0, 0.0), (0.6, width_m, 0.006), "steel", bevel=0.0, solid=False),
        box((-run - 0.3, 0.0, rise), (0.6, width_m, 0.006), "steel", bevel=0.0, solid=False),
    )
    return Design(
        (*_steps(risers, width_m + 0.14, "step_steel", "safety_yellow"), *parts, *plates),
        switch(initial),
    )


def railing(length_m: float = 2.0, glass: bool = True, mat: str = "chrome") -> Design:
    """A railing of 1.05 m along y, centred on the origin; with `glass` a solid pale panel under the rail."""
    half = length_m / 2 - 0.03
    count = max(2, round(length_m / 1.4) + 1)
    posts = tuple(
        box((0.0, -half + 2 * half * k / (count - 1), 0.0), (0.05, 0.05, 1.02), mat, bevel=0.004)
        for k in range(count)
    )
    fill: tuple[Primitive, ...]
    if glass:
        fill = (box((0.0, 0.0, 0.08), (0.016, length_m - 0.12, 0.84), "balustrade", bevel=0.0),)
    else:
        fill = tuple(box((0.0, 0.0, z), (0.03, length_m - 0.06, 0.04), mat, bevel=0.004) for z in (0.25, 0.6))
    return Design((*posts, *fill, box((0.0, 0.0, 1.0), (0.075, length_m, 0.06), mat, bevel=0.02)))


def handrail(risers: int = 6, mat: str = "chrome") -> Design:
    """A sloping handrail on posts beside a flight of `risers`; origin and rise as for `stairs`."""
    run, rise = (risers - 1) * TREAD_M, risers * RISER_M
    foot, head = (0.1, 0.0, 0.95), (-run - 0.2, 0.0, rise + 0.95)
    spots = (0.0, 1 / 3, 2 / 3, 1.0)
    posts = tuple(
        cyl((x, 0.0, z), 0.045, 0.95, mat)
        for x, z in ((-run * s + (0.08 if s == 0.0 else -0.12 if s == 1.0 else 0.0), rise * s) for s in spots)
    )
    middle = rod((0.1, 0.0, 0.5), (-run - 0.2, 0.0, rise + 0.5), 0.03, mat)
    return Design((*posts, middle, rod(foot, head, 0.055, mat, solid=True)))


def platform_edge(length_m: float = 4.0, width_m: float = 0.9) -> Design:
    """The edge of a platform along y, flush with its floor (top z = 0): tactile studs behind a white line.

    The track is at -x.
    """
    near = -width_m / 2
    return Design(
        (
            box((0.0, 0.0, -0.3), (width_m, length_m, 0.3), "platform_floor", bevel=0.0),
            box((near + 0.08, 0.0, 0.0), (0.12, length_m, 0.003), "edge_white", bevel=0.0, solid=False),
            box((near + 0.5, 0.0, 0.0), (0.4, length_m, 0.005), "tactile_yellow", bevel=0.0, solid=False),
        )
    )


def wall_band(length_m: float = 4.0, height_m: float = 0.25, mat: str = "band_green") -> Design:
    """A band of coloured tiles along a wall, along y; its back is on the wall."""
    return Design((box((0.006, 0.0, 0.0), (0.012, length_m, height_m), mat, bevel=0.0),))


KINDS = (
    Kind(
        "wall_band",
        "tile band",
        ("wall stripe", "coloured tiles", "band of tiles"),
        ((0.004, 0.5, 0.05), (0.1, 40.0, 1.0)),
        30.0,
        wall_band,
    ),
    Kind(
        "stairs",
        "stairs",
        ("staircase", "steps", "flight of stairs", "stairway"),
        ((0.8, 0.8, 0.3), (12.0, 8.0, 5.0)),
        3000.0,
        stairs,
    ),
    Kind(
        "escalator",
        "escalator",
        ("moving stairs", "moving staircase", "moving stairway"),
        ((1.5, 1.0, 1.0), (14.0, 2.2, 6.0)),
        3000.0,
        escalator,
    ),
    Kind(
        "railing",
        "railing",
        ("guard rail", "glass railing", "balustrade", "barrier railing"),
        ((0.03, 0.4, 0.9), (0.2, 20.0, 1.3)),
        40.0,
        railing,
    ),
    Kind(
        "handrail",
        "handrail",
        ("hand rail", "stair rail", "banister"),
        ((0.5, 0.03, 1.0), (12.0, 0.2, 5.0)),
        20.0,
        handrail,
    ),
    Kind(
        "platform_edge",
        "platform edge",
        ("tactile strip", "yellow line", "edge of the platform", "tactile paving"),
        ((0.5, 1.0, 0.1), (1.5, 40.0, 0.5)),
        2000.0,
        platform_edge,
    ),
)
