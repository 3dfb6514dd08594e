"""Doors, windows and what hangs before them."""

from __future__ import annotations

from dataclasses import replace

from embodied_eval.worlds.library.kinds import Design, Kind, hinged
from embodied_eval.worlds.library.parts import ball, box, cyl, rod
from embodied_eval.worlds.model import Primitive

DOOR_WIDTH_M = 1.05
DOOR_HEIGHT_M = 2.08


def _frame(width_m: float, height_m: float, depth_m: float, mat: str) -> tuple[Primitive, ...]:
    jamb = 0.04
    return (
        box((0.0, width_m / 2 - jamb / 2, 0.0), (depth_m, jamb, height_m), mat, bevel=0.0),
        box((0.0, -width_m / 2 + jamb / 2, 0.0), (depth_m, jamb, height_m), mat, bevel=0.0),
        box((0.0, 0.0, height_m - jamb), (depth_m, width_m - 2 * jamb, jamb), mat, bevel=0.0),
    )


def door(
    leaf: str = "lacquer_white",
    panel: str = "lacquer_shade",
    frame: str = "trim_white",
    swing_deg: float = 92.0,
    opened: bool = False,
    locked: bool = False,
) -> Design:
    """A panelled door in its frame, filling an opening of `DOOR_WIDTH_M` x `DOOR_HEIGHT_M`.

    The leaf hangs at -y; a positive `swing_deg` opens it to the back. `locked` leaves it without a hinge.
    """
    width, height = DOOR_WIDTH_M - 0.084, DOOR_HEIGHT_M - 0.048
    part = "" if locked else "leaf"
    panels = tuple(
        box((x, 0.0, z), (0.008, width - 0.26, h), panel, bevel=0.004, part=part, solid=False)
        for x in (0.022, -0.022)
        for z, h in ((0.22, 0.66), (1.08, 0.76))
    )
    handles = tuple(
        item
        for x in (0.05, -0.05)
        for item in (
            cyl(
                (x * 0.6, width / 2 - 0.07, 0.99),
                0.045,
                0.02,
                "brass",
                rot=(0.0, 90.0, 0.0),
                part=part,
                solid=False,
            ),
            rod((x, width / 2 - 0.07, 1.0), (x, width / 2 - 0.17, 1.0), 0.02, "brass", part=part),
        )
    )
    spindle = rod((-0.05, width / 2 - 0.07, 1.0), (0.05, width / 2 - 0.07, 1.0), 0.018, "brass", part=part)
    hinge = None
    if not locked:
        hinge = hinged("leaf", (0.0, -width / 2, 0.0), swing_deg, seconds=1.0)
        if opened:
            hinge = replace(hinge, initial="open")
    return Design(
        (
            *_frame(DOOR_WIDTH_M, DOOR_HEIGHT_M, 0.16, frame),
            box((0.0, 0.0, 0.006), (0.04, width, height), leaf, bevel=0.004, part=part),
            *panels,
            *handles,
            spindle,
        ),
        hinge,
    )


def front_door() -> Design:
    """A solid entrance door in its frame, with a letter slot and a spy hole; it is locked."""
    plain = door(leaf="walnut", panel="walnut_shade", frame="trim_white", locked=True)
    return Design(
        (
            *plain.primitives,
            box((0.024, 0.0, 0.98), (0.008, 0.26, 0.05), "brass", bevel=0.003, solid=False),
            ball((0.024, 0.0, 1.52), 0.03, "brass", solid=False),
            cyl((0.03, 0.36, 1.12), 0.045, 0.02, "brass", rot=(0.0, 90.0, 0.0), solid=False),
        )
    )


def window(width_m: float = 1.6, height_m: float = 1.25, frame: str = "trim_white", panes: int = 2) -> Design:
    """A window frame with mullions and a sill, open to the sky; it fills an opening in a wall.

    Its inner side is +x, its underside z = 0.
    """
    bar = 0.05
    step = width_m / panes
    mullions = tuple(
        box((0.0, -width_m / 2 + step * index, bar), (0.06, bar, height_m - 2 * bar), frame, bevel=0.0)
        for index in range(1, panes)
    )
    return Design(
        (
            box((0.0, width_m / 2 - bar / 2, 0.0), (0.08, bar, height_m), frame, bevel=0.0),
            box((0.0, -width_m / 2 + bar / 2, 0.0), (0.08, bar, height_m), frame, bevel=0.0),
            box((0.0, 0.0, height_m - bar), (0.08, width_m - 2 * bar, bar), frame, bevel=0.0),
            box((0.0, 0.0, 0.0), (0.08, width_m - 2 * bar, bar), frame, bevel=0.0),
            *mullions,
            box((0.095, 0.0, 0.0), (0.07, width_m + 0.04, 0.03), frame, bevel=0.008, solid=False),
        )
    )


def curtain(width_m: float = 0.42, height_m: float = 2.2, fabric: str = "curtain_cream") -> Design:
    """One drawn-back curtain in soft folds; its back is to the wall, its hem at z = 0."""
    folds = 5
    step = width_m / folds
    parts = tuple(
        cyl(
            (0.09 + (0.012 if index % 2 else -0.012), -width_m / 2 + step * (index + 0.5), 0.0),
            step * 1.12,
            height_m,
            fabric,
            bevel=0.0,
            solid=False,
        )
        for index in range(folds)
    )
    return Design(
        (
            *parts,
            box((0.09, 0.0, 0.0), (0.06, width_m, height_m), fabric, bevel=0.01),
            rod(
                (0.09, -width_m / 2 - 0.03, height_m + 0.01),
                (0.09, width_m / 2 + 0.03, height_m + 0.01),
                0.026,
                "brass",
            ),
        )
    )


KINDS = (
    Kind(
        "door",
        "door",
        ("room door", "interior door", "bedroom door"),
        ((0.1, 0.8, 1.9), (1.1, 1.2, 2.3)),
        35.0,
        door,
    ),
    Kind(
        "front_door",
        "front door",
        ("entrance door", "house door", "main door"),
        ((0.1, 0.8, 1.9), (0.3, 1.2, 2.3)),
        60.0,
        front_door,
    ),
    Kind(
        "window", "window", ("window frame", "windowpane"), ((0.05, 0.4, 0.4), (0.35, 3.0, 2.2)), 30.0, window
    ),
    Kind(
        "curtain",
        "curtain",
        ("drape", "curtains", "drapes"),
        ((0.05, 0.25, 1.0), (0.3, 1.5, 2.6)),
        2.5,
        curtain,
    ),
)
