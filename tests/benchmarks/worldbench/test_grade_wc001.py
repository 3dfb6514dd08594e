"""WC001: the source items' probabilities and the bug hunt."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from benchmarks.worldbench.evidence import Evidence, FrameFlags, Half, Quote
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.grade.wc001 import probability
from benchmarks.worldbench.spec import load_spec
from benchmarks.worldbench.totals import totals
from tests.benchmarks.worldbench.perfect import perfect_evidence

SPEC = load_spec()
PERFECT = perfect_evidence(SPEC)


def half_of(evidence: Evidence, item: str) -> Half:
    return next(half for half in grade(evidence, SPEC) if half.item == item)


def hunted(*frames: FrameFlags) -> Half:
    return half_of(replace(PERFECT, hunt=frames), "V.hunt")


def wide(count: int, **fields: object) -> tuple[FrameFlags, ...]:
    views = ("overview", "orbit:right", "orbit:left", "orbit:top", "orbit:bottom")[:count]
    return tuple(FrameFlags(view, view, **fields) for view in views)  # type: ignore[arg-type]


def test_a_source_item_earns_its_points_times_the_probability() -> None:
    code = {**PERFECT.code, "V.bed": replace(PERFECT.code["V.bed"], probability=0.3)}
    half = half_of(replace(PERFECT, code=code), "V.bed")
    assert (half.earned, half.of) == (Fraction(3, 2), 5)
    assert half.lines and half.reason == "probability 0.30"


def test_a_source_item_without_a_real_quote_earns_nothing() -> None:
    for quote in (None, Quote("invented", refused="not in the source")):
        code = {**PERFECT.code, "V.bed": replace(PERFECT.code["V.bed"], look=quote)}
        assert half_of(replace(PERFECT, code=code), "V.bed").earned == 0


@pytest.mark.parametrize(("value", "exact"), [(0.333, "33/100"), (1.2, "1"), (-0.1, "0"), (0.1, "1/10")])
def test_probabilities_are_hundredths(value: float, exact: str) -> None:
    assert probability(value) == Fraction(exact)


def test_the_hunt_is_the_share_of_clean_frames() -> None:
    half = hunted(*wide(5), FrameFlags("a", "close:swamp:1", ("afloat",)), FrameFlags("b", "close:delta:1"))
    assert half.earned == 20 * Fraction(6, 7)
    assert half.refs == ("a",) and half.reason == "6 of 7 judged frames are clean"


def test_sea_over_the_void_does_not_make_a_frame_unclean() -> None:
    assert hunted(*wide(5, flags=("sea_over_void",))).earned == 20


@pytest.mark.parametrize("flag", ["afloat", "hollow", "nonblock"])
def test_each_defect_does(flag: str) -> None:
    assert hunted(*wide(5, flags=(flag,))).earned == 0


def test_frames_without_terrain_are_in_neither_number() -> None:
    half = hunted(*wide(5), FrameFlags("a", "close:swamp", ("afloat",), shows_terrain=False))
    assert half.earned == 20 and half.measured == 1.0


@pytest.mark.parametrize(("count", "earned"), [(0, 0), (2, 0), (3, 20), (5, 20)])
def test_fewer_than_three_wide_frames_with_terrain_give_nothing(count: int, earned: int) -> None:
    close = [FrameFlags(f"c{i}", f"close:swamp:{i}") for i in range(9)]
    blank = [FrameFlags(f"o{i}", "orbit:top", shows_terrain=False) for i in range(5 - count)]
    half = hunted(*wide(count), *blank, *close)
    assert half.earned == earned
    if not earned:
        assert half.reason == f"{count} of 5 wide frames show block terrain, 3 are needed"


def test_a_judges_yes_is_not_believed_of_a_frame_without_pixels() -> None:
    times = tuple(
        replace(look, ref=view, filled=0.019)
        for look, view in zip(PERFECT.clock.times, ("overview", "b", "c", "d"), strict=True)
        if look
    )
    evidence = replace(PERFECT, hunt=wide(3), clock=replace(PERFECT.clock, times=times))
    assert half_of(evidence, "V.hunt").earned == 0


def test_a_failed_call_is_in_neither_number_while_enough_are_left() -> None:
    failed = FrameFlags("x", "close:swamp", judged=False, error="timeout")
    half = hunted(*wide(5), failed)
    assert half.earned == 20 and not half.error
    assert half.reason == "5 of 5 judged frames are clean; 1 could not be judged"


def test_failed_calls_never_make_a_0() -> None:
    failed = wide(5, judged=False, error="timeout")
    half = hunted(*wide(2), *failed[2:])
    assert half.error == "the bug hunt: timeout"
    assert totals(grade(replace(PERFECT, hunt=failed), SPEC), SPEC).total is None


def test_a_quote_that_never_ran_counts_unless_strict() -> None:
    dead = replace(PERFECT.code["V.bed"], look=replace(PERFECT.code["V.bed"].look, executed=False))  # type: ignore[type-var]
    evidence = replace(PERFECT, code={**PERFECT.code, "V.bed": dead})
    assert half_of(evidence, "V.bed").earned == 5
    strict = half_of(replace(evidence, strict_executed=True), "V.bed")
    assert strict.earned == 0 and strict.reason == "no line of the quote ever ran"
