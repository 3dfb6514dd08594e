"""The driver on our server by the extension: the same as in process, call by call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from embodied_eval.drivers.base import CAPABILITIES, Command, Driver, LightPatch, ObjectPatch
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.unrealcv.connect import Deadlines
from embodied_eval.drivers.unrealcv.driver import UnrealcvDriver
from embodied_eval.errors import (
    CapabilityMissing,
    ProtocolError,
    SimulatorCrashed,
    SimulatorError,
    StepTimeout,
    UnknownName,
    UnknownObject,
)
from embodied_eval.records import Pose
from embodied_eval.worlds.model import World
from tests.drivers.unrealcv.server_kit import driven, served
from tests.worlds.small import crate, door, lamp, solid, wall, world

ROOM = world(
    crate("crate", (1.0, 0.1, 0.0)),
    door("door", (2.2, 0.0, 0.0)),
    lamp("lamp", (1.5, 1.0, 0.0)),
    wall("wall", (0.2, 3.0, 2.0), (-1.0, 0.0, 0.0)),
    yaw_deg=7.5,
)
SIZE = (64, 48)


@pytest.fixture(scope="module")
def driver() -> Iterator[UnrealcvDriver]:
    with driven(ROOM) as made:
        yield made


@pytest.fixture(scope="module")
def inside() -> Iterator[MujocoDriver]:
    made = MujocoDriver()
    yield made
    made.close()


def walk(driver: Driver) -> list[Any]:
    """Everything that happens on a walk into a crate, a door and back."""
    seen: list[Any] = [driver.load(ROOM, seed=3)]
    for command in (
        *[Command(forward=1.0)] * 12,
        Command(yaw_deg=12.3, pitch_deg=-4.1),
        *[Command(strafe=0.7, forward=0.3)] * 4,
        Command(jump=True),
        *[Command()] * 4,
        Command(interact=True),
        *[Command()] * 3,
    ):
        seen.append(driver.step(command))
    seen += [driver.move(-0.4), driver.turn(33.0), driver.look(10.0), driver.advance(0.2), driver.interact()]
    seen += [driver.state(), driver.objects(), driver.eye_height_m, driver.fov_deg]
    return seen


def test_the_same_walk(driver: UnrealcvDriver, inside: MujocoDriver) -> None:
    assert walk(driver) == walk(inside)


def changes(driver: Driver) -> list[Any]:
    """Every kind of change, read back."""
    driver.load(ROOM)
    seen: list[Any] = [
        driver.set_object("crate", ObjectPatch(position=(1.3, 0.123456789, 0.0), rotation_deg=(0, 0, 30))),
        driver.set_object("crate", ObjectPatch(scale=(1.5, 1.0, 1.2), collides=False, color=(0.2, 0.4, 0.6))),
        driver.set_object("lamp", ObjectPatch(material="bulb", casts_shadow=False, state="on")),
        driver.object("lamp"),
        driver.set_object("wall", ObjectPatch(visible=False, shadow_offset_m=(0.1, 0.0, 0.0))),
        driver.spawn(solid("new", (0.3, 0.3, 0.3), (0.8, -0.5, 0.0))),
        driver.object("new"),
        driver.raycast((0.0, 0.0, 1.0), (1.0, 0.05, 0.0), 9.0),
        driver.raycast((0.0, 0.0, 1.0), (0.0, 0.0, 1.0), 9.0),
        driver.teleport(Pose(0.25, -0.125, 0.0, 200.0, 95.0)),
        driver.teleport(Pose(0.0, 0.0, 0.0, 3.0, -10.0)),
    ]
    driver.set_light("lamp_light", LightPatch(intensity=0.3, color=(1.0, 0.1, 0.1)))
    driver.set_light("sun", LightPatch(on=False))
    driver.destroy("new")
    seen.append(driver.objects())
    return seen


def test_the_same_changes(driver: UnrealcvDriver, inside: MujocoDriver) -> None:
    assert changes(driver) == changes(inside)


@pytest.mark.gl
def test_the_same_pictures_and_visibility(driver: UnrealcvDriver, inside: MujocoDriver) -> None:
    pictures = []
    for one in (driver, inside):
        changes(one)
        clean = replace(one.object("wall"), visible=True, position=(2.0, 0.0, 0.0))
        frame = one.render(("rgb", "depth", "normals", "mask"), SIZE)
        rows = one.visibility("a1", ("crate", "wall", "lamp"), {"wall": clean}, SIZE)
        pictures.append((frame, rows))
    (ours, rows), (theirs, their_rows) = pictures
    assert rows == their_rows and rows[0].pixels
    assert (ours.t_s, ours.pose) == (theirs.t_s, theirs.pose)
    for name in ("rgb", "depth", "normals", "mask"):
        got, wanted = getattr(ours, name), getattr(theirs, name)
        assert got.dtype == wanted.dtype
        np.testing.assert_array_equal(got, wanted)
    assert driver.renderer()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda one: one.object("nothing"), UnknownObject),
        (lambda one: one.set_object("nothing", ObjectPatch(visible=False)), UnknownObject),
        (lambda one: one.set_object("crate", ObjectPatch(state="on")), CapabilityMissing),
        (lambda one: one.set_object("crate", ObjectPatch(scale=(0.0, 1.0, 1.0))), SimulatorError),
        (lambda one: one.set_object("crate", ObjectPatch(material="gold")), UnknownName),
        (lambda one: one.set_light("nothing", LightPatch(on=True)), UnknownObject),
        (lambda one: one.destroy("wall"), SimulatorError),
        (lambda one: one.raycast((0, 0, 0), (0, 0, 0), 1.0), SimulatorError),
        (lambda one: one.load(ROOM, spawn="nowhere"), UnknownName),
    ],
)
def test_errors_keep_their_class(
    driver: UnrealcvDriver, inside: MujocoDriver, call: Callable[[Driver], object], error: type[Exception]
) -> None:
    for one in (driver, inside):
        one.load(ROOM)
        with pytest.raises(error) as caught:
            call(one)
        assert type(caught.value) is error
    driver.load(ROOM)
    assert driver.tick(Command()).t_s == 0.05


def test_a_world_that_the_server_does_not_have_is_sent(driver: UnrealcvDriver, inside: MujocoDriver) -> None:
    other = world(crate("box", (1.2, 0.0, 0.0), mass_kg=20.0), spawn=(0.1, 0.2, 0.0), yaw_deg=-33.3)
    assert driver.load(other) == inside.load(other)
    assert driver.move(1.0) == inside.move(1.0)
    assert driver.objects() == inside.objects()
    assert driver.load(ROOM).pose.yaw_deg == 7.5


def test_capabilities_are_those_of_the_server(driver: UnrealcvDriver) -> None:
    assert UnrealcvDriver.capabilities == CAPABILITIES
    driver.load(ROOM)
    assert driver.offered == driver.capabilities == CAPABILITIES


def test_objects_are_read_again_only_after_something_happened(driver: UnrealcvDriver) -> None:
    driver.load(ROOM)
    first = driver.objects()
    assert driver.object("door") is driver.objects()["door"] is first["door"]
    first.clear()
    assert driver.set_object("lamp", ObjectPatch(visible=False)) == driver.objects()["lamp"]
    driver.tick(Command())
    assert not driver.object("lamp").visible


def test_nothing_goes_on_after_an_interruption_but_a_load() -> None:
    small = world()
    with driven(small) as driver:
        driver.load(small)
        driver.interrupt()
        with pytest.raises(StepTimeout):
            driver.tick(Command())
        assert driver.load(small).t_s == 0.0
        assert driver.tick(Command(forward=1.0)).moved_m > 0.1


def test_a_server_that_went_is_told_and_a_new_one_is_read_from_the_start() -> None:
    small: World = world(crate("box", (2.0, 0.0, 0.0)))
    with served(small) as server:
        driver = UnrealcvDriver(f"tcp://127.0.0.1:{server.port}")
        driver.load(small)
        driver.tick(Command())
        server.stop()
        with pytest.raises(SimulatorCrashed):
            driver.tick(Command())
        with pytest.raises(SimulatorCrashed, match="Load a world again"):
            driver.state()
    driver.close()
    driver.close()
    with pytest.raises(SimulatorError, match="closed"):
        driver.load(small)


@pytest.mark.parametrize(
    ("fault", "error"), [("hang", StepTimeout), ("wrong-id", ProtocolError), ("close", SimulatorCrashed)]
)
def test_a_fault_ends_in_its_error_and_the_next_load_goes_on(fault: str, error: type[Exception]) -> None:
    small = world()
    # Replies before the first tick's: commands, load, about.
    with driven(small, faults=f"{fault}@3/0", deadlines=Deadlines(text_s=1.0)) as driver:
        driver.load(small)
        with pytest.raises(error):
            driver.tick(Command(forward=1.0))
        with pytest.raises(SimulatorCrashed):
            driver.tick(Command())
        assert driver.load(small).t_s == 0.0
        assert driver.tick(Command()).t_s == 0.05
