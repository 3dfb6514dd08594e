"""The driver around the page: its life, its page, effects, pictures, meshes."""

from __future__ import annotations

import threading
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from embodied_eval.drivers.base import CAPABILITIES, Command, Driver, LightPatch, ObjectPatch
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.threejs.driver import ThreejsDriver
from embodied_eval.errors import (
    CapabilityMissing,
    SimulatorCrashed,
    SimulatorError,
    StepTimeout,
    UnknownName,
    UnknownObject,
)
from embodied_eval.records import Json, Pose
from embodied_eval.worlds.effects import EffectsEngine, parse_effects
from embodied_eval.worlds.model import Mesh, Page, Primitive, World, WorldObject
from tests.worlds.small import ball, crate, lamp, solid, wall, world

pytestmark = pytest.mark.browser

Pair = tuple[MujocoDriver, ThreejsDriver]
SIZE = (160, 90)


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    drivers = (MujocoDriver(), ThreejsDriver())
    yield drivers
    for driver in drivers:
        driver.close()


@pytest.fixture
def driver(pair: Pair) -> ThreejsDriver:
    return pair[1]


def test_misuse_is_told(driver: ThreejsDriver) -> None:
    with pytest.raises(SimulatorError, match="No world"):
        ThreejsDriver().state()
    with pytest.raises(UnknownName, match="attic"):
        driver.load(world(), spawn="attic")
    driver.load(world(lamp()))
    with pytest.raises(UnknownObject, match="lmp"):
        driver.object("lmp")
    with pytest.raises(UnknownObject, match="moon"):
        driver.set_light("moon", LightPatch(on=True))
    with pytest.raises(SimulatorError, match="belongs to the world"):
        driver.destroy("lamp")
    with pytest.raises(SimulatorError, match="above 0"):
        driver.tick(Command(), 0.0)
    assert ThreejsDriver.capabilities == CAPABILITIES


@pytest.mark.parametrize("which", [0, 1])
def test_a_world_that_is_a_page_is_left_to_the_page_driver(pair: Pair, which: int) -> None:
    with pytest.raises(CapabilityMissing, match="driver `page`"):
        pair[which].load(replace(world(), page=Page("index.html", "0" * 64)))


def test_an_interrupted_driver_says_so_and_loads_again() -> None:
    driver = ThreejsDriver()
    driver.load(world())
    first = driver.move(1.0).pose
    killer = threading.Timer(0.2, driver.interrupt)
    killer.start()
    with pytest.raises((StepTimeout, SimulatorCrashed)):
        driver._page().evaluate("() => { for (;;); }")
    killer.join()
    with pytest.raises(StepTimeout, match="interrupted"):
        driver.tick(Command())
    assert driver.load(world()).t_s == 0.0 and driver.move(1.0).pose == first
    folder = Path(driver._page()._launched.folder)
    assert folder.exists()
    driver.close()
    driver.close()
    assert not folder.exists()
    with pytest.raises(SimulatorError, match="closed"):
        driver.tick(Command())


def test_the_page_asks_for_nothing_else_and_can_run_no_other_script(driver: ThreejsDriver) -> None:
    driver.load(world())
    page = driver._page()
    assert page.evaluate(
        """async () => {
            const tried = [];
            setTimeout("window.ran = true", 0);
            await new Promise((done) => setTimeout(done, 0));
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.head.append(script);
            if (window.ran) tried.push("script");
            try { await fetch("/main.js"); tried.push("fetch"); } catch { }
            return tried;
        }"""
    ) == []  # fmt: skip
    assert "three r187" in driver.renderer()


class Recorded:
    """An effects engine on a driver, and what it did."""

    def __init__(self, driver: Driver, place: World, effects: list[dict[str, Json]]) -> None:
        self.log: list[tuple[str, float]] = []
        driver.load(place)
        self.engine = EffectsEngine(
            driver, place, parse_effects(effects), lambda kind, t_s, _: self.log.append((kind, t_s))
        )
        driver.attach(self.engine)
        self.engine.plant()


EFFECTS: list[dict[str, Json]] = [
    {"trigger": {"kind": "always"}, "change": {"kind": "jitter", "amp_m": 0.05, "hz": 3}, "target": "shaky"},
    {
        "trigger": {"kind": "gaze", "when": "unseen", "max_m": 20.0},
        "change": {"kind": "hide"},
        "target": "shy",
    },
    {
        "trigger": {"kind": "distance", "enter_m": 1.5, "exit_m": 2.5},
        "change": {"kind": "collision", "on": False},
        "target": "ghost",
    },
    {
        "trigger": {"kind": "contact"},
        "change": {"kind": "impulse", "velocity_m_s": [0, 0, 3]},
        "target": "ball",
        "once": True,
    },
    {
        "trigger": {"kind": "after", "t_s": 0.5},
        "change": {"kind": "duplicate", "offsets_m": [[0, 1, 0]]},
        "target": "shaky",
    },
]


