"""The `page-env` driver on a page of our own that offers `window.__env`, in both kinds of runtime and with faults."""

from __future__ import annotations

import hashlib
import math
import os
import signal
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from embodied_eval.drivers.base import Command as Drive
from embodied_eval.drivers.base import Driver, Frame, TickState
from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.processes import ProcessGroup
from embodied_eval.drivers.browser.settings import BrowserSettings, Deadlines
from embodied_eval.drivers.page_env.driver import EnvPageDriver
from embodied_eval.errors import (
    CapabilityMissing,
    PageFailed,
    SimulatorCrashed,
    SimulatorError,
    StaleFrame,
    StepTimeout,
)
from embodied_eval.records import Pose
from embodied_eval.worlds.pages import page_world

PAGE = Path(__file__).parent / "page" / "index.html"
SIZE = (320, 180)
SHA256 = hashlib.sha256(PAGE.read_bytes()).hexdigest()
pytestmark = pytest.mark.browser


class SharedBrowser(EnvPageDriver):
    """The driver in a browser that is not its own: a new one for each of many short tests would take longer."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        super().__init__(SIZE, ready_virtual_s=2.0, **options)
        self._shared = browser

    def _new_browser(self) -> Browser:
        return self._shared

    def _close_browser(self) -> None:
        self._browser = None


class Browsers:
    """The module's browser, and another one once a test has ended it."""

    def __init__(self) -> None:
        self._browser: Browser | None = None

    def __call__(self) -> Browser:
        if self._browser is None or not self._browser.alive:
            self.close()
            settings = BrowserSettings(size=SIZE, deadlines=Deadlines(step_s=30.0, call_s=30.0, frame_s=30.0))
            self._browser = Browser(settings)
        return self._browser

    def close(self) -> None:
        if self._browser is not None:
            self._browser.close()


@pytest.fixture(scope="module")
def browsers() -> Iterator[Browsers]:
    made = Browsers()
    yield made
    made.close()


def loaded(browsers: Browsers, query: str = "bug=03", **options: Any) -> SharedBrowser:
    driver = SharedBrowser(browsers(), **options)
    driver.load(page_world(f"{PAGE}?{query}"))
    return driver


def picture(driver: Driver) -> np.ndarray[Any, Any]:
    rgb = driver.capture(("rgb",), SIZE).rgb
    assert rgb is not None
    return rgb


def near(pose: Pose, x: float, y: float, yaw_deg: float, off: float = 0.1) -> bool:
    turned = abs((pose.yaw_deg - yaw_deg + 180.0) % 360.0 - 180.0)
    return math.hypot(pose.x - x, pose.y - y) < off and turned < 2.0


CONVENTIONS = {
    "feet, mathematical": "bug=03",
    "eye, compass": "bug=03&axes=compass&pos=eye",
    "no camera to be seen": "bug=03&camera=own",
    "wall clock, eye, compass": "bug=03&kind=keys&axes=compass&pos=eye",
}


@pytest.mark.parametrize("query", CONVENTIONS.values(), ids=CONVENTIONS)
def test_whatever_a_pages_angles_are_it_is_played_in_ours(browsers: Browsers, query: str) -> None:
    driver = loaded(browsers, query)
    start = driver.state()
    # The page's start is 6 m to the south of its middle (its +z), facing north (its -z).
    assert start.t_s == 0.0 and near(start.pose, 0.0, -6.0, 90.0) and abs(start.pose.z) < 1e-6
    assert driver.eye_height_m == pytest.approx(1.7)
    assert driver.fov_deg == pytest.approx(104.5, abs=0.05)
    north = picture(driver)
    walked = driver.move(3.0)
    assert not walked.blocked and abs(walked.moved_m - 3.0) < 0.1 and near(walked.pose, 0.0, -3.0, 90.0)
    assert walked.elapsed_s == pytest.approx(3.0 / 5.2, abs=0.04)
    west = driver.turn(90.0)
    assert west.moved_m == 0.0 and near(west.pose, 0.0, -3.0, 180.0)
    # The west wall is green, the north one red.
    assert greenness(picture(driver)) > greenness(north) + 20.0
    assert near(driver.move(2.0).pose, -2.0, -3.0, 180.0, off=0.2)
    up = driver.look(30.0)
    assert abs(up.pose.pitch_deg - 30.0) < 2.0
    sky = picture(driver)[90, 160].astype(int)
    assert sky[2] > sky[0] + 40
    assert driver.look(-90.0).pose.pitch_deg < -45.0
    assert driver.state().t_s == pytest.approx(driver.look(10.0).t_s - 10.0 / 120.0, abs=0.02)


