"""The engine on the embedded simulator: every change is taken, read back and undone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from embodied_eval.drivers.base import ObjectState
from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.records import Json, Pose
from embodied_eval.worlds.effects import EffectsEngine, parse_effects
from embodied_eval.worlds.effects.overlay import angle_deg
from embodied_eval.worlds.library import PALETTE
from embodied_eval.worlds.model import Light, World
from tests.testing_world import box, plane_world, switch

WORLD = replace(
    plane_world(
        box("floor_1", (0.0, 0.0, -0.1), (30.0, 30.0, 0.1)),
        box("crate_1", (6.0, 0.0, 0.0), yaw_deg=90.0),
        box("wall_1", (6.0, -3.0, 0.0), (4.0, 0.2, 2.5)),
        box("ball_1", (2.0, 0.0, 0.0), (0.4, 0.4, 0.4), dynamic=True),
        box("lamp_1", (0.0, 1.5, 0.0), (0.4, 0.4, 2.0), device=switch("light_1")),
        lights=(Light("light_1", (0.0, 1.5, 2.0), on=False),),
        spawn=Pose(0.0, 0.0, 0.0),
    ),
    materials=dict(PALETTE),
)
STILL = replace(WORLD, objects=tuple(item for item in WORLD.objects if item.name != "ball_1"))
SIZE = (240, 136)


class Stage:
    def __init__(self, *effects: dict[str, Json], world: World = WORLD) -> None:
        self.driver = MujocoDriver()
        self.driver.load(world)
        self.log: list[tuple[str, float, dict[str, Json]]] = []
        self.engine = EffectsEngine(
            self.driver, world, parse_effects(effects), lambda *event: self.log.append(event)
        )
        self.driver.attach(self.engine)
        self.engine.plant()

    def __getitem__(self, name: str) -> ObjectState:
        return self.driver.objects()[name]

    def fired(self) -> list[bool]:
        return [data["active"] for kind, _, data in self.log if kind == "trigger"]


def alike(a: ObjectState, b: ObjectState) -> bool:
    return (
        (a.visible, a.collides, a.casts_shadow, a.color, a.material, a.shadow_offset_m, a.state)
        == (b.visible, b.collides, b.casts_shadow, b.color, b.material, b.shadow_offset_m, b.state)
        and a.position == pytest.approx(b.position, abs=1e-3)
        and a.scale == pytest.approx(b.scale, abs=1e-3)
        and angle_deg(a.rotation_deg, b.rotation_deg) < 0.1
        and a.bounds[0] == pytest.approx(b.bounds[0], abs=1e-3)
        and a.bounds[1] == pytest.approx(b.bounds[1], abs=1e-3)
    )


@pytest.mark.parametrize(
    ("target", "change"),
    [
        ("crate_1", {"kind": "offset", "by_m": [0, 0, 0.6]}),
        ("crate_1", {"kind": "rotate", "by_deg": [25, 10, 30]}),
        ("crate_1", {"kind": "scale", "by": [1, 2, 0.5]}),
        ("ball_1", {"kind": "scale", "by": 3}),
        ("crate_1", {"kind": "hide"}),
        ("crate_1", {"kind": "recolour", "rgb": [1, 0, 1]}),
        ("crate_1", {"kind": "collision", "on": False}),
        ("crate_1", {"kind": "shadow", "on": False}),
        ("crate_1", {"kind": "shadow_offset", "by_m": [0.5, 1, 0]}),
        ("crate_1", {"kind": "retexture", "material": "outer_brick"}),
        ("ball_1", {"kind": "retexture", "material": "missing"}),
        ("crate_1", {"kind": "replace", "item": "cannon"}),
        ("crate_1", {"kind": "jitter", "amp_m": 0.05, "hz": 3}),
        ("lamp_1", {"kind": "state", "to": "on"}),
    ],
)
def test_changes_are_taken_and_undone(target: str, change: dict[str, Json]) -> None:
    trigger = {"kind": "half_space", "axis": "y", "value": -0.5, "side": "below"}
    stage = Stage({"trigger": trigger, "change": change, "target": target})
    clean = stage[target]
    stage.driver.turn(-90.0)
    stage.driver.move(1.0)
    assert stage.fired() == [True] and not alike(stage[target], clean)
    assert alike(stage.engine.twin()[target], clean)
    stage.driver.move(-1.0)
    assert stage.fired() == [True, False] and alike(stage[target], clean)


def test_blocker_and_copies() -> None:
    stage = Stage(
        {
            "trigger": {"kind": "always"},
            "change": {"kind": "blocker", "center_m": [1.0, 0, 1], "size_m": [0.1, 2, 2]},
        },
        {
            "trigger": {"kind": "gaze", "max_m": 3.0},
            "change": {"kind": "duplicate", "offsets_m": [[0, 2, 0]]},
            "target": "ball_1",
            "once": True,
        },
    )
    assert stage.engine.spawned() == ("extra_1", "extra_2")  # an unseen blocker blocks no sight
    motion = stage.driver.move(2.0)
    assert motion.blocked and motion.pose.x == pytest.approx(0.65, abs=0.02)
    assert ("agent", "extra_1") in motion.contacts
    stage.driver.advance(0.5)
    assert stage["extra_2"].position == pytest.approx((2.0, 2.0, 0.0), abs=0.02)


@pytest.mark.gl
@pytest.mark.parametrize(
    ("change", "shadow_redraws"),
    [
        ({"kind": "retexture", "material": "outer_brick"}, 0),
        ({"kind": "retexture", "material": "missing"}, 0),
        ({"kind": "replace", "item": "cannon", "yaw_deg": 45}, 1),
        ({"kind": "shadow_offset", "by_m": [-1.5, 0.5, 0]}, 1),
        ({"kind": "jitter", "amp_m": 0.05, "hz": 3}, 1),
    ],
    ids=lambda item: item.get("material", item["kind"]) if isinstance(item, dict) else "",
)
def test_pictures_show_a_change_and_are_the_same_bytes_after_it(
    change: dict[str, Json], shadow_redraws: int
) -> None:
    trigger = {"kind": "after", "t_s": 0.1}
    stage = Stage({"trigger": trigger, "change": change, "target": "crate_1"}, world=STILL)
    driver = stage.driver

    def shot() -> tuple[bytes, bytes, bytes, bytes]:
        frame = driver.capture(("rgb", "depth", "normals", "mask"), SIZE)
        arrays = (frame.rgb, frame.depth, frame.normals, frame.mask)
        return tuple(array.tobytes() for array in arrays if array is not None)  # type: ignore[return-value]

    clean = shot()
    drawn = driver._synced_view().renderer
    before = drawn.shadow_redraws
    driver.advance(0.2)
    changed = shot()
    assert stage.fired() == [True] and changed[0] != clean[0]
    assert drawn.shadow_redraws - before == shadow_redraws
    moves = change["kind"] in ("replace", "jitter")
    assert all((ours != theirs) == moves for ours, theirs in zip(changed[1:], clean[1:], strict=True))
    names = ("crate_1", *stage.engine.spawned())
    crate, *added = driver.visibility("a", names, stage.engine.twin(), SIZE)
    mask = np.frombuffer(clean[3], np.int32)
    assert crate.twin_pixels == int((mask == stage["crate_1"].id).sum()) > 100
    if change["kind"] == "replace":
        assert crate.pixels == 0 and added[0].pixels > 100 and added[0].twin_pixels == 0
    else:
        assert crate.pixels > 100 and not added
    stage.engine.reset()
    driver.detach_all()
    assert shot() == clean
    driver.close()


def test_a_movable_target_and_its_replacement_leave_each_other_alone() -> None:
    swap = {"kind": "replace", "item": "potted_plant"}
    stage = Stage({"trigger": {"kind": "after", "t_s": 0.1}, "change": swap, "target": "ball_1"})
    before = stage["ball_1"]
    stage.driver.advance(1.0)
    assert stage["extra_1"].position == pytest.approx(before.position, abs=0.01)
    motion = stage.driver.move(3.0)
    assert motion.blocked and ("agent", "extra_1") in motion.contacts
    assert stage["ball_1"].position == pytest.approx(before.position, abs=1e-3)
    stage.engine.reset()
    assert alike(stage["ball_1"], before) and "extra_1" not in stage.driver.objects()


def test_who_stands_beside_a_jitter_is_not_carried_off() -> None:
    shake = {"kind": "jitter", "amp_m": 0.1, "hz": 5}
    stage = Stage({"trigger": {"kind": "always"}, "change": shake, "target": "crate_1"})
    stage.driver.teleport(Pose(4.0, 0.0, 0.0))
    assert stage.driver.move(3.0).blocked
    stage.driver.advance(3.0)
    pose = stage.driver.state().pose
    assert 4.9 < pose.x < 5.25 and abs(pose.y) < 0.1 and pose.z == pytest.approx(0.0, abs=1e-3)
    assert not stage.driver.move(-1.0).blocked


def test_contact_throws_a_ball() -> None:
    stage = Stage(
        {
            "trigger": {"kind": "contact"},
            "change": {"kind": "impulse", "velocity_m_s": [0, 0, 5]},
            "target": "ball_1",
            "once": True,
        }
    )
    stage.driver.move(1.65)
    assert stage.fired() == [True]
    stage.driver.advance(0.3)
    assert stage["ball_1"].position[2] > 0.5
    assert stage.engine.twin()["ball_1"].position[2] == pytest.approx(0.0, abs=0.05)


def test_a_wall_hides_a_target() -> None:
    unseen = {"kind": "gaze", "when": "unseen", "max_m": 20.0}
    stage = Stage({"trigger": unseen, "change": {"kind": "hide"}, "target": "crate_1"})
    assert stage.fired() == []
    stage.driver.teleport(Pose(6.0, -6.0, 0.0, yaw_deg=90.0))
    stage.driver.advance(0.05)
    assert stage.fired() == [True]
    stage.driver.teleport(Pose(6.0, 3.0, 0.0, yaw_deg=-90.0))
    stage.driver.advance(0.05)
    assert stage.fired() == [True, False]  # hidden, it is still seen where it would stand


def test_a_lamp_switched_by_the_agent_goes_off_again() -> None:
    stage = Stage(
        {"trigger": {"kind": "interact"}, "change": {"kind": "state", "to": "off"}, "target": "lamp_1"}
    )
    stage.driver.turn(90.0)
    for count in (1, 2):
        assert stage.driver.interact().interacted == "lamp_1"
        assert stage.fired() == [True] * count and stage["lamp_1"].state == "off"
