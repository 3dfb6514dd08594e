"""Every trigger's exact firing tick, on the driver of boxes."""

from __future__ import annotations

import math

from embodied_eval.drivers.base import TICK_S
from embodied_eval.records import Pose
from embodied_eval.worlds.model import Light
from tests.testing_driver import PlaneDriver
from tests.testing_world import box, switch
from tests.worlds.stage import BALL, CRATE, WALK_TICK_M, Stage, effect, walked


def test_always_acts_before_the_first_tick() -> None:
    stage = Stage([effect({"kind": "always"})], CRATE)
    assert stage.fired() == [(0.0, True)]
    assert not stage["crate_1"].visible


def test_after_acts_at_its_tick() -> None:
    stage = Stage([effect({"kind": "after", "t_s": 0.4})], CRATE)
    stage.driver.advance(0.35)
    assert stage.fired() == []
    stage.driver.advance(0.5)
    assert stage.fired() == [(0.4, True)]


def test_distance_has_hysteresis_and_is_undone() -> None:
    stage = Stage([effect({"kind": "distance", "enter_m": 4.0, "exit_m": 5.0})], CRATE)
    stage.driver.move(20 * WALK_TICK_M)  # 2.2 m: 3.8 m away
    assert stage.fired() == [(walked(19 * WALK_TICK_M), True)]
    stage.driver.move(-10 * WALK_TICK_M)  # back to 4.9 m: still near
    assert not stage["crate_1"].visible
    stage.driver.move(-5 * WALK_TICK_M)
    assert [active for _, active in stage.fired()] == [True, False]
    assert stage["crate_1"].visible


def test_distance_far_is_active_from_the_start() -> None:
    stage = Stage([effect({"kind": "distance", "enter_m": 4.0, "exit_m": 5.0, "when": "far"})], CRATE)
    assert stage.fired() == [(0.0, True)]
    stage.driver.move(20 * WALK_TICK_M)
    assert stage.fired()[1:] == [(walked(19 * WALK_TICK_M), False)]


def test_gaze_has_hysteresis() -> None:
    trigger = {"kind": "gaze", "when": "unseen", "seen_dot": 0.75, "unseen_dot": 0.25}
    stage = Stage([effect(trigger, {"kind": "offset", "by_m": [0, 3, 0]})], CRATE)
    assert stage.fired() == []
    stage.driver.turn(72.0)  # 4.5 degrees a tick; cos 72 = 0.31, still above unseen_dot
    assert stage.fired() == []
    stage.driver.turn(9.0)  # cos 76.5 = 0.23
    assert stage.fired() == [(0.85, True)]
    assert stage["crate_1"].position == (6.0, 3.0, 0.0)
    stage.driver.turn(-45.0)  # 36 degrees; cos of the 3-D angle passes 0.75 at 40.5
    assert stage.fired()[1][1] is False
    assert stage["crate_1"].position == (6.0, 0.0, 0.0)
    at_deg = 81.0 - 4.5 * round((stage.fired()[1][0] - 0.9) / TICK_S)
    to_centre = math.hypot(6.0, 1.1)
    assert math.cos(math.radians(at_deg)) * 6.0 / to_centre >= 0.75
    assert math.cos(math.radians(at_deg + 4.5)) * 6.0 / to_centre < 0.75


def test_gaze_minds_occlusion_and_range() -> None:
    wall = box("wall_1", (3.0, 0.0, 0.0), (0.2, 4.0, 3.0))
    seen = effect({"kind": "gaze"})
    assert Stage([seen], CRATE, wall).fired() == []
    assert Stage([effect({"kind": "gaze", "occlusion": False})], CRATE, wall).fired() == [(0.0, True)]
    assert Stage([effect({"kind": "gaze", "max_m": 5.0})], CRATE).fired() == []
    blind = Stage([seen], CRATE, wall, driver=PlaneDriver(lacks=["raycast"]))
    assert blind.fired() == [(0.0, True)]
    assert blind.log[0] == ("plant", 0.0, {"effects": 1, "occlusion": False, "names": []})


def test_gaze_sees_past_a_partial_cover() -> None:
    low = box("wall_1", (5.0, 0.0, 0.0), (0.2, 4.0, 0.65))  # covers the centre, not the upper quarter
    assert Stage([effect({"kind": "gaze"})], CRATE, low).fired() == [(0.0, True)]


def test_half_space_takes_the_eye() -> None:
    trigger = {"kind": "half_space", "axis": "x", "value": 1.0, "side": "above"}
    stage = Stage([effect(trigger)], CRATE)
    stage.driver.move(2.2)
    stage.driver.move(-2.2)
    assert stage.fired() == [(walked(10 * WALK_TICK_M), True), (1.55, False)]
    above = {"kind": "half_space", "axis": "z", "value": 1.5, "side": "above"}
    assert Stage([effect(above)], CRATE).fired() == [(0.0, True)]


