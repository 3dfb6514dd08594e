"""Fences of a garden, its gate, and the rose arch over a path."""

from __future__ import annotations

import math

from embodied_eval.worlds.library.kinds import Design, Kind, hinged
from embodied_eval.worlds.library.parts import ball, box, rod
from embodied_eval.worlds.model import Primitive

GATE_WIDTH_M = 1.3


def picket_fence(length_m: float = 2.4, paint: str = "picket_white") -> Design:
    """A picket fence along y; its outer face is at +x."""
    count = round(length_m / 0.3)
    step = length_m / count
    posts = max(2, round(length_m / 2.2) + 1)
    span = length_m - 0.1
    pickets = tuple(
        box(
            (0.03, -length_m / 2 + step * (k + 0.5), 0.06),
            (0.02, 0.13, 0.84 + 0.05 * (k % 2)),
            paint,
            bevel=0.004,
        )
        for k in range(count)
    )
    return Design(
        (
            *pickets,
            *(box((0.0, 0.0, z), (0.04, length_m, 0.07), paint, bevel=0.006) for z in (0.22, 0.66)),
            *(
                box((-0.04, -span / 2 + span * k / (posts - 1), 0.0), (0.09, 0.09, 1.0), paint, bevel=0.01)
                for k in range(posts)
            ),
        )
    )


def rail_fence(length_m: float = 3.0) -> Design:
    """A post and rail fence along y."""
    posts = max(2, round(length_m / 2.4) + 1)
    span = length_m - 0.14
    return Design(
        (
            *(
                box(
                    (0.0, -span / 2 + span * k / (posts - 1), 0.0),
                    (0.12, 0.12, 1.15),
                    "weathered_wood",
                    bevel=0.015,
                )
                for k in range(posts)
            ),
            *(
                box((0.0, 0.0, z), (0.05, length_m, 0.11), "weathered_wood", bevel=0.012)
                for z in (0.35, 0.88)
            ),
        )
    )


def garden_gate(paint: str = "picket_white", swing_deg: float = 88.0) -> Design:
    """A garden gate between two posts, closing a gap of `GATE_WIDTH_M`; the leaf hangs at -y."""
    half = GATE_WIDTH_M / 2
    leaf_w = GATE_WIDTH_M - 0.28
    # An odd number: one picket stands where one looks at.
    count = 7
    step = leaf_w / count
    leaf = (
        *(
            box(
                (0.025, -leaf_w / 2 + step * (k + 0.5), 0.08),
                (0.02, 0.1, 0.86 + 0.05 * min(k, count - 1 - k)),
                paint,
                bevel=0.004,
                part="leaf",
            )
            for k in range(count)
        ),
        *(box((0.0, 0.0, z), (0.035, leaf_w, 0.08), paint, bevel=0.006, part="leaf") for z in (0.2, 0.72)),
        rod((0.0, -leaf_w / 2 + 0.08, 0.26), (0.0, leaf_w / 2 - 0.08, 0.76), 0.05, paint, part="leaf"),
        box(
            (0.05, leaf_w / 2 - 0.05, 0.74), (0.04, 0.14, 0.05), "iron", bevel=0.006, part="leaf", solid=False
        ),
    )
    posts = tuple(
        item
        for s in (-1.0, 1.0)
        for item in (
            box((0.0, s * (half - 0.06), 0.0), (0.12, 0.12, 1.2), paint, bevel=0.012),
            ball((0.0, s * (half - 0.06), 1.18), 0.15, paint, solid=False),
        )
    )
    return Design((*posts, *leaf), hinged("leaf", (0.0, -leaf_w / 2, 0.0), swing_deg, seconds=1.2))


def rose_arch(petals: str = "petal_pink") -> Design:
    """An arch of laths over a path, overgrown with roses; one walks through it along x."""
    parts: list[Primitive] = []
    for s in (-1.0, 1.0):
        for x in (-0.26, 0.26):
            parts.append(box((x, 0.86 * s, 0.0), (0.05, 0.05, 2.0), "picket_white", bevel=0.004))
            parts.append(rod((x, 0.86 * s, 2.0), (x, 0.4 * s, 2.38), 0.05, "picket_white"))
        parts.append(box((0.0, 0.86 * s, 1.3), (0.5, 0.03, 0.03), "picket_white", bevel=0.0, solid=False))
    for x in (-0.26, 0.26):
        parts.append(rod((x, -0.4, 2.38), (x, 0.4, 2.38), 0.05, "picket_white"))
    for k in range(7):
        turn = math.pi * k / 6
        y, z = 0.9 * math.cos(turn), 1.3 + 1.02 * math.sin(turn)
        # Each tuft is longest along the arch.
        tilt = round(math.degrees(turn), 4)
        parts.append(
            ball((0.0, y, z - 0.42), (0.62, 0.42, 0.84), "shrub_leaf", rot=(tilt, 0.0, 0.0), solid=False)
        )
        parts.append(ball((0.26 * (1 if k % 2 else -1), 1.12 * y, z + 0.08), 0.14, petals, solid=False))
        parts.append(ball((0.28 * (-1 if k % 2 else 1), 0.84 * y, z - 0.2), 0.13, petals, solid=False))
    for s in (-1.0, 1.0):
        parts.append(ball((0.0, 0.9 * s, 0.05), (0.5, 0.36, 1.5), "shrub_leaf", solid=False))
        parts.append(ball((0.22 * s, 1.0 * s, 0.7), 0.14, petals, solid=False))
    return Design(tuple(parts))


KINDS = (
    Kind(
        "picket_fence",
        "picket fence",
        ("white fence", "garden fence", "fence"),
        ((0.05, 0.8, 0.7), (0.3, 24.0, 1.4)),
        80.0,
        picket_fence,
    ),
    Kind(
        "rail_fence",
        "post and rail fence",
        ("rail fence", "wooden fence", "field fence", "fence"),
        ((0.05, 1.0, 0.9), (0.3, 24.0, 1.5)),
        120.0,
        rail_fence,
    ),
    Kind(
        "garden_gate",
        "garden gate",
        ("gate", "white gate", "picket gate"),
        ((0.1, 1.0, 0.9), (0.4, 1.8, 1.6)),
        30.0,
        garden_gate,
    ),
    Kind(
        "rose_arch",
        "rose arch",
        ("arch of roses", "garden arch", "rose arbour", "pergola"),
        ((0.5, 1.6, 2.0), (1.2, 2.6, 3.0)),
        50.0,
        rose_arch,
    ),
)
