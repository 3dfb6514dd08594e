"""The proof of the judges: what it plays, what makes it fail, and that it holds on one seed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from benchmarks.worldbench.certify import Judged, Margin, Proof, _measure, _same, _special, certify, prove
from benchmarks.worldbench.evidence import Evidence, FrameFlags, Half
from benchmarks.worldbench.fixtures.hostile import WORTHLESS
from benchmarks.worldbench.fixtures.study import trials
from benchmarks.worldbench.fixtures.world import make_world
from benchmarks.worldbench.plugin import WorldBench
from benchmarks.worldbench.suite import GENERATED
from embodied_eval.benchmark import Trajectory
from embodied_eval.pipeline import Rehearsal
from embodied_eval.records import Outcome, Task
from tests.benchmarks.worldbench.judges.captured import captured

SEED = 9
"""The third world of this seed is the renamed one."""
POINT = Fraction(1)


class Played:
    """Plays by making captures up: no frame shows anything, no page that is worth nothing loads."""

    def __init__(self, fails: str = "") -> None:
        self.fails, self.played = fails, 0

    async def __call__(self, task: Task, model: str, *, options: Mapping[str, Any]) -> Trajectory:
        self.played += 1
        fixture = task.private.get("fixture")
        if fixture is None:
            html = Path(task.world.removeprefix("page:")).read_text("utf-8")
            made = captured(replace(make_world(0), html=html))
            return replace(made, outcome=Outcome("completed", {"loaded": False}))
        made = replace(captured(make_world(**fixture)), task=task)
        shots = tuple({"ref": ref, "sha256": frame.sha256} for ref, frame in made.frames.items())
        made = replace(made, rows={**made.rows, "shots": shots})
        if self.fails and self.fails == fixture.get("operator", ""):
            return replace(made, outcome=Outcome("simulator_error", {}, "the browser died"))
        return made


def judged(
    *halves: Half, evidence: Evidence | None = None, frames: Mapping[str, str] | None = None
) -> Judged:
    return Judged(halves, halves, halves, evidence or Evidence(True), frames or {"overview": "a"})


def test_what_no_frame_shows_fails_the_proof_and_truth_passes_it() -> None:
    play = Played()
    proof = asyncio.run(prove(GENERATED, play, calibration=(), reporting=(SEED,)))
    assert play.played == len(trials(SEED)) + 1 + len(WORTHLESS)
    assert proof.checks["at most 2 % of intact items lost"] == "failed"
    for name in (
        "every world is captured",
        "truth gives a whole world 280",
        "truth takes what was removed",
        "rename changes nothing",
        "worthless pages get nothing",
        "played twice, equal frames",
        "played twice, equal scores",
    ):
        assert proof.checks[name] == "passed", name
    # Nothing says here which code ran, and nothing what of it shows.
    assert proof.checks["no false credit: dead"] == "failed"
    assert {f"no false credit: {name}" for name in ("delete", "hide", "freeze", "promise")} <= set(
        proof.checks
    )
    assert any(line.startswith("loss of ") for line in proof.lines())


def test_a_world_that_was_not_captured_is_named_and_not_counted() -> None:
    proof = asyncio.run(prove(GENERATED, Played("rename"), calibration=(), reporting=(SEED,)))
    assert proof.checks["every world is captured"] == "failed"
    assert any(f"{SEED}/rename: the browser died" in one for one in proof.problems)
    assert "rename changes nothing" not in proof.checks


def test_a_second_play_that_differs_fails() -> None:
    proof, trial, half = Proof(), trials(SEED)[0], Half("C.jungle.1", "frames", POINT, POINT)
    _same(proof, trial, judged(half), judged(half))
    assert set(proof.checks.values()) == {"passed"}
    _same(proof, trial, judged(half), judged(half, frames={"overview": "b"}))
    assert proof.checks["played twice, equal frames"] == "failed"
    _same(proof, trial, judged(half), judged(replace(half, earned=Fraction(0))))
    assert proof.checks["played twice, equal scores"] == "failed"
    assert "overview" in proof.problems[0]


def test_renamed_swapped_and_drained_worlds_have_checks_of_their_own() -> None:
    whole = Half("C.jungle.1", "frames", POINT, POINT)
    proof = Proof()
    renamed = trials(SEED)[2]
    _special(proof, renamed, judged(replace(whole, earned=Fraction(0))), judged(whole))
    assert "C.jungle.1" in proof.problems[0]
    swapped = trials(7)[2]
    label = next(name for name, view in swapped.manifest.views.items() if name and view.shows != name)
    followed = Evidence(True, confirmed={label: (f"close:{label}",)})
    _special(proof, swapped, judged(whole, evidence=followed), None)
    assert proof.checks["the blind check does not follow the legend"] == "failed"
    drained = trials(8)[2]
    _special(proof, drained, judged(Half("V.bed", "source", POINT, POINT)), None)
    assert proof.checks["drain loses the bed"] == proof.checks["drain sets the void flag"] == "failed"
    seen = Evidence(True, hunt=(FrameFlags("overview", "overview", ("sea_over_void",)),))
    clean = Proof()
    _special(clean, drained, judged(Half("V.bed", "source", Fraction(0), POINT), evidence=seen), None)
    assert set(clean.checks.values()) == {"passed"}


def test_margins_are_kept_for_intact_and_removed_items_apart() -> None:
    proof, mixed = Proof(), trials(SEED)[1]
    frozen = next(name for name, operator in mixed.taken.items() if operator == "freeze")
    intact = sorted(mixed.intact)[0]
    halves = [
        Half(name, "burst", POINT, POINT, measured=value, threshold=0.001)
        for name, value in ((frozen, 0.0002), (intact, 0.3))
    ]
    _measure(proof, mixed, halves)
    assert proof.margins == {"burst": Margin(0.001, [0.3], [0.0002])}
    assert (
        str(proof.margins["burst"]) == "intact 0.3 to 0.3 (1); removed 0.0002 to 0.0002 (1); threshold 0.001"
    )


@pytest.mark.browser
@pytest.mark.gl
@pytest.mark.full
def test_the_whole_proof_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.worldbench.certify.CALIBRATION_SEEDS", (1,))
    monkeypatch.setattr("benchmarks.worldbench.certify.REPORTING_SEEDS", (SEED,))

    async def work() -> Any:
        async with Rehearsal(WorldBench()) as play:
            return await certify(GENERATED, play)

    certificate = asyncio.run(work())
    assert certificate.certified, certificate.reason
    assert any("threshold" in line for line in certificate.notes)