def test_leave_return_needs_all_three_legs() -> None:
    trigger = {"kind": "leave_return", "near_m": 3.0, "far_m": 5.0}
    stage = Stage([effect(trigger, once=True)], CRATE, at=Pose(3.5, 0, 0))
    stage.driver.move(-22 * WALK_TICK_M)  # far, but facing it
    stage.driver.move(22 * WALK_TICK_M)
    stage.driver.turn(180.0)
    stage.driver.move(18 * WALK_TICK_M)  # 4.48 m: not far enough
    stage.driver.move(-18 * WALK_TICK_M)
    assert stage.fired() == []
    stage.driver.move(25 * WALK_TICK_M)  # 5.25 m, facing away
    stage.driver.turn(180.0)
    assert stage.fired() == []
    begins_s = stage.driver.state().t_s
    stage.driver.move(25 * WALK_TICK_M)
    assert stage.fired() == [(round(begins_s + 21 * TICK_S, 6), True)]
    assert not stage["crate_1"].visible


def test_seen_unseen_counts_unbroken_time() -> None:
    trigger = {"kind": "seen_unseen", "seen_s": 0.5, "unseen_s": 1.0}
    stage = Stage([effect(trigger)], CRATE)
    stage.driver.advance(0.3)
    stage.driver.turn(90.0)  # unseen from 76.5 degrees on: 0.3 + 0.85
    unseen_s = 1.15
    stage.driver.advance(2.0)
    assert stage.fired() == [(unseen_s + 1.0, True)]
    stage.driver.turn(-90.0)
    assert [active for _, active in stage.fired()] == [True, False]
    assert stage["crate_1"].visible
    stage.driver.turn(90.0)
    stage.driver.turn(-90.0)  # unseen for less than a second
    assert len(stage.fired()) == 2


def test_once_keeps_the_change() -> None:
    trigger = {"kind": "seen_unseen", "seen_s": 0.1, "unseen_s": 0.1}
    stage = Stage([effect(trigger, once=True)], CRATE)
    stage.driver.turn(180.0)
    stage.driver.turn(180.0)
    stage.driver.advance(1.0)
    assert [active for _, active in stage.fired()] == [True]
    assert not stage["crate_1"].visible


def test_contact_throws_at_each_touch() -> None:
    impulse = {"kind": "impulse", "speed_m_s": 4.0, "direction": "up"}
    stage = Stage([effect({"kind": "contact"}, impulse, target="ball_1")], BALL)
    stage.driver.move(1.32)
    assert stage.fired() == []
    before = stage["ball_1"]
    stage.driver.move(0.22)
    assert stage.fired() == [(0.7, True)]
    stage.driver.advance(TICK_S)
    assert stage["ball_1"].position[2] > 0.1
    assert stage.engine.twin()["ball_1"].position[2] == before.position[2]
    stage.driver.advance(3.0)
    for _ in range(4):
        stage.driver.move(2.2)
    assert len(stage.fired()) > 1
    assert stage.engine.touched() == ("ball_1",)


def test_impulse_gain_multiplies_the_motion_away() -> None:
    gain = {"kind": "impulse", "gain": 3.0, "min_speed_m_s": 1.0}
    contact = effect({"kind": "contact"}, gain, target="ball_1", once=True)
    plain, thrown = Stage([], BALL), Stage([contact], BALL)
    for stage in (plain, thrown):
        stage.driver.move(1.54)
    assert thrown["ball_1"].velocity_m_s[0] > 2 * plain["ball_1"].velocity_m_s[0] > 0


def test_contact_between_objects() -> None:
    post = box("post_1", (4.0, 0.0, 0.0), (0.2, 0.2, 1.0))
    trigger = {"kind": "contact", "with": "ball_1"}
    stage = Stage([effect(trigger, {"kind": "hide"}, target="post_1")], BALL, post)
    stage.driver.move(2.2)
    stage.driver.advance(3.0)
    assert [active for _, active in stage.fired()] == [True]


def test_interact_sets_the_device_back_each_time() -> None:
    lamp = box("lamp_1", (1.5, 0.0, 0.0), (0.4, 0.4, 2.0), device=switch("light_1"))
    light = Light("light_1", (1.5, 0.0, 2.0), on=False)
    back = {"kind": "state", "to": "off"}
    stage = Stage([effect({"kind": "interact"}, back, target="lamp_1")], lamp, lights=(light,))
    for count in (1, 2, 3):
        stage.driver.interact()
        stage.driver.capture(("rgb",), (16, 9))
        assert len(stage.fired()) == count
        assert stage["lamp_1"].state == "off"
        assert stage.driver.lights["light_1"].on is False
    latched = Stage([effect({"kind": "interact"}, back, target="lamp_1", once=True)], lamp, lights=(light,))
    latched.driver.interact()
    latched.driver.interact()
    assert latched["lamp_1"].state == "on"


def test_interact_with_another_object() -> None:
    lamp = box("lamp_1", (1.5, 0.0, 0.0), (0.4, 0.4, 2.0), device=switch())
    stage = Stage([effect({"kind": "interact", "object": "lamp_1"})], lamp, CRATE)
    stage.driver.interact()
    assert stage.fired() == [(TICK_S, True)]
    assert not stage["crate_1"].visible
