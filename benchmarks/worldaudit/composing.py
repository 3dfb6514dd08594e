"""Whether anomalies can stand beside each other: what is checked before a composition is played (spec 7.2).

A is unchanged, each addition is there, none hides or sets off another, every target can be reached. By
geometry alone; that the oracle still finds each of them is what the tests play.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from benchmarks.worldaudit.exposure import focus_of
from benchmarks.worldaudit.several import CHANGES, FACTOR, RAISE_M, VIEW_M, Addition, target_of
from embodied_eval.records import Json, Task

if TYPE_CHECKING:
    from embodied_eval.worlds.model import World, WorldObject
    from embodied_eval.worlds.navigation import NavGrid

CLEAR_M = 0.02
"""Touching is allowed, reaching into each other is not."""
APART_M = 0.3
REACH_M = 2.5
STEP_IN_M = 0.6
"""What is walked into has free floor within this distance of its side."""
MOST_ALIKE = 2
"""At most so many things of one label in the region, so that a report can name the one that is meant."""
BUILDING = ("floor", "wall", "ceiling", "fixed")
Box = tuple[Any, Any]


def candidates(world: World, task: Task) -> list[Addition]:
    """What could be added to `task` going by the object alone, in the world's order."""
    region = str(task.public["scene"])
    mine = [item for item in world.objects if item.region == region and item.supports != "fixed"]
    resting = {item.supports for item in world.objects}
    names = _names_of(task.private["target"])
    watched = {task.private["target"]["object"], *task.private["watch"]}
    made = []
    for item in mine:
        alike = sum(other.label == item.label for other in mine)
        own = {item.label, *item.synonyms}
        if item.name in watched or own & names or alike > MOST_ALIKE or item.name in resting:
            continue
        if item.dynamic or item.joined or not item.visible or not item.collides:
            continue
        made += [Addition(item.name, code) for code in CHANGES if _suits(item, code)]
    return [one for one in made if one.subcategory != task.private["subcategory"]]


def _suits(item: WorldObject, code: str) -> bool:
    low, high = _box(item)
    size = high - low
    if code == "C1":
        return bool(item.supports == "floor" and min(size[:2]) >= 0.3 and size[2] >= 0.4)
    free = item.interaction is None and item.supports not in ("wall", "ceiling")
    return bool(free and max(size) <= (1.6 if code == "G1" else 0.8) and min(size) >= 0.05)


def problems(world: World, task: Task, additions: Sequence[Addition]) -> list[str]:
    """What speaks against `additions` beside the anchor `task`; [] if nothing does."""
    names = [one.object for one in additions]
    codes = [str(task.private["subcategory"]), *(one.subcategory for one in additions)]
    found = []
    if len(set(names)) < len(names) or len(set(codes)) < len(codes):
        found.append("objects or sub-categories repeat")
    legal = set(candidates(world, task))
    found += [f"{one.object} is not fit for {one.subcategory}" for one in additions if one not in legal]
    if found:
        return found
    changed = altered(world, additions)
    return [
        *_overlaps(world, changed, task, additions),
        *_set_off(task, names),
        *_out_of_reach(changed, task, additions),
        *_not_shown(world, task, additions),
    ]


def altered(world: World, additions: Sequence[Addition]) -> World:
    """`world` with the additions in it as if it had been built so."""
    by_name = {one.object: one.subcategory for one in additions}
    made = tuple(_altered(item, by_name.get(item.name, "")) for item in world.objects)
    return replace(world, objects=made)


def _altered(item: WorldObject, code: str) -> WorldObject:
    x, y, z = item.position
    if code == "G1":
        return replace(item, position=(x, y, z + RAISE_M))
    if code == "G3":
        sx, sy, sz = item.scale
        return replace(item, scale=(sx * FACTOR, sy * FACTOR, sz * FACTOR))
    return replace(item, collides=False) if code == "C1" else item


def _overlaps(world: World, changed: World, task: Task, additions: Sequence[Addition]) -> list[str]:
    """An addition that reaches into something, leaves its region or comes near what A is about."""
    found = []
    bounds = world.region(str(task.public["scene"])).bounds
    anchor = _anchor_boxes(world, task)
    for one in additions:
        item = changed.object(one.object)
        low, high = _box(item)
        if any(low[i] < bounds.low[i] - CLEAR_M or high[i] > bounds.high[i] + CLEAR_M for i in range(3)):
            found.append(f"{one.object} leaves its region")
        for other in changed.objects:
            # The things of a shop or a shelf stand close: what touched it before may touch it now.
            if other.name in (one.object, item.supports) or one.subcategory == "C1":
                continue
            if _meet((low, high), _box(other), -CLEAR_M) and not _flat(other) and other.region:
                found.append(f"{one.object} reaches into {other.name}")
        found += [f"{one.object} is too near A" for box in anchor if _meet((low, high), box, APART_M)]
    return found


