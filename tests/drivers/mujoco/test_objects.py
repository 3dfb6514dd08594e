"""Objects in the MuJoCo driver: what is set is read back, time stands still, ids are never reused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from embodied_eval.drivers.base import CAPABILITIES, Command, LightPatch, ObjectPatch, TickState
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.errors import (
    CapabilityMissing,
    DataFileError,
    SimulatorError,
    StepTimeout,
    UnknownName,
    UnknownObject,
)
from embodied_eval.records import Pose
from embodied_eval.worlds.model import Interaction, Material, Primitive, World, WorldObject
from tests.worlds.small import ball, crate, door, floor, lamp, solid, wall, world


def driver_of(*objects: WorldObject, ground: bool = True) -> MujocoDriver:
    driver = MujocoDriver()
    driver.load(world(*objects, ground=ground))
    return driver


def test_ids_follow_load_order_and_are_never_reused() -> None:
    driver = driver_of(crate("a", (1, 0, 0)), crate("b", (2, 0, 0)))
    assert [state.id for state in driver.objects().values()] == [0, 1, 2]
    first = driver.spawn(crate("c", (3, 0, 0)))
    assert first.id == 3
    driver.destroy("c")
    assert "c" not in driver.objects()
    assert driver.spawn(crate("c", (3, 0, 0))).id == 4
    with pytest.raises(SimulatorError, match="already"):
        driver.spawn(crate("a", (3, 0, 0)))
    with pytest.raises(SimulatorError, match="belongs to the world"):
        driver.destroy("a")


def test_every_patch_is_read_back() -> None:
    driver = driver_of(solid("box", (0.5, 1.0, 2.0), (2.0, 0.0, 0.0)), door())
    patch = ObjectPatch(
        position=(1.0, 2.0, 0.5),
        rotation_deg=(10.0, 200.0, -300.0),
        scale=(1.0, 2.0, 3.0),
        visible=False,
        collides=False,
        casts_shadow=False,
        color=(1.0, 0.0, 0.5),
        material="missing",
        shadow_offset_m=(1.0, 0.0, -0.5),
    )
    after = driver.set_object("box", patch)
    for field in (
        "position",
        "rotation_deg",
        "scale",
        "visible",
        "collides",
        "casts_shadow",
        "color",
        "material",
        "shadow_offset_m",
    ):
        assert getattr(after, field) == getattr(patch, field)
    assert driver.objects()["box"] == after
    assert driver.set_object("box", ObjectPatch(clear_color=True)).color is None
    assert driver.set_object("box", ObjectPatch(clear_material=True)).material is None
    with pytest.raises(UnknownName, match=r"'mising'.*Did you mean 'missing'"):
        driver.set_object("box", ObjectPatch(material="mising", visible=True))
    assert not driver.objects()["box"].visible
    assert driver.set_object("door", ObjectPatch(state="open")).state == "open"
    assert driver.objects()["door"].bounds[1][0] > 2.8
    with pytest.raises(UnknownName, match="ajar"):
        driver.set_object("door", ObjectPatch(state="ajar"))
    with pytest.raises(CapabilityMissing, match="device"):
        driver.set_object("box", ObjectPatch(state="open"))
    with pytest.raises(UnknownObject, match="dor"):
        driver.set_object("dor", ObjectPatch())
    with pytest.raises(SimulatorError, match="Scale"):
        driver.set_object("box", ObjectPatch(scale=(0.0, 1.0, 1.0)))


def test_a_movable_body_takes_pose_velocity_and_spin_and_then_moves() -> None:
    driver = driver_of(ball("ball", (1.0, 1.0, 0.0)))
    after = driver.set_object(
        "ball", ObjectPatch(position=(0.0, 3.0, 1.0), rotation_deg=(0, 0, 90), velocity_m_s=(1.0, 0.0, 0.0))
    )
    assert after.position == (0.0, 3.0, 1.0) and after.velocity_m_s == (1.0, 0.0, 0.0)
    assert after.rotation_deg == (0, 0, 90)
    driver.advance(0.2)
    moved = driver.objects()["ball"]
    assert moved.position[0] == pytest.approx(0.2, abs=0.01)
    assert moved.position[2] == pytest.approx(1.0 - 0.5 * 9.81 * 0.04, abs=0.03)
    assert moved.velocity_m_s[2] < -1.5
    driver.set_object("ball", ObjectPatch(spin_deg_s=(0.0, 0.0, 90.0)))
    before = driver.objects()["ball"].rotation_deg[2]
    driver.advance(0.1)
    assert driver.objects()["ball"].rotation_deg[2] - before == pytest.approx(9.0, abs=1.0)
    # What cannot move has no velocity.
    assert driver.set_object("floor", ObjectPatch(velocity_m_s=(1, 0, 0))).velocity_m_s == (0.0, 0.0, 0.0)


def test_scale_keeps_the_base_and_changes_what_collides() -> None:
    driver = driver_of(solid("post", (0.4, 0.4, 1.0), (2.0, 0.0, 0.0), shape="cylinder"))
    low, high = driver.set_object("post", ObjectPatch(scale=(2.0, 2.0, 2.0))).bounds
    assert low == pytest.approx((1.6, -0.4, 0.0)) and high == pytest.approx((2.4, 0.4, 2.0))
    assert driver.move(3.0).pose.x == pytest.approx(1.3, abs=0.002)
    oval = driver.set_object("post", ObjectPatch(scale=(1.0, 3.0, 2.0)))
    assert oval.bounds[1] == pytest.approx((2.2, 0.6, 2.0))
    assert driver.move(1.0).pose.x == pytest.approx(1.5, abs=0.003)


def test_scaling_one_thing_keeps_the_motion_of_the_others() -> None:
    driver = driver_of(ball("ball", (0.0, 2.0, 1.0)), solid("box", (0.5, 0.5, 0.5), (2.0, 0.0, 0.0)))
    driver.set_object("ball", ObjectPatch(velocity_m_s=(1.0, 0.0, 0.0)))
    driver.advance(0.1)
    before = driver.objects()["ball"]
    driver.set_object("box", ObjectPatch(scale=(2.0, 2.0, 2.0)))
    driver.spawn(wall("wall", (0.1, 0.1, 0.1), (4.0, 4.0, 0.0)))
    assert driver.objects()["ball"] == before
    driver.advance(0.1)
    assert driver.objects()["ball"].position[0] == pytest.approx(before.position[0] + 0.1, abs=0.005)


def test_collision_off_leaves_a_movable_body_on_its_support() -> None:
    driver = driver_of(crate("crate", (1.0, 0.0, 0.0)))
    driver.set_object("crate", ObjectPatch(collides=False))
    assert driver.move(2.0).moved_m == pytest.approx(2.0)
    assert driver.objects()["crate"].position == pytest.approx((1.0, 0.0, 0.0), abs=0.002)


def test_time_passes_in_ticks_only() -> None:
    driver = driver_of(ball("ball", (1.0, 0.0, 2.0)), door())
    assert driver.state().t_s == 0.0
    for _ in range(3):
        driver.objects()
        driver.raycast((0, 0, 1), (1, 0, 0), 5.0)
        driver.set_object("door", ObjectPatch(state="open"))
        driver.teleport(Pose(0.0, 1.0, 0.0))
    assert driver.state().t_s == 0.0 and driver.objects()["ball"].position == (1.0, 0.0, 2.0)
    driver.advance(0.3)
    assert driver.state().t_s == pytest.approx(0.3)
    assert driver.objects()["ball"].position[2] < 1.7
    with pytest.raises(SimulatorError, match="above 0"):
        driver.tick(Command(), 0.0)


def test_contacts_tell_what_begins_and_not_what_rests() -> None:
    table = solid("table", (1.0, 1.0, 0.5), (3.0, 3.0, 0.0))
    driver = driver_of(table, crate("resting", (3.0, 3.0, 0.5)), ball("falling", (3.0, -3.0, 0.5)))
    seen: list[TickState] = []
    driver.advance(2.0, on_tick=seen.append)
    told = [(state.t_s, pair) for state in seen for pair in state.contacts]
    assert {pair for _, pair in told} == {("falling", "floor")}
    assert told[0][0] == pytest.approx(0.32, abs=0.06)


def test_rays_see_what_is_seen() -> None:
    driver = driver_of(
        wall("ghost", (0.2, 4.0, 2.0), (1.0, 0.0, 0.0), collides=False),
        wall("glass", (0.2, 4.0, 2.0), (0.5, 0.0, 0.0), visible=False),
        solid("cone", (0.6, 0.6, 1.0), (0.0, 2.0, 0.0), shape="cone"),
    )
    hit = driver.raycast((0.0, 0.0, 1.0), (2.0, 0.0, 0.0), 3.0)
    assert hit is not None and hit.object == "ghost"
    assert hit.distance_m == pytest.approx(0.9) and hit.point == pytest.approx((0.9, 0.0, 1.0))
    assert driver.raycast((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), 0.8) is None
    assert driver.raycast((0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), 50.0) is None
    tip = driver.raycast((0.0, 0.0, 0.5), (0.0, 1.0, 0.0), 5.0)
    assert tip is not None and tip.distance_m == pytest.approx(2.0 - 0.15, abs=0.003)
    with pytest.raises(SimulatorError, match="direction"):
        driver.raycast((0, 0, 0), (0, 0, 0), 1.0)


def test_interact_operates_the_first_thing_under_the_crosshair_within_reach() -> None:
    driver = driver_of(lamp(position=(1.5, 0.0, 0.0)))
    driver.look(-3.0)
    assert driver.interact().interacted == "lamp"
    assert driver.objects()["lamp"].state == "on" and driver._lights["lamp_light"].on
    driver.interact()
    assert driver.objects()["lamp"].state == "off" and not driver._lights["lamp_light"].on
    driver.set_object("lamp", ObjectPatch(state="on"))
    assert driver._lights["lamp_light"].on
    driver.teleport(Pose(-1.5, 0.0, 0.0))
    assert driver.interact().interacted is None
    driver.teleport(Pose(0.0, 0.0, 0.0))
    driver.spawn(wall("screen", (0.05, 1.0, 2.0), (0.8, 0.0, 0.0)))
    assert driver.interact().interacted is None
    driver.set_object("screen", ObjectPatch(visible=False))
    driver.look(-3.0)
    assert driver.interact().interacted == "lamp"


def test_a_spin_turns_its_part_and_a_slide_comes_out() -> None:
    blade = Primitive("box", (0.02, 0.6, 0.05), (0.0, 0.0, 1.0), part="blades")
    foot = Primitive("cylinder", (0.3, 0.3, 0.8), (0.0, 0.0, 0.4))
    spin = Interaction("spin", "blades", (1, 0, 0), (0, 0, 1.0), 90.0, states=("off", "on"), initial="on")
    fan = WorldObject("fan", "fan", "fan", (blade, foot), (2.0, 2.0, 0.0), interaction=spin)
    drawer = Primitive("box", (0.4, 0.4, 0.2), (0.0, 0.0, 0.5), part="drawer")
    slide = Interaction(
        "slide", "drawer", (1, 0, 0), travel=0.3, seconds=0.5, states=("closed", "open"), initial="closed"
    )
    chest = WorldObject("chest", "chest", "chest", (drawer,), (2.0, -2.0, 0.0), interaction=slide)
    driver = driver_of(fan, chest)
    driver.set_object("chest", ObjectPatch(state="closed"))
    driver.advance(1.0)
    low, high = driver.objects()["fan"].bounds
    assert high[2] == pytest.approx(1.3, abs=0.01) and high[1] - low[1] == pytest.approx(0.3, abs=0.06)
    driver.teleport(Pose(0.9, -2.0, 0.0, 0.0, -45.0))
    assert driver.interact().interacted == "chest"
    driver.advance(0.5)
    assert driver.objects()["chest"].bounds[0][0] == pytest.approx(2.1)


def test_lights_are_known_by_name() -> None:
    driver = driver_of(lamp())
    driver.set_light("sun", LightPatch(intensity=0.5))
    driver.set_light("lamp_light", LightPatch(color=(1.0, 0.0, 0.0)))
    with pytest.raises(UnknownObject, match="moon"):
        driver.set_light("moon", LightPatch(on=True))


def test_interrupt_close_and_misuse() -> None:
    driver = MujocoDriver()
    with pytest.raises(SimulatorError, match="No world"):
        driver.state()
    place = world(crate("a", (2, 0, 0)))
    with pytest.raises(UnknownName, match="attic"):
        driver.load(place, spawn="attic")
    driver.load(place, spawn="start")
    driver.move(1.0)
    driver.interrupt()
    with pytest.raises(StepTimeout):
        driver.tick(Command())
    assert driver.load(place).t_s == 0.0
    assert driver.state().pose == Pose(0.0, 0.0, 0.0)
    driver.close()
    driver.close()
    with pytest.raises(SimulatorError, match="closed"):
        driver.tick(Command())
    assert MujocoDriver.capabilities == CAPABILITIES


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (world(crate("a", (0, 0, 0)), crate("a", (1, 0, 0))), "not unique"),
        (world(crate("agent", (0, 0, 0))), "agent"),
        (replace(world(lamp()), lights=()), "lamp_light"),
        (replace(world(lamp()), materials={}), "bulb"),
        (replace(world(crate("a", (2, 0, 0))), materials={"missing": Material()}), "'missing' is reserved"),
        (world(solid("flat", (1.0, 0.0, 1.0), (0, 0, 0))), "flat"),
    ],
)
def test_a_broken_world_is_refused_with_its_name(place: World, words: str) -> None:
    with pytest.raises(DataFileError, match=words):
        MujocoDriver().load(place)


def test_the_same_actions_give_the_same_poses_also_after_a_reload() -> None:
    place = world(crate("crate", (1.0, 0.1, 0.0)), ball("ball", (2.0, 0.0, 0.0)), door(), floor(1.0, "mat"))

    def play(driver: MujocoDriver) -> list[object]:
        driver.load(place)
        told: list[object] = [driver.move(1.5), driver.turn(20.0), driver.interact(), driver.move(2.0)]
        return [*told, driver.objects()]

    driver = MujocoDriver()
    first = play(driver)
    assert play(driver) == first
    assert play(MujocoDriver()) == first
