"""WC005: measurement decides alone; code alone where nothing can be measured."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.worldbench.evidence import Clock, Evidence, Half
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.spec import load_spec
from benchmarks.worldbench.totals import totals
from tests.benchmarks.worldbench.perfect import add, leak, perfect_evidence

SPEC = load_spec()
PERFECT = perfect_evidence(SPEC)


def half_of(evidence: Evidence, item: str, channel: str) -> Half:
    return next(half for half in grade(evidence, SPEC) if (half.item, half.channel) == (item, channel))


def measured(item: str, **clock: Any) -> Half:
    return half_of(replace(PERFECT, clock=replace(PERFECT.clock, **clock)), item, "measured")


def test_seasons_that_look_alike_are_credited_by_measurement() -> None:
    alike = replace(PERFECT.frames["T.season"], seen=False, reason="the four frames are identical")
    clock = replace(PERFECT.clock, season_shift=(0.0, 0.019, 0.035, 0.024))
    evidence = replace(PERFECT, clock=clock, frames={**PERFECT.frames, "T.season": alike})
    tint = half_of(evidence, "T.tint", "measured")
    assert (tint.earned, tint.measured, tint.threshold, tint.refs) == (1, 0.035, 0.015, ("s0", "s2"))
    season = half_of(evidence, "T.season", "frames")
    assert (season.earned, season.reason) == (0, "the four frames are identical")


@pytest.mark.parametrize(
    ("item", "clock", "earned"),
    [
        ("T.light", {"differs": (8.0, 0.0, 0.0, 0.0)}, 1),
        ("T.light", {"differs": (7.9, 0.0, 99.0, 0.0)}, 0),
        ("T.dusk", {"shift": (0.9, 0.03, 0.9, 0.0)}, 1),
        ("T.dusk", {"shift": (0.9, 0.029, 0.9, 0.0)}, 0),
        ("T.tint", {"season_shift": (0.9, 0.0, 0.0, 0.015)}, 1),
        ("T.tint", {"season_shift": (0.9, 0.014, 0.0, 0.0)}, 0),
        ("T.tint", {"season_shift": (None, None, None, None)}, 0),
        ("T.light", {"day": None}, 0),
        ("T.night", {"night": None}, 0),
    ],
)
def test_thresholds_are_reached_not_passed(item: str, clock: dict[str, Any], earned: int) -> None:
    assert measured(item, **clock).earned == earned


@pytest.mark.parametrize(("night", "earned"), [(36.0, 1), (36.1, 0), (10.0, 1)])
def test_nights_go_by_the_plain_mean_luma(night: float, earned: int) -> None:
    times = PERFECT.clock.times
    assert times[0] is not None
    dark = replace(times[0], luma_all=night, luma_lit=0.0)
    half = measured("T.night", times=(dark, *times[1:]))
    assert half.earned == earned and half.refs == ("t2", "t0")


def test_whatever_was_asked_the_brightest_is_day() -> None:
    """Where "noon" maps to midnight the clock's day is another index; nothing else changes."""
    times = PERFECT.clock.times
    turned = Clock(
        "patch",
        times=(times[2], times[1], times[0], times[3]),
        seasons=PERFECT.clock.seasons,
        differs=(0.0, 15.0, 30.0, 18.0),
        shift=(0.0, 0.06, 0.05, 0.08),
        season_shift=PERFECT.clock.season_shift,
        day=0,
        night=2,
    )
    assert totals(grade(replace(PERFECT, clock=turned), SPEC), SPEC).total == 280


def test_without_a_clock_every_item_stands_on_code_alone() -> None:
    evidence = replace(PERFECT, clock=Clock("none"))
    made = [
        half for half in grade(evidence, SPEC) if half.item.startswith("T.") and half.channel != "penalty"
    ]
    assert {(half.channel, half.earned) for half in made} == {("code", 2)}
    assert totals(grade(evidence, SPEC), SPEC).total == 280


def test_three_items_never_have_a_second_half() -> None:
    alone = {half.item for half in grade(PERFECT, SPEC) if half.item.startswith("T.") and half.of == 2}
    assert alone == {"T.sun", "T.cloud", "T.moon", "T.wet"}


def test_code_needs_both_quotes() -> None:
    claim = PERFECT.code["T.sun"]
    for broken in (replace(claim, motion=None), replace(claim, look=None), replace(claim, motion=claim.look)):
        evidence = replace(PERFECT, code={**PERFECT.code, "T.sun": broken})
        assert half_of(evidence, "T.sun", "code").earned == 0
    assert len(half_of(PERFECT, "T.sun", "code").lines) == 2


def test_an_uncertain_day_is_told() -> None:
    assert measured("T.light", ambiguous=True).reason == "which frame is day is not certain"
    assert measured("T.tint", ambiguous=True).reason == ""


def test_stars_cost_two_points_once_and_never_more_than_there_are() -> None:
    for channels in ({"code": True}, {"frames": True}, {"code": True, "frames": True}):
        assert totals(grade(add(PERFECT, leak("T.stars", **channels)), SPEC), SPEC).total == 278
    assert totals(grade(add(Evidence(True), leak("T.stars", code=True)), SPEC), SPEC).total == 0
