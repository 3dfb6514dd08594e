"""From an episode to verdicts: whose evidence, then the same grading for all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.worldbench import seams
from benchmarks.worldbench.evidence import Evidence
from benchmarks.worldbench.totals import totals
from benchmarks.worldbench.verdicts import TOTAL, halves_of
from embodied_eval.records import Verdict

if TYPE_CHECKING:
    from embodied_eval.benchmark import Trajectory
    from embodied_eval.judges.base import Judge

NOTHING = Evidence(loaded=False)
OFFLINE = ("truth", "rule")


def runs(trajectory: Trajectory) -> bool:
    """Whether there is a world that was photographed; where there is none, every item is at 0, whoever judges."""
    return bool(trajectory.outcome.answer.get("loaded"))


def offline_verdicts(
    trajectory: Trajectory, evidence: Callable[[Trajectory], Evidence]
) -> tuple[Verdict, ...]:
    """The verdicts that follow from what `evidence` finds in `trajectory`."""
    return _verdicts(trajectory, evidence(trajectory) if runs(trajectory) else NOTHING)


async def model_verdicts(trajectory: Trajectory, judge: Judge) -> tuple[Verdict, ...]:
    """The verdicts that follow from what the model behind `judge` says, and its total, quotes, votes and searches
    as verdicts that score nothing."""
    if not runs(trajectory):
        return _verdicts(trajectory, NOTHING)
    found = await seams.model_findings(trajectory, judge)
    made = _verdicts(trajectory, found.evidence)
    total = totals(halves_of(made)).total
    told = () if total is None else (Verdict(TOTAL, 0.0, 0.0, None, str(total)),)
    return (*made, *told, *found.notes)


def _verdicts(trajectory: Trajectory, evidence: Evidence) -> tuple[Verdict, ...]:
    strict = bool(trajectory.condition.settings.get("strict_executed", False))
    return seams.verdicts_of(seams.graded(replace(evidence, strict_executed=strict)))
