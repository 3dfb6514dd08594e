"""Whether cited frames bear a finding out, rule by rule, on hand-made trajectories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.worldaudit.evidence import (
    MIN_IMAGE_SHARE,
    MIN_UNOCCLUDED_SHARE,
    Shown,
    check_evidence,
    row_shows,
)
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.records import Event
from tests.benchmarks.worldaudit.trajectories import HIDDEN, SHOWN, touch, trajectory, trigger

BOTH = (SHOWN, SHOWN)
GONE = (HIDDEN, SHOWN)
NEITHER = (HIDDEN, HIDDEN)
ALWAYS = (trigger(0.0, True),)


def check(
    code: str,
    refs: Sequence[str],
    pixels: Mapping[str, tuple[int, int]] | None = None,
    events: Sequence[Event] = ALWAYS,
    filed: int = 9,
    **more: Any,
) -> Shown:
    made = trajectory(code, [], pixels=pixels, events=events, **more)
    return check_evidence(made, code, refs, filed, float(filed))


def test_a_frame_shows_an_object_from_both_thresholds_on() -> None:
    image = 518_400
    least = int(MIN_IMAGE_SHARE * image) + 1
    assert row_shows(least, least, image)
    assert not row_shows(least - 2, least, image)
    assert row_shows(least, int(least / MIN_UNOCCLUDED_SHARE) - 1, image)
    assert not row_shows(least, int(least / MIN_UNOCCLUDED_SHARE) + 40, image)
    assert not row_shows(0, 0, image)


@pytest.mark.parametrize("code", SUBCATEGORIES)
def test_every_sub_category_asks_for_a_cited_frame_of_the_episode(code: str) -> None:
    assert not check(code, []).evidenced
    assert check(code, ["a99", "b1"]).reason == "cites no frame"


@pytest.mark.parametrize("code", ["G1", "G2", "G3", "V3", "V4", "S2", "S3"])
def test_a_static_anomaly_must_be_in_sight(code: str) -> None:
    assert check(code, ["a3"], {"a3": BOTH}).evidenced
    assert check(code, ["a3#c1"], {"a3": BOTH}).frames == ("a3",)
    assert not check(code, ["a3"], {"a3": NEITHER}).evidenced
    assert not check(code, ["a4"], {"a3": BOTH}).evidenced
    assert not check(code, ["a3"], {"a3": BOTH}, events=()).evidenced


def test_v1_needs_the_hidden_view_cited_and_a_view_that_shows_it() -> None:
    events = (trigger(5.0, True),)
    assert check("V1", ["a6"], {"a2": BOTH, "a6": GONE}, events).evidenced
    assert check("V1", ["a2", "a6"], {"a2": BOTH, "a6": GONE}, events).frames == ("a6", "a2")
    assert not check("V1", ["a2"], {"a2": BOTH, "a6": GONE}, events).evidenced
    assert not check("V1", ["a6"], {"a6": GONE}, events).evidenced
    assert not check("V1", ["a6"], {"a2": BOTH, "a6": NEITHER}, events).evidenced
    # The view that shows it came only after the report.
    assert not check("V1", ["a6"], {"a8": BOTH, "a6": GONE}, events, filed=7).evidenced


def test_v2_needs_the_object_cited_on_both_sides_of_the_change() -> None:
    events = (trigger(5.0, True),)
    assert check("V2", ["a2", "a6"], {"a2": BOTH, "a6": BOTH}, events).evidenced
    assert not check("V2", ["a6", "a7"], {"a6": BOTH, "a7": BOTH}, events).evidenced
    assert not check("V2", ["a2", "a6"], {"a2": BOTH, "a6": NEITHER}, events).evidenced


def test_t1_needs_before_and_after() -> None:
    events = (trigger(5.0, True),)
    assert check("T1", ["a6", "a2"], {"a2": BOTH, "a6": GONE}, events).frames == ("a2", "a6")
    assert not check("T1", ["a6"], {"a2": BOTH, "a6": GONE}, events).evidenced
    assert not check("T1", ["a2", "a6"], {"a2": BOTH, "a6": NEITHER}, events).evidenced
    assert not check("T1", ["a2", "a6"], {"a2": BOTH, "a6": GONE}, events=()).evidenced


def test_t1_of_something_that_appears_takes_a_look_at_its_empty_place_as_before() -> None:
    events = (trigger(5.0, True),)
    target = {"place": [3.0, 0.0, 0.0]}
    pixels = {"a6": (SHOWN, HIDDEN)}
    assert check("T1", ["a2", "a6"], pixels, events, target=target).evidenced
    assert not check("T1", ["a2", "a6"], pixels, events, target=target, yaw_deg={2: 90.0}).evidenced


def test_t2_after_is_the_object_or_its_empty_place() -> None:
    events = (trigger(5.0, True),)
    assert check("T2", ["a2", "a6"], {"a2": BOTH, "a6": (SHOWN, HIDDEN)}, events).evidenced
    assert check("T2", ["a2", "a6"], {"a2": BOTH, "a6": GONE}, events).evidenced
    assert not check("T2", ["a2", "a6"], {"a2": NEITHER, "a6": BOTH}, events).evidenced
    assert not check("T2", ["a6", "a7"], {"a6": BOTH, "a7": BOTH}, events).evidenced


def test_t3_needs_the_device_itself_in_both() -> None:
    events = (trigger(5.0, True),)
    assert check("T3", ["a2", "a6"], {"a2": BOTH, "a6": BOTH}, events).evidenced
    assert not check("T3", ["a2", "a6"], {"a2": BOTH, "a6": GONE}, events).evidenced


def test_c1_needs_the_agent_inside_before_filing_and_a_frame_of_that_move() -> None:
    events = (*ALWAYS, touch("inside", 4.5))
    assert check("C1", ["a5"], events=events).evidenced
    assert check("C1", ["a6"], events=events).evidenced
    assert not check("C1", ["a4"], events=events).evidenced
    assert not check("C1", ["a5"], events=ALWAYS).evidenced
    assert not check("C1", ["a5"], events=events, filed=4).evidenced
    assert not check("C1", ["a5"], events=(*ALWAYS, touch("inside", 4.5, "sofa_1"))).evidenced


def test_c2_needs_a_blocked_move_against_the_obstacle() -> None:
    events = (*ALWAYS, touch("contact", 4.5))
    assert check("C2", ["a5"], events=events, blocked={5: 0.4}).evidenced
    assert check("C2", ["a4"], events=events, blocked={5: 0.4}).evidenced
    assert not check("C2", ["a7"], events=events, blocked={5: 0.4}).evidenced
    # Pushing on without getting anywhere makes no new contact, yet it is still the same obstacle.
    assert check("C2", ["a7"], events=events, blocked={5: 0.4, 6: 0.0, 7: 0.0}).evidenced
    assert not check("C2", ["a5"], events=events).evidenced
    assert not check("C2", ["a5"], events=ALWAYS, blocked={5: 0.4}).evidenced


def test_c3_needs_the_planted_response_after_a_touch() -> None:
    events = (touch("contact", 4.5), trigger(4.5, True))
    assert check("C3", ["a5"], {"a5": BOTH}, events).evidenced
    assert check("C3", ["a5"], {"a5": GONE}, events).evidenced
    assert not check("C3", ["a3"], {"a3": BOTH}, events).evidenced
    assert not check("C3", ["a5"], {"a5": NEITHER}, events).evidenced
    # On the clean twin one may touch it just the same: nothing was triggered.
    assert not check("C3", ["a5"], {"a5": BOTH}, (touch("contact", 4.5),)).evidenced


def test_c3_by_operating_needs_no_contact_but_a_frame_from_the_response_on() -> None:
    fired = Event("trigger", 4.5, 4, {"effect": 0, "target": "t", "change": "impulse", "active": True}, True)

    def shown(ref: str, kind: str) -> bool:
        made = trajectory("C3", [], pixels={ref: BOTH}, events=(fired,))
        private = {**made.task.private, "effects": [{"trigger": {"kind": kind}}]}
        made = replace(made, task=replace(made.task, private=private))
        return check_evidence(made, "C3", [ref], 9, 9.0).evidenced

    assert shown("a5", "interact")
    assert not shown("a3", "interact")
    assert not shown("a5", "contact")