def greenness(rgb: np.ndarray[Any, Any]) -> float:
    """How much greener than red the middle is."""
    middle = rgb[80:100, 100:220].astype(float).mean((0, 1))
    return float(middle[1] - middle[0])


def test_walls_stop_pits_throw_back_and_lamps_are_operated(browsers: Browsers) -> None:
    driver = loaded(browsers)
    lamp = driver.move(9.0)
    assert lamp.blocked and lamp.pose.y < -0.5 and lamp.moved_m < 6.0
    dark = picture(driver)
    assert driver.interact().interacted == "lamp"
    assert picture(driver)[:, 130:190].mean() > dark[:, 130:190].mean() + 30.0
    driver.turn(-90.0)
    driver.move(2.0)
    driver.turn(90.0)
    assert not driver.move(5.6).blocked
    driver.turn(-90.0)
    assert driver.move(3.0).pose.z < -0.1
    thrown = driver.advance(1.0)
    assert thrown.blocked and thrown.contacts == (("agent", "respawned"),)
    assert near(driver.advance(0.5).pose, 0.0, -6.0, 0.0)
    assert driver.interact().interacted is None
    assert driver._session.evaluate("() => window.askedForTheTruth") == []


class Film:
    """A listener that takes a picture at every tick."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self.ticks: list[TickState] = []
        self.shots: list[Frame] = []

    def on_tick(self, state: TickState) -> None:
        self.ticks.append(state)
        self.shots.append(self._driver.capture(("rgb",), SIZE))

    def before_capture(self, state: TickState) -> None:
        assert state == self._driver.state()


@pytest.mark.parametrize("query", ["bug=03", "bug=03&kind=keys"])
def test_the_pages_film_reaches_listeners_tick_by_tick(browsers: Browsers, query: str) -> None:
    driver = loaded(browsers, query)
    start = driver.advance(0.3).t_s
    film = Film(driver)
    driver.attach(film)
    done = driver.turn(180.0)
    assert [tick.t_s - start for tick in film.ticks] == pytest.approx([0.5, 1.0, 1.5], abs=0.02)
    assert [shot.t_s for shot in film.shots] == [tick.t_s for tick in film.ticks]
    turned = [(tick.pose.yaw_deg - 90.0) % 360.0 for tick in film.ticks]
    assert turned == pytest.approx([60.0, 120.0, 180.0], abs=3.0)
    pictures = [shot.rgb.astype(int) for shot in film.shots if shot.rgb is not None]
    assert len(pictures) == 3 and all(np.abs(a - b).mean() > 5.0 for a, b in pairwise(pictures))
    assert done.t_s == driver.state().t_s == film.ticks[-1].t_s
    # The page looks as its picture of that moment says: a new one is within what JPEG loses.
    again = driver._session.screenshot(interface=False)
    assert np.abs(again - pictures[-1]).mean() < 4.0


def test_a_page_with_a_clock_of_its_own_runs_on_ours_and_the_same_twice(browsers: Browsers) -> None:
    def played() -> list[bytes]:
        driver = loaded(browsers, "bug=03&kind=keys")
        address = driver._session.evaluate("() => location.search")
        assert "vclock" not in address and "harness=1" in address and driver.warnings == ()
        seen = [picture(driver)]
        for done in (driver.move(2.0), driver.turn(-40.0), driver.advance(1.0)):
            page_s = driver._session.t_s
            seen.append(picture(driver))
            assert driver._session.evaluate("() => performance.now()") == pytest.approx(1000.0 * page_s)
            assert driver.state().t_s >= done.t_s
        return [one.tobytes() for one in seen]

    assert played() == played()


def test_ticks_hold_the_pages_keys_and_move_its_mouse(browsers: Browsers) -> None:
    driver = loaded(browsers)
    for _ in range(10):
        state = driver.step(Drive(forward=1.0))
    assert near(state.pose, 0.0, -6.0 + 0.5 * 5.2, 90.0) and state.t_s == pytest.approx(0.5)
    for _ in range(20):
        state = driver.step(Drive(yaw_deg=-4.5, pitch_deg=0.5))
    assert state.pose.yaw_deg == pytest.approx(0.0, abs=0.1) and state.pose.pitch_deg == pytest.approx(
        10.0, abs=0.1
    )
    before = driver.state().pose.x
    assert driver.step(Drive(forward=0.5)).pose.x - before == pytest.approx(0.13, abs=0.01)
    state = driver.step(Drive(strafe=1.0), 0.5)
    assert state.pose.y == pytest.approx(-3.4 - 2.6, abs=0.1)
    driver.turn(90.0)
    driver.move(2.6)
    assert driver.step(Drive(interact=True)).interacted == "lamp"
    assert picture(driver).std() > 10.0
    with pytest.raises(SimulatorError, match="above 0"):
        driver.tick(Drive(), 0.0)


FAULTS: dict[str, tuple[type[SimulatorError], str]] = {
    "throws": (PageFailed, "action_failed"),
    "leaves": (PageFailed, "navigated"),
    "backwards": (PageFailed, "wrong_clock"),
    "wrong_clock": (PageFailed, "wrong_clock"),
    "nan": (PageFailed, "bad_answer"),
    "bad_picture": (PageFailed, "bad_answer"),
    "stale": (StaleFrame, ""),
    "lost": (SimulatorCrashed, ""),
    "endless": (StepTimeout, ""),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_while_it_is_played_ends_typed(browsers: Browsers, fault: str) -> None:
    driver = loaded(browsers, f"bug=03&fault={fault}")
    kind, outcome = FAULTS[fault]
    with pytest.raises(kind) as caught:
        driver.turn(30.0)
        driver.turn(30.0)
        driver.advance(1.0)
        driver.move(1.0)
        picture(driver)
    assert getattr(caught.value, "outcome", "") == outcome
    if fault == "throws":
        assert "The courtyard fell in" in caught.value.message and "\n" not in caught.value.message


LOADS = {"init_error": "stones were not delivered", "never_ready": "never ready"}


@pytest.mark.parametrize("fault", LOADS)
def test_a_page_that_does_not_get_ready_says_why(browsers: Browsers, fault: str) -> None:
    with pytest.raises(PageFailed, match=LOADS[fault]) as caught:
        loaded(browsers, f"bug=03&fault={fault}")
    assert caught.value.outcome == fault and not caught.value.retriable


def test_hash_and_seed(browsers: Browsers, caplog: pytest.LogCaptureFixture) -> None:
    other = "0" * 64
    for query, options in ((f"bug=03#sha256={other}", {}), ("bug=03", {"expected_sha256": other})):
        with pytest.raises(PageFailed, match=SHA256) as caught:
            loaded(browsers, query, **options)
        assert caught.value.outcome == "wrong_hash" and not caught.value.retriable
    driver = loaded(browsers, f"bug=03&seed=7#sha256={SHA256}", expected_sha256=other)
    assert driver.warnings == ("the page was asked for seed 7, officially it is 5",)
    assert driver.warnings[0] in driver.renderer() and driver.warnings[0] in caplog.text
    driver = loaded(browsers, "bug=03&fault=other_seed")
    assert driver.warnings == ("the page runs with seed 6, not with 5",)
    driver = loaded(browsers, "bug=03&fault=own_chance")
    assert driver.warnings == ("the page tried to replace Math.random; it got ours, seeded with 5",)


class Quiet(SimpleHTTPRequestHandler):
    """Serves the page's folder and says nothing."""

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_a_page_at_an_address_of_this_machine_is_hashed_too(browsers: Browsers) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(PAGE.parent))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        where = f"http://127.0.0.1:{server.server_port}/index.html?bug=03"
        driver = SharedBrowser(browsers())
        with pytest.raises(PageFailed, match=SHA256):
            driver.load(page_world(f"{where}#sha256={'0' * 64}"))
        driver.load(page_world(f"{where}#sha256={SHA256}"))
        assert near(driver.state().pose, 0.0, -6.0, 90.0)
        server.shutdown()


