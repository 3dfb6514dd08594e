"""The driver on a server without the extension: what it does in any game, by generic commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from embodied_eval.drivers.base import Command, LightPatch, ObjectPatch
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.unrealcv.driver import UnrealcvDriver
from embodied_eval.errors import (
    CapabilityMissing,
    CommandFailed,
    SimulatorCrashed,
    SimulatorError,
    UnknownObject,
)
from embodied_eval.records import Pose
from embodied_eval.worlds.effects import EffectsEngine, parse_effects
from embodied_eval.worlds.model import Primitive, World, WorldObject
from tests.drivers.unrealcv.server_kit import driven
from tests.worlds.small import lamp, solid, wall, world

# A step of 15 cm before a wall, a box to look at with a smaller one behind it.
ROOM: World = world(
    solid("box", (0.4, 0.6, 0.8), (2.0, 1.5, 0.0), yaw_deg=20.0),
    solid("behind", (0.3, 0.3, 0.3), (2.8, 1.7, 0.0)),
    wall("step", (1.0, 2.0, 0.15), (2.0, -1.0, 0.0)),
    wall("wall", (0.2, 2.0, 2.0), (3.0, -1.0, 0.0)),
    lamp("lamp", (-2.0, 1.0, 0.0)),
)
SIZE = (64, 48)
TO_BOX = Pose(0.0, 0.0, 0.0, 37.0, -15.0)


@pytest.fixture(scope="module")
def driver() -> Iterator[UnrealcvDriver]:
    with driven(ROOM, "strict") as made:
        yield made


@pytest.fixture
def loaded(driver: UnrealcvDriver) -> UnrealcvDriver:
    driver.load(ROOM)
    driver.detach_all()
    return driver


@pytest.mark.gl
def test_what_it_can_do_is_asked(loaded: UnrealcvDriver) -> None:
    wanted = {"strafe", "depth", "normals", "mask", "visibility", "collision", "spawn", "lights"}
    assert loaded.offered == loaded.capabilities == wanted
    assert "UnrealCV" in loaded.renderer()
    with pytest.raises(CapabilityMissing):
        loaded.raycast((0, 0, 0), (1, 0, 0), 1.0)
    with pytest.raises(CapabilityMissing):
        loaded.tick(Command(interact=True))


@pytest.mark.gl
def test_walking(loaded: UnrealcvDriver) -> None:
    assert loaded.state().pose == Pose(0.0, 0.0, 0.0)
    ahead = loaded.move(1.0)
    assert ahead.moved_m == pytest.approx(1.0, abs=0.01) and not ahead.blocked
    assert ahead.elapsed_s == pytest.approx(0.5)
    assert abs(ahead.pose.z) < 0.01
    aside = loaded.step(Command(strafe=1.0))
    assert aside.pose.y == pytest.approx(-0.11, abs=0.005)
    assert loaded.turn(-90.0).pose.yaw_deg == pytest.approx(-90.0)
    assert loaded.look(-100.0).pose.pitch_deg == -80.0


@pytest.mark.gl
def test_up_a_step_and_against_a_wall(loaded: UnrealcvDriver) -> None:
    loaded.teleport(Pose(0.8, -1.0, 0.0))
    up = loaded.move(1.2)
    assert up.pose.z == pytest.approx(0.15, abs=0.01) and not up.blocked
    against = loaded.move(1.5)
    assert against.blocked
    # Half the wall's thickness and the body's radius before its middle.
    assert against.pose.x == pytest.approx(2.6, abs=0.02)
    down = loaded.move(-2.0)
    assert down.pose.z == pytest.approx(0.0, abs=0.01) and not down.blocked


@pytest.mark.gl
def test_collision_switched_off_lets_through(loaded: UnrealcvDriver) -> None:
    loaded.teleport(Pose(1.0, 1.0, 0.0, 30.0))
    assert loaded.move(1.5).blocked
    assert not loaded.set_object("box", ObjectPatch(collides=False)).collides
    loaded.teleport(Pose(1.0, 1.0, 0.0, 30.0))
    through = loaded.move(1.5)
    assert not through.blocked and through.moved_m == pytest.approx(1.5, abs=0.01)
    loaded.load(ROOM)
    loaded.teleport(Pose(1.0, 1.0, 0.0, 30.0))
    assert loaded.object("box").collides
    assert loaded.move(1.5).blocked


@pytest.mark.gl
def test_falling_off_the_world_leads_back_to_the_start(loaded: UnrealcvDriver) -> None:
    loaded.teleport(Pose(4.9, 4.0, 0.0))
    heights: list[float] = []
    loaded.move(1.0, on_tick=lambda state: heights.append(state.pose.z))
    assert heights[0] == pytest.approx(0.0, abs=0.01)
    while loaded.state().pose.z < -0.5:
        heights.append(loaded.step(Command()).pose.z)
    assert min(heights) < -4.0 and min(np.diff(heights)) > -1.1
    assert loaded.state().pose == Pose(0.0, 0.0, 0.0)


@pytest.mark.gl
def test_pictures_are_those_of_the_simulator_behind(loaded: UnrealcvDriver) -> None:
    inside = MujocoDriver()
    try:
        inside.load(ROOM)
        inside.teleport(TO_BOX)
        loaded.teleport(TO_BOX)
        ours = loaded.capture(("rgb", "depth", "normals", "mask"), SIZE)
        theirs = inside.capture(("rgb", "depth", "normals", "mask"), SIZE)
    finally:
        inside.close()
    assert ours.pose == theirs.pose
    assert ours.rgb is not None and theirs.rgb is not None and ours.mask is not None
    assert ours.depth is not None and theirs.depth is not None
    assert ours.normals is not None and theirs.normals is not None
    assert np.abs(ours.rgb.astype(int) - theirs.rgb.astype(int)).mean() < 0.5
    assert (ours.mask == theirs.mask).mean() > 0.995
    known = np.isfinite(ours.depth)
    assert (known == np.isfinite(theirs.depth)).mean() > 0.995
    np.testing.assert_allclose(np.median(ours.depth[known]), np.median(theirs.depth[known]), atol=0.01)
    solid_pixels = ours.mask >= 0
    assert np.abs(ours.normals - theirs.normals)[solid_pixels].mean() < 0.02


@pytest.mark.gl
def test_visibility_by_masks(loaded: UnrealcvDriver) -> None:
    inside = MujocoDriver()
    try:
        rows = {}
        for one in (loaded, inside):
            one.load(ROOM)
            one.teleport(TO_BOX)
            twin = {"box": one.object("box")}
            one.set_object("box", ObjectPatch(position=(2.0, 1.2, 0.3), scale=(0.5, 0.5, 0.5)))
            rows[one.name] = one.visibility("a1", ("box", "behind", "nothing"), twin, (160, 120))
    finally:
        inside.close()
    for ours, theirs in zip(rows["unrealcv"], rows["mujoco"], strict=True):
        assert (ours.ref, ours.object, ours.image_pixels) == (theirs.ref, theirs.object, theirs.image_pixels)
        for count in ("pixels", "unoccluded", "twin_pixels", "twin_unoccluded"):
            assert getattr(ours, count) == pytest.approx(getattr(theirs, count), abs=3), (ours, theirs)
        for box in ("box", "twin_box"):
            if getattr(theirs, box) is not None:
                assert np.abs(np.subtract(getattr(ours, box), getattr(theirs, box))).max() <= 1
    # Everything is back in its place afterwards.
    assert loaded.object("box").position == pytest.approx((2.0, 1.2, 0.3))
    again = loaded.visibility("a2", ("box",), {}, (160, 120))[0]
    assert again.pixels == again.twin_pixels == rows["unrealcv"][0].pixels


@pytest.mark.gl
def test_changes_are_read_back_and_undone_by_the_next_load(loaded: UnrealcvDriver) -> None:
    before = loaded.objects()
    moved = loaded.set_object(
        "box", ObjectPatch(position=(1.5, 1.0, 0.2), rotation_deg=(10.0, 20.0, 30.0), scale=(1.0, 2.0, 1.5))
    )
    assert moved.position == pytest.approx((1.5, 1.0, 0.2), abs=1e-4)
    assert moved.scale == pytest.approx((1.0, 2.0, 1.5), abs=1e-3)
    assert moved.bounds != before["box"].bounds
    fixed = loaded.set_object("wall", ObjectPatch(position=(3.5, -1.0, 0.0)))
    assert fixed.position == pytest.approx((3.5, -1.0, 0.0), abs=1e-4)
    loaded.load(ROOM)
    loaded.teleport(TO_BOX)
    assert loaded.visibility("a", ("behind",), {}, SIZE)[0].pixels
    assert not loaded.set_object("behind", ObjectPatch(visible=False)).visible
    assert not loaded.visibility("a", ("behind",), {}, SIZE)[0].pixels
    loaded.load(ROOM)
    for name, state in loaded.objects().items():
        assert state.position == pytest.approx(before[name].position, abs=1e-4)
        assert (state.scale, state.visible) == (before[name].scale, before[name].visible)
    with pytest.raises(UnknownObject):
        loaded.set_object("nothing", ObjectPatch(visible=False))
    for patch in (
        ObjectPatch(state="on"),
        ObjectPatch(color=(1.0, 0.0, 0.0)),
        ObjectPatch(casts_shadow=False),
    ):
        with pytest.raises(CapabilityMissing):
            loaded.set_object("lamp", patch)


@pytest.mark.gl
def test_an_invisible_wall_is_a_hidden_cube(loaded: UnrealcvDriver) -> None:
    box = Primitive("box", (0.2, 2.0, 2.0), (0.0, 0.0, 1.0))
    block = WorldObject("block", "block", "block", (box,), (1.0, 0.0, 0.0), visible=False, supports="fixed")
    made = loaded.spawn(block)
    np.testing.assert_allclose(made.bounds, ((0.9, -1.0, 0.0), (1.1, 1.0, 2.0)), atol=0.01)
    assert made.id >= len(ROOM.objects) and not made.visible
    assert loaded.move(1.5).blocked
    assert loaded.state().pose.x == pytest.approx(0.6, abs=0.02)
    with pytest.raises(SimulatorError, match="already"):
        loaded.spawn(block)
    with pytest.raises(CapabilityMissing, match="box"):
        loaded.spawn(replace(lamp("other"), name="other"))
    with pytest.raises(SimulatorError, match="belongs to the level"):
        loaded.destroy("box")
    loaded.destroy("block")
    assert "block" not in loaded.objects()
    loaded.teleport(Pose(0.0, 0.0, 0.0))
    assert not loaded.move(1.5).blocked


@pytest.mark.gl
def test_lights(loaded: UnrealcvDriver) -> None:
    loaded.teleport(TO_BOX)
    bright = loaded.capture(("rgb",), SIZE).rgb
    loaded.set_light("sun", LightPatch(on=False, intensity=0.5, color=(1.0, 0.5, 0.5)))
    dark = loaded.capture(("rgb",), SIZE).rgb
    assert bright is not None and dark is not None and dark.mean() < bright.mean() - 5
    loaded.load(ROOM)
    loaded.teleport(TO_BOX)
    again = loaded.capture(("rgb",), SIZE).rgb
    assert again is not None and abs(again.mean() - bright.mean()) < 1
    with pytest.raises(UnknownObject):
        loaded.set_light("nothing", LightPatch(on=True))


@pytest.mark.gl
def test_effects_are_planted(loaded: UnrealcvDriver) -> None:
    effect = {
        "trigger": {"kind": "after", "t_s": 0.2},
        "change": {"kind": "hide"},
        "target": "box",
        "once": True,
    }
    events: list[str] = []
    engine = EffectsEngine(
        loaded, ROOM, parse_effects([effect]), lambda kind, t_s, data: events.append(f"{kind} {t_s}")
    )
    loaded.attach(engine)
    loaded.teleport(TO_BOX)
    engine.plant()
    assert loaded.visibility("a", ("box",), engine.twin(), SIZE)[0].pixels
    loaded.advance(0.4)
    row = loaded.visibility("b", ("box",), engine.twin(), SIZE)[0]
    assert (row.pixels, row.unoccluded) == (0, 0) and row.twin_pixels
    assert [event.split()[0] for event in events] == ["plant", "trigger"]


@pytest.mark.gl
def test_a_change_that_the_game_ignores_is_an_error(
    loaded: UnrealcvDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = loaded._client
    assert client is not None
    ask = client.batch

    def deaf(commands: list[str], **options: float) -> list[bytes]:
        sent = [
            "vget /unrealcv/echo ok" if line.startswith("vset /object/box/location") else line
            for line in commands
        ]
        return ask(sent, **options)

    monkeypatch.setattr(client, "batch", deaf)
    with pytest.raises(CommandFailed, match="location reads"):
        loaded.set_object("box", ObjectPatch(position=(1.0, 0.5, 0.0)))


@pytest.mark.gl
def test_actors_of_other_names(driver: UnrealcvDriver) -> None:
    task_world = replace(
        ROOM, objects=(replace(ROOM.object("box"), name="target"), solid("gone", (1, 1, 1), (0, 0, 0)))
    )
    with driven(ROOM, "strict", actors={"target": "box"}) as mapped:
        mapped.load(task_world)
        assert mapped.object("target").id == 0
        assert mapped.object("target").position == pytest.approx((2.0, 1.5, 0.0), abs=1e-3)
        assert {"wall", "floor", "behind"} <= mapped.objects().keys() and "box" not in mapped.objects()
        with pytest.raises(UnknownObject, match="gone"):
            mapped.object("gone")


@pytest.mark.gl
def test_a_level_is_opened_anew_after_the_connection_broke(loaded: UnrealcvDriver) -> None:
    loaded.teleport(TO_BOX)
    before = loaded.visibility("a", ("box",), {}, SIZE)[0].pixels
    loaded.set_object("box", ObjectPatch(visible=False, position=(1.0, 0.0, 0.0)))
    client = loaded._client
    assert client is not None
    client.interrupt()
    with pytest.raises(SimulatorCrashed):
        loaded.tick(Command(forward=1.0))
    loaded.load(ROOM)
    assert client.reconnects == 1
    loaded.teleport(TO_BOX)
    assert loaded.object("box").position == pytest.approx((2.0, 1.5, 0.0), abs=1e-3)
    assert loaded.visibility("b", ("box",), {}, SIZE)[0].pixels == before


@pytest.mark.gl
def test_another_level(loaded: UnrealcvDriver) -> None:
    with pytest.raises(CommandFailed):
        loaded.load(replace(ROOM, name="nowhere"))
    with pytest.raises(SimulatorError, match="No world"):
        loaded.state()
