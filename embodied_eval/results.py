"""From the store to what judges, summaries and reports are handed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from embodied_eval.benchmark import Benchmark, EpisodeResult, Results, Trajectory
from embodied_eval.records import Condition, Json, Metric, Outcome, Task, content_hash, to_json

if TYPE_CHECKING:
    from embodied_eval.judges.base import Judge
    from embodied_eval.store import RunDir, Store

SHOW_SCHEMA = "embodied-eval/show/1"


def judge_key(judge: Judge, benchmark_version: int) -> str:
    """Identity of a judging, beside the episodes' keys: judge, its version, the benchmark's."""
    return content_hash({**judge.identity, "benchmark_version": benchmark_version})[:16]


def find_judge_key(run: RunDir, judge: str | None) -> str:
    """The key under which `judge`'s verdicts stand in `run`; the run's own judge for None, "" if none."""
    wanted = judge or str(run.manifest.get("judge", ""))
    found = [key for key, identity in run.judges().items() if identity.get("judge") == wanted]
    return found[-1] if found else ""


def tasks_of(run: RunDir) -> dict[str, Task]:
    """The run's tasks by id, both halves, as they were when it was planned."""
    private = run.private_tasks()
    return {
        row["id"]: Task(
            id=row["id"],
            public=row["public"],
            private=private.get(row["id"], {}),
            engine=row["engine"],
            scene=row["scene"],
            world=row["world"],
            tags=tuple(row["tags"]),
            needs=tuple(row.get("needs", ())),
        )
        for row in run.manifest["tasks"]
    }


def conditions_of(run: RunDir) -> dict[str, Condition]:
    """The run's conditions by name, with the settings they were played under."""
    return {
        row["name"]: Condition(row["name"], row["settings"], row.get("description", ""))
        for row in run.manifest["conditions"]
    }


@dataclass(frozen=True)
class _Planned:
    """A run's plan by episode key, its tasks and conditions by name, as they follow from `manifest`."""

    manifest: Mapping[str, Json]
    rows: Mapping[str, Mapping[str, Json]]
    tasks: Mapping[str, Task]
    conditions: Mapping[str, Condition]


_planned_of: WeakKeyDictionary[RunDir, _Planned] = WeakKeyDictionary()


def _planned(run: RunDir) -> _Planned:
    # Read once for a run, not for each of its episodes: a plan may hold thousands.
    found = _planned_of.get(run)
    if found is None or found.manifest is not run.manifest:
        rows = {str(row["episode_key"]): row for row in run.manifest["plan"]}
        found = _planned_of[run] = _Planned(run.manifest, rows, tasks_of(run), conditions_of(run))
    return found


def results_of(store: Store, run: RunDir, judge: str | None = None) -> Results:
    """Every planned episode of `run` with its outcome and its verdicts by `judge` (None = the run's own)."""
    manifest = run.manifest
    key = find_judge_key(run, judge)
    receipts, verdicts = run.receipts(), run.verdicts(key) if key else {}
    tasks, conditions = tasks_of(run), conditions_of(run)
    episodes = []
    for row in manifest["plan"]:
        receipt = receipts.get(row["episode_key"])
        base: dict[str, Any] = {
            "episode_key": row["episode_key"],
            "task": tasks[row["task_id"]],
            "condition": conditions[row["condition"]],
            "model": manifest["model"],
            "repeat": row["repeat"],
            "privileged": manifest["privileged"],
        }
        if receipt is None:
            episodes.append(EpisodeResult(**base, outcome=None))
            continue
        episodes.append(
            EpisodeResult(
                **base,
                outcome=Outcome(receipt.status, receipt.answer, receipt.reason),
                verdicts=verdicts.get(row["episode_key"], ()),
                error_kind=receipt.error_kind,
                error=receipt.error,
                steps=receipt.steps,
                calls=receipt.calls,
                tokens_in=receipt.tokens_in,
                tokens_out=receipt.tokens_out,
                cost_usd=receipt.cost_usd,
                wall_s=receipt.wall_s,
                sim_s=receipt.sim_s,
            )
        )
    return Results(
        manifest["benchmark"],
        run.id,
        manifest["model"],
        judge or str(manifest.get("judge", "")),
        tuple(episodes),
    )


