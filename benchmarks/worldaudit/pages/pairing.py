"""Episodes of two lines paired by task and repeat, and what their difference is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.worldaudit.pages.lines import Line
from embodied_eval.benchmark import Cell, EpisodeResult
from embodied_eval.stats import bootstrap_statistic, mcnemar_exact, paired_bootstrap

Pair = tuple[EpisodeResult, EpisodeResult]


@dataclass(frozen=True)
class Pairs:
    """The pairs in which both episodes are the model's own result, base first; `left_out` that are not.
    `reason` says why nothing can be compared, "" where it can."""

    pairs: tuple[Pair, ...]
    left_out: int = 0
    reason: str = ""

    @property
    def passed(self) -> tuple[list[bool], list[bool]]:
        """Who identified what: the base's episodes, the other's."""
        return [_passed(one) for one, _ in self.pairs], [_passed(two) for _, two in self.pairs]

    @property
    def scenes(self) -> list[str]:
        """The cluster of each pair."""
        return [one.task.scene for one, _ in self.pairs]


def pairs_of(base: Line | None, other: Line) -> Pairs:
    """Pairs of the same task, unchanged, and the same repeat. An unjudged episode leaves no comparison, as it
    leaves no success rate; one that was broken off leaves its pair out."""
    if base is None:
        return Pairs((), reason=f"no paired episodes: this model was not run under {other.arm}")
    mine = {_place(episode): episode for episode in base.episodes}
    both = [(mine[_place(two)], two) for two in other.episodes if _place(two) in mine]
    if not both:
        return Pairs((), reason="no paired episodes: the two were run on different tasks")
    waiting = sum(
        one.outcome is None or (one.outcome.counts and not one.judged) for pair in both for one in pair
    )
    if waiting:
        return Pairs((), reason=f"{waiting} of {2 * len(both)} paired episodes are unjudged or unfinished")
    kept = tuple(pair for pair in both if all(one.outcome and one.outcome.counts for one in pair))
    why = "" if kept else f"no paired episodes: all {len(both)} pairs hold an excluded one"
    return Pairs(kept, len(both) - len(kept), why)


def base_of(line: Line, lines: Sequence[Line], name: str) -> Line | None:
    """The line of the same model under condition `name`: of the same run, else of the latest other one."""
    found = [other for other in lines if other.model == line.model and other.name == name]
    own = [other for other in found if other.run_id == line.run_id]
    return next(iter([*own, *reversed(found)]), None)


def difference(found: Pairs) -> tuple[Cell, float | None]:
    """Success of the other minus the base's in points, with a bootstrap interval over whole scenes (see
    `paired_bootstrap`), and McNemar's exact p."""
    if found.reason:
        return Cell(None, note=found.reason), None
    before, after = found.passed
    estimate = paired_bootstrap([100.0 * x for x in before], [100.0 * x for x in after], found.scenes)
    cell = Cell(estimate.value, estimate.low, estimate.high, "pp", estimate.reason)
    return cell, mcnemar_exact(before, after)


def ratio(found: Pairs, value: Callable[[EpisodeResult], float | None]) -> Cell:
    """The other's sum of `value` over the base's, with a bootstrap interval over whole scenes; no value where
    one is unknown or the base's sum is 0."""
    numbers = [(value(one), value(two)) for one, two in found.pairs]
    known = [(one, two) for one, two in numbers if one is not None and two is not None]
    if found.reason or len(known) < len(numbers):
        return Cell(None, note=found.reason or "unknown in some episodes")
    estimate = bootstrap_statistic(_ratio, known, found.scenes)
    if estimate.value is None:
        return Cell(None, note="nothing to compare to")
    return Cell(estimate.value, estimate.low, estimate.high, "x", estimate.reason)


def _ratio(drawn: list[tuple[float, float]]) -> float | None:
    below = sum(one for one, _ in drawn)
    return sum(two for _, two in drawn) / below if below else None


def _place(episode: EpisodeResult) -> tuple[str, str, int]:
    return (episode.task.id, episode.task.sha256, episode.repeat)


def _passed(episode: EpisodeResult) -> bool:
    verdict = episode.verdict("identified")
    return verdict is not None and bool(verdict.passed)
