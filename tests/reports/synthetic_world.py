"""A small world to draw: two rooms, a doorway, a window, furniture."""

from __future__ import annotations

from typing import Any

from embodied_eval.worlds.model import (
    Bounds,
    Interaction,
    Material,
    Primitive,
    Region,
    Sky,
    Spawn,
    Sun,
    World,
    WorldObject,
)


def box(size: tuple[float, float, float], at: tuple[float, float, float], **more: Any) -> Primitive:
    """A box of `size` centred at `at`."""
    return Primitive("box", size, at, **more)


def _part(name: str, kind: str, primitives: tuple[Primitive, ...]) -> WorldObject:
    return WorldObject(name, kind, kind, primitives, supports="fixed")


def world() -> World:
    """Two rooms with a doorway between them, a window, furniture, a hanging lamp and a ceiling."""
    wall = (
        _part("floor_1", "floor", (box((8, 4, 0.1), (4, 2, -0.05)),)),
        _part("ceiling_1", "ceiling", (box((8, 4, 0.1), (4, 2, 2.65)),)),
        _part("wall_n", "wall", (box((8, 0.1, 2.6), (4, 4, 1.3)),)),
        _part("wall_w", "wall", (box((0.1, 4, 2.6), (0, 2, 1.3)),)),
        _part("wall_e", "wall", (box((0.1, 4, 2.6), (8, 2, 1.3)),)),
        _part(
            "wall_s",
            "wall",
            # A window: sill below and lintel above the cut, so a gap in the plan.
            (
                box((5, 0.1, 2.6), (2.5, 0, 1.3)),
                box((1, 0.1, 0.9), (5.5, 0, 0.45)),
                box((1, 0.1, 0.4), (5.5, 0, 2.4)),
                box((2, 0.1, 2.6), (7, 0, 1.3)),
            ),
        ),
        _part(
            "wall_mid",
            "wall",
            (
                box((0.1, 1.5, 2.6), (5, 0.75, 1.3)),
                box((0.1, 1.6, 2.6), (5, 3.2, 1.3)),
                box((0.1, 0.9, 0.5), (5, 1.95, 2.35)),
            ),
        ),
    )
    things = (
        WorldObject("rug_1", "rug", "rug", (box((2.2, 1.6, 0.01), (0, 0, 0.005)),), (2.2, 1.8, 0)),
        WorldObject(
            "table_1",
            "dining_table",
            "dining table",
            (
                box((1.4, 0.8, 0.04), (0, 0, 0.72)),
                *(box((0.06, 0.06, 0.7), (x, y, 0.35)) for x in (-0.6, 0.6) for y in (-0.3, 0.3)),
            ),
            (2.2, 1.9, 0),
            (0, 0, 25),
        ),
        WorldObject(
            "sofa_1",
            "sofa",
            "sofa",
            (
                box((0.9, 2, 0.45), (0, 0, 0.22)),
                box((0.25, 2, 0.45), (-0.33, 0, 0.6)),
            ),
            (0.6, 2.6, 0),
        ),
        WorldObject(
            "vase_1", "vase", "vase", (Primitive("ellipsoid", (0.3, 0.3, 0.4), (0, 0, 0.9)),), (2.3, 2, 0)
        ),
        WorldObject(
            "lamp_1", "lamp", "hanging lamp", (Primitive("cone", (0.5, 0.5, 0.3), (0, 0, 2.2)),), (6.5, 2, 0)
        ),
        WorldObject(
            "bed_1",
            "bed",
            "bed",
            (
                box((2, 1.4, 0.5), (0, 0, 0.25)),
                Primitive("capsule", (0.2, 0.2, 1), (-0.8, 0, 0.6), (90, 0, 0)),
            ),
            (6.8, 3.2, 0),
            interaction=Interaction("toggle"),
        ),
    )
    return World(
        name="synthetic",
        version=1,
        description="two rooms",
        materials={"default": Material()},
        objects=wall + things,
        lights=(),
        sun=Sun(),
        sky=Sky(),
        bounds=Bounds((0, 0, 0), (8, 4, 2.7)),
        regions=(
            Region("west", "West room", Bounds((0, 0, 0), (5, 4, 2.7)), "A room."),
            Region("east", "East room", Bounds((5, 0, 0), (8, 4, 2.7)), "Another room."),
        ),
        spawns=(Spawn("start", (4, 2, 0), 180.0),),
    )
