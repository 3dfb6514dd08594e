"""The `page` driver on pages that walk by keys, by their own units, behind menus, not at all, and on bad ones."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

from embodied_eval.drivers.base import Command, ObjectPatch
from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.session import PageSession
from embodied_eval.drivers.browser.settings import BrowserSettings
from embodied_eval.drivers.page.axes import horizontal_fov_deg, page_yaw, pose_of, to_ours, to_page
from embodied_eval.drivers.page.controls import FRAME_MS, Controls
from embodied_eval.drivers.page.driver import PageDriver
from embodied_eval.drivers.page.open import open_page
from embodied_eval.errors import CapabilityMissing, DataFileError, PageFailed, SimulatorError, StepTimeout
from embodied_eval.records import Pose
from embodied_eval.worlds.bundled import load_world
from embodied_eval.worlds.model import Page
from embodied_eval.worlds.pages import page_world

PAGES = Path(__file__).parent / "pages"
GALLERY = Path(__file__).parents[3] / "examples" / "gallery"
SIZE = (320, 180)
PIXEL_DEG = 0.15
"""A page turns its view by whole pixels of mouse movement; this is more than one of them."""


def loaded(file: Path) -> PageDriver:
    driver = PageDriver(SIZE)
    try:
        driver.load(page_world(str(file)))
    except BaseException:
        driver.close()
        raise
    return driver


@pytest.fixture(scope="module")
def gallery() -> Iterator[PageDriver]:
    driver = loaded(GALLERY / "faulty.html")
    yield driver
    driver.close()


@pytest.fixture(scope="module")
def village() -> Iterator[PageDriver]:
    driver = loaded(PAGES / "orbit.html")
    yield driver
    driver.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser(BrowserSettings(size=SIZE)) as made:
        yield made


def walk_to(driver: PageDriver, x: float, y: float) -> None:
    """Turn to a point and walk there, a tick at a time."""
    pose = driver.state().pose
    heading = math.degrees(math.atan2(y - pose.y, x - pose.x))
    driver.turn((heading - pose.yaw_deg + 180.0) % 360.0 - 180.0)
    driver.move(math.hypot(x - pose.x, y - pose.y))


def test_page_axes_are_ours_turned_about_x() -> None:
    assert to_ours((1.0, 2.0, 3.0)) == (1.0, -3.0, 2.0)
    assert to_page(to_ours((1.0, 2.0, 3.0), 0.5), 0.5) == (1.0, 2.0, 3.0)
    assert pose_of((4.0, 1.6, -2.0), (0.0, 0.0, -1.0), 1.6) == Pose(4.0, 2.0, 0.0, 90.0, 0.0)
    assert pose_of((0.0, 3.2, 0.0), (1.0, 0.0, 0.0), 1.6, 0.5) == Pose(0.0, 0.0, 0.0, 0.0, 0.0)
    assert pose_of((0.0, 1.6, 0.0), (0.0, -1.0, -1.0), 1.6).pitch_deg == pytest.approx(-45.0)
    assert page_yaw(90.0) == 0.0
    assert horizontal_fov_deg(58.716, 16 / 9) == pytest.approx(90.0, abs=0.01)


def test_a_key_is_held_as_long_as_the_way_needs() -> None:
    even = Controls("keys", walked_m=tuple(0.05 * frame for frame in range(31)))
    assert even.speed_m_s == pytest.approx(3.0)
    assert even.distance_m(40 * FRAME_MS) == pytest.approx(2.0)
    assert even.needed_ms(0.0, 0.11) == pytest.approx(0.11 / 3.0 * 1000.0, abs=0.1)
    gliding = Controls("keys", walked_m=even.walked_m, glide_s=0.1)
    assert gliding.needed_ms(3.0, 0.11) == pytest.approx(0.11 / 3.0 * 1000.0, abs=0.1)


@pytest.mark.browser
def test_a_gallery_is_walked_by_its_own_keys(gallery: PageDriver) -> None:
    state, controls = gallery.state(), gallery.controls
    assert controls.kind == "keys" and controls.look == "mouse" and controls.start == ("click",)
    assert controls.speed_m_s == pytest.approx(3.0, rel=0.01)
    assert astuple(state.pose) == pytest.approx((0.0, -3.6, 0.0, 90.0, 0.0), abs=1e-6)
    assert gallery.fov_deg == pytest.approx(90.0, abs=0.1)
    assert "r166" in gallery.renderer() and "KeyW" in gallery.renderer()

    turned = gallery.turn(90.0)
    assert abs(turned.pose.yaw_deg) == pytest.approx(180.0, abs=PIXEL_DEG) and turned.moved_m == 0.0
    assert turned.elapsed_s == pytest.approx(1.0)
    for degrees in (-135.0, 45.0):
        gallery.turn(degrees)
    assert gallery.state().pose.yaw_deg == pytest.approx(90.0, abs=PIXEL_DEG)
    assert gallery.look(-20.0).pose.pitch_deg == pytest.approx(-20.0, abs=PIXEL_DEG)
    gallery.look(20.0)

    free = gallery.move(-0.5)
    assert free.moved_m == pytest.approx(0.5, abs=0.005) and not free.blocked
    assert free.pose.y == pytest.approx(-4.1, abs=0.005)
    stopped = gallery.move(-2.0)
    assert stopped.blocked and stopped.pose.y == pytest.approx(-4.58, abs=0.06)
    for _ in range(10):
        state = gallery.step(Command(strafe=-1.0))
    assert state.pose.x == pytest.approx(-1.1, abs=0.01) and state.pose.y == stopped.pose.y


@pytest.mark.browser
def test_rays_and_a_door_that_is_operated(gallery: PageDriver) -> None:
    hit = gallery.raycast((0.0, 0.0, 1.6), (2.0, 0.0, 0.0), 50.0)
    assert hit is not None and hit.object == "east wall" and hit.distance_m == pytest.approx(3.88)
    assert gallery.raycast((0.0, 0.0, 1.6), (1.0, 0.0, 0.0), 3.0) is None
    walk_to(gallery, -2.4, -1.5)
    gallery.turn(90.0 - gallery.state().pose.yaw_deg)
    assert gallery.interact().interacted is None
    gallery.turn(90.0)
    assert gallery.interact().interacted == "study door leaf"
    low, high = gallery.object("ring sculpture plinth").bounds
    assert low == pytest.approx((-0.55, -0.05, 0.0), abs=1e-6)
    assert high == pytest.approx((0.55, 1.05, 0.4), abs=1e-6)


@pytest.mark.browser
def test_the_same_steps_give_the_same_pictures_and_the_fault_shows(gallery: PageDriver) -> None:
    def pictures() -> list[np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
        gallery.load(page_world(str(GALLERY / "faulty.html")), seed=3)
        made = []
        for degrees in (0.0, 180.0, 180.0):
            gallery.turn(degrees)
            frame = gallery.capture(size=SIZE)
            assert frame.rgb is not None and frame.rgb.shape == (180, 320, 3)
            made.append(frame.rgb)
        return made

    first, again = pictures(), pictures()
    assert all(np.array_equal(one, two) for one, two in zip(first, again, strict=True))
    # What was looked at and turned away from is gone: the bust in the left half, and nothing else.
    differs = np.abs(first[0].astype(int) - first[2]).max(axis=2) > 40
    assert differs[:, :160].sum() > 50 and differs[:, 160:].sum() < 20


@pytest.mark.browser
def test_pictures_pass_no_time_and_show_the_world_alone(gallery: PageDriver) -> None:
    before = gallery.state()
    one, two = gallery.capture(size=SIZE).rgb, gallery.capture(size=SIZE).rgb
    small = gallery.capture(size=(160, 160)).rgb
    assert one is not None and two is not None and small is not None
    assert np.array_equal(one, two) and small.shape == (160, 160, 3)
    assert gallery.state() == before
    assert gallery.advance(0.5).elapsed_s == pytest.approx(0.5)
    # The start screen and the page's crosshair are no part of the world.
    assert np.ptp(one[88:93, 158:163].reshape(-1, 3), axis=0).max() < 120
    with pytest.raises(CapabilityMissing):
        gallery.capture(("depth",), SIZE)


@pytest.mark.browser
def test_nothing_of_a_foreign_page_can_be_changed(gallery: PageDriver) -> None:
    with pytest.raises(CapabilityMissing):
        gallery.set_object("basin", ObjectPatch(visible=False))
    with pytest.raises(CapabilityMissing):
        gallery.destroy("basin")
    with pytest.raises(CapabilityMissing, match="moves its own camera"):
        gallery.teleport(Pose(0.0, 0.0, 0.0))


@pytest.mark.browser
def test_a_page_that_orbits_is_walked_by_its_camera(village: PageDriver) -> None:
    assert village.controls.kind == "camera" and village.controls.drifts
    start = village.state().pose
    assert start.z == pytest.approx(0.0, abs=1e-6) and -30.0 <= start.y < -25.0
    assert village.turn(90.0).pose.yaw_deg == pytest.approx(start.yaw_deg + 90.0)

    village.teleport(Pose(0.0, 6.0, 0.0, 90.0))
    stopped = village.move(3.0)
    assert stopped.blocked and stopped.pose.y == pytest.approx(7.75 - 0.3, abs=1e-3)
    village.teleport(Pose(-5.0, -18.0, 0.0, 180.0))
    post = village.move(2.0)
    assert post.blocked and post.pose.x == pytest.approx(-6.0 + 0.15 + 0.3, abs=0.1)
    village.teleport(Pose(-5.0, -19.0, 0.0, 180.0))
    assert village.move(2.0).pose.x == pytest.approx(-7.0), "between two posts there is room"
    village.teleport(Pose(6.0, -5.0, 0.0, 90.0))
    stairs = village.move(4.0)
    assert not stairs.blocked and stairs.pose.z == pytest.approx(0.9, abs=1e-3)
    over = village.move(3.0)
    assert over.pose.z == pytest.approx(0.0, abs=1e-3) and not over.blocked


@pytest.mark.browser
def test_the_world_ends_where_its_ground_does_and_jumps_come_down(village: PageDriver) -> None:
    village.teleport(Pose(-29.0, -20.0, 0.0, 180.0))
    edge = village.move(3.0)
    assert edge.blocked and edge.pose.x > -30.0
    heights = [village.step(Command(jump=number == 0)).pose.z for number in range(20)]
    assert max(heights) > 0.4 and heights[-1] == pytest.approx(0.0, abs=1e-6)
    frame = village.capture(size=SIZE)
    assert frame.rgb is not None and frame.rgb.std() > 10.0


@pytest.mark.browser
def test_slow_keys_behind_a_menu_and_a_dragged_view() -> None:
    driver = loaded(PAGES / "strolling.html")
    try:
        assert "Play the game" in driver.controls.start and driver.controls.look == "drag"
        assert driver.eye_height_m == pytest.approx(1.7, abs=1e-6)
        done = driver.move(1.0)
        assert done.moved_m == pytest.approx(1.0, abs=0.01) and not done.blocked
        assert done.elapsed_s == pytest.approx(1.0 / 1.1, abs=0.06), "a slow page takes its time, and says so"
        assert driver.turn(45.0).pose.yaw_deg == pytest.approx(135.0, abs=0.25)
        assert driver.interact().interacted == "kiosk"
        with pytest.raises(CapabilityMissing, match="no key"):
            driver.step(Command(strafe=1.0))
    finally:
        driver.close()


@pytest.mark.browser
@pytest.mark.full
def test_a_walker_in_other_units_that_speeds_up_and_coasts() -> None:
    driver = loaded(PAGES / "coasting.html")
    try:
        assert driver.controls.scale == pytest.approx(0.16) and driver.controls.glide_s > 0.03
        for distance in (1.0, -1.0, 2.5):
            assert driver.move(distance).moved_m == pytest.approx(abs(distance), abs=0.06)
            still = driver.state().pose
            assert driver.advance(0.3).pose.x == pytest.approx(still.x, abs=0.01)
    finally:
        driver.close()


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "outcome", "words"),
    [
        ("throws.html", "page_error", r"startTheWorld is not defined \(line 6, column 1\)"),
        ("no_canvas.html", "no_canvas", "has none"),
        ("refused.html", "page_error", r"Refused: https://cdn\.example\.com/engine/babylon\.js"),
        ("raw.html", "not_three", "Three.js"),
    ],
)
def test_a_page_that_is_no_world_says_why_and_is_not_tried_again(
    browser: Browser, name: str, outcome: str, words: str
) -> None:
    with pytest.raises(PageFailed, match=words) as raised:
        open_page(PageSession(browser, size=SIZE), Page(name, "", str(PAGES)))
    assert raised.value.outcome == outcome and not raised.value.retriable


def test_files_that_cannot_be_read_or_have_changed(tmp_path: Path) -> None:
    from embodied_eval.drivers.page.open import site_of

    with pytest.raises(DataFileError, match="cannot be read"):
        site_of(Page("gone.html", "", str(tmp_path)))
    (tmp_path / "page.html").write_text("<p>")
    with pytest.raises(DataFileError, match="changed"):
        site_of(Page("page.html", "0" * 64, str(tmp_path)))
    with pytest.raises(DataFileError, match="no page"):
        PageDriver(SIZE).load(load_world("indoor"))


@pytest.mark.browser
def test_a_page_that_loads_itself_anew_ends_typed() -> None:
    with pytest.raises(PageFailed) as raised:
        driver = loaded(PAGES / "reloads.html")
        try:
            driver.advance(5.0)
        finally:
            driver.close()
    assert not raised.value.retriable


@pytest.mark.browser
def test_interrupting_ends_the_browser(village: PageDriver) -> None:
    threading.Thread(target=village.interrupt).start()
    with pytest.raises(SimulatorError):
        for _ in range(10_000):
            village.tick(Command())
    with pytest.raises(StepTimeout):
        village.state()
