"""Two runs of one benchmark, paired by task, condition and repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from embodied_eval.benchmark import Benchmark, EpisodeResult
from embodied_eval.errors import UsageError
from embodied_eval.records import Json, content_hash, to_json
from embodied_eval.results import results_of, trajectory_of

if TYPE_CHECKING:
    from embodied_eval.store import RunDir, Store

Place = tuple[str, str, int]


def compare_runs(
    benchmark: Benchmark, a: tuple[Store, RunDir], b: tuple[Store, RunDir], judge: str | None
) -> dict[str, Json]:
    """The `compare` document: for each judged item the paired pass rates in percent, their difference with
    a bootstrap interval clustered by scene, and McNemar's exact p.

    Raises UsageError for runs of different benchmarks or judges: rows of different judges are never mixed.
    """
    from embodied_eval.stats import mcnemar_exact, paired_bootstrap

    left, right = results_of(*a, judge), results_of(*b, judge)
    if left.benchmark != right.benchmark:
        raise UsageError(f"{left.run_id} is of {left.benchmark}, {right.run_id} of {right.benchmark}.")
    if left.judge != right.judge:
        raise UsageError(
            f"The runs have different judges ({left.judge}, {right.judge}).",
            hint="Name one with --judge, after `embodied-eval judge RUN --judge-model` on both.",
        )
    mine, theirs = _by_place(left.episodes), _by_place(right.episodes)
    both = [place for place in mine if place in theirs]
    pairs = [(mine[place], theirs[place]) for place in both]
    items = dict.fromkeys(
        verdict.item for one, _ in pairs for verdict in one.verdicts if not verdict.error and verdict.max > 0
    )
    metrics: dict[str, Json] = {}
    for item in items:
        scored = [
            (bool(x.passed), bool(y.passed), one.task.scene)
            for one, two in pairs
            if (x := one.verdict(item)) is not None
            and (y := two.verdict(item)) is not None
            and x.passed is not None
            and y.passed is not None
        ]
        if not scored:
            continue
        passed_a, passed_b = [x for x, _, _ in scored], [y for _, y, _ in scored]
        interval = paired_bootstrap(
            [100.0 * x for x in passed_a],
            [100.0 * y for y in passed_b],
            clusters=[scene for _, _, scene in scored],
        )
        metrics[item] = {
            "n": len(scored),
            "a": 100.0 * sum(passed_a) / len(scored),
            "b": 100.0 * sum(passed_b) / len(scored),
            "difference": interval.value,
            "low": interval.low,
            "high": interval.high,
            "p": mcnemar_exact(passed_a, passed_b),
            "unit": "%",
        }
    return {
        "schema": "embodied-eval/compare/1",
        "a": left.run_id,
        "b": right.run_id,
        "model_a": left.model,
        "model_b": right.model,
        "judge": left.judge,
        "pairs": len(pairs),
        "only_a": len(mine) - len(both),
        "only_b": len(theirs) - len(both),
        "verdict_differs": sum(_passes(one) != _passes(two) for one, two in pairs),
        "trajectory_differs": sum(
            _trajectory_hash(benchmark, a, one) != _trajectory_hash(benchmark, b, two) for one, two in pairs
        ),
        "metrics": metrics,
    }


def _by_place(episodes: tuple[EpisodeResult, ...]) -> dict[Place, EpisodeResult]:
    return {
        (episode.task.id, episode.condition.name, episode.repeat): episode
        for episode in episodes
        if episode.outcome is not None and episode.outcome.counts
    }


def _passes(episode: EpisodeResult) -> dict[str, bool | None]:
    # What has a max of 0 (a single vote, a measure) is no verdict of its own.
    return {verdict.item: verdict.passed for verdict in episode.verdicts if verdict.max > 0}


def _trajectory_hash(benchmark: Benchmark, where: tuple[Store, RunDir], episode: EpisodeResult) -> str:
    """Steps and answer without anything that time or place could change."""
    trajectory = trajectory_of(*where, episode.episode_key, benchmark)
    return content_hash(
        {"steps": [to_json(step) for step in trajectory.steps], "answer": trajectory.outcome.answer}
    )
