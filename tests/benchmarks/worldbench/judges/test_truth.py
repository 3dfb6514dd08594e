"""The judge `truth`: exactly 280 for a whole fixture, and exactly what an operator took is missing otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest

from benchmarks.worldbench.evidence import Half
from benchmarks.worldbench.fixtures.manifest import Fixture
from benchmarks.worldbench.fixtures.world import make_world
from benchmarks.worldbench.grade import grade
from benchmarks.worldbench.judges.truth import evidence_on, truth_evidence
from benchmarks.worldbench.spec import load_spec
from embodied_eval.errors import JudgeError
from tests.benchmarks.worldbench.judges.captured import captured

CHANNELS: Mapping[str, frozenset[str]] = {
    "code": frozenset({"source", "code", "look"}),
    "motion": frozenset({"motion"}),
    "seen": frozenset({"frames", "burst"}),
    "moves": frozenset({"burst"}),
}


def graded(fixture: Fixture, *, strict: bool = False) -> tuple[Half, ...]:
    evidence = evidence_on(fixture.manifest, fixture.html)
    return grade(replace(evidence, strict_executed=strict), load_spec())


def missing(halves: tuple[Half, ...]) -> set[tuple[str, str]]:
    return {(half.item, half.channel) for half in halves if half.earned < half.of or half.earned < 0}


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_the_whole_world_scores_280(seed: int) -> None:
    halves = graded(make_world(seed))
    assert sum(half.earned for half in halves) == Fraction(280)
    assert not missing(halves)


@pytest.mark.parametrize(
    ("operator", "item", "strict"),
    [
        ("delete", "C.jungle.2", False),
        ("promise", "C.swamp.3", False),
        ("hide", "C.jungle.2", False),
        ("freeze", "P.mountains.9", False),
        ("dead", "C.desert.3", True),
        ("delete", "grove", False),
    ],
)
def test_an_operator_takes_what_its_manifest_says(operator: str, item: str, strict: bool) -> None:
    fixture = make_world(1, operator, item)  # type: ignore[arg-type]
    halves = graded(fixture, strict=strict)
    expected = {
        (half.item, half.channel)
        for half in halves
        for fact in fixture.manifest.lost.get(half.item, ())
        if half.channel in CHANNELS[fact]
    }
    # WC005's code half needs both quotes.
    expected |= {
        (name, "code") for name, gone in fixture.manifest.lost.items() if name.startswith("T.") and gone
    }
    assert missing(halves) == expected
    assert expected


def test_dead_code_fools_the_plain_quote_check_only() -> None:
    fixture = make_world(1, "dead", "C.desert.3")
    lenient, strict = missing(graded(fixture)), missing(graded(fixture, strict=True))
    assert ("C.desert.3", "code") in strict - lenient
    assert ("C.desert.3", "frames") in lenient


@pytest.mark.parametrize("operator", ["rename", "swap"])
def test_renaming_and_swapped_labels_take_nothing(operator: str) -> None:
    assert not missing(graded(make_world(2, operator)))  # type: ignore[arg-type]


def test_a_drained_sea_loses_bed_and_coast() -> None:
    halves = graded(make_world(1, "drain"))
    lost = missing(halves)
    assert {("V.bed", "source"), ("V.held", "source"), ("G.delta.void", "penalty")} <= lost
    assert {item.split(".")[0] for item, _ in lost} == {"V", "F", "G", "P"}


def test_swapped_views_are_those_of_what_they_show() -> None:
    fixture = make_world(2, "swap")
    confirmed = evidence_on(fixture.manifest, fixture.html).confirmed
    wrong = {biome: refs for biome, refs in confirmed.items() if refs != (f"close:{biome}",)}
    assert len(wrong) == 2


def test_a_stored_episode_is_judged_by_its_own_fixture() -> None:
    fixture = make_world(1)
    trajectory = captured(fixture)
    named = replace(trajectory, task=replace(trajectory.task, private={"fixture": {"seed": 1}}))
    assert truth_evidence(named).code.keys() == evidence_on(fixture.manifest, fixture.html).code.keys()


@pytest.mark.parametrize("private", [{}, {"fixture": {"seed": 2}}])
def test_nothing_is_true_of_another_world(private: dict[str, object]) -> None:
    trajectory = captured(make_world(1))
    with pytest.raises(JudgeError, match="fixture"):
        truth_evidence(replace(trajectory, task=replace(trajectory.task, private=private)))
