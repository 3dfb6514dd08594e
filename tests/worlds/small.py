"""Small worlds for tests, made of a few boxes."""

from __future__ import annotations

from embodied_eval.worlds.model import (
    Bounds,
    Interaction,
    Light,
    Material,
    PointOfInterest,
    Primitive,
    Region,
    Shape,
    Sky,
    Spawn,
    Sun,
    Vec3,
    World,
    WorldObject,
)


def solid(
    name: str,
    size: Vec3,
    position: Vec3,
    *,
    shape: Shape = "box",
    kind: str = "thing",
    yaw_deg: float = 0.0,
    **fields: object,
) -> WorldObject:
    """An object of one primitive; `position` is the middle of its underside."""
    primitive = Primitive(shape, size, (0.0, 0.0, size[2] / 2))
    return WorldObject(
        name,
        kind,
        name,
        (primitive,),
        position,
        (0.0, 0.0, yaw_deg),
        **fields,  # type: ignore[arg-type]
    )


def floor(size_m: float = 10.0, name: str = "floor") -> WorldObject:
    """A square slab whose top is at z = 0."""
    return solid(name, (size_m, size_m, 0.2), (0.0, 0.0, -0.2), kind="floor", supports="fixed")


def wall(name: str, size: Vec3, position: Vec3, **fields: object) -> WorldObject:
    """A fixed box."""
    return solid(name, size, position, kind="wall", **{"supports": "fixed", **fields})  # type: ignore[arg-type]


def door(name: str = "door", position: Vec3 = (2.0, 0.0, 0.0), *, initial: str = "closed") -> WorldObject:
    """A leaf of 0.9 m x 2.05 m in the plane x = const, hinged at its right end (-y), opening to +x."""
    leaf = Primitive("box", (0.04, 0.9, 2.05), (0.0, 0.0, 1.025), part="leaf")
    knob = Primitive("ellipsoid", (0.12, 0.06, 0.06), (0.0, 0.38, 1.0), part="leaf", collides=False)
    hinge = Interaction(
        "hinge", "leaf", (0.0, 0.0, 1.0), (0.0, -0.45, 0.0), -90.0, 1.0, ("closed", "open"), initial
    )
    return WorldObject(name, "door", "door", (leaf, knob), position, interaction=hinge, supports="fixed")


def lamp(name: str = "lamp", position: Vec3 = (1.5, 0.0, 0.0), *, initial: str = "off") -> WorldObject:
    """A post with a bulb that switches the light `lamp_light`."""
    post = Primitive("cylinder", (0.1, 0.1, 1.5), (0.0, 0.0, 0.75))
    bulb = Primitive("ellipsoid", (0.3, 0.3, 0.3), (0.0, 0.0, 1.6), material="bulb")
    switch = Interaction("toggle", states=("off", "on"), initial=initial, lights=("lamp_light",))
    return WorldObject(name, "lamp", "lamp", (post, bulb), position, interaction=switch)


def crate(name: str, position: Vec3, *, mass_kg: float = 5.0, edge_m: float = 0.4) -> WorldObject:
    """A box that can be pushed."""
    return solid(name, (edge_m, edge_m, edge_m), position, kind="crate", mass_kg=mass_kg, dynamic=True)


def ball(name: str, position: Vec3, *, diameter_m: float = 0.25) -> WorldObject:
    """A ball that can be pushed."""
    size = (diameter_m, diameter_m, diameter_m)
    return solid(name, size, position, shape="ellipsoid", kind="ball", mass_kg=0.5, dynamic=True)


def stairs(
    count: int = 5, rise_m: float = 0.18, tread_m: float = 0.28, start_x_m: float = 1.0
) -> list[WorldObject]:
    """`count` steps going up along +x, then a landing of 2 m."""
    steps = [
        wall(
            f"step_{index}",
            (tread_m, 1.6, rise_m * (index + 1)),
            (start_x_m + tread_m * (index + 0.5), 0.0, 0.0),
        )
        for index in range(count)
    ]
    end = start_x_m + tread_m * count
    return [*steps, wall("landing", (2.0, 1.6, rise_m * count), (end + 1.0, 0.0, 0.0))]


def world(
    *objects: WorldObject,
    spawn: Vec3 = (0.0, 0.0, 0.0),
    yaw_deg: float = 0.0,
    points: tuple[PointOfInterest, ...] = (),
    ground: bool = True,
    half_m: float = 5.0,
) -> World:
    """A world of those objects on a floor, seen at `spawn`."""
    items = (floor(2 * half_m), *objects) if ground else objects
    bounds = Bounds((-half_m, -half_m, -1.0), (half_m, half_m, 4.0))
    return World(
        name="small",
        version=1,
        description="A few boxes.",
        materials={
            "default": Material(),
            "bulb": Material(color=(1.0, 0.9, 0.7), emission=1.0),
        },
        objects=items,
        lights=(Light("lamp_light", (1.5, 0.0, 1.7)),),
        sun=Sun(),
        sky=Sky(),
        bounds=bounds,
        regions=(Region("all", "All", bounds, "Everything."),),
        spawns=(Spawn("start", spawn, yaw_deg, "all"),),
        points_of_interest=points,
    )
