"""The walking capsule in MuJoCo: walls, stairs, doors, holes, things that can be pushed."""

from __future__ import annotations

import math
import random

import pytest

from embodied_eval.drivers.base import TICK_S, WALK_M_S, Command, ObjectPatch
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.records import Pose
from embodied_eval.worlds.model import World
from tests.worlds.small import ball, crate, door, floor, solid, stairs, wall, world


def driver_of(place: World) -> MujocoDriver:
    driver = MujocoDriver()
    driver.load(place)
    return driver


def test_walks_exactly_as_far_and_as_fast_as_asked() -> None:
    driver = driver_of(world(yaw_deg=30.0))
    motion = driver.move(1.0)
    assert motion.moved_m == pytest.approx(1.0) and not motion.blocked
    assert motion.pose.x == pytest.approx(math.cos(math.radians(30)))
    assert motion.pose.y == pytest.approx(0.5)
    assert motion.elapsed_s == pytest.approx(TICK_S * math.ceil(1.0 / (WALK_M_S * TICK_S)))
    assert driver.turn(-90.0).elapsed_s == pytest.approx(1.0)
    state = driver.step(Command(strafe=1.0))
    # To the right of yaw -60 degrees.
    assert state.pose.x < motion.pose.x and state.pose.y < motion.pose.y
    diagonal = driver.step(Command(forward=1.0, strafe=1.0))
    assert diagonal.moved_m == pytest.approx(WALK_M_S * TICK_S)
    assert driver.look(-200.0).pose.pitch_deg == -80.0


def test_stops_at_a_wall_and_slides_along_it() -> None:
    driver = driver_of(world(wall("wall", (0.2, 8.0, 2.5), (2.0, 0.0, 0.0)), yaw_deg=45.0))
    motion = driver.move(4.0)
    assert motion.blocked and motion.contacts == (("agent", "wall"),)
    assert motion.pose.x == pytest.approx(1.9 - 0.3, abs=0.002) and motion.pose.x < 1.6
    assert motion.pose.y == pytest.approx(4.0 * math.sqrt(0.5), abs=0.01)
    driver.turn(-45.0)
    straight = driver.move(1.0)
    assert straight.moved_m < 0.002 and straight.blocked
    assert not driver.move(-0.5).blocked


@pytest.mark.parametrize("thickness_m", [0.02, 0.005])
@pytest.mark.parametrize("yaw_deg", [0.0, 37.0])
def test_never_tunnels_through_a_thin_wall(thickness_m: float, yaw_deg: float) -> None:
    thin = wall("wall", (thickness_m, 38.0, 2.5), (1.5, 0.0, 0.0))
    driver = driver_of(world(thin, yaw_deg=yaw_deg, half_m=20.0))
    for _ in range(40):
        state = driver.step(Command(forward=1.0), 0.2)
        assert state.pose.x < 1.5 - 0.3


def test_nothing_is_ever_entered_in_a_random_walk_among_posts() -> None:
    rng = random.Random(5)
    posts = [
        solid(f"post_{index}", (0.3, 0.3, 2.0), (x, y, 0.0), shape="cylinder")
        for index, (x, y) in enumerate((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2))
    ]
    fence = [
        wall("n", (9.0, 0.1, 2.0), (0.0, 3.0, 0.0)),
        wall("s", (9.0, 0.1, 2.0), (0.0, -3.0, 0.0)),
        wall("e", (0.1, 9.0, 2.0), (3.0, 0.0, 0.0)),
        wall("w", (0.1, 9.0, 2.0), (-3.0, 0.0, 0.0)),
    ]
    driver = driver_of(world(*posts, *fence))
    for _ in range(40):
        driver.turn(rng.uniform(-90, 90))
        driver.move(rng.uniform(0.2, 1.5))
        pose = driver.state().pose
        gaps = [math.dist((pose.x, pose.y), item.position[:2]) - 0.45 for item in posts]
        assert min(gaps) > -1e-6 and max(abs(pose.x), abs(pose.y)) < 2.65 + 1e-6


def test_climbs_stairs_and_stays_on_them_going_down() -> None:
    driver = driver_of(world(*stairs()))
    up = driver.move(3.6)
    assert up.pose.z == pytest.approx(0.9) and not up.blocked
    driver.turn(180.0)
    lowest_fall = 0.0

    def watch(state: object) -> None:
        nonlocal lowest_fall
        lowest_fall = max(lowest_fall, driver._scene.character.fall_m_s)

    down = driver.move(3.6, on_tick=watch)
    assert down.pose.z == pytest.approx(0.0) and down.pose.x == pytest.approx(0.0, abs=0.01)
    assert lowest_fall == 0.0


@pytest.mark.parametrize(("height_m", "passes"), [(0.05, True), (0.30, True), (0.32, False)])
def test_a_threshold_is_climbed_up_to_the_step_height(height_m: float, passes: bool) -> None:
    driver = driver_of(world(wall("sill", (1.0, 4.0, height_m), (1.5, 0.0, 0.0))))
    motion = driver.move(1.5)
    assert motion.blocked is not passes
    assert motion.pose.z == pytest.approx(height_m if passes else 0.0)


def test_jumps_half_a_metre_and_lands() -> None:
    driver = driver_of(world())
    heights = [driver.step(Command(jump=index == 0)).pose.z for index in range(30)]
    assert max(heights) == pytest.approx(0.5, abs=0.05)
    assert heights[-1] == 0.0
    under = driver_of(world(wall("ceiling", (2.0, 2.0, 0.1), (0.0, 0.0, 2.0))))
    assert max(under.step(Command(jump=True)).pose.z for _ in range(20)) < 0.2