def test_a_page_without_the_interface_is_told_apart(browsers: Browsers) -> None:
    plain = PAGE.parents[2] / "page" / "pages" / "orbit.html"
    driver = SharedBrowser(browsers())
    with pytest.raises(PageFailed, match="--driver page") as caught:
        driver.load(page_world(str(plain)))
    assert caught.value.outcome == "no_env"


def test_what_an_official_page_does_not_offer(browsers: Browsers) -> None:
    driver = loaded(browsers, "bug=03&fault=no_pictures")
    assert driver.objects() == {}
    driver.turn(45.0)
    assert picture(driver).std() > 10.0
    for call in (
        lambda: driver.teleport(Pose(0.0, 0.0, 0.0, 0.0, 0.0)),
        lambda: driver.raycast((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), 5.0),
        lambda: driver.destroy("lamp"),
        lambda: driver.render(("depth",), SIZE),
    ):
        with pytest.raises(CapabilityMissing):
            call()


def test_a_dead_page_ends_typed_and_leaves_nothing_running() -> None:
    driver = EnvPageDriver(SIZE)
    try:
        driver.load(page_world(f"{PAGE}?bug=03"))
        assert driver._browser is not None
        group: ProcessGroup = driver._browser.group
        for pid in group.members():
            if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)
        with pytest.raises(SimulatorCrashed):
            driver.move(1.0)
    finally:
        driver.close()
    assert group.members() == [] and group.strays() == []
    with pytest.raises(SimulatorError, match="closed"):
        driver.turn(10.0)
