"""The walking body in the page: the same worlds and commands as in MuJoCo end at the same places."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

import pytest

from embodied_eval.drivers.base import Command, Driver, Motion, ObjectPatch, TickState
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.threejs.driver import ThreejsDriver
from embodied_eval.records import Pose
from embodied_eval.worlds.model import Primitive, World, WorldObject
from tests.worlds.small import ball, crate, door, solid, stairs, wall, world

pytestmark = pytest.mark.browser

Play = Callable[[Driver], list[Motion | TickState]]
Pair = tuple[MujocoDriver, ThreejsDriver]


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    drivers = (MujocoDriver(), ThreejsDriver())
    yield drivers
    for driver in drivers:
        driver.close()


def tilted(pitch_deg: float, size: tuple[float, float, float], x_m: float) -> WorldObject:
    board = Primitive("box", size, (0.0, 0.0, 0.5), (0.0, -pitch_deg, 0.0))
    return WorldObject("board", "board", "board", (board,), (x_m, 0.0, 0.0), supports="fixed")


def after(patch: ObjectPatch, play: Play) -> Play:
    def changed(driver: Driver) -> list[Motion | TickState]:
        driver.set_object("thing", patch)
        return play(driver)

    return changed


def through_the_door(driver: Driver) -> list[Motion | TickState]:
    return [driver.move(3.0), driver.move(-0.5), driver.interact(), driver.advance(1.0), driver.move(3.0)]


def in_the_way_of_the_door(driver: Driver) -> list[Motion | TickState]:
    told: list[Motion | TickState] = [driver.move(0.4), driver.interact(), driver.advance(2.0)]
    driver.teleport(Pose(0.0, 2.0, 0.0))
    return [*told, driver.advance(1.5)]


def jump(forward: float, at: int) -> Play:
    return lambda driver: [driver.step(Command(forward=forward, jump=index == at)) for index in range(30)]


LONG = (0.2, 8.0, 2.5)
CORNER = (wall("e", LONG, (2.0, 0.0, 0.0)), wall("n", (8.0, 0.2, 2.5), (0.0, 1.5, 0.0)))
ACUTE = (solid("e", LONG, (2, 0, 0), yaw_deg=30.0), solid("n", (8, 0.2, 2.5), (0, 1.5, 0), yaw_deg=-20.0))
POSTS = [
    solid(f"post_{index}", (0.3, 0.3, 2.0), (1.0 + 0.9 * index, 0.1 * (-1) ** index, 0.0), shape="cylinder")
    for index in range(3)
]
SLABS = (wall("a", (4.0, 8.0, 0.2), (-2.0, 0, -0.2)), wall("b", (4.0, 8.0, 0.2), (2.8, 0.0, -0.2)))
GATE = (wall("left", (0.1, 3.0, 2.5), (2.0, 2.0, 0.0)), wall("right", (0.1, 3.0, 2.5), (2.0, -2.0, 0.0)))
THING = wall("thing", LONG, (1.5, 0.0, 0.0))
CASES: dict[str, tuple[World, Play]] = {
    "along a wall": (
        world(wall("wall", LONG, (2, 0, 0)), yaw_deg=45.0),
        lambda driver: [driver.move(4.0), driver.turn(-45.0), driver.move(1.0), driver.move(-0.5)],
    ),
    "into a corner": (
        world(*CORNER, yaw_deg=30.0),
        lambda driver: [driver.move(4.0), driver.turn(40.0), driver.move(1.0), driver.move(-1.0)],
    ),
    "into an acute corner": (
        world(*ACUTE, yaw_deg=30.0),
        lambda driver: [driver.move(4.0), driver.turn(40.0), driver.move(1.0)],
    ),
    "between posts": (world(*POSTS), lambda driver: [driver.move(4.0), driver.turn(20.0), driver.move(2.0)]),
    "round a cone": (world(solid("c", (1, 1, 2), (2, 0.05, 0), shape="cone")), lambda d: [d.move(3.0)]),
    "round an egg": (
        world(solid("e", (1.0, 0.6, 1.2), (2, 0.05, 0), shape="ellipsoid")),
        lambda driver: [driver.move(3.0)],
    ),
    "up a ramp": (world(tilted(15.0, (4.0, 2.0, 0.1), 3.0)), lambda driver: [driver.move(3.0)]),
    "under a board": (world(tilted(35.0, (2.0, 1.0, 0.1), 2.0)), lambda driver: [driver.move(3.0)]),
    "up and down stairs": (
        world(*stairs()),
        lambda driver: [driver.move(3.6), driver.turn(180.0), driver.move(3.6)],
    ),
    "over a sill": (world(wall("s", (1, 4, 0.30), (1.5, 0, 0))), lambda driver: [driver.move(1.5)]),
    "against a sill": (world(wall("s", (1, 4, 0.32), (1.5, 0, 0))), lambda driver: [driver.move(1.5)]),
    "off an edge": (
        world(wall("table", (2, 4, 0.8), (0, 0, 0)), spawn=(0.0, 0.0, 0.8)),
        lambda driver: [driver.move(2.0), driver.advance(0.5)],
    ),
    "into the void and home": (
        world(*SLABS, ground=False, spawn=(-1.0, 0.5, 0.0)),
        lambda driver: [driver.move(1.4), *(driver.step(Command()) for _ in range(40))],
    ),
    "a jump": (world(), jump(0.0, 0)),
    "a jump onto a block": (world(wall("block", (1, 1, 0.4), (1.5, 0, 0))), jump(1.0, 5)),
    "a jump under a ceiling": (world(wall("ceiling", (2, 2, 0.1), (0, 0, 2.0))), jump(0.0, 0)),
    "against what is too heavy": (
        world(crate("safe", (1.2, 0, 0), mass_kg=60.0)),
        lambda driver: [driver.move(2.0)],
    ),
    "a crate that is jammed": (
        world(crate("crate", (1.2, 0, 0)), wall("wall", (0.2, 4, 2), (1.5, 0, 0))),
        lambda driver: [driver.move(2.0)],
    ),
    "through a door": (world(*GATE, door()), through_the_door),
    "in the way of a door": (world(door(), spawn=(3, 0, 0), yaw_deg=180.0), in_the_way_of_the_door),
    "seen, not solid; solid, not seen": (
        world(wall("ghost", LONG, (1, 0, 0), collides=False), wall("glass", LONG, (2, 0, 0), visible=False)),
        lambda driver: [driver.move(3.0)],
    ),
    "collision off": (world(THING), after(ObjectPatch(collides=False), lambda driver: [driver.move(3.0)])),
    "something put onto it": (
        world(solid("thing", (1.0, 1.0, 1.0), (3, 0, 0))),
        after(ObjectPatch(position=(0.6, 0.0, 0.0)), lambda driver: [driver.advance(0.2)]),
    ),
    "through a crate whose collision is off": (
        world(crate("thing", (1.2, 0, 0)), wall("wall", LONG, (3, 0, 0))),
        after(ObjectPatch(collides=False), lambda driver: [driver.move(3.0)]),
    ),
    "on a crate": (
        world(crate("crate", (0, 0, 0), edge_m=0.6), spawn=(0.0, 0.0, 0.6)),
        lambda driver: [driver.advance(0.5), driver.move(1.0), driver.advance(0.5)],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_it_ends_where_it_ends_in_mujoco(pair: Pair, case: str) -> None:
    place, play = CASES[case]
    told, things = [], []
    for driver in pair:
        driver.load(place)
        told.append(play(driver))
        things.append(driver.objects())
    for index, (first, second) in enumerate(zip(*told, strict=True)):
        assert apart(first.pose, second.pose) < 0.01, index
        assert (first.blocked, first.contacts) == (second.blocked, second.contacts), index
        assert first.moved_m == pytest.approx(second.moved_m, abs=0.01)
    for name, state in things[0].items():
        assert state.position == pytest.approx(things[1][name].position, abs=0.01), name


# Boxes that slide hop in MuJoCo, and each engine has its own friction.
PUSHED: dict[str, tuple[World, Play, float]] = {
    "a crate": (world(crate("c", (1.2, 0, 0))), lambda driver: [driver.move(2.0), driver.advance(1.0)], 0.1),
    "a heavy crate": (
        world(crate("c", (1.2, 0, 0), mass_kg=35.0)),
        lambda driver: [driver.move(2.0), driver.advance(1.0)],
        0.05,
    ),
    "a ball": (world(ball("b", (1.2, 0, 0))), lambda driver: [driver.move(1.2), driver.advance(4.0)], 0.3),
    "a row of crates": (
        world(crate("c", (1.2, 0, 0)), crate("d", (2.0, 0, 0))),
        lambda driver: [driver.move(1.5), driver.advance(1.0)],
        0.15,
    ),
    "a crate before an opening door": (
        world(door(), crate("c", (2.5, 0.1, 0)), spawn=(0.8, 0, 0)),
        lambda driver: [driver.interact(), driver.advance(2.0)],
        0.1,
    ),
    "a falling ball": (
        world(ball("b", (1.2, 0, 1.5))),
        lambda driver: [driver.advance(0.4), driver.advance(1.0)],
        0.01,
    ),
}


@pytest.mark.parametrize("case", PUSHED)
def test_what_moves_comes_to_rest_near_where_it_does_in_mujoco(pair: Pair, case: str) -> None:
    place, play, near_m = PUSHED[case]
    told, things = [], []
    for driver in pair:
        driver.load(place)
        told.append(play(driver))
        things.append(driver.objects())
    for first, second in zip(*told, strict=True):
        assert apart(first.pose, second.pose) < 0.05
        assert (first.blocked, first.contacts) == (second.blocked, second.contacts)
    for name, state in things[0].items():
        assert math.dist(state.bounds[0][:2], things[1][name].bounds[0][:2]) < near_m, name


def test_nothing_is_ever_entered_in_a_random_walk_among_posts(pair: Pair) -> None:
    rng = random.Random(5)
    spots = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2)]
    posts = [solid(f"p{x}{y}", (0.3, 0.3, 2.0), (x, y, 0.0), shape="cylinder") for x, y in spots]
    fence = [
        wall("n", (9.0, 0.1, 2.0), (0.0, 3.0, 0.0)),
        wall("s", (9.0, 0.1, 2.0), (0.0, -3.0, 0.0)),
        wall("e", (0.1, 9.0, 2.0), (3.0, 0.0, 0.0)),
        wall("w", (0.1, 9.0, 2.0), (-3.0, 0.0, 0.0)),
    ]
    driver = pair[1]
    driver.load(world(*posts, *fence))
    for _ in range(20):
        driver.turn(rng.uniform(-90, 90))
        pose = driver.move(rng.uniform(0.2, 1.5)).pose
        gaps = [math.dist((pose.x, pose.y), spot) - 0.45 for spot in spots]
        assert min(gaps) > -1e-6 and max(abs(pose.x), abs(pose.y)) < 2.65 + 1e-6


@pytest.mark.parametrize("yaw_deg", [0.0, 37.0])
def test_never_tunnels_through_a_thin_wall(pair: Pair, yaw_deg: float) -> None:
    driver = pair[1]
    driver.load(world(wall("wall", (0.005, 38.0, 2.5), (1.5, 0, 0)), yaw_deg=yaw_deg, half_m=20.0))
    for _ in range(20):
        assert driver.step(Command(forward=1.0), 0.2).pose.x < 1.5 - 0.3


def apart(one: Pose, other: Pose) -> float:
    return math.dist((one.x, one.y, one.z), (other.x, other.y, other.z))
