"""Where an episode starts: the task's own start, or one a third of the way to the anomaly (spec, section 7.1).

The near start follows from the truth. It is kept in the private half of a task and reaches the episode as a
pose alone.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from benchmarks.worldaudit.exposure import focus_of
from embodied_eval.errors import DataFileError
from embodied_eval.records import Pose, Task

if TYPE_CHECKING:
    from embodied_eval.worlds.model import World
    from embodied_eval.worlds.navigation import NavGrid

NEAR_SHARE = 1.0 / 3.0
Point = tuple[float, float]


def start_of(task: Task, world: World, mode: str) -> Pose:
    """The start of `task` in `world`: `mode` "default" or "near", the same yaw in both.

    Raises DataFileError for a task that has no near start.
    """
    spawn = world.spawn(str(task.public["spawn"]))
    yaw_deg = float(task.public.get("yaw_deg", spawn.yaw_deg))
    if mode == "default":
        return Pose(*spawn.position, yaw_deg)
    if "near" not in task.private:
        raise DataFileError(
            f"Task {task.id} has no near start.",
            hint="Add it: python -m benchmarks.worldaudit.make_near --write",
        )
    x, y, z = (float(value) for value in task.private["near"])
    return Pose(x, y, z, yaw_deg)


def near_point(task: Task, world: World) -> tuple[float, float, float]:
    """The feet point one third along the navigable route from the start to the floor point nearest to the
    anomaly that can be reached. Metres, to the centimetre.

    Raises DataFileError where the anomaly has no place or no way leads there.
    """
    focus = focus_of(task)
    spawn = world.spawn(str(task.public["spawn"])).position
    grid = grid_of(world)
    start: Point = (spawn[0], spawn[1])
    goal = grid.nearest_free(focus[0], focus[1], reachable_from=start) if focus else None
    route = grid.path(start, goal) if goal else None
    if route is None:
        raise DataFileError(f"Task {task.id}: no way leads from the start to the anomaly.")
    x, y = _along(route, NEAR_SHARE)
    if not grid.free(x, y):
        x, y = grid.nearest_free(x, y, reachable_from=start) or start
    return (round(x, 2), round(y, 2), round(float(grid.ground[grid.cell(x, y)]), 2))


@cache
def _grid(name: str) -> NavGrid:
    from embodied_eval.worlds.bundled import load_world
    from embodied_eval.worlds.navigation import NavGrid

    return NavGrid(load_world(name))


def grid_of(world: World) -> NavGrid:
    """The walkable floor of a bundled world, worked out once."""
    return _grid(world.name)


def _along(route: list[Point], share: float) -> Point:
    left = share * sum(math.dist(a, b) for a, b in pairwise(route))
    for a, b in pairwise(route):
        length = math.dist(a, b)
        if left <= length and length > 0.0:
            return (a[0] + (b[0] - a[0]) * left / length, a[1] + (b[1] - a[1]) * left / length)
        left -= length
    return route[-1]
