"""What a report is made from: one `RunSource` a run, the state of each episode, and the run's totals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from embodied_eval.benchmark import Benchmark, EpisodeResult, Results, Trajectory
from embodied_eval.records import Json, Metric, Verdict

State = Literal["pass", "partial", "fail", "unscored", "unjudged", "errored", "excluded", "unfinished"]

MARKS: Mapping[State, tuple[str, str]] = {
    "pass": ("✓", "passed"),
    "partial": ("◐", "partly passed"),
    "fail": ("✗", "failed"),
    "unscored": ("·", "not scored"),
    "unjudged": ("?", "not judged"),
    "errored": ("!", "judge failed"),
    "excluded": ("–", "excluded: not the model's own result"),
    "unfinished": ("…", "not finished"),
}
"""Each state's text mark and words; a cell never says by colour alone what it means."""


@dataclass(frozen=True)
class RunSource:
    """One run as the report reads it.

    `load(episode_key)` returns a finished episode's trajectory; `frame_path(sha256)` the file of a frame,
    which may not exist. Both may raise an `EmbodiedEvalError`, shown on the page of that episode.
    `metrics` are those of `results` under its judge, `judging` what that took (`embodied_eval.results.judging_usage`).
    """

    run_id: str
    manifest: Mapping[str, Json]
    benchmark: Benchmark
    results: Results
    metrics: tuple[Metric, ...]
    load: Callable[[str], Trajectory] = field(repr=False)
    frame_path: Callable[[str], Path] = field(repr=False)
    judging: Mapping[str, Json] = field(default_factory=dict)

    @property
    def privileged(self) -> bool:
        """Whether its model saw the truth: it enters no ranking."""
        return bool(self.manifest.get("privileged")) or any(
            episode.privileged for episode in self.results.episodes
        )

    @property
    def scripted(self) -> bool:
        """Whether its model is a program of a benchmark rather than a model."""
        return self.results.model.split("/", 1)[0] in {"scripted", "reference"}

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions of its episodes, in order of appearance."""
        return tuple(dict.fromkeys(episode.condition.name for episode in self.results.episodes))

    @property
    def repeats(self) -> int:
        """How often each task is played under one condition."""
        return max((episode.repeat for episode in self.results.episodes), default=0) + 1


def state_of(result: EpisodeResult) -> State:
    """Where an episode stands: all items passed, some, none, nothing that can score, or why there is no verdict.

    An item with a score but no pass mark passes at its full score and counts in part above 0. One with a max of
    0 (a single vote, a measure) does not count.
    """
    if result.outcome is None:
        return "unfinished"
    if not result.outcome.counts:
        return "excluded"
    if not result.verdicts:
        return "unjudged"
    if not result.judged:
        return "errored"
    if not scored_of(result):
        return "unscored"
    whole, some = True, False
    for verdict in scored_of(result):
        score = verdict.score or 0.0
        passed = verdict.passed if verdict.passed is not None else score >= verdict.max
        whole = whole and passed
        some = some or passed or (verdict.passed is None and score > 0)
    return "pass" if whole else "partial" if some else "fail"


def scored_of(result: EpisodeResult) -> list[Verdict]:
    """The verdicts that can score."""
    return [verdict for verdict in result.verdicts if verdict.max > 0]


def words_of(result: EpisodeResult) -> str:
    """The state in words, naming the items of a part pass ("identified, not evidenced")."""
    state = state_of(result)
    if state == "excluded":
        return f"excluded: {result.error_kind or (result.outcome.status if result.outcome else '')}"
    if state != "partial":
        return MARKS[state][1]
    scored = scored_of(result)
    if len(scored) <= 3 and all(verdict.passed is not None for verdict in scored):
        passed = [verdict.item for verdict in scored if verdict.passed]
        failed = [verdict.item for verdict in scored if not verdict.passed]
        return f"{' and '.join(passed)}, not {' or '.join(failed)}"
    got = sum(verdict.score or 0.0 for verdict in result.verdicts)
    return f"{got:g} of {sum(verdict.max for verdict in result.verdicts):g} points"


@dataclass(frozen=True)
class Totals:
    """What became of a run's planned episodes, and what they cost. None = not known."""

    planned: int
    states: Mapping[State, int]
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    wall_s: float
    sim_s: float
    steps: int
    calls: int

    @property
    def counted(self) -> int:
        """Episodes that are the model's own result and were judged."""
        return self.states["pass"] + self.states["partial"] + self.states["fail"]


def totals(results: Results) -> Totals:
    """The totals of a run; a sum with an unknown part is unknown."""
    episodes = results.episodes
    states: dict[State, int] = dict.fromkeys(MARKS, 0)
    for episode in episodes:
        states[state_of(episode)] += 1
    cost = [episode.cost_usd for episode in episodes]
    return Totals(
        planned=len(episodes),
        states=states,
        tokens_in=_sum(episode.tokens_in for episode in episodes),
        tokens_out=_sum(episode.tokens_out for episode in episodes),
        cost_usd=None if None in cost else sum(value or 0.0 for value in cost),
        wall_s=sum(episode.wall_s for episode in episodes),
        sim_s=sum(episode.sim_s for episode in episodes),
        steps=sum(episode.steps for episode in episodes),
        calls=sum(episode.calls for episode in episodes),
    )


def _sum(values: Iterable[int | None]) -> int | None:
    known = list(values)
    return None if None in known else sum(value or 0 for value in known)
