"""The worlds of a report as lines of its tables: which model made each, and what it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.worldbench.summary import WorldScore, world_scores
from benchmarks.worldbench.totals import shown
from embodied_eval.benchmark import Cell, EpisodeResult, Results
from embodied_eval.records import Json

NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class Line:
    """One world: `maker` is its model, or the file that was given; `score` None where it has no verdicts."""

    run: str
    maker: str
    name: str
    judge: str
    episode: EpisodeResult
    score: WorldScore | None

    @property
    def sha256(self) -> str:
        """The world's hash, its episode where that is not known: what tells repeated judgings of one world."""
        answer = self.episode.outcome.answer if self.episode.outcome else {}
        return str(answer.get("sha256") or self.episode.episode_key)

    @property
    def state(self) -> str:
        """What is to be said beside its points; "" where nothing is."""
        outcome = self.episode.outcome
        if outcome is None:
            return "not finished"
        if not outcome.counts:
            return f"excluded: {self.episode.error_kind or outcome.status}"
        if self.score is None:
            return NOT_JUDGED
        if self.score.totals.unjudged:
            return self.score.totals.reason
        if outcome.answer.get("loaded") is False:
            return f"does not load: {str(outcome.answer.get('outcome', '')).replace('_', ' ')}"
        return outcome.reason


def lines_of(results: Sequence[Results]) -> list[Line]:
    """One line a planned world, in the order of runs and episodes."""
    made: list[Line] = []
    for one in results:
        scores = {score.episode.episode_key: score for score in world_scores(one)}
        several = len({episode.condition.name for episode in one.episodes}) > 1
        repeats = max((episode.repeat for episode in one.episodes), default=0)
        for episode in one.episodes:
            given = "given" in episode.task.tags
            maker = episode.task.id if given else one.model
            words = [maker]
            words += [f"world {episode.repeat + 1}"] if repeats else []
            words += [episode.condition.name] if several else []
            made.append(
                Line(one.run_id, maker, ", ".join(words), one.judge, episode, scores.get(episode.episode_key))
            )
    return made


def points_cell(points: Fraction | None, of: Fraction | int, reason: str = "") -> Json | Cell:
    """Points rounded for print, the exact fraction below where rounding hid something, and their share as a bar."""
    if points is None:
        return Cell(None, note=reason or NOT_JUDGED)
    note = "" if points.denominator in (1, 2, 4, 5, 10, 20, 25, 50, 100) else f"= {points}"
    return Cell(shown(points), note=note, share=float(points / of) if of else None)
