"""Pictures, masks and visibility of the MuJoCo driver."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from embodied_eval.drivers.base import LightPatch, ObjectPatch
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from tests.worlds.small import ball, crate, door, lamp, solid, wall, world

pytestmark = pytest.mark.gl
SIZE = (240, 136)


@pytest.fixture
def driver() -> object:
    made = MujocoDriver()
    made.load(
        world(
            door(),
            wall("left", (0.1, 3.0, 2.5), (2.0, 2.0, 0.0)),
            wall("right", (0.1, 3.0, 2.5), (2.0, -2.0, 0.0)),
            solid("box", (0.3, 0.3, 1.2), (1.4, 0.8, 0.0)),
            lamp(position=(1.5, -1.0, 0.0)),
        )
    )
    yield made
    made.close()


def test_a_frame_holds_what_was_asked_for_and_masks_name_objects(driver: MujocoDriver) -> None:
    frame = driver.capture(("rgb", "depth", "mask", "normals"), SIZE)
    assert frame.rgb is not None and frame.rgb.shape == (136, 240, 3) and frame.rgb.dtype == np.uint8
    assert frame.depth is not None and frame.depth.dtype == np.float32
    assert frame.mask is not None and frame.mask.dtype == np.int32
    assert frame.normals is not None and frame.normals.shape == (136, 240, 3)
    ids = {state.id: name for name, state in driver.objects().items()}
    assert ids[int(frame.mask[68, 120])] == "door"
    assert frame.depth[68, 120] == pytest.approx(1.98, abs=1e-3)
    hit = driver.raycast((0.0, 0.0, 1.6), (1.0, 0.0, 0.0), 10.0)
    assert hit is not None and hit.distance_m == pytest.approx(float(frame.depth[68, 120]), abs=1e-3)
    assert driver.renderer()
    assert driver.capture(("mask",), SIZE).rgb is None


def test_rays_and_masks_agree(driver: MujocoDriver) -> None:
    frame = driver.capture(("mask",), SIZE)
    assert frame.mask is not None
    ids = {state.id: name for name, state in driver.objects().items()}
    rng = np.random.default_rng(3)
    agree = 0
    for _ in range(200):
        row, column = int(rng.integers(136)), int(rng.integers(240))
        across, up = (column + 0.5) / 120 - 1.0, (68 - row - 0.5) / 120
        hit = driver.raycast((0.0, 0.0, 1.6), (1.0, -across, up), 50.0)
        agree += (hit.object if hit else None) == ids.get(int(frame.mask[row, column]))
    assert agree >= 196


def test_visibility_against_the_clean_twin(driver: MujocoDriver) -> None:
    clean = driver.objects()
    (row,) = driver.visibility("a0", ["box"], {}, SIZE)
    assert row.pixels == row.unoccluded == row.twin_pixels > 100 and row.box == row.twin_box
    driver.set_object("box", ObjectPatch(visible=False))
    (hidden,) = driver.visibility("a1", ["box"], {"box": clean["box"]}, SIZE)
    assert (hidden.pixels, hidden.unoccluded, hidden.box) == (0, 0, None)
    assert (hidden.twin_pixels, hidden.twin_unoccluded) == (row.pixels, row.unoccluded)
    driver.set_object("box", ObjectPatch(visible=True, position=(3.0, 1.8, 0.0)))
    (moved,) = driver.visibility("a2", ["box"], {"box": clean["box"]}, SIZE)
    assert moved.pixels == 0 and moved.unoccluded > 0 and moved.twin_pixels == row.pixels
    driver.spawn(solid("extra", (0.2, 0.2, 0.2), (1.0, 0.0, 1.5)))
    (extra,) = driver.visibility("a3", ["extra"], {}, SIZE)
    assert extra.pixels > 100 and (extra.twin_pixels, extra.twin_unoccluded) == (0, 0)
    assert extra.image_pixels == 240 * 136
    (nothing,) = driver.visibility("a4", ["nowhere"], {}, SIZE)
    assert nothing.pixels == 0


def test_the_twin_has_the_door_as_it_was(driver: MujocoDriver) -> None:
    clean = driver.objects()
    (before,) = driver.visibility("a0", ["door"], {}, SIZE)
    driver.set_object("door", ObjectPatch(state="open"))
    (after,) = driver.visibility("a1", ["door"], {"door": clean["door"]}, SIZE)
    assert after.pixels < before.pixels == after.twin_pixels


def test_colour_light_and_device_show_and_can_be_undone(driver: MujocoDriver) -> None:
    def picture() -> bytes:
        frame = driver.capture(("rgb",), SIZE)
        assert frame.rgb is not None
        return frame.rgb.tobytes()

    first = picture()
    driver.set_object("box", ObjectPatch(color=(1.0, 0.0, 0.0)))
    tinted = picture()
    driver.set_object("box", ObjectPatch(clear_color=True))
    assert picture() == first != tinted
    driver.set_object("lamp", ObjectPatch(state="on"))
    lit = picture()
    driver.set_object("lamp", ObjectPatch(state="off"))
    assert picture() == first != lit
    driver.set_light("sun", LightPatch(on=False))
    assert picture() != first
    driver.set_light("sun", LightPatch(on=True))
    driver.set_object("box", ObjectPatch(scale=(2.0, 2.0, 1.0)))
    assert picture() != first
    driver.set_object("box", ObjectPatch(scale=(1.0, 1.0, 1.0)))
    assert picture() == first


def test_a_reload_shows_what_a_fresh_driver_shows(driver: MujocoDriver) -> None:
    place = world(crate("a", (1.5, 0.3, 0.0)), ball("b", (1.5, -0.4, 0.0)))

    def picture(used: MujocoDriver) -> bytes:
        frame = used.capture(("rgb", "mask"), SIZE)
        assert frame.rgb is not None and frame.mask is not None
        return frame.rgb.tobytes() + frame.mask.tobytes()

    driver.load(place)
    first = picture(driver)
    driver.spawn(solid("extra", (0.5, 0.5, 1.0), (1.0, 0.0, 0.0)))
    driver.set_object("a", ObjectPatch(color=(0.0, 1.0, 0.0), position=(2.0, 1.0, 0.0)))
    driver.set_light("sun", LightPatch(intensity=0.2))
    assert picture(driver) != first
    driver.load(place)
    assert picture(driver) == first
    driver.spawn(solid("extra", (0.2, 0.2, 0.2), (1.0, 0.0, 1.5), shape="ellipsoid"))
    small = driver.visibility("a", ["extra"], {}, SIZE)[0].pixels
    fresh = MujocoDriver()
    fresh.load(place)
    assert picture(fresh) == first
    fresh.spawn(solid("extra", (0.2, 0.2, 0.2), (1.0, 0.0, 1.5), shape="ellipsoid"))
    assert fresh.visibility("a", ["extra"], {}, SIZE)[0].pixels == small
    fresh.close()


def test_resting_bodies_do_not_redraw_the_shadows() -> None:
    driver = MujocoDriver()
    driver.load(world(crate("a", (1.5, 0.3, 0.0)), crate("b", (1.5, 0.3, 0.4), edge_m=0.3)))
    driver.advance(1.0)
    driver.capture(("rgb",), SIZE)
    drawn = driver._synced_view().renderer.shadow_redraws
    for _ in range(5):
        driver.advance(0.2)
        driver.capture(("rgb",), SIZE)
    assert driver._synced_view().renderer.shadow_redraws <= drawn + 1
    driver.close()


_PLAY = """
import hashlib
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from tests.worlds.small import ball, crate, door, lamp, world
driver = MujocoDriver()
driver.load(world(crate("c", (1.0, 0.1, 0.0)), ball("b", (1.9, 0.0, 0.0)), door(), lamp(position=(1.5, -1.0, 0.0))))
digest = hashlib.sha256()
for action in (lambda: driver.move(1.5), lambda: driver.turn(20.0), driver.interact, lambda: driver.move(-1.0)):
    digest.update(repr((action(), driver.objects())).encode())
    frame = driver.capture(("rgb", "depth", "mask", "normals"), (240, 136))
    for array in (frame.rgb, frame.depth, frame.mask, frame.normals):
        digest.update(array.tobytes())
print(digest.hexdigest())
"""


def test_two_processes_give_the_same_poses_and_bytes() -> None:
    command = [sys.executable, "-c", _PLAY]
    told = {
        subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout
        for _ in range(2)
    }
    assert len(told) == 1 and len(told.pop().strip()) == 64
