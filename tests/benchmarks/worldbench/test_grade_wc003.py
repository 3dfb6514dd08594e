"""WC003: two halves an item, leaks that cost once, frames that may speak, the gate on the delta."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from benchmarks.worldbench.evidence import CodeClaim, Evidence, FrameClaim, FrameFlags, Half
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.spec import load_spec
from benchmarks.worldbench.totals import totals
from tests.benchmarks.worldbench.perfect import add, leak, perfect_evidence, without

SPEC = load_spec()
PERFECT = perfect_evidence(SPEC)


def half_of(evidence: Evidence, item: str, channel: str) -> Half:
    return next(half for half in grade(evidence, SPEC) if (half.item, half.channel) == (item, channel))


def seen_in(*refs: str) -> Evidence:
    claim = FrameClaim("C.swamp.1", True, refs=refs)
    return replace(PERFECT, frames={**PERFECT.frames, "C.swamp.1": claim})


@pytest.mark.parametrize("item", ["C.mountains.1", "C.highlands.9", "C.delta.11"])
def test_each_channel_earns_half(item: str) -> None:
    worth = SPEC.items[item].points
    no_code = replace(PERFECT, code={name: c for name, c in PERFECT.code.items() if name != item})
    no_frame = replace(PERFECT, frames={name: f for name, f in PERFECT.frames.items() if name != item})
    for evidence, lost in ((no_code, worth / 2), (no_frame, worth / 2), (without(PERFECT, item), worth)):
        assert totals(grade(evidence, SPEC), SPEC).total == 280 - lost


@pytest.mark.parametrize(("code", "frames"), [(True, False), (False, True), (True, True)])
def test_a_leak_costs_once(code: bool, frames: bool) -> None:
    evidence = add(PERFECT, leak("F.highlands.3", code=code, frames=frames))
    assert totals(grade(evidence, SPEC), SPEC).total == 280 - Fraction(10, 9)
    where = " and ".join(name for name, found in (("the code", code), ("the frames", frames)) if found)
    assert half_of(evidence, "F.highlands.3", "penalty").reason == f"found in {where}"


def test_a_leak_needs_a_quote_that_stands() -> None:
    claims = leak("F.highlands.3", code=True)
    claims["code"]["F.highlands.3"] = CodeClaim("F.highlands.3", 1.0, None)
    assert totals(grade(add(PERFECT, claims), SPEC), SPEC).total == 280


def test_a_leak_that_one_channel_found_stands_though_the_other_failed() -> None:
    claims = leak("F.highlands.3", code=True)
    claims["frames"] = {"F.highlands.3": FrameClaim("F.highlands.3", error="down")}
    assert totals(grade(add(PERFECT, claims), SPEC), SPEC).total == 280 - Fraction(10, 9)
    claims["code"] = {}
    assert totals(grade(add(PERFECT, claims), SPEC), SPEC).total is None


def test_a_sighting_needs_a_frame_of_the_region_or_a_wide_one() -> None:
    assert half_of(seen_in("close.swamp"), "C.swamp.1", "frames").earned == Fraction(5, 7)
    assert half_of(seen_in("overview"), "C.swamp.1", "frames").refs == ("overview",)
    assert half_of(seen_in("close.volcano", "season.1"), "C.swamp.1", "frames").refs == ("season.1",)
    for refs in ((), ("close.volcano",)):
        half = half_of(seen_in(*refs), "C.swamp.1", "frames")
        assert (half.earned, half.reason) == (0, "no confirmed or wide frame was named")


def test_a_close_view_that_was_not_confirmed_shows_nothing() -> None:
    confirmed = {biome: refs for biome, refs in PERFECT.confirmed.items() if biome != "swamp"}
    evidence = replace(seen_in("close.swamp"), confirmed=confirmed)
    assert half_of(evidence, "C.swamp.1", "frames").earned == 0
    assert half_of(replace(evidence, frames=seen_in("overview").frames), "C.swamp.1", "frames").earned > 0


@pytest.mark.parametrize("view", ["overview", "orbit:left", "orbit:bottom", "close:delta"])
def test_sea_over_the_void_closes_the_deltas_contents(view: str) -> None:
    hunt = tuple(
        replace(flags, flags=("sea_over_void",)) if flags.view == view else flags for flags in PERFECT.hunt
    )
    made = totals(grade(replace(PERFECT, hunt=hunt), SPEC), SPEC)
    assert made.biomes["WC003"]["delta"] == 0 and made.biomes["WC004"]["delta"] == 10
    assert made.total == 270


@pytest.mark.parametrize("view", ["orbit:right", "orbit:top", "close:swamp"])
def test_elsewhere_it_does_not(view: str) -> None:
    hunt = tuple(
        replace(flags, flags=("sea_over_void",)) if flags.view == view else flags for flags in PERFECT.hunt
    )
    assert totals(grade(replace(PERFECT, hunt=hunt), SPEC), SPEC).total == 280


def test_a_frame_that_could_not_be_judged_leaves_the_gate_open() -> None:
    hunt = tuple(f for f in PERFECT.hunt if f.view != "orbit:left")
    failed = FrameFlags("left", "orbit:left", judged=False, error="down")
    made = totals(grade(replace(PERFECT, hunt=(*hunt, failed)), SPEC), SPEC)
    assert made.unjudged == ("F.delta.void",) and made.tests["WC003"] is None


def test_the_gate_leaves_the_verdicts_of_the_channels_alone() -> None:
    hunt = (FrameFlags("overview", "overview", ("sea_over_void",)), *PERFECT.hunt[1:])
    halves = grade(replace(PERFECT, hunt=hunt), SPEC)
    assert all(half.earned == half.of for half in halves if half.item.startswith("C.delta."))
