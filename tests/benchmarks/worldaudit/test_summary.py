"""Rates: fixed denominators, what is excluded or unjudged, the published arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.taxonomy import FAMILIES
from embodied_eval.benchmark import EpisodeResult
from embodied_eval.records import EpisodeStatus, Metric, Task
from tests.benchmarks.worldaudit.results import PUBLISHED, SIZES, episode, published, results


def rate(made: Sequence[Metric], group: str = "", condition: str = "", name: str = "success_rate") -> Metric:
    (found,) = [m for m in made if (m.name, m.group, m.condition) == (name, group, condition)]
    return found


@pytest.mark.parametrize("run", PUBLISHED)
def test_the_published_percentages_follow_from_the_counts(run: str) -> None:
    made = WorldAudit().summarize(published(run))
    _, printed, total = PUBLISHED[run]
    values = [rate(made, group) for group in (*FAMILIES, "")]
    assert tuple(f"{metric.value:.1f}" for metric in values) == printed
    assert [metric.denominator for metric in values] == [*SIZES, 213]
    assert round((values[-1].value or 0) * 213 / 100) == total
    assert all(m.low is not None and m.high is not None and m.low <= (m.value or 0) <= m.high for m in values)


def test_an_excluded_episode_counts_for_nothing_and_is_told_beside_the_denominator() -> None:
    made = results(
        *(episode(n, True) for n in range(3)),
        episode(3, None, status="simulator_error"),
        episode(4, None, status="model_error", code="T1", family=FAMILIES[3]),
    )
    overall = rate(WorldAudit().summarize(made))
    assert (overall.value, overall.n, overall.denominator) == (100.0, 3, 5)
    assert overall.reason == "2 of 5 episodes are excluded"
    assert rate(WorldAudit().summarize(made), "Static physics").value == 100.0
    lost = rate(WorldAudit().summarize(made), "T1")
    assert (lost.value, lost.reason) == (None, "all 1 episodes are excluded")


@pytest.mark.parametrize("status", ["completed", "budget_exhausted", "invalid_reply", "refused"])
def test_what_the_model_did_itself_counts(status: EpisodeStatus) -> None:
    made = WorldAudit().summarize(results(episode(0, True), episode(1, False, status=status)))
    assert (rate(made).value, rate(made).n, rate(made).reason) == (50.0, 2, "")


@pytest.mark.parametrize(
    "open_one", [episode(9, None), episode(9, None, error="the judge gave no JSON")], ids=["none", "errored"]
)
def test_an_unjudged_episode_is_an_error_and_never_a_zero(open_one: EpisodeResult) -> None:
    static = [episode(n, True, evidenced=True) for n in range(3)]
    other = EpisodeResult(**{**vars(open_one), "task": Task("t/9", {}, tags=("T1", FAMILIES[3]))})
    made = WorldAudit().summarize(results(*static, other))
    overall = rate(made)
    assert (overall.value, overall.low, overall.n, overall.denominator) == (None, None, 3, 4)
    assert overall.reason == "1 of 4 episodes are unjudged"
    assert rate(made, name="evidenced_rate").value is None
    assert rate(made, "Static physics").value == 100.0  # a family that is judged throughout has its value


def test_an_unfinished_run_has_no_value_yet() -> None:
    made = WorldAudit().summarize(results(episode(0, True), episode(1, None, status=None)))
    assert (rate(made).value, rate(made).reason) == (None, "1 of 2 episodes are not finished")
    nothing = WorldAudit().summarize(results(episode(0, None, status=None)))
    assert rate(nothing).value is None and rate(nothing).n == 0


def test_evidence_is_reported_where_the_judge_gives_it() -> None:
    by_rule = results(episode(0, True, evidenced=True), episode(1, True, evidenced=False))
    made = WorldAudit().summarize(by_rule)
    assert (rate(made).value, rate(made, name="evidenced_rate").value) == (100.0, 50.0)
    by_model = WorldAudit().summarize(results(episode(0, True), judge="openai/j"))
    assert {metric.name for metric in by_model} == {"success_rate"}
    assert {metric.judge for metric in by_model} == {"openai/j"}


def test_conditions_are_kept_apart() -> None:
    made = results(
        episode(0, True),
        episode(1, False),
        episode(2, True, condition="budget-half"),
        episode(3, True, condition="budget-half"),
    )
    metrics = WorldAudit().summarize(made)
    assert rate(metrics, condition="vlm").value == 50.0
    assert rate(metrics, condition="budget-half").value == 100.0
    assert not [metric for metric in metrics if not metric.condition]
    assert rate(metrics, "G1", "budget-half").denominator == 2


def test_repeats_are_episodes_of_their_own() -> None:
    made = [EpisodeResult(**{**vars(episode(0, n == 0)), "repeat": n}) for n in range(4)]
    overall = rate(WorldAudit().summarize(results(*made)))
    assert (overall.value, overall.denominator) == (25.0, 4)
