"""The proof of the judges on fixture worlds: what `verify worldbench` runs.

Every world is written by the scripted oracle, captured as any other, and judged by `truth` and `rule`. `truth` must
give exactly 280 points for a whole world and take exactly what was removed; how often `rule` is wrong is counted
by `fixtures.study` on seeds that nothing was tuned on.
"""

from __future__ import annotations

import asyncio
import os
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

CALIBRATION_SEEDS = (1, 2, 3)
"""What is measured against the thresholds is printed for these. Words and limits of `rule` were tuned on worlds of
seeds below 110, and on no others."""
REPORTING_SEEDS = tuple(range(200, 220))
AT_ONCE = 2
"""Worlds captured at the same time, at most; never more than the machine has cores."""
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


@dataclass(frozen=True)
class Judged:
    """A played world in the eyes of both judges: halves graded plainly, those of `strict` with no code half for code
    that never ran; `frames` the SHA-256 of each shot, by ref."""

    truth: tuple[Half, ...]
    plain: tuple[Half, ...]
    strict: tuple[Half, ...]
    evidence: Evidence
    frames: Mapping[str, str]


@dataclass
class Margin:
    """What was measured for one threshold, on intact and on removed items."""

    threshold: float
    intact: list[float] = field(default_factory=list)
    removed: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        told = [
            f"{name} {min(values):.4g} to {max(values):.4g} ({len(values)})"
            for name, values in (("intact", self.intact), ("removed", self.removed))
            if values
        ]
        return f"{'; '.join(told)}; threshold {self.threshold:g}"


@dataclass
class Proof:
    """What was found so far: `checks` by name, `problems` in words, the counts of `rule`, and the margins by name of a
    measurement."""

    checks: dict[str, State] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    margins: dict[str, Margin] = field(default_factory=dict)

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
        if self.margins:
            told.append("Measured on the calibration seeds:")
        return told + [f"{name}: {margin}" for name, margin in sorted(self.margins.items())]


async def certify(task: Task, play: PlayOnce) -> Certificate:
    """See `Benchmark.certify`. The table is in `notes`; `reason` names what failed."""
    proof = await prove(task, play, calibration=CALIBRATION_SEEDS, reporting=REPORTING_SEEDS)
    return Certificate(task.id, proof.checks, "; ".join(proof.problems), tuple(proof.lines()))


async def prove(task: Task, play: PlayOnce, *, calibration: Sequence[int], reporting: Sequence[int]) -> Proof:
    """Play and judge the study's worlds of these seeds, and the pages that are worth nothing. The first world of the
    reporting seeds is played twice."""
    proof = Proof()
    limit = asyncio.Semaphore(min(AT_ONCE, os.cpu_count() or 1))

    async def judged(trial: Trial) -> Judged | str:
        async with limit:
            played = await _played(task, play, trial.arguments)
            if played.outcome.status != "completed":
                return f"{trial.name}: {played.outcome.reason or played.outcome.status}"
            return await asyncio.to_thread(_judged, played)

    wanted = [one for seed in calibration for one in trials(seed)]
    asked = [one for seed in reporting for one in trials(seed)]
    work = [asyncio.create_task(judged(one)) for one in (*wanted, *asked, *asked[:1])]
    try:
        done = await asyncio.gather(*work)
    finally:
        for one in work:
            one.cancel()
    lost = [found for found in done if isinstance(found, str)]
    proof.note("every world is captured", not lost, "; ".join(lost[:5]))
    for trial, found in zip(wanted, done, strict=False):
        if isinstance(found, Judged):
            _measure(proof, trial, found.plain)
    wholes: dict[int, Judged] = {}
    for trial, found in zip(asked, done[len(wanted) :], strict=False):
        if isinstance(found, Judged):
            if not trial.taken:
                wholes.setdefault(trial.manifest.seed, found)
            _truth(proof, trial, found.truth)
            proof.tally.add(trial, found.plain, found.strict)
            _special(proof, trial, found, wholes.get(trial.manifest.seed))
    if asked:
        _same(proof, asked[0], done[len(wanted)], done[-1])
    _rates(proof)
    await _worthless(proof, play)
    return proof


def _same(proof: Proof, trial: Trial, first: Judged | str, second: Judged | str) -> None:
    if isinstance(first, str) or isinstance(second, str):
        return
    refs = sorted({*first.frames, *second.frames})
    other = [ref for ref in refs if first.frames.get(ref) != second.frames.get(ref)]
    proof.note("played twice, equal frames", not other and bool(refs), f"{trial.name}: {other[:5]}")
    proof.note("played twice, equal scores", first.plain == second.plain, trial.name)


async def _worthless(proof: Proof, play: PlayOnce) -> None:
    with tempfile.TemporaryDirectory(prefix="embodied-eval-pages-") as folder:
        for name in WORTHLESS:
            file = Path(folder) / f"{name}.html"
            file.write_text(hostile(name).html, encoding="utf-8")
            played = await play(given_offer(str(file)).tasks[0], WRITER, options=OPTIONS)
            ended = played.outcome.status
            earned = totals((await asyncio.to_thread(_judged, played)).plain).total
            proof.note(
                "worthless pages get nothing",
                earned == 0 and ended == "completed",
                f"{name}: {earned}, {ended}",
            )


async def _played(task: Task, play: PlayOnce, fixture: Mapping[str, Json]) -> Trajectory:
    return await play(
        replace(task, private={**task.private, "fixture": dict(fixture)}), WRITER, options=OPTIONS
    )


def _judged(played: Trajectory) -> Judged:
    truth, rule = NOTHING, NOTHING
    if runs(played):
        truth, rule = seams.truth_evidence(played), seams.rule_evidence(played)
    return Judged(
        seams.graded(replace(truth, strict_executed=True)),
        seams.graded(rule),
        seams.graded(replace(rule, strict_executed=True)),
        rule,
        {str(row["ref"]): str(row["sha256"]) for row in played.rows.get("shots", ())},
    )


def _truth(proof: Proof, trial: Trial, halves: Sequence[Half]) -> None:
    """`truth`, in strict mode, takes exactly the facts that the manifest says are lost."""
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


def _special(proof: Proof, trial: Trial, found: Judged, whole: Judged | None) -> None:
    operator = trial.manifest.operator
    if operator == "rename" and whole is not None:
        before, after = ({(h.item, h.channel): h.earned for h in one.plain} for one in (whole, found))
        other = sorted(key for key in before if before[key] != after.get(key))
        proof.note("rename changes nothing", not other, f"{trial.name}: {other[:5]}")
    elif operator == "swap":
        for label, view in trial.manifest.views.items():
            if label and view.shows != label:
                followed = f"close:{label}" in found.evidence.confirmed.get(label, ())
                proof.note(
                    "the blind check does not follow the legend", not followed, f"{trial.name}: {label}"
                )
    elif operator == "drain":
        earned = {half.item: half.earned for half in found.plain if half.of}
        kept = [name for name in ("V.bed", "V.held") if earned.get(name)]
        proof.note("drain loses the bed", not kept, f"{trial.name}: {kept}")
        void = any("sea_over_void" in one.flags for one in found.evidence.hunt)
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


def _measure(proof: Proof, trial: Trial, halves: Sequence[Half]) -> None:
    for half in halves:
        if half.measured is None or half.threshold is None or half.channel not in FRAMES | CODE:
            continue
        name = half.item if half.channel == "measured" else half.channel
        margin = proof.margins.setdefault(name, Margin(half.threshold))
        if half.item in trial.taken:
            margin.removed.append(half.measured)
        elif half.item in trial.intact:
            margin.intact.append(half.measured)
