"""Judging a run from what is stored: which judges there are, verdict by verdict, and the metrics that follow."""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from embodied_eval.benchmark import Benchmark, Results
from embodied_eval.errors import ConfigError, EmbodiedEvalError, PluginError, UnknownName
from embodied_eval.judges.base import Judge, run_judge
from embodied_eval.judges.names import parse_judge
from embodied_eval.plugins import available, load, missing_extra
from embodied_eval.records import COUNTED, Metric, Verdict
from embodied_eval.results import judge_key, results_of, trajectory_of

if TYPE_CHECKING:
    from embodied_eval.models.gateway import Gateway
    from embodied_eval.store import RunDir, Store

log = logging.getLogger("embodied_eval")


def make_judge(name: str, gateway: Gateway) -> Judge:
    """The judge called `name`: one found by entry point, or a model asked through `gateway`, once or by votes
    (`judges/names.py`)."""
    if name in available("judges"):
        made: Judge = load("judges", name)()
        return made
    check_judge(name)
    from embodied_eval.judges.rubric import RubricJudge

    rubric, votes = RubricJudge(gateway, name), parse_judge(name).votes
    if votes == 1:
        return rubric
    from embodied_eval.judges.votes import VotesJudge

    return VotesJudge(rubric, votes)


def check_judge(name: str) -> None:
    """Raise UnknownName for a judge that is neither an entry point nor a model's name, ConfigError for votes
    that cannot decide, MissingPart for a model while there is nothing to ask it with."""
    if name in available("judges"):
        return
    model = parse_judge(name).model
    if "/" not in model or model.startswith("scripted/"):
        raise UnknownName("judge", name, [*available("judges"), "openai/... (any model)"])
    if importlib.util.find_spec("litellm") is None:
        raise missing_extra("litellm", f"The judge {name!r}")


def check_offered(benchmark: Benchmark, judge: str) -> None:
    """Raise ConfigError for a judge that has nothing to go by in `benchmark`."""
    kind = type(benchmark)
    if judge == "rule" and kind.rules is Benchmark.rules:
        raise ConfigError(
            f"{benchmark.name} has no rules to judge by.", hint=f"Its default is {benchmark.default_judge!r}."
        )
    if kind.judge is not Benchmark.judge:
        return
    if judge == "truth" and kind.truth is Benchmark.truth:
        raise ConfigError(
            f"{benchmark.name} has no ground-truth judge.", hint="Name a model with --judge-model."
        )
    if judge not in available("judges") and kind.rubric is Benchmark.rubric:
        raise ConfigError(
            f"{benchmark.name} has no rubric for judge models.", hint="Leave --judge-model out."
        )


async def judge_one(
    store: Store, run: RunDir, key: str, benchmark: Benchmark, judge: Judge
) -> tuple[Verdict, ...]:
    """Judge one finished episode from what is stored, and store the verdicts. A benchmark that fails at it
    leaves the episode unjudged, as a judge's outage does."""
    trajectory = trajectory_of(store, run, key, benchmark)
    try:
        verdicts = await run_judge(judge, benchmark, trajectory)
    except EmbodiedEvalError:
        # No key, no such model, no budget left: it would befall every further episode. What was asked was paid for.
        if calls := judge.taken_calls(key):
            run.save_verdicts(judge_key(judge, benchmark.version), judge.identity, key, None, calls)
        raise
    except Exception as error:
        log.exception("%s: judging failed", trajectory.task.id)
        told = f"{type(error).__name__}: {error}"
        verdicts = (
            Verdict("*", None, 1.0, None, told, (), judge.name, judge.version, f"judging failed: {told}"),
        )
    run.save_verdicts(
        judge_key(judge, benchmark.version), judge.identity, key, verdicts, judge.taken_calls(key)
    )
    return verdicts


async def judge_run(
    store: Store,
    run: RunDir,
    benchmark: Benchmark,
    judge: Judge,
    *,
    only_missing: bool,
    leave_out: Collection[str] = (),
    on_episode: Callable[[int, int], None] = lambda done, total: None,
) -> str:
    """Judge every finished episode that counts (with `only_missing`: that has no sound verdict yet) and is
    not in `leave_out`, then summarise. Returns the judging's key."""
    key = judge_key(judge, benchmark.version)
    there = run.verdicts(key) if only_missing else {}
    sound = {name for name, made in there.items() if made and not any(verdict.error for verdict in made)}
    todo = [
        name
        for name, receipt in run.receipts().items()
        if receipt.status in COUNTED and name not in sound and name not in leave_out
    ]
    for number, name in enumerate(todo):
        await judge_one(store, run, name, benchmark, judge)
        on_episode(number + 1, len(todo))
    summarise(store, run, benchmark, judge)
    return key


def summarise(store: Store, run: RunDir, benchmark: Benchmark, judge: Judge) -> None:
    """Store the metrics that follow from what `judge` has said of `run`. While counted episodes are
    unjudged, the headline has no value, whatever the benchmark makes of the others."""
    results = results_of(store, run, judge.name)
    try:
        made = list(benchmark.summarize(results))
    except EmbodiedEvalError:
        raise
    except Exception as error:
        raise PluginError(
            f"{benchmark.name} cannot summarise its results: {type(error).__name__}: {error}.",
            hint="The episodes and verdicts are stored; once that is mended: embodied-eval judge RUN.",
        ) from error
    metrics = [_supported(metric, results, benchmark) for metric in made]
    run.save_metrics(judge_key(judge, benchmark.version), tuple(metrics), judge.identity)


def _supported(metric: Metric, results: Results, benchmark: Benchmark) -> Metric:
    if benchmark.headline is None or metric.name != benchmark.headline.metric or metric.group:
        return metric
    counted = [
        episode
        for episode in results.episodes
        if episode.outcome is not None
        and episode.outcome.counts
        and metric.condition in ("", episode.condition.name)
    ]
    unjudged = sum(not episode.judged for episode in counted)
    if not unjudged or metric.value is None:
        return metric
    reason = f"{unjudged} of {len(counted)} episodes are unjudged"
    return replace(metric, value=None, low=None, high=None, reason=reason)