def test_falls_through_a_hole_and_comes_back_at_the_spawn() -> None:
    slabs = [
        wall("a", (4.0, 8.0, 0.2), (-2.0, 0.0, -0.2)),
        wall("b", (4.0, 8.0, 0.2), (2.8, 0.0, -0.2)),
    ]
    driver = driver_of(world(*slabs, ground=False, spawn=(-1.0, 0.5, 0.0), yaw_deg=0.0))
    falling = driver.move(1.4)
    assert falling.pose.z < -0.02
    lowest = 0.0
    for _ in range(60):
        state = driver.step(Command())
        lowest = min(lowest, state.pose.z)
        if state.pose == Pose(-1.0, 0.5, 0.0, 0.0):
            break
    assert state.pose == Pose(-1.0, 0.5, 0.0, 0.0)
    assert -6.0 - 1.0 < lowest < -4.0


def test_a_floor_that_loses_its_collision_lets_fall() -> None:
    driver = driver_of(world(floor(6.0, "trap"), ground=False))
    assert driver.advance(0.5).pose.z == 0.0
    driver.set_object("trap", ObjectPatch(collides=False))
    assert driver.advance(0.5).pose.z < -0.5


def test_collision_off_lets_pass_and_on_again_blocks() -> None:
    driver = driver_of(world(wall("wall", (0.2, 8.0, 2.5), (1.5, 0.0, 0.0))))
    driver.set_object("wall", ObjectPatch(collides=False))
    passed = driver.move(3.0)
    assert passed.moved_m == pytest.approx(3.0) and not passed.blocked and not passed.contacts
    driver.set_object("wall", ObjectPatch(collides=True))
    assert driver.move(-3.0).blocked


def test_an_invisible_thing_still_blocks() -> None:
    hidden = wall("blocker", (0.2, 8.0, 2.5), (1.5, 0.0, 0.0), visible=False)
    driver = driver_of(world(hidden, wall("behind", (0.2, 8.0, 2.5), (3.0, 0.0, 0.0))))
    motion = driver.move(2.0)
    assert motion.blocked and motion.contacts == (("agent", "blocker"),)
    hit = driver.raycast((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), 5.0)
    assert hit is not None and hit.object == "behind"


def test_pushes_a_crate_and_a_ball_but_not_a_safe() -> None:
    light = driver_of(world(crate("crate", (1.2, 0.0, 0.0), mass_kg=5.0)))
    motion = light.move(2.0)
    assert ("agent", "crate") in motion.contacts
    after = light.objects()["crate"]
    assert after.position[0] - motion.pose.x == pytest.approx(0.5, abs=0.25)
    assert motion.moved_m > 1.5 and abs(after.position[1]) < 0.05
    heavy = driver_of(world(crate("crate", (1.2, 0.0, 0.0), mass_kg=35.0)))
    assert 0.8 < heavy.move(2.0).moved_m < motion.moved_m - 0.2
    safe = driver_of(world(crate("crate", (1.2, 0.0, 0.0), mass_kg=60.0)))
    stopped = safe.move(2.0)
    assert stopped.blocked and stopped.moved_m == pytest.approx(0.7, abs=0.01)
    assert safe.objects()["crate"].position[0] == pytest.approx(1.2, abs=0.001)
    kicked = driver_of(world(ball("ball", (1.2, 0.0, 0.0))))
    assert ("agent", "ball") in kicked.move(1.2).contacts
    assert kicked.objects()["ball"].velocity_m_s[0] > 1.0


def test_a_crate_that_is_jammed_blocks_and_stays_where_it_is() -> None:
    driver = driver_of(world(crate("crate", (1.2, 0.0, 0.0)), wall("wall", (0.2, 4.0, 2.0), (1.5, 0.0, 0.0))))
    motion = driver.move(2.0)
    assert motion.blocked and motion.pose.x < 1.0 - 0.3 + 0.02
    assert driver.objects()["crate"].position[0] == pytest.approx(1.2, abs=0.03)


def test_a_door_opens_and_lets_through() -> None:
    gap = (wall("left", (0.1, 3.0, 2.5), (2.0, 2.0, 0.0)), wall("right", (0.1, 3.0, 2.5), (2.0, -2.0, 0.0)))
    driver = driver_of(world(*gap, door()))
    assert driver.move(3.0).contacts == (("agent", "door"),)
    driver.move(-0.5)
    assert driver.interact().interacted == "door"
    assert driver.objects()["door"].state == "open"
    driver.advance(1.0)
    through = driver.move(3.0)
    assert not through.blocked and through.pose.x > 3.5


def test_a_door_waits_for_the_agent_to_get_out_of_its_way() -> None:
    driver = driver_of(world(door(), spawn=(3.0, 0.0, 0.0), yaw_deg=180.0))
    driver.move(0.4)
    assert driver.interact().interacted == "door"
    before = driver.state().pose
    driver.advance(3.0)
    stuck = driver.objects()["door"].bounds[1][0]
    assert stuck < 2.8 and driver.state().pose.x == pytest.approx(before.x, abs=0.001)
    driver.teleport(Pose(0.0, 2.0, 0.0))
    driver.advance(1.5)
    assert driver.objects()["door"].bounds[1][0] == pytest.approx(2.9, abs=0.03)


def test_something_put_onto_the_agent_pushes_it_out() -> None:
    driver = driver_of(world(solid("box", (1.0, 1.0, 1.0), (3.0, 0.0, 0.0))))
    driver.set_object("box", ObjectPatch(position=(0.6, 0.0, 0.0)))
    driver.advance(0.2)
    assert driver.state().pose.x == pytest.approx(-0.2, abs=0.01)
