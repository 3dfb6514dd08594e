"""Paths that a capsule can walk."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import numpy as np
import pytest

from embodied_eval.drivers.base import Driver
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.records import Pose
from embodied_eval.worlds.model import World, WorldObject
from embodied_eval.worlds.navigation import NavGrid
from tests.worlds.small import ball, door, solid, stairs, wall, world

GAP = (wall("left", (0.1, 3.0, 2.5), (2.0, 2.0, 0.0)), wall("right", (0.1, 3.0, 2.5), (2.0, -2.0, 0.0)))


def test_clearance_is_kept_from_turned_boxes() -> None:
    box = solid("box", (1.0, 0.4, 1.0), (1.0, 0.0, 0.0), yaw_deg=45.0)
    grid = NavGrid(world(box))
    for angle in range(0, 360, 15):
        ahead = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
        for away in np.arange(0.0, 1.5, 0.05):
            x, y = np.array([1.0, 0.0]) + away * ahead
            turned = np.array([[math.sqrt(0.5), math.sqrt(0.5)], [-math.sqrt(0.5), math.sqrt(0.5)]])
            off = np.abs(turned @ (np.array([x, y]) - (1.0, 0.0))) - (0.5, 0.2)
            gap = float(np.linalg.norm(np.maximum(off, 0.0)))
            if gap < 0.35 - 0.036:
                assert not grid.free(x, y)
            if gap > 0.35 + 0.036:
                assert grid.free(x, y)


def test_a_straight_way_is_straight_and_a_blocked_one_goes_round() -> None:
    grid = NavGrid(world(wall("wall", (0.1, 4.0, 2.5), (2.0, 0.0, 0.0))))
    assert grid.path((0.0, 0.0), (0.0, 3.0)) == [(0.0, 0.0), (0.0, 3.0)]
    path = grid.path((0.0, 0.0), (4.0, 0.0))
    assert path is not None and path[0] == (0.0, 0.0) and path[-1] == (4.0, 0.0)
    assert all(grid.line_clear(a, b) for a, b in pairwise(path))
    assert not grid.line_clear((0.0, 0.0), (4.0, 0.0))
    shortest = 2 * math.hypot(2.0, 2.35)
    length = grid.distance((0.0, 0.0), (4.0, 0.0))
    assert length is not None and shortest < length < 1.06 * shortest


def test_low_things_are_stepped_on_and_high_ones_walked_under() -> None:
    low = NavGrid(world(solid("kerb", (1.0, 10.0, 0.25), (2.0, 0.0, 0.0))))
    assert low.path((0.0, 0.0), (4.0, 0.0)) == [(0.0, 0.0), (4.0, 0.0)]
    assert low.ground[low.cell(2.0, 0.0)] == pytest.approx(0.25)
    high = NavGrid(world(solid("beam", (1.0, 10.0, 0.25), (2.0, 0.0, 1.9))))
    assert high.path((0.0, 0.0), (4.0, 0.0)) == [(0.0, 0.0), (4.0, 0.0)]
    bench = NavGrid(world(solid("bench", (1.0, 10.0, 0.35), (2.0, 0.0, 0.0))))
    assert bench.path((0.0, 0.0), (4.0, 0.0)) is None
    assert not bench.reachable_from((0.0, 0.0))[bench.cell(4.0, 0.0)]


def test_doors_count_as_asked() -> None:
    place = world(*GAP, door(), solid("chest_lid", (0.9, 0.1, 0.1), (-3.0, 0.0, 0.0)))
    assert NavGrid(place).path((0.0, 0.0), (4.0, 0.0)) is not None
    shut = NavGrid(place, open_doors=False)
    assert not shut.line_clear((0.0, 0.0), (4.0, 0.0))
    # Wide open, the leaf stands in the way along the passage's right-hand side.
    opened = NavGrid(world(door()))
    assert not opened.free(2.5, -0.2) and NavGrid(world(door()), open_doors=False).free(2.5, -0.2)
    ignoring = NavGrid(place, open_doors=False, ignore=("door",))
    assert ignoring.path((0.0, 0.0), (4.0, 0.0)) is not None


def test_what_could_be_pushed_is_walked_round_however_low() -> None:
    grid = NavGrid(world(ball("ball", (2.0, 0.0, 0.0)), solid("mat", (0.3, 0.3, 0.1), (-2.0, 0.0, 0.0))))
    assert not grid.line_clear((0.0, 0.0), (4.0, 0.0)) and grid.path((0.0, 0.0), (4.0, 0.0)) is not None
    assert grid.line_clear((0.0, 0.0), (-4.0, 0.0))


def test_no_ground_no_way() -> None:
    halves = (
        wall("near", (4.0, 10.0, 0.2), (-3.0, 0.0, -0.2)),
        wall("far", (4.0, 10.0, 0.2), (3.0, 0.0, -0.2)),
    )
    grid = NavGrid(world(*halves, ground=False, spawn=(-3.0, 0.0, 0.0)))
    assert not grid.free(0.0, 0.0)
    assert grid.path((-3.0, 0.0), (3.0, 0.0)) is None
    assert grid.nearest_free(0.0, 0.0) is not None
    assert np.isnan(grid.ground[grid.cell(3.0, 0.0)])


def test_stairs_are_followed_up() -> None:
    grid = NavGrid(world(*stairs()))
    assert grid.ground[grid.cell(3.0, 0.0)] == pytest.approx(0.9)
    assert grid.path((0.0, 0.0), (3.0, 0.0)) is not None


def test_nearest_free_can_be_asked_to_be_reachable() -> None:
    ring = [
        wall("a", (2.4, 0.1, 2.0), (3.0, 1.1, 0.0)),
        wall("b", (2.4, 0.1, 2.0), (3.0, -1.1, 0.0)),
        wall("c", (0.1, 2.1, 2.0), (1.9, 0.0, 0.0)),
        wall("d", (0.1, 2.1, 2.0), (4.1, 0.0, 0.0)),
    ]
    grid = NavGrid(world(*ring))
    assert grid.nearest_free(3.0, 0.0) == (3.0, 0.0)
    outside = grid.nearest_free(3.0, 0.0, reachable_from=(0.0, 0.0))
    assert outside is not None and not (1.9 < outside[0] < 4.1 and -1.1 < outside[1] < 1.1)
    assert grid.path((0.0, 0.0), (3.0, 0.0)) is None


def cluttered(seed: int) -> World:
    rng = random.Random(seed)
    items: list[WorldObject] = []
    for index in range(40):
        x, y = rng.uniform(-4.5, 4.5), rng.uniform(-4.5, 4.5)
        if math.hypot(x, y) > 1.2:
            size = (rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0), rng.choice([0.2, 0.6, 1.0]))
            shape = rng.choice(["box", "cylinder", "ellipsoid", "cone"])
            if shape != "box":
                size = (size[0], size[0], size[2])
            items.append(solid(f"o{index}", size, (x, y, 0.0), shape=shape, yaw_deg=rng.uniform(0, 180)))  # type: ignore[arg-type]
    return world(*items)


def follow(driver: Driver, path: list[tuple[float, float]]) -> Pose:
    """Walk the legs of `path` with turns and moves, as the agent would."""
    for _, (x, y) in pairwise(path):
        pose = driver.state().pose
        heading = math.degrees(math.atan2(y - pose.y, x - pose.x))
        driver.turn((heading - pose.yaw_deg + 180.0) % 360.0 - 180.0)
        motion = driver.move(math.hypot(x - pose.x, y - pose.y))
        assert not motion.blocked, (motion, (x, y))
    return driver.state().pose


def test_a_path_up_the_stairs_can_be_followed() -> None:
    place = world(*stairs())
    driver = MujocoDriver()
    driver.load(place)
    path = NavGrid(place).path((0.0, 0.0), (3.2, 0.4))
    assert path is not None
    arrived = follow(driver, path)
    assert math.dist((arrived.x, arrived.y), (3.2, 0.4)) < 0.03
    assert arrived.z == pytest.approx(0.9)


@pytest.mark.parametrize("seed", range(4))
def test_following_a_path_really_arrives(seed: int) -> None:
    place = cluttered(seed)
    grid, driver, rng = NavGrid(place), MujocoDriver(), random.Random(seed)
    driver.load(place)
    reached = np.argwhere(grid.reachable_from((0.0, 0.0)))
    for _ in range(5):
        cell = reached[rng.randrange(len(reached))]
        goal = (grid.origin[0] + cell[0] * grid.cell_m, grid.origin[1] + cell[1] * grid.cell_m)
        pose = driver.state().pose
        path = grid.path((pose.x, pose.y), goal)
        assert path is not None
        arrived = follow(driver, path)
        assert math.dist((arrived.x, arrived.y), goal) < 0.03
