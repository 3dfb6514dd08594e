"""What a house on several levels is joined by and roofed with: wooden stairs, banisters, railings, a pitched roof."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.levels import RISER_M, TREAD_M
from embodied_eval.worlds.library.parts import ball, box
from embodied_eval.worlds.model import Primitive

SLOPE_DEG = round(math.degrees(math.atan2(RISER_M, TREAD_M)), 4)
_BOARD_M = 0.03


def wooden_stairs(
    risers: int = 6, width_m: float = 1.2, tread: str = "oak", body: str = "trim_white"
) -> Design:
    """A straight flight of `risers` of 0.17 m with treads of 0.30 m, boards on a painted body.

    The origin is the middle of its lower end; it rises towards -x by `risers` * 0.17 m over
    (`risers` - 1) * 0.30 m.
    """
    parts: list[Primitive] = []
    for k in range(1, risers):
        x, top = -(k - 0.5) * TREAD_M, k * RISER_M
        parts.append(box((x, 0.0, 0.0), (TREAD_M, width_m, top - _BOARD_M), body, bevel=0.0))
        parts.append(box((x + 0.01, 0.0, top - _BOARD_M), (TREAD_M + 0.02, width_m, _BOARD_M), tread))
    return Design(tuple(parts))


def _newel(x: float, z: float, height_m: float, paint: str, wood: str) -> tuple[Primitive, ...]:
    return (
        box((x, 0.0, z), (0.085, 0.085, height_m), paint, bevel=0.006),
        box((x, 0.0, z + height_m), (0.11, 0.11, 0.03), wood, bevel=0.008),
        ball((x, 0.0, z + height_m + 0.02), 0.09, wood, solid=False),
    )


def banister(risers: int = 6, wood: str = "oak", paint: str = "trim_white") -> Design:
    """The open side of a flight of `risers`: a board over the ends of the steps, balusters, a rail, two posts.

    Origin and rise as for `wooden_stairs`; it stands beside the flight, on the lower and the upper floor.
    """
    run, rise = (risers - 1) * TREAD_M, risers * RISER_M

    def nosing(x: float) -> float:
        return RISER_M - x * RISER_M / TREAD_M

    low, high = -0.2, -run + 0.14
    middle, length = (low + high) / 2, (low - high) / math.cos(math.radians(SLOPE_DEG))
    tilt = (0.0, SLOPE_DEG, 0.0)
    balusters = tuple(
        box((x, 0.0, nosing(x) - 0.03), (0.032, 0.032, 0.86), paint, bevel=0.004, solid=False)
        for x in (-(k - 0.5) * TREAD_M for k in range(1, risers))
    )
    return Design(
        (
            box((middle, 0.0, nosing(middle) - 0.21), (length, 0.04, 0.24), paint, bevel=0.004, rot=tilt),
            *balusters,
            box((-run / 2, 0.0, nosing(-run / 2) + 0.82), (length + 0.2, 0.065, 0.05), wood, rot=tilt),
            *_newel(0.09, 0.0, 1.12, paint, wood),
            *_newel(-run - 0.06, rise, 1.02, paint, wood),
        )
    )


def wooden_railing(
    length_m: float = 2.0, wood: str = "oak", paint: str = "trim_white", posts: int = 2
) -> Design:
    """A railing of 1.0 m with balusters along y, centred on the origin; `posts` of its ends (0 to 2) have a post."""
    count = max(2, round(length_m / 0.2))
    step = length_m / count
    half = length_m / 2 - 0.045
    ends: list[Primitive] = []
    for y in (half, -half)[:posts]:
        ends.append(box((0.0, y, 0.0), (0.085, 0.085, 1.06), paint, bevel=0.006))
        ends.append(box((0.0, y, 1.06), (0.11, 0.11, 0.03), wood, bevel=0.008))
    balusters = tuple(
        box(
            (0.0, -length_m / 2 + step * (k + 0.5), 0.06),
            (0.032, 0.032, 0.9),
            paint,
            bevel=0.004,
            solid=False,
        )
        for k in range(count)
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.05, length_m, 0.07), paint),
            *balusters,
            # The rails alone stop a walker; balusters are drawn.
            box((0.0, 0.0, 0.95), (0.07, length_m, 0.05), wood, bevel=0.015),
            *ends,
        )
    )


def roof_slope(
    length_m: float = 4.0, run_m: float = 2.0, pitch_deg: float = 25.0, mat: str = "pine", beam: str = "oak"
) -> Design:
    """One side of a pitched ceiling with rafters: from its eave along y (x = 0, z = 0) up towards +x over `run_m`."""
    pitch = math.radians(pitch_deg)
    length, thick, deep = run_m / math.cos(pitch), 0.1, 0.09
    tilt = (0.0, -pitch_deg, 0.0)

    def slab(y: float, width: float, t: float, off: float, mat: str, solid: bool, share: float) -> Primitive:
        """A board `width` wide, `t` thick, whose middle is `off` above the lower face, `share` of the way long."""
        x = run_m / 2 - math.sin(pitch) * off
        z = run_m / 2 * math.tan(pitch) + math.cos(pitch) * off
        return box((x, y, z - t / 2), (length * share, width, t), mat, bevel=0.0, rot=tilt, solid=solid)

    count = max(2, round(length_m / 1.1))
    rafters = tuple(
        slab(-length_m / 2 + length_m * (k + 0.5) / count, 0.08, deep, -deep / 2, beam, False, 0.94)
        for k in range(count)
    )
    return Design((slab(0.0, length_m, thick, thick / 2, mat, True, 1.0), *rafters))


def roof_beam(length_m: float = 4.0, mat: str = "oak") -> Design:
    """A ridge beam along y; its top is at z = 0."""
    return Design((box((0.0, 0.0, -0.2), (0.14, length_m, 0.2), mat, bevel=0.01),))


def wainscot(length_m: float = 3.0, height_m: float = 0.95, mat: str = "lacquer_navy") -> Design:
    """Panelling along the foot of a wall, along y, with a ledge on top; its back is on the wall."""
    return Design(
        (
            box((0.008, 0.0, 0.0), (0.016, length_m, height_m), mat, bevel=0.0),
            box((0.017, 0.0, height_m), (0.034, length_m, 0.035), mat, bevel=0.006),
        )
    )


KINDS = (
    Kind(
        "wooden_stairs",
        "staircase",
        ("stairs", "wooden stairs", "flight of stairs", "steps"),
        ((0.3, 0.8, 0.16), (6.0, 3.0, 4.0)),
        400.0,
        wooden_stairs,
    ),
    Kind(
        "banister",
        "banister",
        ("stair rail", "handrail", "balustrade", "stair railing"),
        ((0.5, 0.03, 1.0), (8.0, 0.2, 5.0)),
        30.0,
        banister,
    ),
    Kind(
        "wooden_railing",
        "wooden railing",
        ("railing", "gallery railing", "balustrade"),
        ((0.03, 0.4, 0.9), (0.2, 8.0, 1.3)),
        25.0,
        wooden_railing,
    ),
    Kind(
        "roof_slope",
        "sloping ceiling",
        ("pitched ceiling", "roof", "attic ceiling"),
        ((0.5, 0.5, 0.1), (10.0, 20.0, 6.0)),
        600.0,
        roof_slope,
    ),
    Kind(
        "roof_beam",
        "roof beam",
        ("ridge beam", "beam", "ceiling beam"),
        ((0.08, 0.5, 0.08), (0.4, 12.0, 0.5)),
        90.0,
        roof_beam,
    ),
    Kind(
        "wainscot",
        "wall panelling",
        ("panelling", "wainscot", "wainscoting", "dado"),
        ((0.01, 0.2, 0.3), (0.1, 20.0, 2.0)),
        20.0,
        wainscot,
    ),
)
