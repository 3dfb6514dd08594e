"""The whole grade: 280, 0, what is unjudged, clamps, and the way through the store."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from benchmarks.worldbench.evidence import BIOMES, CodeClaim, Evidence, FrameClaim, FrameFlags, Half, Quote
from benchmarks.worldbench.grade import NOT_LOADED, grade
from benchmarks.worldbench.grade.margins import margins
from benchmarks.worldbench.spec import TESTS, load_spec
from benchmarks.worldbench.totals import exact, shown, totals
from benchmarks.worldbench.verdicts import halves_of, verdicts_of
from embodied_eval.errors import UnknownName
from tests.benchmarks.worldbench.perfect import add, leak, perfect_evidence, without

SPEC = load_spec()
PERFECT = perfect_evidence(SPEC)


def test_a_perfect_world_is_exactly_280() -> None:
    made = totals(grade(PERFECT, SPEC), SPEC)
    assert made.total == Fraction(280)
    assert made.tests == {"WC001": 40, "WC002": 20, "WC003": 100, "WC004": 100, "WC005": 20}
    assert all(made.biomes[test][biome] == 10 for test in ("WC003", "WC004") for biome in BIOMES)
    assert all(made.biomes["WC002"][biome] == 2 for biome in BIOMES)
    assert made.complete and not made.reason


def test_the_halves_always_add_up_to_280_and_come_in_one_order() -> None:
    full, empty = grade(PERFECT, SPEC), grade(Evidence(loaded=True), SPEC)
    assert sum(half.of for half in full) == sum(half.of for half in empty) == 280
    order = list(dict.fromkeys(half.item for half in full))
    assert order == list(SPEC.items)
    assert len({(half.item, half.channel) for half in full}) == len(full)


def test_an_empty_page_is_0() -> None:
    nothing = tuple(FrameFlags(view, view, shows_terrain=False) for view in ("overview", "left", "right"))
    for evidence in (Evidence(loaded=True), Evidence(loaded=True, hunt=nothing)):
        made = totals(grade(evidence, SPEC), SPEC)
        assert made.total == 0
        assert set(made.tests.values()) == {0}


def test_a_world_that_does_not_load_is_0_with_the_reason() -> None:
    halves = grade(replace(PERFECT, loaded=False), SPEC)
    assert totals(halves, SPEC).total == 0
    assert {half.reason for half in halves} == {NOT_LOADED}


def test_every_lost_point_has_a_reason() -> None:
    for half in grade(Evidence(loaded=True), SPEC):
        assert half.reason, half


def test_grading_is_pure() -> None:
    assert grade(PERFECT, SPEC) == grade(perfect_evidence(SPEC), SPEC)


@pytest.mark.parametrize("item", ["V.bed", "C.swamp.2", "P.jungle.6", "T.light"])
def test_an_item_that_could_not_be_judged_leaves_no_total(item: str) -> None:
    broken = replace(PERFECT, code={**PERFECT.code, item: CodeClaim(item, error="the judge is down")})
    made = totals(grade(broken, SPEC), SPEC)
    test = SPEC.items[item].test
    assert made.total is None and made.tests[test] is None
    assert made.unjudged == (item,)
    assert made.reason == "1 items are unjudged"
    assert all(made.tests[name] is not None for name in TESTS if name != test)
    if item.startswith("C."):
        assert made.biomes["WC003"]["swamp"] is None and made.biomes["WC003"]["delta"] == 10


def test_a_frame_call_that_failed_leaves_no_total() -> None:
    frames = {**PERFECT.frames, "C.desert.3": FrameClaim("C.desert.3", error="timeout")}
    halves = grade(replace(PERFECT, frames=frames), SPEC)
    assert totals(halves, SPEC).unjudged == ("C.desert.3",)
    half = next(half for half in halves if half.error)
    assert (half.item, half.channel, half.earned, half.error) == ("C.desert.3", "frames", 0, "timeout")


def test_a_part_of_the_evidence_that_is_missing_makes_every_loss_unjudged() -> None:
    evidence = replace(without(PERFECT, "C.grove.1"), errors=("identify: the judge is down",))
    halves = grade(evidence, SPEC)
    lost = [half for half in halves if half.error]
    assert {half.item for half in lost if half.channel != "penalty"} == {"C.grove.1"}
    assert sum(half.earned for half in halves) == 280 - Fraction(10, 6)
    assert totals(halves, SPEC).total is None


def test_a_missing_half_is_unjudged_and_an_unknown_one_refused() -> None:
    halves = grade(PERFECT, SPEC)
    assert totals(halves[1:], SPEC).unjudged == ("V.boxes",)
    assert totals((), SPEC).unjudged == tuple(SPEC.items)
    with pytest.raises(UnknownName, match=r"V\.box"):
        totals((*halves, Half("V.box", "source", Fraction(1), Fraction(1))), SPEC)


def test_no_region_and_no_test_falls_below_0() -> None:
    evidence = Evidence(loaded=True)
    for item in SPEC.items.values():
        if item.forbidden and item.kind != "gate":
            evidence = add(evidence, leak(item.id, code=True, frames=True))
    made = totals(grade(evidence, SPEC), SPEC)
    assert made.total == 0
    assert all(points == 0 for test in made.biomes.values() for points in test.values())


def test_leaks_cost_only_their_own_region() -> None:
    evidence = PERFECT
    for item in SPEC.of(biome="volcano", kind="forbidden"):
        evidence = add(evidence, leak(item.id, frames=True))
    made = totals(grade(evidence, SPEC), SPEC)
    assert made.biomes["WC003"]["volcano"] == 10 - 4 * Fraction(10, 6)
    assert made.total == 280 - 4 * Fraction(10, 6)


def test_points_survive_the_store() -> None:
    weak = {item: replace(claim, probability=0.37) for item, claim in PERFECT.code.items()}
    hunt = (*PERFECT.hunt, FrameFlags("x", "close:delta:1", ("afloat",)))
    clock = replace(PERFECT.clock, season_shift=(0.0, 0.014, 0.0, 0.0))
    errors = {**PERFECT.frames, "C.swamp.1": FrameClaim("C.swamp.1", error="down")}
    for evidence in (PERFECT, replace(PERFECT, code=weak, hunt=hunt, clock=clock, frames=errors)):
        halves = grade(add(evidence, leak("F.delta.2", code=True, frames=True)), SPEC)
        verdicts = verdicts_of(halves, SPEC)
        assert halves_of(verdicts) == halves
        assert totals(halves_of(verdicts), SPEC) == totals(halves, SPEC)


def test_verdicts_read_as_they_should() -> None:
    code = {**PERFECT.code, "V.bed": replace(PERFECT.code["V.bed"], probability=0.49)}
    code["V.held"] = replace(code["V.held"], probability=0.5)
    code["V.unit"] = replace(code["V.unit"], error="down")
    evidence = add(replace(PERFECT, code=code), leak("F.delta.2", code=True))
    verdicts = {verdict.item: verdict for verdict in verdicts_of(grade(evidence, SPEC), SPEC)}
    assert (verdicts["V.bed/source"].score, verdicts["V.bed/source"].passed) == (2.45, False)
    assert (verdicts["V.held/source"].score, verdicts["V.held/source"].passed) == (1.5, True)
    unit = verdicts["V.unit/source"]
    assert (unit.score, unit.passed, unit.error) == (None, None, "down")
    spill = verdicts["F.delta.2/penalty"]
    assert (spill.passed, spill.max, spill.evidence) == (False, 0.0, ("L9999-L9999",))
    assert "measured=30.0" in verdicts["T.light/measured"].evidence


@pytest.mark.parametrize("points", ["5/6", "5/9", "5/11", "1/4", "160/7", "33/20", "-10/11", "0"])
def test_stored_points_are_the_fraction_they_were(points: str) -> None:
    assert exact(float(Fraction(points))) == Fraction(points)
    assert exact(round(float(Fraction(points)), 6)) == Fraction(points)


@pytest.mark.parametrize(
    ("points", "text"),
    [("280", "280.00"), ("10/6", "1.67"), ("1/200", "0.01"), ("-1/3", "-0.33"), ("-1/1000", "0.00")],
)
def test_points_are_rounded_only_in_print(points: str, text: str) -> None:
    assert shown(Fraction(points)) == text
    assert shown(None) == "-"


def test_margins_tell_what_is_near_its_threshold() -> None:
    clock = replace(PERFECT.clock, season_shift=(0.0, 0.019, 0.014, 0.0), differs=(8.1, 1.0, 0.0, 1.0))
    found = {
        margin.item: margin for margin in margins(grade(replace(PERFECT, clock=clock), SPEC), SPEC.thresholds)
    }
    assert found["T.light"].near and found["T.light"].ratio == pytest.approx(1.0125)
    assert not found["T.tint"].near and not found["P.jungle.6"].near
    # Four measured items of the cycle, and the moving items that are neither animals nor hang still.
    still = sum(item.axis == "still" for item in SPEC.of(kind="moving"))
    assert len(found) == 4 + 24 - still


def test_a_refused_quote_says_why() -> None:
    refused = replace(PERFECT.code["C.swamp.1"], look=Quote("x", refused="the line is a comment"))
    halves = grade(replace(PERFECT, code={**PERFECT.code, "C.swamp.1": refused}), SPEC)
    half = next(half for half in halves if (half.item, half.channel) == ("C.swamp.1", "code"))
    assert (half.earned, half.reason) == (0, "the line is a comment")
