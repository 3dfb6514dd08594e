"""Success and evidence over a run's episodes, and the paper's main table.

Denominators are fixed: an episode that crashed counts as not passed (spec section 9, after the official
reports), and is told beside the value. While an episode is unfinished or unjudged there is no value.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.worldaudit.exposure_metrics import exposure_metrics
from benchmarks.worldaudit.joint import joint_metrics
from benchmarks.worldaudit.support import counted_of, excluded_note, percent, unsupported
from benchmarks.worldaudit.taxonomy import FAMILIES, SUBCATEGORIES
from embodied_eval.benchmark import EpisodeResult, Results, Table
from embodied_eval.records import Json, Metric
from embodied_eval.stats import wilson

MOST_EXCLUDED = 0.05
"""A run in which more of the episodes crashed than this share is flagged (ours, spec section 9)."""
VERDICTS = {"success_rate": "identified", "evidenced_rate": "evidenced"}


def metrics_of(results: Results) -> list[Metric]:
    """Success, evidence, exposure and, with several anomalies, what the joint judging says, by condition: over
    all, by family and by sub-category. With one condition its name is left out."""
    made: list[Metric] = []
    conditions = _conditions(results)
    for condition in conditions:
        label = condition if len(conditions) > 1 else ""
        episodes = [item for item in results.episodes if item.condition.name == condition]
        for group in ("", *FAMILIES, *SUBCATEGORIES):
            mine = [item for item in episodes if not group or group in item.task.tags]
            if mine:
                made += _rates(mine, results.judge, group, label)
                made += exposure_metrics(mine, results.judge, group, label)
                made += joint_metrics(mine, results.judge, group, label)
    return made


def main_table(results: Sequence[Results]) -> Table:
    """Success rate by family, one row a run and condition."""
    several = len({name for one in results for name in _conditions(one)}) > 1
    rows: list[tuple[Json, ...]] = []
    for one in results:
        metrics = [metric for metric in metrics_of(one) if metric.name == "success_rate"]
        conditions = _conditions(one)
        for condition in conditions:
            label = condition if len(conditions) > 1 else ""
            found = {metric.group: metric for metric in metrics if metric.condition == label}
            cells = [_cell(found.get(group)) for group in (*FAMILIES, "")]
            name = f"{one.model} ({condition})" if several else one.model
            rows.append((name, one.judge, *cells, _excluded(one, condition)))
    return Table(
        "Success rate by family",
        ("model", "judge", *FAMILIES, "overall", "excluded"),
        tuple(rows),
        "Share of all tasks whose anomaly was identified, in percent, with passes of tasks. An episode that "
        "was excluded because of model, simulator or harness counts as not passed. Rows of different judges "
        "are not comparable.",
    )


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
            value, low, high = percent(wilson(sum(bool(found.passed) for found in given), len(episodes)))
        told = reason or excluded_note(episodes)
        made.append(
            Metric(name, value, len(given), low, high, "%", len(episodes), group, condition, judge, told)
        )
    return made


def _excluded(results: Results, condition: str) -> str:
    """How many episodes did not end by the model's own doing, by cause."""
    mine = [item for item in results.episodes if item.condition.name == condition]
    causes: dict[str, int] = {}
    for item in mine:
        if item.outcome is not None and not item.outcome.counts:
            causes[item.outcome.status] = causes.get(item.outcome.status, 0) + 1
    told = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in sorted(causes.items()))
    share = sum(causes.values()) / len(mine)
    return f"{told} (more than {MOST_EXCLUDED:.0%})" if share > MOST_EXCLUDED else told or "none"


def _cell(metric: Metric | None) -> Json:
    if metric is None:
        return None
    if metric.value is None:
        return metric.reason
    return f"{metric.value:.1f} ({round(metric.value * metric.denominator / 100)}/{metric.denominator})"
