"""WC004: look and motion, by code and by burst; the axes; animals; the gate."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from benchmarks.worldbench.evidence import Burst, Evidence, Half
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.spec import load_spec
from benchmarks.worldbench.totals import totals
from tests.benchmarks.worldbench.perfect import add, leak, perfect_evidence

SPEC = load_spec()
PERFECT = perfect_evidence(SPEC)
RAIN = "P.jungle.7"
BIRDS = "P.jungle.10"
CLOUDS = "P.forest.8"


def halves(evidence: Evidence, item: str) -> dict[str, Half]:
    return {half.channel: half for half in grade(evidence, SPEC) if half.item == item}


def earned(evidence: Evidence, item: str) -> dict[str, Fraction]:
    return {channel: half.earned for channel, half in halves(evidence, item).items()}


def with_code(item: str, **fields: Any) -> Evidence:
    return replace(PERFECT, code={**PERFECT.code, item: replace(PERFECT.code[item], **fields)})


def with_frames(item: str, **fields: Any) -> Evidence:
    return replace(PERFECT, frames={**PERFECT.frames, item: replace(PERFECT.frames[item], **fields)})


def with_burst(**fields: Any) -> Evidence:
    return replace(PERFECT, bursts={**PERFECT.bursts, "jungle": Burst("jungle", **fields)})


QUARTER, HALF = Fraction(1, 4), Fraction(1, 2)


def test_how_a_point_is_split() -> None:
    assert earned(PERFECT, "P.jungle.1") == {"look": HALF, "frames": HALF}
    assert earned(PERFECT, RAIN) == dict.fromkeys(("look", "frames", "motion", "burst"), QUARTER)
    assert earned(PERFECT, BIRDS) == {"look": QUARTER, "frames": QUARTER, "motion": HALF}


def test_rain_in_two_worlds_is_told_apart_by_pixels() -> None:
    moving = halves(with_burst(near=0.384, far=0.0, camera_still=True), RAIN)["burst"]
    frozen = halves(with_burst(near=0.0, far=0.0, camera_still=True), RAIN)["burst"]
    assert (moving.earned, moving.measured, moving.threshold) == (QUARTER, 0.384, 0.001)
    assert (frozen.earned, frozen.measured) == (0, 0.0)
    assert frozen.reason == "0.0% of pixels changed, so nothing moved"


@pytest.mark.parametrize(
    ("fields", "moved"),
    [
        ({"near": 0.001}, True),
        ({"near": 0.0009999}, False),
        ({"near": 0.0, "far": 0.002}, True),
        ({"far": 0.5}, True),
        ({}, False),
        ({"near": 0.9, "camera_still": False}, False),
    ],
)
def test_the_larger_share_must_reach_the_threshold(fields: dict[str, Any], moved: bool) -> None:
    half = halves(with_burst(**fields), RAIN)["burst"]
    assert bool(half.earned) is moved and half.reason


def test_pixels_alone_earn_no_motion() -> None:
    for evidence in (
        with_frames(RAIN, moves=False),
        with_frames(RAIN, axis="rising"),
        with_frames(RAIN, seen=False),
    ):
        assert earned(evidence, RAIN)["burst"] == 0
        assert earned(evidence, RAIN)["motion"] == QUARTER


def test_without_a_confirmed_close_view_there_is_no_burst() -> None:
    confirmed = {biome: refs for biome, refs in PERFECT.confirmed.items() if biome != "jungle"}
    evidence = replace(with_frames(RAIN, refs=("overview",)), confirmed=confirmed)
    found = halves(evidence, RAIN)
    assert found["frames"].earned == QUARTER
    assert found["burst"].reason == "no confirmed close view, so no burst"


def test_what_hangs_still_needs_no_pixel_to_change() -> None:
    frozen = replace(PERFECT, bursts={})
    assert earned(frozen, CLOUDS)["burst"] == QUARTER
    assert halves(frozen, CLOUDS)["burst"].measured is None
    falling = with_frames(CLOUDS, axis="falling")
    assert earned(falling, CLOUDS)["burst"] == 0


def test_animals_never_get_or_lose_a_burst_share() -> None:
    for item in SPEC.of(kind="moving"):
        if item.fauna:
            assert earned(replace(PERFECT, bursts={}), item.id) == {
                "look": QUARTER,
                "frames": QUARTER,
                "motion": HALF,
            }


@pytest.mark.parametrize(
    ("axis", "fits"), [("down", True), ("flowing", True), ("rising", False), ("", False)]
)
def test_code_motion_needs_a_fitting_axis(axis: str, fits: bool) -> None:
    half = halves(with_code(RAIN, axis=axis), RAIN)["motion"]
    assert bool(half.earned) is fits
    if not fits:
        assert half.reason == f"{axis or 'no axis'} given, falling expected"


def test_the_look_quote_is_no_motion_quote() -> None:
    half = halves(with_code(RAIN, motion=PERFECT.code[RAIN].look), RAIN)["motion"]
    assert (half.earned, half.reason) == (0, "the motion quote is the look quote again")
    assert earned(with_code(RAIN, motion=None), RAIN)["look"] == QUARTER


def test_motion_that_never_ran_counts_unless_strict() -> None:
    quote = PERFECT.code[RAIN].motion
    assert quote is not None
    evidence = with_code(RAIN, motion=replace(quote, executed=False))
    assert earned(evidence, RAIN)["motion"] == QUARTER
    strict = replace(evidence, strict_executed=True)
    assert earned(strict, RAIN) == {"look": QUARTER, "frames": QUARTER, "motion": 0, "burst": QUARTER}
    unknown = replace(with_code(RAIN, motion=replace(quote, executed=None)), strict_executed=True)
    assert earned(unknown, RAIN)["motion"] == QUARTER


def test_a_forbidden_look_costs_a_point() -> None:
    for channels in ({"code": True}, {"frames": True}, {"code": True, "frames": True}):
        evidence = add(PERFECT, leak("G.desert.1", **channels))
        assert totals(grade(evidence, SPEC), SPEC).total == 279


@pytest.mark.parametrize(
    ("views", "delta"),
    [(("orbit:right",), 10), (("orbit:right", "close:delta"), 10), (("orbit:right", "orbit:top"), 0)],
)
def test_sea_over_the_void_in_two_wide_frames_closes_the_deltas_look(
    views: tuple[str, ...], delta: int
) -> None:
    hunt = tuple(
        replace(flags, flags=("sea_over_void",)) if flags.view in views else flags for flags in PERFECT.hunt
    )
    assert totals(grade(replace(PERFECT, hunt=hunt), SPEC), SPEC).biomes["WC004"]["delta"] == delta


def test_one_flag_and_one_failed_frame_leave_the_gate_open() -> None:
    hunt = tuple(
        replace(flags, flags=("sea_over_void",))
        if flags.view == "orbit:right"
        else replace(flags, judged=False, error="down")
        if flags.view == "orbit:top"
        else flags
        for flags in PERFECT.hunt
    )
    assert totals(grade(replace(PERFECT, hunt=hunt), SPEC), SPEC).unjudged == ("G.delta.void",)
