"""Success and evidence over a run's episodes.

A failure that is not the model's doing never counts against it: the value is over the `n` episodes that count,
the denominator stays that of the suite, and what is excluded is told beside it (the official reports count it
as not passed). While an episode is unfinished or unjudged there is no value.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.worldaudit.exposure_metrics import exposure_metrics
from benchmarks.worldaudit.joint import joint_metrics
from benchmarks.worldaudit.open_audit import is_open, open_metrics
from benchmarks.worldaudit.support import counted_of, excluded_note, percent, unsupported
from benchmarks.worldaudit.taxonomy import FAMILIES, SUBCATEGORIES
from embodied_eval.benchmark import EpisodeResult, Results
from embodied_eval.records import Metric
from embodied_eval.stats import wilson

VERDICTS = {"success_rate": "identified", "evidenced_rate": "evidenced"}


def metrics_of(results: Results) -> list[Metric]:
    """Success, evidence, exposure and, with several anomalies, what the joint judging says, by condition: over
    all, by family and by sub-category. With one condition its name is left out."""
    made: list[Metric] = []
    conditions = _conditions(results)
    for condition in conditions:
        label = condition if len(conditions) > 1 else ""
        episodes = [item for item in results.episodes if item.condition.name == condition]
        made += open_metrics(episodes, results.judge, label)
        episodes = [item for item in episodes if not is_open(item.task)]
        for group in ("", *FAMILIES, *SUBCATEGORIES):
            mine = [item for item in episodes if not group or group in item.task.tags]
            if mine:
                made += _rates(mine, results.judge, group, label)
                made += exposure_metrics(mine, results.judge, group, label)
                made += joint_metrics(mine, results.judge, group, label)
    return made


def _conditions(results: Results) -> list[str]:
    return list(dict.fromkeys(episode.condition.name for episode in results.episodes))


def _rates(episodes: Sequence[EpisodeResult], judge: str, group: str, condition: str) -> list[Metric]:
    counted = counted_of(episodes)
    reason = unsupported(episodes)
    made = []
    for name, item in VERDICTS.items():
        given = [found for one in counted if (found := one.verdict(item)) is not None and not found.error]
        if name != "success_rate" and not given:
            continue
        value = low = high = None
        if not reason:
            value, low, high = percent(wilson(sum(bool(found.passed) for found in given), len(given)))
        told = reason or excluded_note(episodes)
        made.append(
            Metric(name, value, len(given), low, high, "%", len(episodes), group, condition, judge, told)
        )
    return made
