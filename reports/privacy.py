"""The public edition: what is taken out before anything is rendered, so that no template can leak it.

Left out: the private half of every task, visibility rows, private events and tables, what verdicts say
beyond pass or fail, error texts, and the whole trace of a privileged model, whose words are the truth.
"""

from __future__ import annotations

from dataclasses import replace

from embodied_eval.benchmark import Benchmark, EpisodeResult, Results, Trajectory
from embodied_eval.records import Outcome, Verdict


def public_results(results: Results) -> Results:
    """`results` without the truth; what benchmarks' `summarize` and `pages` see in the public edition."""
    return replace(results, episodes=tuple(_episode(episode) for episode in results.episodes))


def public_trajectory(trajectory: Trajectory, benchmark: Benchmark) -> Trajectory:
    """`trajectory` as anybody may see it. Not for privileged models: their trace is left out whole."""
    tables = benchmark.tables()
    return replace(
        trajectory,
        task=trajectory.task.without_truth(),
        events=tuple(event for event in trajectory.events if not event.private),
        visibility=(),
        calls=tuple(
            replace(call, error=call.error_kind or ("error" if call.error else ""))
            for call in trajectory.calls
            if call.role != "judge"
        ),
        # A table that the benchmark does not declare might be private: it stays out.
        rows={
            name: rows
            for name, rows in trajectory.rows.items()
            if name in tables and not tables[name].private
        },
    )


def _episode(episode: EpisodeResult) -> EpisodeResult:
    outcome = episode.outcome
    if outcome is not None and episode.privileged:
        outcome = Outcome(outcome.status)
    elif outcome is not None and not outcome.counts:
        # Simulator and harness errors may quote object names.
        outcome = replace(outcome, reason="")
    return replace(
        episode,
        task=episode.task.without_truth(),
        outcome=outcome,
        verdicts=tuple(_verdict(verdict) for verdict in episode.verdicts),
        error="",
    )


def _verdict(verdict: Verdict) -> Verdict:
    kind = verdict.error.split(":", 1)[0] if verdict.error else ""
    return replace(verdict, reason="", evidence=(), error=kind)