def _set_off(task: Task, names: Sequence[str]) -> list[str]:
    """A trigger of A that hears of an addition."""
    found = []
    for effect in task.private["effects"]:
        heard = {effect.get("target"), effect["trigger"].get("object"), effect["trigger"].get("with")}
        found += [f"A is set off by {name}" for name in names if name in heard]
    return found


def _out_of_reach(changed: World, task: Task, additions: Sequence[Addition]) -> list[str]:
    """A target that cannot be walked to with every door as it is, or not be seen from anywhere near."""
    from benchmarks.worldaudit.scripted.planner import Planner
    from embodied_eval.worlds.navigation import NavGrid

    grid = NavGrid(changed, open_doors=False)
    planner = Planner(changed)
    spawn = changed.spawn(str(task.public["spawn"])).position
    found = []
    focus = focus_of(task)
    places = {"A": focus} if focus else {}
    places |= {one.object: planner.centre(one.object) for one in additions}
    for name, place in places.items():
        spot = grid.nearest_free(place[0], place[1], reachable_from=(spawn[0], spawn[1]))
        if spot is None or math.dist(spot, place[:2]) > REACH_M:
            found.append(f"{name} cannot be reached")
            continue
        try:
            own = name if name != "A" else str(task.private["target"]["object"])
            planner.viewpoint((spawn[0], spawn[1]), own, VIEW_M, centre=place)
        except ValueError:
            found.append(f"{name} is hidden")
    return found


def _not_shown(world: World, task: Task, additions: Sequence[Addition]) -> list[str]:
    """An addition that its own solution cannot show in the world as it was built."""
    from benchmarks.worldaudit.scripted.oracle import planner_of

    planner, spawn = planner_of(world.name), world.spawn(str(task.public["spawn"])).position
    found = []
    for one in additions:
        if one.subcategory == "C1":
            found += [] if stand_of(world, task, one) else [f"{one.object} cannot be walked into"]
            continue
        x, y, z = target_of(world, one)["solution"]["steps"][0]["at"]
        try:
            planner.viewpoint((spawn[0], spawn[1]), one.object, VIEW_M, centre=(x, y, z))
        except ValueError:
            found.append(f"{one.object} is not seen from {VIEW_M} m")
    return found


def stand_of(world: World, task: Task, addition: Addition) -> tuple[float, float] | None:
    """The free floor point nearest to the middle of the object, metres; None if it is not beside the object."""
    low, high = _box(world.object(addition.object))
    middle = (low + high) / 2.0
    x, y, _z = world.spawn(str(task.public["spawn"])).position
    spot = _closed_grid(world.name).nearest_free(float(middle[0]), float(middle[1]), reachable_from=(x, y))
    if spot is None:
        return None
    gap = math.hypot(*(max(low[i] - spot[i], spot[i] - high[i], 0.0) for i in range(2)))
    return (round(spot[0], 2), round(spot[1], 2)) if gap <= STEP_IN_M else None


@cache
def _closed_grid(name: str) -> NavGrid:
    """The walkable floor of a bundled world with every door as it is at first."""
    from embodied_eval.worlds.bundled import load_world
    from embodied_eval.worlds.navigation import NavGrid

    return NavGrid(load_world(name), open_doors=False)


def _anchor_boxes(world: World, task: Task) -> list[Box]:
    """Where A is: its object as it was built, and where an effect moves or enlarges it."""
    names = {item.name for item in world.objects}
    made = []
    for effect in task.private["effects"]:
        change: Mapping[str, Json] = effect["change"]
        if effect.get("target") in names:
            item = world.object(effect["target"])
            made.append(_box(item))
            if change["kind"] == "offset":
                made.append(_box(replace(item, position=_sum(item.position, change["by_m"]))))
            if change["kind"] == "scale" and not isinstance(change["by"], list):
                scale = tuple(value * change["by"] for value in item.scale)
                made.append(_box(replace(item, scale=scale)))
        place = change.get("center_m") or change.get("position_m")
        if place:
            import numpy as np

            half = np.array(change.get("size_m", [0.8, 0.8, 1.6])) / 2.0
            made.append((np.array(place) - half, np.array(place) + half))
    return made


def _box(item: WorldObject) -> Box:
    from embodied_eval.worlds.geometry import joint_bounds, world_solids

    return joint_bounds(world_solids(item, meshes=None))


def _meet(one: Box, two: Box, margin_m: float) -> bool:
    """Whether two boxes come within `margin_m` of each other; negative = overlap by more than that."""
    return all(one[0][i] < two[1][i] + margin_m and two[0][i] < one[1][i] + margin_m for i in range(3))


def _flat(item: WorldObject) -> bool:
    """A rug: things may stand on it."""
    low, high = _box(item)
    return bool(high[2] - low[2] < 0.03)


def _sum(a: Sequence[float], b: Sequence[float]) -> tuple[float, float, float]:
    x, y, z = (float(p) + float(q) for p, q in zip(a, b, strict=True))
    return (x, y, z)


def _names_of(target: Mapping[str, Json]) -> set[str]:
    return set(itertools.chain([target["label"]], target.get("synonyms", ())))
