"""The proof that a world is clean, before anything is planted in it.

Released under gravity nothing moves, nothing interpenetrates, every size is plausible, every spawn and point
of interest can be walked to, and every name that is used exists.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from embodied_eval.errors import DataFileError
from embodied_eval.records import Json
from embodied_eval.worlds import mjcf
from embodied_eval.worlds.geometry import Array, object_extent
from embodied_eval.worlds.meshes import shape_of
from embodied_eval.worlds.model import PointOfInterest, Spawn, Vec3, World, WorldObject
from embodied_eval.worlds.navigation import NavGrid

if TYPE_CHECKING:
    import mujoco

RELEASE_S = 2.0
MOVED_LIMIT_M, TURNED_LIMIT_DEG = 0.01, 1.0
OVERLAP_LIMIT_M = 0.005
# The capsule of the reachability check keeps this much more than its radius from everything.
_WALK_CLEARANCE_M = 0.01


class SizedKind(Protocol):
    """What the checks need to know of an object-library kind."""

    @property
    def size_m(self) -> tuple[Vec3, Vec3]:
        """Smallest and largest plausible extents (x, y, z)."""


@dataclass(frozen=True)
class Problem:
    """One fault: which `check`, which object (two for a pair: "a + b"), what was measured in `unit` and
    what was allowed. `text` says it in a sentence."""

    check: str
    object: str
    measured: float | None
    limit: float | None
    unit: str
    text: str


@dataclass(frozen=True)
class CleanReport:
    """What the clean check found. `largest_move_m`, `largest_turn_deg` and `deepest_overlap_m` are over the
    whole world, also where they are within limits; `released` counts the objects let fall."""

    world: str
    world_sha256: str
    problems: tuple[Problem, ...]
    released: int
    largest_move_m: float
    largest_turn_deg: float
    deepest_overlap_m: float

    @property
    def clean(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def to_json(self) -> dict[str, Json]:
        """As a JSON object."""
        return {
            **asdict(self),
            "problems": [asdict(problem) for problem in self.problems],
            "clean": self.clean,
        }


def clean_report(world: World, *, kinds: Mapping[str, SizedKind] | None = None) -> CleanReport:
    """Check `world`; `kinds` defaults to the object library's. Broken references end the check early, since
    nothing else can be measured then."""
    problems = list(_references(world))
    if problems:
        return CleanReport(world.name, world.sha256, tuple(problems), 0, 0.0, 0.0, 0.0)
    if kinds is None:
        from embodied_eval.worlds.library import KINDS

        kinds = KINDS
    problems += _sizes(world, kinds)
    fallen, moved_m, turned_deg, count = _release(world)
    overlaps, deepest_m = _overlaps(world)
    problems += [*fallen, *overlaps, *_reach(world)]
    return CleanReport(world.name, world.sha256, tuple(problems), count, moved_m, turned_deg, deepest_m)


def _references(world: World) -> Iterator[Problem]:
    groups: dict[str, list[str]] = {
        "object": [item.name for item in world.objects],
        "light": [light.name for light in world.lights],
        "region": [region.name for region in world.regions],
        "spawn": [spawn.name for spawn in world.spawns],
        "point of interest": [point.name for point in world.points_of_interest],
    }
    for what, names in groups.items():
        for name, times in Counter(names).items():
            if times > 1:
                yield Problem("names", name, times, 1, "", f"{times} times a {what} called {name!r}.")
    if not world.spawns:
        yield Problem("names", "", 0, 1, "", "The world has no spawn.")
    objects, lights, regions = set(groups["object"]), set(groups["light"]), set(groups["region"])
    for item in world.objects:
        for text in _missing(item, world.materials, lights, objects, regions):
            yield Problem("references", item.name, None, None, "", text)
        for part in item.primitives:
            if part.shape == "mesh" and part.mesh not in world.meshes:
                text = f"{item.name!r} shows mesh {part.mesh!r}, which there is not."
                yield Problem("references", item.name, None, None, "", text)
    for name, mesh in world.meshes.items():
        try:
            shape_of(mesh, f"Mesh {name!r}")
        except DataFileError as error:
            yield Problem("meshes", name, None, None, "", error.message)
    for place in _places(world):
        if place.region and place.region not in regions:
            text = f"{place.name!r} stands in region {place.region!r}, which there is not."
            yield Problem("references", place.name, None, None, "", text)


def _missing(
    item: WorldObject,
    materials: Collection[str],
    lights: Collection[str],
    objects: Collection[str],
    regions: Collection[str],
) -> Iterator[str]:
    used = {part.material for part in item.primitives if part.material or part.shape != "mesh"}
    for material in sorted(used - set(materials)):
        if material != "default":
            yield f"{item.name!r} uses material {material!r}, which there is not."
    if item.supports not in {"floor", "wall", "ceiling", "fixed", *objects}:
        yield f"{item.name!r} rests on {item.supports!r}, which there is not."
    for other in sorted(set(item.joined) - set(objects)):
        yield f"{item.name!r} is joined to {other!r}, which there is not."
    if item.region and item.region not in regions:
        yield f"{item.name!r} stands in region {item.region!r}, which there is not."
    if not item.primitives:
        yield f"{item.name!r} has no primitives."
    if item.interaction is None:
        return
    for light in sorted(set(item.interaction.lights) - set(lights)):
        yield f"{item.name!r} switches light {light!r}, which there is not."
    if item.interaction.initial not in item.interaction.states:
        yield f"{item.name!r} starts in state {item.interaction.initial!r}, which it has not."
    if item.interaction.part not in mjcf.parts_of(item):
        yield f"{item.name!r} moves part {item.interaction.part!r}, which it has not."


def _places(world: World) -> tuple[Spawn | PointOfInterest, ...]:
    return (*world.spawns, *world.points_of_interest)


def _sizes(world: World, kinds: Mapping[str, SizedKind]) -> Iterator[Problem]:
    for item in world.objects:
        if item.kind not in kinds:
            text = f"{item.name!r} is of kind {item.kind!r}, which the library does not know."
            yield Problem("size", item.name, None, None, "", text)
            continue
        smallest, largest = kinds[item.kind].size_m
        for axis, extent, low, high in zip(
            "xyz", object_extent(item, world.meshes), smallest, largest, strict=True
        ):
            if not low - 1e-6 <= extent <= high + 1e-6:
                text = f"{item.name!r} is {extent:.3f} m along {axis}; a {item.kind} has {low} to {high} m."
                yield Problem("size", item.name, extent, low if extent < low else high, "m", text)


def _release(world: World) -> tuple[list[Problem], float, float, int]:
    """Let everything that could fall do so for `RELEASE_S`: problems, largest move, largest turn, count."""
    engine = mjcf.load_mujoco()
    model = mjcf.compile_spec(mjcf.build(world, release=True), f"world {world.name!r}")
    data = engine.MjData(model)
    engine.mj_forward(model, data)
    names = [name for name, falls in mjcf.released(world).items() if falls]
    bodies = [model.body(mjcf.body_name(name)).id for name in names]
    places, turns = data.xpos[bodies].copy(), data.xquat[bodies].copy()
    for _ in range(round(RELEASE_S / mjcf.TIMESTEP_S)):
        engine.mj_step(model, data)
    engine.mj_kinematics(model, data)
    moved = np.linalg.norm(data.xpos[bodies] - places, axis=1)
    # The angle between two unit quaternions is 2 acos |q . p|.
    cosine = np.clip(np.abs((data.xquat[bodies] * turns).sum(axis=1)), 0.0, 1.0)
    turned = np.degrees(2.0 * np.arccos(cosine))
    problems = []
    for name, gone_m, angle_deg in zip(names, moved.tolist(), turned.tolist(), strict=True):
        if not gone_m <= MOVED_LIMIT_M:
            text = f"{name!r} moved {gone_m:.3f} m within {RELEASE_S:g} s of being released."
            problems.append(Problem("release", name, gone_m, MOVED_LIMIT_M, "m", text))
        if not angle_deg <= TURNED_LIMIT_DEG:
            text = f"{name!r} turned by {angle_deg:.2f} degrees within {RELEASE_S:g} s of being released."
            problems.append(Problem("release", name, angle_deg, TURNED_LIMIT_DEG, "deg", text))
    return problems, float(max(moved, default=0.0)), float(max(turned, default=0.0)), len(names)


def _overlaps(world: World) -> tuple[list[Problem], float]:
    """Pairs of objects, not joined on purpose, whose primitives (drawn-only ones included) interpenetrate."""
    model = mjcf.compile_spec(mjcf.build(world), f"world {world.name!r}")
    data = mjcf.load_mujoco().MjData(model)
    mjcf.load_mujoco().mj_kinematics(model, data)
    owner = np.zeros(model.ngeom, dtype=np.int64)
    for index, item in enumerate(world.objects):
        for part in mjcf.parts_of(item):
            body = model.body(mjcf.body_name(item.name, part)).id
            start = int(model.body_geomadr[body])
            owner[start : start + int(model.body_geomnum[body])] = index
    joined = {frozenset((item.name, other)) for item in world.objects for other in item.joined}
    worst: dict[tuple[int, int], float] = {}
    deepest_m = 0.0
    for first, second in _crossing_boxes(model, data, owner):
        pair = (int(min(owner[first], owner[second])), int(max(owner[first], owner[second])))
        if frozenset(world.objects[index].name for index in pair) in joined:
            continue
        depth_m = -float(mjcf.load_mujoco().mj_geomDistance(model, data, first, second, 0.01, None))
        deepest_m = max(deepest_m, depth_m)
        if depth_m > max(OVERLAP_LIMIT_M, worst.get(pair, 0.0)):
            worst[pair] = depth_m
    problems = []
    for (one, other), depth_m in sorted(worst.items()):
        a, b = world.objects[one].name, world.objects[other].name
        text = f"{a!r} and {b!r} interpenetrate by {depth_m * 1000:.1f} mm and are not joined."
        problems.append(Problem("overlap", f"{a} + {b}", depth_m, OVERLAP_LIMIT_M, "m", text))
    return problems, deepest_m


def _crossing_boxes(model: mujoco.MjModel, data: mujoco.MjData, owner: Array) -> Iterator[tuple[int, int]]:
    """Pairs of geoms of different objects whose axis-aligned boxes overlap by more than the limit."""
    axes = data.geom_xmat.reshape(-1, 3, 3)
    center = data.geom_xpos + np.einsum("nij,nj->ni", axes, model.geom_aabb[:, :3])
    half = np.einsum("nij,nj->ni", np.abs(axes), model.geom_aabb[:, 3:])
    low, high = center - half, center + half
    order = np.argsort(low[:, 0], kind="stable")
    for rank, first in enumerate(order):
        rest = order[rank + 1 :]
        rest = rest[: int(np.searchsorted(low[rest, 0], high[first, 0]))]
        shared = np.minimum(high[rest], high[first]) - np.maximum(low[rest], low[first])
        for second in rest[(shared > OVERLAP_LIMIT_M).all(axis=1) & (owner[rest] != owner[first])]:
            yield int(first), int(second)


def _reach(world: World) -> Iterator[Problem]:
    grid = NavGrid(world, clearance_m=_WALK_CLEARANCE_M)
    for place in _places(world):
        x, y, z = place.position
        if not grid.free(x, y):
            text = f"A capsule of radius 0.3 m does not fit at {place.name!r} ({x:.2f}, {y:.2f})."
            yield Problem("reach", place.name, None, 0.3, "m", text)
            continue
        ground = float(grid.ground[grid.cell(x, y)])
        if abs(ground - z) > OVERLAP_LIMIT_M and isinstance(place, Spawn):
            text = f"Spawn {place.name!r} is at height {z:.3f} m; the ground there is at {ground:.3f} m."
            yield Problem("reach", place.name, z - ground, OVERLAP_LIMIT_M, "m", text)
    for spawn in world.spawns:
        reached = grid.reachable_from((spawn.position[0], spawn.position[1]))
        for place in _places(world):
            x, y, _ = place.position
            if grid.free(x, y) and not reached[grid.cell(x, y)]:
                near = grid.nearest_free(x, y, reachable_from=(spawn.position[0], spawn.position[1]))
                gap_m = math.dist(near, (x, y)) if near else None
                text = f"{place.name!r} cannot be walked to from spawn {spawn.name!r}."
                yield Problem("reach", place.name, gap_m, 0.0, "m", text)