def test_effects_do_what_they_do_in_mujoco(pair: Pair) -> None:
    place = world(
        solid("shaky", (0.5, 0.5, 0.5), (3.0, 2.5, 0.0)),
        solid("shy", (0.5, 0.5, 1.5), (-3.0, 0.0, 0.0)),
        wall("ghost", (0.2, 3.0, 2.0), (2.0, 0.0, 0.0)),
        ball("ball", (3.0, 0.0, 0.0)),
    )
    told = []
    for driver in pair:
        recorded = Recorded(driver, place, EFFECTS)
        walk = [driver.move(2.6), driver.turn(180.0), driver.move(1.0)]
        told.append((recorded.log, walk, driver.objects()))
        recorded.engine.reset()
        driver.detach_all()
    (log, walk, things), (page_log, page_walk, page_things) = told
    assert page_log == log and len(log) >= 5
    for first, second in zip(walk, page_walk, strict=True):
        assert (first.blocked, first.contacts) == (second.blocked, second.contacts)
        assert second.pose.x == pytest.approx(first.pose.x, abs=0.05)
    assert set(page_things) == set(things)
    for name in set(things) - {"ball"}:
        assert page_things[name].position == pytest.approx(things[name].position, abs=1e-6)
        assert page_things[name].visible == things[name].visible
    assert page_things["ghost"].collides == things["ghost"].collides


@pytest.mark.gl
def test_what_shows_is_what_shows_in_mujoco(pair: Pair) -> None:
    place = world(
        solid("near", (0.5, 0.5, 1.5), (2.0, 0.2, 0.0)),
        solid("far", (1.0, 1.0, 2.0), (4.0, 0.0, 0.0), shape="cylinder"),
        crate("behind", (-2.0, 0.0, 0.0)),
    )
    rows = []
    for driver in pair:
        driver.load(place)
        twin = {"near": driver.object("near")}
        driver.set_object("near", ObjectPatch(position=(2.0, -0.6, 0.0)))
        rows.append(driver.visibility("a", ("near", "far", "behind", "nothing"), twin, SIZE))
    for first, second in zip(*rows, strict=True):
        assert second.pixels == pytest.approx(first.pixels, rel=0.02, abs=3)
        assert second.twin_pixels == pytest.approx(first.twin_pixels, rel=0.02, abs=3)
        assert second.unoccluded == pytest.approx(first.unoccluded, rel=0.02, abs=3)
        assert (second.box is None) == (first.box is None)
    assert rows[1][0].pixels > 100 and rows[1][2].pixels == 0


def test_pictures_follow_bodies_and_are_kept_for_the_same_world_only(driver: ThreejsDriver) -> None:
    place = world(crate("crate", (3.0, 0.0, 0.0)), wall("wall", (0.2, 4.0, 2.0), (4.0, 0.0, 0.0)))

    def crate_pixels() -> int:
        mask = driver.capture(("mask",), SIZE).mask
        assert mask is not None
        return int((mask == 1).sum())

    driver.load(place)
    view, start = driver._synced_view(), crate_pixels()
    driver.spawn(solid("extra", (0.2, 0.2, 1.0), (2.5, 0.5, 0.0)))
    driver.move(1.2)
    assert start > 50 and crate_pixels() != start
    driver.load(place)
    assert driver._synced_view() is view and crate_pixels() == start
    driver.load(world(crate("other", (3.0, 0.0, 0.0))))
    assert driver._synced_view() is not view and crate_pixels() == start


def test_a_mesh_is_solid_by_its_hull(pair: Pair) -> None:
    trimesh = pytest.importorskip("trimesh")
    glb = b64encode(trimesh.creation.cone(radius=0.5, height=1.0).export(file_type="glb")).decode()
    part = Primitive("mesh", (1.0, 1.0, 1.2), (0.0, 0.0, 0.6), mesh="cone")
    rock = WorldObject("rock", "rock", "rock", (part,), (2.0, 0.1, 0.0))
    place = replace(world(rock), meshes={"cone": Mesh(glb)})
    told = []
    for driver in pair:
        driver.load(place)
        told.append((driver.move(3.0), driver.raycast((0.0, 0.1, 0.6), (1.0, 0.0, 0.0), 5.0)))
        driver.teleport(Pose(2.0, 2.0, 0.0, -90.0))
        told[-1] = (*told[-1], driver.move(2.0), driver.object("rock"))
    (walk, hit, side, state), (page_walk, page_hit, page_side, page_state) = told
    assert page_walk.pose.x == pytest.approx(walk.pose.x, abs=0.01) and page_walk.contacts == walk.contacts
    assert page_side.pose.y == pytest.approx(side.pose.y, abs=0.01) and side.blocked
    assert page_hit is not None and hit is not None and page_hit.object == hit.object == "rock"
    assert page_hit.distance_m == pytest.approx(hit.distance_m, abs=0.001)
    assert page_state == state
