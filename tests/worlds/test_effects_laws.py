"""Laws of the engine: how a motion is split and when pictures are taken changes nothing; snapshots."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embodied_eval.drivers.base import TURN_DEG_S, WALK_M_S, Driver
from embodied_eval.errors import DataFileError
from embodied_eval.records import Json, Pose
from embodied_eval.worlds.effects import EffectsEngine, parse_effects
from embodied_eval.worlds.effects.overlay import angle_deg
from embodied_eval.worlds.model import Light
from tests.testing_driver import PlaneDriver
from tests.testing_world import box, plane_world, switch

WORLD = plane_world(
    box("crate_1", (3.0, 0.5, 0.0)),
    box("screen_1", (-2.0, 1.5, 0.0), (0.2, 2.0, 2.5)),
    box("ball_1", (1.5, 0.0, 0.0), (0.4, 0.4, 0.4), dynamic=True),
    box("lamp_1", (0.0, 1.6, 0.0), (0.4, 0.4, 2.0), device=switch("light_1")),
    box("picture_1", (-4.0, 1.5, 1.0), (0.1, 1.0, 1.0)),
    lights=(Light("light_1", (0.0, 1.6, 2.0), on=False),),
    spawn=Pose(0.0, 0.0, 0.0),
)
EFFECTS = parse_effects(
    [
        {
            "trigger": {"kind": "distance", "enter_m": 2.0, "exit_m": 2.5},
            "change": {"kind": "scale", "by": 1.5},
            "target": "crate_1",
        },
        {
            "trigger": {"kind": "gaze", "when": "unseen"},
            "change": {"kind": "offset", "by_m": [0, 0, 1]},
            "target": "crate_1",
        },
        {
            "trigger": {"kind": "half_space", "axis": "x", "value": 0.5, "side": "above"},
            "change": {"kind": "hide"},
            "target": "screen_1",
        },
        {"trigger": {"kind": "contact"}, "change": {"kind": "impulse", "gain": 2}, "target": "ball_1"},
        {
            "trigger": {"kind": "interact", "object": "lamp_1"},
            "change": {"kind": "state", "to": "off"},
            "target": "lamp_1",
        },
        {
            "trigger": {"kind": "seen_unseen", "seen_s": 0.1, "unseen_s": 0.2},
            "change": {"kind": "recolour", "rgb": [1, 0, 1]},
            "target": "picture_1",
        },
        {
            "trigger": {"kind": "gaze"},
            "change": {"kind": "duplicate", "offsets_m": [[0, -3, 0]]},
            "target": "picture_1",
        },
        {
            "trigger": {"kind": "after", "t_s": 0.7},
            "change": {"kind": "light", "name": "sun", "on": False},
        },
        {
            "trigger": {"kind": "leave_return", "near_m": 2.5, "far_m": 3.0, "seen_dot": 0.5},
            "change": {"kind": "rotate", "by_deg": [0, 0, 90]},
            "target": "crate_1",
        },
        {
            "trigger": {"kind": "gaze", "when": "unseen", "object": "crate_1"},
            "change": {"kind": "retexture", "material": "missing"},
            "target": "picture_1",
        },
        {
            "trigger": {"kind": "half_space", "axis": "x", "value": -0.3, "side": "below"},
            "change": {"kind": "shadow_offset", "by_m": [0, 1, 0]},
            "target": "crate_1",
        },
        {
            "trigger": {"kind": "gaze", "seen_dot": 0.9},
            "change": {"kind": "replace", "item": "suitcase", "yaw_deg": 45},
            "target": "screen_1",
        },
    ]
)
# One action = a name and a number of ticks; motions in whole ticks can be split without changing them.
ACTIONS = st.lists(
    st.tuples(st.sampled_from(["move", "back", "left", "right", "wait", "interact"]), st.integers(1, 20)),
    min_size=1,
    max_size=8,
)
WALK_TICK_M, TURN_TICK_DEG = WALK_M_S * 0.05, TURN_DEG_S * 0.05


class Play:
    def __init__(self) -> None:
        self.driver = PlaneDriver()
        self.driver.load(WORLD)
        self.log: list[tuple[str, float, dict[str, Json]]] = []
        self.engine = self.new_engine()
        self.engine.plant()

    def new_engine(self) -> EffectsEngine:
        self.driver.detach_all()
        engine = EffectsEngine(self.driver, WORLD, EFFECTS, lambda *event: self.log.append(event))
        self.driver.attach(engine)
        return engine

    def act(self, actions: list[tuple[str, int]], between: Callable[[], object] = lambda: None) -> None:
        for name, ticks in actions:
            _motion(self.driver, name, ticks)
            between()

    def outcome(self) -> tuple[object, ...]:
        return self.log, self.driver.objects(), self.driver.state(), self.engine.twin()


def _motion(driver: Driver, name: str, ticks: int) -> None:
    match name:
        case "move":
            driver.move(ticks * WALK_TICK_M)
        case "back":
            driver.move(-ticks * WALK_TICK_M)
        case "left":
            driver.turn(ticks * TURN_TICK_DEG)
        case "right":
            driver.turn(-ticks * TURN_TICK_DEG)
        case "wait":
            driver.advance(ticks * 0.05)
        case _:
            driver.interact()


def _split(actions: list[tuple[str, int]]) -> list[tuple[str, int]]:
    return [(name, 1) for name, ticks in actions for _ in range(1 if name == "interact" else ticks)]


@settings(max_examples=40, deadline=None)
@given(ACTIONS)
def test_splitting_motions_and_taking_pictures_changes_nothing(actions: list[tuple[str, int]]) -> None:
    whole, split = Play(), Play()
    whole.act(actions)
    split.act(_split(actions), lambda: split.driver.capture(("depth",), (8, 5)))
    ours, theirs = whole.outcome(), split.outcome()
    assert [event for event in whole.log if event[0] == "trigger"] == [
        event for event in split.log if event[0] == "trigger"
    ]
    assert {name: state.visible for name, state in whole.driver.objects().items()} == {
        name: state.visible for name, state in split.driver.objects().items()
    }
    assert ours[2].pose.x == pytest.approx(theirs[2].pose.x)  # type: ignore[attr-defined]


@settings(max_examples=40, deadline=None)
@given(ACTIONS)
def test_the_same_actions_give_the_same_everything(actions: list[tuple[str, int]]) -> None:
    first, second = Play(), Play()
    first.act(actions)
    second.act(actions)
    assert first.outcome() == second.outcome()


@settings(max_examples=40, deadline=None)
@given(ACTIONS)
def test_reset_leaves_a_clean_world(actions: list[tuple[str, int]]) -> None:
    play, clean = Play(), PlaneDriver()
    clean.load(WORLD)
    play.act(actions)
    play.engine.reset()
    for name, state in clean.objects().items():
        now = play.driver.objects()[name]
        if name not in ("ball_1", "lamp_1"):
            assert now == state
    assert play.engine.touched() == () and play.engine.twin() == {}
    assert play.driver.lights["sun"] == clean.lights["sun"]
    assert play.driver.objects().keys() == clean.objects().keys()


@settings(max_examples=40, deadline=None)
@given(ACTIONS, ACTIONS)
def test_restore_brings_back_what_was(before: list[tuple[str, int]], after: list[tuple[str, int]]) -> None:
    play = Play()
    play.act(before)
    twin, lights = play.engine.twin(), dict(play.driver.lights)
    snapshot = json.loads(json.dumps(play.engine.snapshot()))
    shown = {
        name: (state.position, state.rotation_deg, state.scale, state.visible, state.color, state.material)
        for name, state in play.driver.objects().items()
        if name not in ("ball_1", "lamp_1")
    }
    play.act(after)
    play.engine.restore(snapshot)
    assert json.loads(json.dumps(play.engine.snapshot())) == snapshot
    assert shown == {
        name: (state.position, state.rotation_deg, state.scale, state.visible, state.color, state.material)
        for name, state in play.driver.objects().items()
        if name not in ("ball_1", "lamp_1")
    }
    for name, state in twin.items():
        if name not in ("ball_1", "lamp_1"):
            assert play.engine.twin()[name] == state
    assert play.driver.lights["sun"] == lights["sun"]


def test_a_new_engine_takes_over_from_a_snapshot() -> None:
    actions = [("left", 20), ("move", 10), ("interact", 1), ("wait", 20)]
    one, two = Play(), Play()
    one.act(actions)
    two.act(actions)
    snapshot = two.engine.snapshot()
    two.engine.reset()
    two.engine = two.new_engine()
    two.engine.restore(snapshot)
    later = [("left", 20), ("move", 20), ("right", 20), ("wait", 10)]
    one.act(later)
    two.act(later)
    assert one.log == two.log


def test_a_snapshot_of_other_effects_is_refused() -> None:
    play = Play()
    other = EffectsEngine(play.driver, WORLD, EFFECTS[:2], lambda *event: None)
    with pytest.raises(DataFileError, match="other effects"):
        other.restore(play.engine.snapshot())


@given(*[st.integers(-180, 180)] * 3)
def test_angle_between_orientations(roll: int, pitch: int, yaw: int) -> None:
    here = (float(roll), float(pitch), float(yaw))
    assert angle_deg(here, here) == pytest.approx(0.0, abs=1e-5)
    assert angle_deg(here, (roll + 360.0, pitch, yaw - 360.0)) == pytest.approx(0.0, abs=1e-5)
    # (roll + 180, 180 - pitch, yaw + 180) is another name of the same orientation.
    assert angle_deg(here, (roll + 180.0, 180.0 - pitch, yaw + 180.0)) == pytest.approx(0.0, abs=1e-5)
    assert angle_deg(here, (roll, pitch, yaw + 30.0)) == pytest.approx(30.0, abs=1e-5)
