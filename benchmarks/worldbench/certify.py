"""The proof of the judges on fixture worlds: what `verify worldbench` runs.

Every world is written by the scripted oracle, captured as any other, and judged by `truth` and `rule`. `truth` must
give exactly 280 points for a whole world and take exactly what was removed; how often `rule` is wrong is counted
by `fixtures.study` on seeds that nothing was tuned on.
"""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from benchmarks.worldbench import seams
from benchmarks.worldbench.evidence import Evidence, Half
from benchmarks.worldbench.fixtures.hostile import WORTHLESS, hostile
from benchmarks.worldbench.fixtures.study import CODE, FRAMES, Tally, Trial, trials
from benchmarks.worldbench.judging import NOTHING, runs
from benchmarks.worldbench.suite import given_offer
from benchmarks.worldbench.totals import totals
from embodied_eval.benchmark import Certificate
from embodied_eval.records import Json

if TYPE_CHECKING:
    from embodied_eval.benchmark import PlayOnce, Trajectory
    from embodied_eval.records import Task

log = logging.getLogger(__name__)

CALIBRATION_SEEDS = (1, 2, 3)
"""Measured margins are taken on these; words and limits of `rule` were tuned on them, and on no others."""
REPORTING_SEEDS = tuple(range(200, 220))
OPTIONS: dict[str, Json] = {"width": 640, "height": 360, "cpu_s": 900}
WRITER = "scripted/oracle"
MOST_LOST = 0.02
"""At most this share of intact items may be lost."""
PARTS = {
    "code": frozenset({"source", "code", "look"}),
    "motion": frozenset({"motion"}),
    "seen": frozenset({"frames", "burst"}),
    "moves": frozenset({"burst"}),
}
State = Literal["passed", "failed", "skipped"]


@dataclass
class Proof:
    """What was found so far: `checks` by name, `problems` in words, the counts of `rule`, and the margins: name of a
    measurement -> (value, threshold) pairs."""

    checks: dict[str, State] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    margins: dict[str, list[tuple[float, float]]] = field(default_factory=dict)

    def note(self, check: str, passed: bool, why: str) -> None:
        """Record one finding; a check passes while all of its findings do."""
        self.checks[check] = "failed" if not passed or self.checks.get(check) == "failed" else "passed"
        if not passed:
            self.problems.append(f"{check}: {why}")

    def lines(self) -> list[str]:
        """The whole proof in words: the table, each mistake of both channels together, the margins."""
        told = ["False credit by what was done to the item, and false loss of intact ones (95 % Wilson):"]
        told += self.tally.lines()
        for one in self.tally.mistakes:
            if one.judge == "both + executed":
                told.append(f"{one.kind} of {one.item} ({one.operator}) in {one.trial}: {one.reason}")
        for name, pairs in sorted(self.margins.items()):
            values = sorted(value for value, _ in pairs)
            told.append(f"{name}: {values[0]:.4g} to {values[-1]:.4g}, threshold {pairs[0][1]:g}")
        return told


async def certify(task: Task, play: PlayOnce) -> Certificate:
    """See `Benchmark.certify`. The table is in `notes`; `reason` names what failed."""
    proof = await prove(task, play, calibration=CALIBRATION_SEEDS, reporting=REPORTING_SEEDS)
    return Certificate(task.id, proof.checks, "; ".join(proof.problems), tuple(proof.lines()))


async def prove(task: Task, play: PlayOnce, *, calibration: Sequence[int], reporting: Sequence[int]) -> Proof:
    """Play and judge the study's worlds of these seeds, and the pages that are worth nothing."""
    proof = Proof()
    for seed in calibration:
        for trial in trials(seed):
            played = await _played(task, play, trial.arguments)
            if not trial.taken:
                _measure(proof, _halves(played, "rule")[0])
    for seed in reporting:
        whole: tuple[Half, ...] = ()
        for trial in trials(seed):
            log.info("proving on %s", trial.name)
            played = await _played(task, play, trial.arguments)
            _truth(proof, trial, _halves(played, "truth"))
            halves, strict, evidence = (*_halves(played, "rule"), _evidence(played, "rule"))
            proof.tally.add(trial, halves, strict)
            if trial.name.endswith("/none"):
                whole = halves
            _special(proof, trial, halves, whole, evidence)
    _rates(proof)
    await _worthless(proof, play)
    return proof


