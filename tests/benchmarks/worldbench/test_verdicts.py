"""Halves as verdicts and back: nothing is lost, points stay exact."""

from __future__ import annotations

from fractions import Fraction

from benchmarks.worldbench.evidence import Half
from benchmarks.worldbench.fixtures.world import make_world
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.judges.truth import evidence_on
from benchmarks.worldbench.spec import load_spec
from benchmarks.worldbench.verdicts import halves_of, verdicts_of
from embodied_eval.records import Verdict


def test_a_whole_world_comes_back_as_it_was() -> None:
    for operator in ("none", "drain"):
        fixture = make_world(0, operator)
        halves = grade(evidence_on(fixture.manifest, fixture.html), load_spec())
        assert halves_of(verdicts_of(halves)) == halves


def test_awkward_points_stay_exact() -> None:
    points = Fraction(20) * Fraction(13, 17)
    half = Half("V.hunt", "frames", points, Fraction(20), "13 of 17", ("overview",), ((3, 5),), 13 / 17, 0.1)
    (verdict,) = verdicts_of([half])
    assert verdict.evidence[:2] == ("overview", "L3-L5")
    assert halves_of([verdict]) == (half,)


def test_errors_and_penalties() -> None:
    failed = Half("C.jungle.1", "code", Fraction(0), Fraction(5, 9), error="the judge is away")
    leak = Half("F.jungle.1", "penalty", Fraction(-10, 9), Fraction(0), "found in the code")
    none = Half("F.jungle.2", "penalty", Fraction(0), Fraction(0), "not found")
    verdicts = verdicts_of([failed, leak, none])
    assert [verdict.passed for verdict in verdicts] == [None, False, True]
    assert verdicts[0].score is None and verdicts[0].error == "the judge is away"
    assert halves_of(verdicts) == (failed, leak, none)


def test_a_judging_that_failed_as_a_whole_has_no_halves() -> None:
    assert halves_of([Verdict("*", None, 1.0, None, error="JudgeError: away")]) == ()
