"""Objects in the page: what is set is read back and acts, as in MuJoCo; bodies sleep and wake; rays see."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from embodied_eval.drivers.base import Command, ObjectPatch, TickState, Vec3
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.threejs.driver import ThreejsDriver
from embodied_eval.errors import DataFileError, SimulatorError
from embodied_eval.records import Pose
from embodied_eval.worlds.model import Interaction, Primitive, Shape, World, WorldObject
from tests.worlds.small import ball, crate, door, floor, lamp, solid, wall, world

pytestmark = pytest.mark.browser

Pair = tuple[MujocoDriver, ThreejsDriver]


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    drivers = (MujocoDriver(), ThreejsDriver())
    yield drivers
    for driver in drivers:
        driver.close()


@pytest.fixture
def driver(pair: Pair) -> ThreejsDriver:
    return pair[1]


def test_every_patch_is_read_back_as_in_mujoco(pair: Pair) -> None:
    place = world(solid("box", (0.5, 1.0, 2.0), (2.0, 0.0, 0.0)), door(), lamp(position=(3, 3, 0)))
    patches = [
        ("box", ObjectPatch(position=(1.0, 2.0, 0.5), rotation_deg=(10.0, 200.0, -300.0), scale=(1, 2, 3))),
        ("box", ObjectPatch(visible=False, collides=False, casts_shadow=False, color=(1.0, 0.0, 0.5))),
        ("box", ObjectPatch(material="missing", shadow_offset_m=(1.0, 0.0, -0.5), clear_color=True)),
        ("door", ObjectPatch(state="open")),
        ("lamp", ObjectPatch(state="on", position=(0.0, 3.0, 0.0))),
    ]
    told = []
    for driver in pair:
        driver.load(place)
        told.append([driver.set_object(*patch) for patch in patches])
        told[-1] += [driver.object("box"), driver.spawn(crate("new", (3, 0, 0)))]
        assert driver.objects()["new"] == told[-1][-1]
        driver.destroy("new")
        assert driver.spawn(crate("new", (3, 0, 0))).id == told[-1][-1].id + 1
    assert told[0] == told[1]


def test_a_size_that_no_solid_can_have_is_refused_and_changes_nothing(driver: ThreejsDriver) -> None:
    driver.load(world(solid("box", (0.5, 1.0, 2.0), (2.0, 0.0, 0.0))))
    before = driver.objects()
    with pytest.raises(DataFileError, match="'flat' has a primitive without size"):
        driver.spawn(solid("flat", (1.0, 0.0, 1.0), (0.0, 0.0, 0.0)))
    with pytest.raises(SimulatorError, match="Scale"):
        driver.set_object("box", ObjectPatch(scale=(0.0, 1.0, 1.0)))
    with pytest.raises(DataFileError, match="'box' has a primitive without size, or a scale of 0"):
        driver.set_object("box", ObjectPatch(scale=(1e-320, 1.0, 1e-320)))
    assert driver.objects() == before
    assert driver.move(3.0).pose.x == pytest.approx(1.449, abs=0.001)
    with pytest.raises(DataFileError, match="flat"):
        driver.load(world(solid("flat", (1.0, 0.0, 1.0), (0.0, 0.0, 0.0))))
    assert driver.load(world()).pose == Pose(0.0, 0.0, 0.0)


def test_a_movable_body_takes_pose_velocity_and_spin_and_then_moves(driver: ThreejsDriver) -> None:
    driver.load(world(ball("ball", (1.0, 1.0, 0.0))))
    patch = ObjectPatch(position=(0, 3, 1.0), rotation_deg=(0, 0, 90), velocity_m_s=(1.0, 0, 0))
    set_to = driver.set_object("ball", patch)
    assert set_to.position == (0.0, 3.0, 1.0) and set_to.velocity_m_s == (1.0, 0.0, 0.0)
    driver.advance(0.2)
    moved = driver.object("ball")
    assert moved.position[0] == pytest.approx(0.2, abs=0.01)
    assert moved.position[2] == pytest.approx(1.0 - 0.5 * 9.81 * 0.04, abs=0.03)
    driver.set_object("ball", ObjectPatch(spin_deg_s=(0.0, 0.0, 90.0)))
    driver.advance(0.1)
    assert driver.object("ball").rotation_deg[2] - moved.rotation_deg[2] == pytest.approx(9.0, abs=1.0)
    assert driver.set_object("floor", ObjectPatch(velocity_m_s=(1, 0, 0))).velocity_m_s == (0.0, 0.0, 0.0)


def test_scale_keeps_the_base_and_changes_what_collides(driver: ThreejsDriver) -> None:
    falling = ball("ball", (0.0, 2.0, 3.0))
    driver.load(world(solid("post", (0.4, 0.4, 1.0), (2.0, 0.0, 0.0), shape="cylinder"), falling))
    driver.set_object("ball", ObjectPatch(velocity_m_s=(1.0, 0.0, 0.0)))
    low, high = driver.set_object("post", ObjectPatch(scale=(2.0, 2.0, 2.0))).bounds
    assert low == pytest.approx((1.6, -0.4, 0.0)) and high == pytest.approx((2.4, 0.4, 2.0))
    driver.set_object("ball", ObjectPatch(scale=(2.0, 2.0, 2.0)))
    assert driver.move(3.0).pose.x == pytest.approx(1.3, abs=0.002)
    # Neither lost its motion.
    assert driver.object("ball").position[0] > 0.5
    driver.set_object("post", ObjectPatch(scale=(1.0, 3.0, 2.0)))
    assert driver.move(1.0).pose.x == pytest.approx(1.5, abs=0.003)


def test_what_sleeps_wakes_when_its_support_goes(driver: ThreejsDriver) -> None:
    table = solid("table", (1.0, 1.0, 0.5), (3.0, 3.0, 0.0))
    driver.load(world(table, crate("top", (3.0, 3.0, 0.5)), crate("by", (3.0, -3.0, 0.0))))
    driver.advance(3.0)
    rest = driver.object("top")
    driver.advance(0.5)
    assert driver.object("top") == rest and rest.position[2] == pytest.approx(0.5, abs=0.001)
    driver.set_object("table", ObjectPatch(collides=False))
    driver.advance(0.6)
    assert driver.object("top").position[2] == pytest.approx(0.0, abs=0.002)
    driver.spawn(solid("lift", (1.0, 1.0, 0.3), (3.0, -3.0, -0.31)))
    driver.advance(3.0)
    driver.set_object("lift", ObjectPatch(position=(3.0, -3.0, -0.05)))
    driver.advance(0.5)
    assert driver.object("by").position[2] > 0.15
    driver.destroy("lift")
    driver.advance(0.5)
    assert driver.object("by").position[2] == pytest.approx(0.0, abs=0.005)


def test_what_sleeps_is_pushed_by_the_agent_by_a_door_and_by_another_body(driver: ThreejsDriver) -> None:
    things = (crate("a", (1.2, 3.0, 0.0)), crate("b", (2.0, 3.0, 0.0)), crate("c", (2.5, 0.1, 0.0)))
    driver.load(world(door(), *things, spawn=(0.8, 0.0, 0.0)))
    driver.advance(3.0)
    driver.interact()
    driver.advance(1.0)
    assert driver.object("c").position[0] > 2.7
    driver.teleport(Pose(0.0, 3.0, 0.0))
    motion = driver.move(1.5)
    assert motion.contacts == (("a", "agent"), ("a", "b"))
    driver.advance(1.0)
    assert driver.object("a").position[0] > 1.8 and driver.object("b").position[0] > 2.3


def test_contacts_tell_what_begins_and_not_what_rests(driver: ThreejsDriver) -> None:
    table = solid("table", (1.0, 1.0, 0.5), (3.0, 3.0, 0.0))
    driver.load(world(table, crate("resting", (3.0, 3.0, 0.5)), ball("falling", (3.0, -3.0, 0.5))))
    seen: list[TickState] = []
    driver.advance(2.0, on_tick=seen.append)
    told = [(state.t_s, pair) for state in seen for pair in state.contacts]
    assert {pair for _, pair in told} == {("falling", "floor")}
    assert told[0][0] == pytest.approx(0.32, abs=0.06)


def test_what_is_joined_overlaps_in_peace(driver: ThreejsDriver) -> None:
    plinth = solid("plinth", (1.0, 1.0, 0.5), (2.0, 0.0, 0.0), joined=("bust",))
    driver.load(world(plinth, crate("bust", (2.0, 0.0, 0.2)), crate("other", (2.0, 2.0, 0.0))))
    driver.advance(1.0)
    assert driver.object("bust").position == pytest.approx((2.0, 0.0, 0.0), abs=0.003)


SHAPES: tuple[Shape, ...] = ("box", "ellipsoid", "cylinder", "capsule", "cone")


def zoo(rng: random.Random) -> World:
    """Every shape, turned and stretched anyhow, some of them only seen, some only solid."""
    items = []
    for index in range(30):
        size = tuple(rng.uniform(0.2, 1.5) for _ in range(3))
        turn = tuple(rng.uniform(-180.0, 180.0) for _ in range(3))
        part = Primitive(SHAPES[index % 5], size, (0.0, 0.0, 0.5), turn, taper=0.3)
        at = (rng.uniform(-4, 4), rng.uniform(-4, 4), rng.uniform(0, 2))
        turned = (0.0, 0.0, rng.uniform(-180.0, 180.0))
        flags = {"visible": index % 7 > 0, "collides": index % 4 > 0}
        items.append(WorldObject(f"o{index}", "thing", "thing", (part,), at, turned, **flags))
    return world(*items)


def test_rays_hit_what_they_hit_in_mujoco(pair: Pair) -> None:
    rng = random.Random(3)
    place = zoo(rng)
    for driver in pair:
        driver.load(place)
    same = hits = 0
    for _ in range(150):
        start: Vec3 = (rng.uniform(-5, 5), rng.uniform(-5, 5), rng.uniform(0.1, 3))
        along: Vec3 = (rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-0.5, 0.5))
        first, second = (driver.raycast(start, along, 30.0) for driver in pair)
        hits += first is not None
        if first is None or second is None or first.object != second.object:
            same += first is second
            continue
        # A grazing ray may hit a facet's edge earlier or later.
        same += abs(first.distance_m - second.distance_m) < 0.02
    assert hits > 60 and same >= 147


def test_walks_through_the_zoo_end_where_they_end_in_mujoco(pair: Pair) -> None:
    rng = random.Random(4)
    place = zoo(rng)
    for driver in pair:
        driver.load(place)
    near = 0
    for _ in range(25):
        start = Pose(rng.uniform(-4, 4), rng.uniform(-4, 4), 0.0, rng.uniform(-180, 180))
        ends = []
        for driver in pair:
            driver.teleport(start)
            ends.append(driver.move(1.0))
        first, second = (motion.pose for motion in ends)
        apart = max(abs(first.x - second.x), abs(first.y - second.y), abs(first.z - second.z))
        near += apart < 0.02 and ends[0].blocked == ends[1].blocked
    assert near >= 22


def test_interact_operates_the_first_thing_under_the_crosshair_within_reach(driver: ThreejsDriver) -> None:
    driver.load(world(lamp(position=(1.5, 0.0, 0.0))))
    driver.look(-3.0)
    assert driver.interact().interacted == "lamp" and driver.object("lamp").state == "on"
    driver.teleport(Pose(-1.5, 0.0, 0.0))
    assert driver.interact().interacted is None
    driver.teleport(Pose(0.0, 0.0, 0.0))
    driver.spawn(wall("screen", (0.05, 1.0, 2.0), (0.8, 0.0, 0.0)))
    assert driver.interact().interacted is None
    driver.set_object("screen", ObjectPatch(visible=False))
    driver.look(-3.0)
    assert driver.interact().interacted == "lamp" and driver.object("lamp").state == "off"


def test_devices_go_as_far_as_in_mujoco(pair: Pair) -> None:
    blade = Primitive("box", (0.02, 0.6, 0.05), (0.0, 0.0, 1.0), part="blades")
    foot = Primitive("cylinder", (0.3, 0.3, 0.8), (0.0, 0.0, 0.4))
    spin = Interaction("spin", "blades", (1, 0, 0), (0, 0, 1.0), 90.0, states=("off", "on"), initial="on")
    fan = WorldObject("fan", "fan", "fan", (blade, foot), (2.0, 2.0, 0.0), interaction=spin)
    drawer = Primitive("box", (0.4, 0.4, 0.2), (0.0, 0.0, 0.9), part="drawer")
    slide = Interaction(
        "slide", "drawer", (1, 0, 0), travel=0.6, seconds=0.5, states=("in", "out"), initial="in"
    )
    at, turned = (2.0, 0.0, 0.0), (0.0, 0.0, 180.0)
    chest = WorldObject("chest", "chest", "chest", (drawer,), at, turned, interaction=slide)
    told = []
    for driver in pair:
        driver.load(world(fan, chest, spawn=(1.2, 0.0, 0.0)))
        driver.look(-45.0)
        assert driver.interact().interacted == "chest"
        driver.advance(1.0)
        stuck = driver.objects()
        driver.move(-1.0)
        told.append((stuck, driver.objects()))
    for first, second in zip(*told, strict=True):
        for name in ("fan", "chest"):
            assert first[name].bounds[0] == pytest.approx(second[name].bounds[0], abs=1e-6)
            assert first[name].bounds[1] == pytest.approx(second[name].bounds[1], abs=1e-6)
    assert told[1][0]["chest"].bounds[0][0] > 1.5 > told[1][1]["chest"].bounds[0][0]


def test_the_same_actions_give_the_same_states_also_after_a_reload(driver: ThreejsDriver) -> None:
    place = world(crate("crate", (1.0, 0.1, 0.0)), ball("ball", (2.0, 0, 0)), door(), floor(1.0, "mat"))

    def play(played: ThreejsDriver) -> list[object]:
        played.load(place)
        told: list[object] = [played.move(1.5), played.turn(20.0), played.interact(), played.move(2.0)]
        told.append(played.spawn(crate("more", (0.0, 2.0, 1.0))))
        told.append(played.step(Command(forward=-1.0, strafe=1.0, jump=True)))
        return [*told, played.objects()]

    first = play(driver)
    assert play(driver) == first
    driver.load(world())
    assert play(driver) == first
    other = ThreejsDriver()
    assert play(other) == first
    other.close()