async def _worthless(proof: Proof, play: PlayOnce) -> None:
    with tempfile.TemporaryDirectory(prefix="embodied-eval-pages-") as folder:
        for name in WORTHLESS:
            file = Path(folder) / f"{name}.html"
            file.write_text(hostile(name).html, encoding="utf-8")
            played = await play(given_offer(str(file)).tasks[0], WRITER, options=OPTIONS)
            ended = played.outcome.status
            earned = totals(_halves(played, "rule")[0]).total
            proof.note(
                "worthless pages get nothing",
                earned == 0 and ended == "completed",
                f"{name}: {earned}, {ended}",
            )


async def _played(task: Task, play: PlayOnce, fixture: Mapping[str, Json]) -> Trajectory:
    return await play(
        replace(task, private={**task.private, "fixture": dict(fixture)}), WRITER, options=OPTIONS
    )


def _evidence(played: Trajectory, judge: str) -> Evidence:
    if not runs(played):
        return NOTHING
    return seams.truth_evidence(played) if judge == "truth" else seams.rule_evidence(played)


def _halves(played: Trajectory, judge: str) -> tuple[tuple[Half, ...], tuple[Half, ...]]:
    """Graded plainly, and with no code half for code that never ran."""
    evidence = _evidence(played, judge)
    return seams.graded(evidence), seams.graded(replace(evidence, strict_executed=True))


def _truth(proof: Proof, trial: Trial, judged: tuple[tuple[Half, ...], tuple[Half, ...]]) -> None:
    """`truth`, in strict mode, takes exactly the facts that the manifest says are lost."""
    halves = judged[1]
    if not trial.taken:
        total = totals(halves).total
        proof.note("truth gives a whole world 280", total == Fraction(280), f"{trial.name} got {total}")
        return
    expected = {
        (half.item, half.channel)
        for half in halves
        for fact in trial.manifest.lost.get(half.item, ())
        if half.channel in PARTS[fact]
    }
    missing = {(half.item, half.channel) for half in halves if half.of and half.earned < half.of}
    wrong = sorted(expected ^ missing)
    proof.note("truth takes what was removed", not wrong, f"{trial.name}: {wrong[:5]}")


def _special(
    proof: Proof, trial: Trial, halves: Sequence[Half], whole: Sequence[Half], evidence: Evidence
) -> None:
    operator = trial.manifest.operator
    if operator == "rename":
        before, after = ({(h.item, h.channel): h.earned for h in one} for one in (whole, halves))
        other = sorted(key for key in before if before[key] != after.get(key))
        proof.note("rename changes nothing", not other, f"{trial.name}: {other[:5]}")
    elif operator == "swap":
        for label, view in trial.manifest.views.items():
            if label and view.shows != label:
                followed = f"close:{label}" in evidence.confirmed.get(label, ())
                proof.note(
                    "the blind check does not follow the legend", not followed, f"{trial.name}: {label}"
                )
    elif operator == "drain":
        earned = {half.item: half.earned for half in halves if half.of}
        kept = [name for name in ("V.bed", "V.held") if earned.get(name)]
        proof.note("drain loses the bed", not kept, f"{trial.name}: {kept}")
        void = any("sea_over_void" in one.flags for one in evidence.hunt)
        proof.note("drain sets the void flag", void, trial.name)


def _rates(proof: Proof) -> None:
    tally, judge = proof.tally, "both + executed"
    for (name, operator), wrong in sorted(tally.wrong.items()):
        if name != judge or operator == "none":
            continue
        proof.note(f"no false credit: {operator}", not wrong, f"{wrong} of {tally.asked[name, operator]}")
    lost = tally.rate(judge, "none").value
    if lost is not None:
        proof.note("at most 2 % of intact items lost", lost <= MOST_LOST, f"{lost:.2%} lost")


def _measure(proof: Proof, halves: Sequence[Half]) -> None:
    for half in halves:
        if half.measured is not None and half.threshold is not None and half.channel in FRAMES | CODE:
            name = half.item if half.channel == "measured" else half.channel
            proof.margins.setdefault(name, []).append((half.measured, half.threshold))
