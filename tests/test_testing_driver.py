"""The driver of boxes keeps the contract that tests of other parts lean on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from embodied_eval.drivers.base import Command
from embodied_eval.errors import SimulatorCrashed, UnknownObject
from embodied_eval.records import Pose
from tests.testing_driver import PlaneDriver
from tests.testing_world import box, plane_world, switch

WORLD = plane_world(
    box("wall_1", (3.0, 0.0, 0.0), (0.2, 4.0, 2.0)),
    box("lamp_1", (0.0, 1.5, 0.0), (0.4, 0.4, 2.0), device=switch()),
    box("crate_1", (6.0, 0.0, 0.0), (1.0, 1.0, 4.0)),
)


@pytest.fixture
def driver() -> PlaneDriver:
    made = PlaneDriver()
    made.load(WORLD)
    return made


def test_a_wall_stops_and_lets_slide(driver: PlaneDriver) -> None:
    motion = driver.move(4.0)
    assert motion.blocked and motion.pose.x == pytest.approx(2.6)
    assert motion.moved_m == pytest.approx(2.6) and motion.contacts == (("agent", "wall_1"),)
    driver.turn(45.0)
    slid = driver.move(1.0)
    assert slid.blocked and slid.pose.x == pytest.approx(2.6)
    assert slid.pose.y == pytest.approx(0.5**0.5)


def test_time_passes_in_ticks_only(driver: PlaneDriver) -> None:
    assert driver.step(Command()).t_s == 0.05
    driver.capture(("rgb",), (32, 18))
    assert driver.teleport(Pose(1.0, 0.0, 0.0)).t_s == 0.05
    assert driver.advance(1.0).elapsed_s == pytest.approx(1.0)


def test_pictures_show_what_is_there(driver: PlaneDriver) -> None:
    frame = driver.capture(("rgb", "depth", "mask"), (96, 54))
    assert frame.rgb is not None and frame.rgb.shape == (54, 96, 3)
    assert frame.mask is not None and frame.depth is not None
    wall = driver.objects()["wall_1"].id
    assert frame.mask[27, 48] == wall and frame.depth[27, 48] == pytest.approx(2.9, abs=0.01)
    assert frame.mask[0, 0] == -1


def test_visibility_counts_pixels_and_the_twin(driver: PlaneDriver) -> None:
    state = driver.objects()["wall_1"]
    (row,) = driver.visibility("a0", ["crate_1"], {}, (96, 54))
    assert 0 < row.pixels < row.unoccluded and row.twin_pixels == row.pixels
    (row,) = driver.visibility("a0", ["crate_1"], {"wall_1": replace(state, visible=False)}, (96, 54))
    assert row.twin_pixels == row.unoccluded > row.pixels
    driver.spawn(box("extra_1", (1.5, 0.0, 1.0), (0.2, 0.2, 1.0)))
    (row,) = driver.visibility("a0", ["extra_1"], {}, (96, 54))
    assert row.pixels > 0 and row.twin_pixels == 0 and row.twin_box is None


def test_ids_are_never_used_again(driver: PlaneDriver) -> None:
    first = driver.spawn(box("extra_1", (9.0, 9.0, 0.0)))
    driver.destroy("extra_1")
    assert driver.spawn(box("extra_1", (9.0, 9.0, 0.0))).id == first.id + 1
    with pytest.raises(UnknownObject):
        driver.destroy("extra_2")


def test_devices_and_interruption(driver: PlaneDriver) -> None:
    driver.turn(90.0)
    assert driver.interact().interacted == "lamp_1"
    assert driver.objects()["lamp_1"].state == "on"
    driver.interrupt()
    with pytest.raises(SimulatorCrashed):
        driver.advance(1.0)
