"""A `World` as a MuJoCo model.

Every (object, part) is one body. What can be pushed has a free joint, its parts are welded children; the rest
are mocap bodies, which can be put elsewhere at any time and never collide with each other. Object scale goes
into the sizes. Bodies are called `NAME/` for an object itself and `NAME/PART` for its parts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from embodied_eval.errors import DataFileError, MissingPart
from embodied_eval.worlds.geometry import (
    IDENTITY,
    NO_MESHES,
    Array,
    Solid,
    part_pose,
    quaternion,
    rotation_matrix,
    solids,
)
from embodied_eval.worlds.model import Mesh, Vec3, World, WorldObject

if TYPE_CHECKING:
    import mujoco

TIMESTEP_S = 0.005
ARENA_BYTES = 64 * 2**20
FRICTION = (0.8, 0.005, 0.001)
# Round things would roll for ever: this rolling resistance stops a ball within a few metres.
ROLLING_FRICTION = (0.8, 0.005, 0.012)
MIN_HALF_M = 5e-4
# Collision classes: worlds collide with bit 0; the agent has bit 1, which only bodies it can push listen to.
WORLD_BIT, AGENT_BIT = 1, 2


@dataclass(frozen=True)
class Placement:
    """How one object enters the model: its pose and scale now, `amount` of its device, `free` = it gets a
    free joint, `collides` = its colliding primitives do, `meshes` = those of its world."""

    item: WorldObject
    position: Vec3
    rotation: Array
    scale: Vec3
    amount: float | None = None
    free: bool = False
    collides: bool = True
    meshes: Mapping[str, Mesh] = field(default_factory=dict)

    @classmethod
    def of(
        cls, item: WorldObject, *, free: bool | None = None, meshes: Mapping[str, Mesh] = NO_MESHES
    ) -> Placement:
        """`item` as the world file says."""
        return cls(
            item,
            item.position,
            rotation_matrix(item.rotation_deg),
            item.scale,
            free=item.dynamic if free is None else free,
            collides=item.collides,
            meshes=meshes,
        )


def load_mujoco() -> Any:
    """The `mujoco` module; raises MissingPart with the command that installs it."""
    try:
        import mujoco
    except ImportError as error:
        raise MissingPart(
            f"The physics engine MuJoCo cannot be imported ({error}).",
            fix="pip install 'embodied-eval[mujoco]'",
        ) from error
    return mujoco


def body_name(name: str, part: str = "") -> str:
    """The name of the body of an object's part."""
    return f"{name}/{part}"


def parts_of(item: WorldObject) -> tuple[str, ...]:
    """The object's parts in order of appearance, "" (itself) first."""
    return tuple(dict.fromkeys(("", *(primitive.part for primitive in item.primitives))))


def empty_spec(name: str) -> mujoco.MjSpec:
    """A model of that name with our options and nothing in it."""
    mujoco = load_mujoco()
    spec = mujoco.MjSpec()
    spec.modelname = name
    spec.memory = ARENA_BYTES
    spec.option.timestep = TIMESTEP_S
    spec.option.gravity = (0.0, 0.0, -9.81)
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    # Stiffer friction: with 1, things on slopes and stacks creep.
    spec.option.impratio = 10.0
    return spec


def weighed_solids(
    item: WorldObject, scale: Vec3, meshes: Mapping[str, Mesh] = NO_MESHES
) -> list[tuple[Solid, float]]:
    """The object's primitives in its own frame, devices at 0, and their masses: `mass_kg` by volume. Raises
    DataFileError for a size that no solid can have."""
    shapes = solids(item, amount=0.0, scale=scale, meshes=meshes)
    if not shapes:
        raise DataFileError(f"Object {item.name!r} has no primitives.", hint="Give it at least one.")
    if not all(np.isfinite(solid.size).all() and min(solid.size) > 0.0 for solid in shapes):
        raise DataFileError(f"Object {item.name!r} has a primitive without size, or a scale of 0.")
    volumes = [solid.volume() for solid in shapes]
    total, mass_kg = sum(volumes), max(item.mass_kg, 1e-3)
    return [(solid, mass_kg * volume / total) for solid, volume in zip(shapes, volumes, strict=True)]


def add_object(spec: mujoco.MjSpec, placement: Placement) -> None:
    """Add one object's bodies to `spec`. Raises DataFileError for a size that no solid can have."""
    item = placement.item
    shapes = weighed_solids(item, placement.scale, placement.meshes)
    base = spec.worldbody.add_body(
        name=body_name(item.name), pos=placement.position, quat=quaternion(placement.rotation)
    )
    bodies = {"": base}
    for part in parts_of(item)[1:]:
        rotation, offset = IDENTITY, np.zeros(3)
        if item.interaction is not None and part == item.interaction.part:
            rotation, offset = part_pose(item.interaction, placement.amount, placement.scale)
        if placement.free:
            bodies[part] = base.add_body(
                name=body_name(item.name, part), pos=offset, quat=quaternion(rotation)
            )
        else:
            bodies[part] = spec.worldbody.add_body(
                name=body_name(item.name, part),
                pos=placement.rotation @ offset + np.array(placement.position),
                quat=quaternion(placement.rotation @ rotation),
                mocap=True,
            )
    if placement.free:
        base.add_freejoint()
    else:
        base.mocap = True
    for solid, mass_kg in shapes:
        geom = _add_geom(spec, bodies[solid.primitive.part], solid)
        geom.mass = mass_kg
        geom.contype, geom.conaffinity = collision_bits(placement.collides and solid.primitive.collides)


