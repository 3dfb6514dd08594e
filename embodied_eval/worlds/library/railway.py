"""Railway things: a train car and its doors, track, buffer stop, signal, tunnel portal, rail trolley."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import Design, Kind
from embodied_eval.worlds.library.parts import ball, box, cyl, rod
from embodied_eval.worlds.model import Interaction, Primitive

CAR_LENGTH_M, CAR_WIDTH_M, CAR_FLOOR_M = 16.6, 2.8, 1.02
CAR_DOORS_M = (-4.6, 0.0, 4.6)
CAR_DOOR_WIDTH_M, CAR_DOOR_HEIGHT_M = 1.3, 1.95
SILL_M = 0.2
_CAB_M = 6.4


def train_car() -> Design:
    """An underground car, 16.6 m long along x, its cab at +x; the doors on its -y side are openings.

    Its origin is on the track bed. The floor, 1.02 m higher, and the seats along the far wall are solid, so
    one can walk in; sills of 0.2 m reach out to the platform. `train_door` fills an opening.
    """
    half, side = CAR_LENGTH_M / 2, CAR_WIDTH_M / 2
    low, high = CAR_FLOOR_M + 0.85, CAR_FLOOR_M + 1.7
    head, roof = CAR_FLOOR_M + CAR_DOOR_HEIGHT_M, CAR_FLOOR_M + 2.15
    wall_y = -side + 0.05
    edges = [-half, *(x + s * CAR_DOOR_WIDTH_M / 2 for x in CAR_DOORS_M for s in (-1, 1)), _CAB_M]
    bays: list[Primitive] = []
    for x0, x1 in zip(edges[::2], edges[1::2], strict=True):
        middle, length = (x0 + x1) / 2, x1 - x0
        bays += [
            box((middle, wall_y, CAR_FLOOR_M), (length, 0.1, 0.85), "train_red", bevel=0.0),
            box((middle, wall_y, high), (length, 0.1, head - high), "train_white", bevel=0.0),
            box((x0 + 0.13, wall_y, low), (0.26, 0.1, high - low), "train_white", bevel=0.0),
            box((x1 - 0.13, wall_y, low), (0.26, 0.1, high - low), "train_white", bevel=0.0),
        ]
    inside = (
        box((-0.95, side - 0.36, CAR_FLOOR_M), (13.6, 0.5, 0.42), "train_seat", bevel=0.03),
        box((-0.95, side - 0.16, CAR_FLOOR_M + 0.42), (13.6, 0.1, 0.5), "train_seat", bevel=0.03),
        box((-0.95, side - 0.105, low + 0.1), (13.6, 0.012, 0.7), "glass_dark", bevel=0.0, solid=False),
        box((-0.95, 0.0, roof - 0.03), (13.6, 0.3, 0.03), "light_tube", bevel=0.0, solid=False),
        *(cyl((x, 0.35, CAR_FLOOR_M), 0.04, roof - CAR_FLOOR_M, "safety_yellow") for x in CAR_DOORS_M),
        rod((-half + 0.5, 0.2, roof - 0.25), (_CAB_M - 0.3, 0.2, roof - 0.25), 0.035, "safety_yellow"),
        box(
            (_CAB_M - 0.05, 0.0, CAR_FLOOR_M),
            (0.1, CAR_WIDTH_M - 0.2, roof - CAR_FLOOR_M),
            "train_white",
            bevel=0.0,
        ),
    )
    cab_x, cab = (_CAB_M + half) / 2, half - _CAB_M
    front = (
        box((cab_x, 0.0, CAR_FLOOR_M), (cab, CAR_WIDTH_M, 0.85), "train_red", bevel=0.06),
        box((cab_x - 0.04, 0.0, low), (cab - 0.08, CAR_WIDTH_M, roof - low), "train_white", bevel=0.08),
        box((half - 0.075, 0.0, low + 0.02), (0.03, 2.3, 0.78), "glass_dark", bevel=0.01, solid=False),
        box((half - 0.07, 0.0, high + 0.06), (0.03, 1.1, 0.22), "plastic_black", bevel=0.01, solid=False),
        box((half - 0.053, 0.0, high + 0.1), (0.006, 0.8, 0.13), "board_text", bevel=0.0, solid=False),
        box((cab_x + 0.1, -side, low + 0.05), (1.0, 0.012, 0.7), "glass_dark", bevel=0.0, solid=False),
        *(
            cyl(
                (half + 0.003, y, CAR_FLOOR_M + 0.35),
                0.26,
                0.02,
                mat,
                bevel=0.006,
                rot=(0.0, 90.0, 0.0),
                solid=False,
            )
            for y, mat in ((-0.95, "light_tube"), (0.95, "light_tube"))
        ),
        box(
            (half + 0.003, 0.0, CAR_FLOOR_M + 0.02),
            (0.02, CAR_WIDTH_M - 0.2, 0.12),
            "safety_yellow",
            bevel=0.0,
            solid=False,
        ),
        cyl((half + 0.16, 0.0, 0.58), 0.2, 0.34, "iron", rot=(0.0, 90.0, 0.0), solid=False),
    )
    bogies = tuple(
        item
        for x in (half - 2.6,)
        for item in (
            box((x, 0.0, 0.28), (2.6, 1.9, 0.28), "iron", bevel=0.02, solid=False),
            *(
                cyl(
                    (x + dx, y, 0.53 - 0.05),
                    0.66,
                    0.1,
                    "rail_steel",
                    bevel=0.01,
                    rot=(90.0, 0.0, 0.0),
                    solid=False,
                )
                for dx in (-0.9, 0.9)
                for y in (-0.72, 0.72)
            ),
        )
    )
    return Design(
        (
            box((0.0, 0.0, 0.4), (CAR_LENGTH_M - 0.3, 2.5, 0.46), "iron", bevel=0.02),
            box((0.0, 0.0, 0.86), (CAR_LENGTH_M, CAR_WIDTH_M, CAR_FLOOR_M - 0.86), "train_floor", bevel=0.0),
            box(
                ((_CAB_M - half) / 2, side - 0.05, CAR_FLOOR_M),
                (_CAB_M + half, 0.1, roof - CAR_FLOOR_M),
                "train_white",
                bevel=0.0,
            ),
            box(
                (-half + 0.05, 0.0, CAR_FLOOR_M),
                (0.1, CAR_WIDTH_M - 0.2, roof - CAR_FLOOR_M),
                "train_white",
                bevel=0.0,
            ),
            box((0.0, 0.0, roof), (CAR_LENGTH_M - 0.1, CAR_WIDTH_M, 0.22), "train_roof", bevel=0.1),
            box(
                ((_CAB_M - half) / 2, wall_y, head),
                (_CAB_M + half, 0.1, roof - head),
                "train_white",
                bevel=0.0,
            ),
            *bays,
            *(
                box(
                    (x, -side - SILL_M / 2, CAR_FLOOR_M - 0.03),
                    (CAR_DOOR_WIDTH_M, SILL_M, 0.03),
                    "safety_yellow",
                    bevel=0.0,
                )
                for x in CAR_DOORS_M
            ),
            *inside,
            *front,
            *bogies,
        )
    )


def train_door(initial: str = "closed") -> Design:
    """A train door: its leaf slides along -y outside the car, whose side is at x = 0; +x is outwards.

    It stands on the sill, the middle of the opening at y = 0.
    """
    width, height = CAR_DOOR_WIDTH_M + 0.04, CAR_DOOR_HEIGHT_M - 0.02
    leaf = Interaction(
        "slide",
        "leaf",
        (0.0, -1.0, 0.0),
        travel=CAR_DOOR_WIDTH_M,
        seconds=1.2,
        states=("closed", "open"),
        initial=initial,
    )
    return Design(
        (
            box((0.035, 0.0, 0.02), (0.05, width, height), "train_red", bevel=0.01, part="leaf"),
            *(
                box((x, y, 0.85), (0.012, 0.44, 0.85), "glass_dark", bevel=0.0, part="leaf", solid=False)
                for x in (0.063,)
                for y in (-0.31, 0.31)
            ),
            box(
                (0.062, 0.0, 0.02), (0.006, 0.03, height), "rubber_black", bevel=0.0, part="leaf", solid=False
            ),
            box(
                (0.0615, 0.0, 0.3),
                (0.005, width - 0.1, 0.12),
                "enamel_white",
                bevel=0.0,
                part="leaf",
                solid=False,
            ),
            # The rail above the opening stays where it is.
            box(
                (0.03, 0.0, CAR_DOOR_HEIGHT_M + 0.02),
                (0.04, width, 0.05),
                "rubber_black",
                bevel=0.0,
                solid=False,
            ),
        ),
        leaf,
    )


def track(length_m: float = 6.0, spacing_m: float = 0.8, sleepers_m: float = 0.0) -> Design:
    """A track along x on the ballast at z = 0; sleepers only over the first `sleepers_m` from -x (0 = all)."""
    half = length_m / 2
    covered = sleepers_m or length_m
    count = int(covered / spacing_m)
    rails = tuple(
        item
        for y in (-0.72, 0.72)
        for item in (
            box((0.0, y, 0.0), (length_m, 0.05, 0.12), "rust", bevel=0.0),
            box((0.0, y, 0.12), (length_m, 0.075, 0.04), "rail_steel", bevel=0.008),
        )
    )
    return Design(
        (
            *rails,
            *(
                box(
                    (-half + (k + 0.5) * spacing_m, 0.0, 0.0),
                    (0.24, 2.3, 0.06),
                    "sleeper",
                    bevel=0.01,
                    solid=False,
                )
                for k in range(count)
            ),
        )
    )


def buffer_stop() -> Design:
    """A buffer stop: a red and white beam on steel trestles across the track; trains come from +x."""
    braces = tuple(rod((0.05, y, 0.75), (-0.75, y, 0.06), 0.1, "iron") for y in (-0.62, 0.62))
    return Design(
        (
            *(box((0.0, y, 0.0), (0.14, 0.14, 0.75), "iron", bevel=0.01) for y in (-0.62, 0.62)),
            *(box((-0.4, y, 0.0), (0.9, 0.1, 0.05), "iron", bevel=0.01) for y in (-0.62, 0.62)),
            *braces,
            box((0.0, 0.0, 0.75), (0.2, 2.0, 0.36), "barrier_stripes", bevel=0.01),
            *(
                cyl((0.15, y, 0.83), 0.3, 0.12, "rubber_black", rot=(0.0, 90.0, 0.0), solid=False)
                for y in (-0.62, 0.62)
            ),
            box((0.0, 0.0, 1.11), (0.16, 0.22, 0.22), "plastic_black", bevel=0.02),
            ball((0.08, 0.0, 1.15), (0.05, 0.14, 0.14), "signal_red", solid=False),
        )
    )


def signal_lamp(initial: str = "red") -> Design:
    """A light signal on a mast: a cover hides one of its two lenses, red or green."""
    change = Interaction(
        "slide",
        "cover",
        (0.0, 0.0, 1.0),
        travel=0.3,
        seconds=0.3,
        states=("red", "green"),
        initial=initial,
    )
    return Design(
        (
            box((0.0, 0.0, 0.0), (0.34, 0.34, 0.08), "concrete_light", bevel=0.01),
            cyl((0.0, 0.0, 0.08), 0.1, 1.5, "iron", bevel=0.0),
            box((0.0, 0.0, 1.55), (0.18, 0.36, 0.78), "plastic_black", bevel=0.03),
            cyl((0.095, 0.0, 2.07), 0.22, 0.02, "lens_red", bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False),
            cyl((0.095, 0.0, 1.77), 0.22, 0.02, "lens_green", bevel=0.0, rot=(0.0, 90.0, 0.0), solid=False),
            cyl(
                (0.114, 0.0, 1.765),
                0.25,
                0.014,
                "rubber_black",
                bevel=0.0,
                rot=(0.0, 90.0, 0.0),
                part="cover",
                solid=False,
            ),
            *(
                box((0.18, 0.0, z), (0.2, 0.28, 0.016), "plastic_black", bevel=0.0, solid=False)
                for z in (2.2, 1.9)
            ),
            box((0.095, 0.0, 1.4), (0.01, 0.2, 0.12), "enamel_white", bevel=0.0, solid=False),
        ),
        change,
    )


PORTAL_WIDTH_M, PORTAL_HEIGHT_M = 3.0, 3.4
_SPRING_M = 1.9


def tunnel_portal(depth_m: float = 1.3, wall_m: float = 0.2) -> Design:
    """The mouth of a tunnel: a ring of stones round a dark hole; its face is x = 0, it goes back to -x.

    It stands before an opening of `PORTAL_WIDTH_M` x `PORTAL_HEIGHT_M` in a wall that is `wall_m` thick.
    """
    half = PORTAL_WIDTH_M / 2
    run, middle = depth_m - wall_m, -(depth_m + wall_m) / 2
    # A ring of stones, and behind it a rougher one that closes the corners of the opening.
    stones = []
    rings = ((11, 0.4, 0.46, 0.14, 0.0, "portal_stone"), (2, 0.7, 1.2, 0.06, 0.12, "concrete_grey"))
    for count, deep, wide, thick, offset, mat in rings:
        for k in range(count):
            angle = 180.0 * (k + 0.5) / count
            radius = half + offset + deep / 2
            y, z = radius * math.cos(math.radians(angle)), radius * math.sin(math.radians(angle))
            at = (thick / 2, y, _SPRING_M + z - wide / 2)
            turn = (round(angle, 3), 0.0, 0.0)
            stones.append(box(at, (thick, deep, wide), mat, bevel=0.02, rot=turn, solid=False))
    return Design(
        (
            box((-depth_m, 0.0, 0.0), (0.1, 2 * half, PORTAL_HEIGHT_M), "tunnel_black", bevel=0.0),
            box((middle, 0.0, PORTAL_HEIGHT_M), (run, 2 * half + 0.4, 0.1), "tunnel_dark", bevel=0.0),
            *(
                box((middle, s * (half + 0.1), 0.0), (run, 0.2, PORTAL_HEIGHT_M), "tunnel_dark", bevel=0.0)
                for s in (-1.0, 1.0)
            ),
            *(
                box((0.06, s * (half + 0.2), 0.0), (0.12, 0.4, _SPRING_M), "portal_stone", bevel=0.02)
                for s in (-1.0, 1.0)
            ),
            *stones,
        )
    )


def rail_trolley() -> Design:
    """A flat maintenance trolley on four rail wheels, with a push bar; it runs along x on a track."""
    return Design(
        (
            *(
                cyl((x, y, 0.12 - 0.03), 0.24, 0.06, "iron", rot=(90.0, 0.0, 0.0))
                for x in (-0.65, 0.65)
                for y in (-0.72, 0.72)
            ),
            *(rod((x, -0.7, 0.12), (x, 0.7, 0.12), 0.06, "iron") for x in (-0.65, 0.65)),
            box((0.0, 0.0, 0.2), (2.0, 1.5, 0.1), "safety_yellow", bevel=0.01),
            box((0.0, 0.0, 0.3), (1.9, 1.4, 0.04), "pine", bevel=0.0),
            rod((-0.96, -0.6, 0.29), (-1.02, -0.6, 1.0), 0.04, "safety_yellow"),
            rod((-0.96, 0.6, 0.29), (-1.02, 0.6, 1.0), 0.04, "safety_yellow"),
            rod((-1.02, -0.6, 1.0), (-1.02, 0.6, 1.0), 0.045, "rubber_black"),
        )
    )


KINDS = (
    Kind(
        "train_car",
        "subway train",
        ("train", "underground train", "metro train", "train car", "carriage", "wagon"),
        ((12.0, 2.2, 2.6), (22.0, 3.6, 4.2)),
        20000.0,
        train_car,
    ),
    Kind(
        "train_door",
        "train door",
        ("carriage door", "sliding door", "subway door"),
        ((0.03, 1.0, 1.7), (0.3, 3.0, 2.4)),
        90.0,
        train_door,
    ),
    Kind(
        "track",
        "railway track",
        ("track", "rails", "tracks", "rail track"),
        ((2.0, 1.5, 0.05), (40.0, 3.0, 0.4)),
        3000.0,
        track,
    ),
    Kind(
        "buffer_stop",
        "buffer stop",
        ("end stop", "bumper post", "track end", "bumping post"),
        ((0.4, 1.4, 0.8), (1.6, 2.8, 1.8)),
        400.0,
        buffer_stop,
    ),
    Kind(
        "signal_lamp",
        "railway signal",
        ("signal", "signal lamp", "signal light", "train signal", "traffic light"),
        ((0.2, 0.25, 1.6), (0.6, 0.6, 3.2)),
        90.0,
        signal_lamp,
    ),
    Kind(
        "tunnel_portal",
        "tunnel mouth",
        ("tunnel", "tunnel entrance", "tunnel portal"),
        ((0.3, 2.5, 2.5), (4.0, 6.0, 5.5)),
        9000.0,
        tunnel_portal,
    ),
    Kind(
        "rail_trolley",
        "maintenance trolley",
        ("rail trolley", "rail cart", "track trolley", "flat trolley", "handcar"),
        ((1.2, 1.2, 0.7), (3.0, 2.0, 1.6)),
        160.0,
        rail_trolley,
    ),
)