def trajectory_of(store: Store, run: RunDir, episode_key: str, benchmark: Benchmark) -> Trajectory:
    """The stored trajectory of a finished episode. KeyError if the run has no such episode."""
    planned = _planned(run)
    row = planned.rows[episode_key]
    data = run.episode(episode_key)
    receipt = data.receipt
    if receipt is None:
        raise KeyError(episode_key)
    return Trajectory(
        episode_key=episode_key,
        task=planned.tasks[row["task_id"]],
        condition=planned.conditions[row["condition"]],
        model=run.manifest["model"],
        repeat=row["repeat"],
        outcome=Outcome(receipt.status, receipt.answer, receipt.reason),
        steps=data.steps,
        calls=data.calls,
        events=data.events,
        visibility=data.visibility,
        frames=data.frames,
        rows=data.rows,
        read_frame=store.frames.get,
    )


def first_differing_step(a: Trajectory, b: Trajectory) -> str:
    """The first step (or frame in it) in which two trajectories differ, with what differs; "" if none does."""
    for one, two in zip(a.steps, b.steps, strict=False):
        mine, theirs = to_json(one), to_json(two)
        names = [name for name in mine if mine[name] != theirs[name]]
        if names:
            return f"step {one.index} ({one.action}) differs in {', '.join(names)}"
    if len(a.steps) != len(b.steps):
        return f"{len(a.steps)} and {len(b.steps)} steps"
    return "" if a.outcome.answer == b.outcome.answer else "the answers differ"


def show_document(
    store: Store, run: RunDir, benchmark: Benchmark, judge: str | None = None
) -> dict[str, Json]:
    """The `show RUN` document: headline and metrics, with what is missing said beside it."""
    results = results_of(store, run, judge)
    key = find_judge_key(run, judge)
    metrics = run.metrics(key) if key else ()
    # Several conditions are never thrown together: `metrics` is then the first one's, the rest are groups.
    conditions = [row["name"] for row in run.manifest["conditions"]]
    first = "" if any(not metric.condition for metric in metrics) else conditions[0]
    named = {
        metric.name: _metric(metric) for metric in metrics if not metric.group and metric.condition == first
    }
    headline = benchmark.headline.metric if benchmark.headline is not None else None
    return {
        "schema": SHOW_SCHEMA,
        "run": run.id,
        "benchmark": run.manifest["benchmark"],
        "model": run.manifest["model"],
        "privileged": run.manifest["privileged"],
        "judge": results.judge,
        "conditions": conditions,
        "headline": headline,
        "metrics": named,
        "groups": [
            {"name": metric.name, "group": metric.group, "condition": metric.condition, **_metric(metric)}
            for metric in metrics
            if metric.group or metric.condition != first
        ],
        **counts(results),
        **usage(results),
        "judging": judging_usage(run, key),
    }


def judging_usage(run: RunDir, key: str) -> dict[str, Json]:
    """The model calls that the judging `key` of `run` has taken so far ("" = none), their tokens and dollars (None =
    unknown)."""
    calls = [call for made in run.judge_calls(key).values() for call in made] if key else []

    def total(name: str) -> float | int | None:
        values = [getattr(call, name) for call in calls]
        return None if any(value is None for value in values) else sum(values)

    names = ("tokens_in", "tokens_out", "cost_usd")
    return {"calls": len(calls), **{name: total(name) for name in names}}


def counts(results: Results) -> dict[str, int]:
    """How many episodes were planned, finished, excluded (not the model's doing), unjudged, errored."""
    finished = [episode for episode in results.episodes if episode.outcome is not None]
    excluded = [episode for episode in finished if episode.outcome and not episode.outcome.counts]
    counted = [episode for episode in finished if episode.outcome and episode.outcome.counts]
    return {
        "planned": len(results.episodes),
        "finished": len(finished),
        "excluded": len(excluded),
        "unjudged": sum(not episode.judged for episode in counted),
        "errored": sum(bool(episode.error_kind) for episode in finished),
    }


def usage(results: Results) -> dict[str, Json]:
    """Tokens, dollars (None = a price is unknown) and time of all episodes together."""
    done = [episode for episode in results.episodes if episode.outcome is not None]

    def total(name: str) -> float | int | None:
        values = [getattr(episode, name) for episode in done]
        return None if any(value is None for value in values) else sum(values)

    return {
        "steps": total("steps"),
        "calls": total("calls"),
        "tokens_in": total("tokens_in"),
        "tokens_out": total("tokens_out"),
        "cost_usd": total("cost_usd"),
        "wall_s": total("wall_s"),
        "sim_s": total("sim_s"),
    }


def _metric(metric: Metric) -> Mapping[str, Json]:
    return {
        "value": metric.value,
        "n": metric.n,
        "low": metric.low,
        "high": metric.high,
        "unit": metric.unit,
        "denominator": metric.denominator,
        "reason": metric.reason,
    }