def collision_bits(solid: bool, *, pushed: bool = False, ghost: bool = False) -> tuple[int, int]:
    """(contype, conaffinity) of a geom; a `pushed` one feels the agent. A `ghost` belongs to a movable body
    whose collision is off: it ignores the agent alone, since it would fall through the floor otherwise."""
    if solid:
        return WORLD_BIT, WORLD_BIT | (AGENT_BIT if pushed else 0)
    return (WORLD_BIT, WORLD_BIT) if ghost else (0, 0)


def _add_geom(spec: mujoco.MjSpec, body: Any, solid: Solid) -> Any:
    kinds = load_mujoco().mjtGeom
    x, y, z = (max(extent / 2.0, MIN_HALF_M) for extent in solid.size)
    size: tuple[float, float, float] | None = None
    kind = kinds.mjGEOM_MESH
    round_base = abs(x - y) <= 1e-6 * max(x, y)
    if solid.shape == "box":
        kind, size = kinds.mjGEOM_BOX, (x, y, z)
    elif solid.shape == "ellipsoid":
        sphere = round_base and abs(x - z) <= 1e-6 * x
        kind, size = (kinds.mjGEOM_SPHERE, (x, 0.0, 0.0)) if sphere else (kinds.mjGEOM_ELLIPSOID, (x, y, z))
    elif solid.shape == "cylinder" and round_base:
        kind, size = kinds.mjGEOM_CYLINDER, (x, z, 0.0)
    elif solid.shape == "capsule" and round_base and z > x * (1.0 + 1e-6):
        kind, size = kinds.mjGEOM_CAPSULE, (x, z - x, 0.0)
    elif solid.shape == "capsule" and round_base:
        kind, size = kinds.mjGEOM_ELLIPSOID, (x, y, z)
    geom = body.add_geom(type=kind, friction=FRICTION)
    geom.pos, geom.quat = solid.center, quaternion(solid.rotation)
    if size is not None:
        geom.size = size
    else:
        geom.meshname = _hull(spec, solid)
    if solid.shape == "ellipsoid":
        geom.condim, geom.friction = 6, ROLLING_FRICTION
    return geom


def _hull(spec: mujoco.MjSpec, solid: Solid) -> str:
    numbers = ":".join(f"{value:.9g}" for value in (*solid.size, solid.taper))
    name = f"{solid.shape}:{numbers}" + (f":{solid.primitive.mesh}" if solid.hull is not None else "")
    if spec.mesh(name) is None:
        upright = replace(solid, center=np.zeros(3), rotation=IDENTITY)
        mesh = spec.add_mesh(name=name)
        mesh.uservert = upright.vertices().ravel()
        mesh.inertia = load_mujoco().mjtMeshInertia.mjMESH_INERTIA_CONVEX
    return name


def add_excludes(spec: mujoco.MjSpec, items: Sequence[WorldObject], free: Collection[str]) -> None:
    """Let objects that overlap on purpose (`joined`) overlap, where one of them could move."""
    present = {item.name: item for item in items}
    seen: set[tuple[str, str]] = set()
    for item in items:
        for other in item.joined:
            first, second = sorted((item.name, other))
            if other not in present or (first, second) in seen or not {first, second} & set(free):
                continue
            seen.add((first, second))
            for part in parts_of(present[first]):
                for against in parts_of(present[second]):
                    spec.add_exclude(bodyname1=body_name(first, part), bodyname2=body_name(second, against))


def compile_spec(spec: mujoco.MjSpec, what: str) -> mujoco.MjModel:
    """The compiled model; raises DataFileError with MuJoCo's own words where it refuses."""
    try:
        return spec.compile()
    except ValueError as error:
        raise DataFileError(f"MuJoCo refuses {what}: {error}") from error


def released(world: World) -> Mapping[str, bool]:
    """For each object, whether the clean check lets it fall.

    Held are the parts of the building and what hangs on it, what nothing could hold up (no colliding
    primitive), and what is joined to its own support.
    """
    held = ("fixed", "wall", "ceiling")
    return {
        item.name: item.supports not in held
        and item.supports not in item.joined
        and item.collides
        and any(primitive.collides for primitive in item.primitives)
        for item in world.objects
    }


def build(world: World, *, release: bool = False) -> mujoco.MjSpec:
    """The whole world; with `release` everything that could fall has a free joint (the clean check)."""
    spec = empty_spec(world.name)
    falls = released(world)
    free = {item.name for item in world.objects if (falls[item.name] if release else item.dynamic)}
    for item in world.objects:
        add_object(spec, Placement.of(item, free=item.name in free, meshes=world.meshes))
    add_excludes(spec, world.objects, free)
    return spec
