"""Rates of exposure over a run's episodes, from the verdicts that `exposure` stores."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from benchmarks.worldaudit.evidence import action_of
from benchmarks.worldaudit.support import counted_of, excluded_note, percent, unsupported
from embodied_eval.benchmark import EpisodeResult
from embodied_eval.records import Metric, Verdict
from embodied_eval.stats import Estimate, bootstrap_statistic, wilson

RATES = {
    "coverage_cone_rate": "could_be_seen",
    "coverage_visible_rate": "coverage_visible",
    "exposed_rate": "exposed",
}
BY_GROUP = frozenset({"exposed_rate", "identified_given_exposed"})
"""What is also given by family and sub-category; the rest stands over all episodes only."""


def exposure_metrics(
    episodes: Sequence[EpisodeResult], judge: str, group: str = "", condition: str = ""
) -> list[Metric]:
    """The shares of all episodes in which the anomaly could be seen, showed, and was exposed; the share of
    the exposed ones that were identified; the median number of actions until exposure; and of the credited
    contact anomalies the share whose trace holds the contact.

    What no episode holds is left out, and in a group all but `BY_GROUP`. Where only some could be measured
    there is no value.
    """
    counted = counted_of(episodes)
    reason = unsupported(episodes)
    made: list[Metric] = []

    def add(name: str, estimate: Estimate, n: int, of: int, why: str, unit: str = "%") -> None:
        numbers = percent(estimate) if unit == "%" else (estimate.value, estimate.low, estimate.high)
        value, low, high = (None, None, None) if reason else numbers
        told = reason or why or estimate.reason
        made.append(Metric(name, value, n, low, high, unit, of, group, condition, judge, told))

    for name, item in RATES.items():
        given = _given(counted, item)
        if not given or (group and name not in BY_GROUP):
            continue
        missing = len(counted) - len(given)
        why = f"{missing} of {len(counted)} episodes could not be measured" if missing else ""
        share = wilson(sum(bool(one.passed) for _, one in given), len(given))
        estimate = Estimate(None, None, None, len(given), why) if missing else share
        add(name, estimate, len(given), len(episodes), why or excluded_note(episodes))
    measured = _given(counted, "exposed")
    if measured:
        shown = [(episode, one) for episode, one in measured if one.passed]
        found = sum(bool(one.passed) for episode, _ in shown if (one := episode.verdict("identified")))
        nothing = "" if shown else "no anomaly was exposed"
        add("identified_given_exposed", wilson(found, len(shown)), len(shown), len(shown), nothing)
        if not group:
            add("time_to_exposure", _median_actions(shown), len(shown), len(shown), nothing, "actions")
    contact = _given(counted, "traced")
    if contact and not group:
        share = wilson(sum(bool(one.passed) for _, one in contact), len(contact))
        add("traced_rate", share, len(contact), len(contact), "")
    return made


def _median_actions(shown: Sequence[tuple[EpisodeResult, Verdict]]) -> Estimate:
    """The median number of actions until exposure; the frame that stands as evidence tells it."""
    actions = [(action_of(one.evidence[0]), episode.task.scene) for episode, one in shown if one.evidence]
    return bootstrap_statistic(
        lambda drawn: float(median(value for value, _ in drawn)) if drawn else None,
        actions,
        [scene for _, scene in actions],
    )


def _given(episodes: Sequence[EpisodeResult], item: str) -> list[tuple[EpisodeResult, Verdict]]:
    return [(one, found) for one in episodes if (found := one.verdict(item)) is not None and not found.error]
