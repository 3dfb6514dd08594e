"""Rates and the main table: fixed denominators, what is excluded or unjudged, the published arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.taxonomy import FAMILIES
from embodied_eval.benchmark import EpisodeResult, Results
from embodied_eval.records import Condition, EpisodeStatus, Metric, Outcome, Task, Verdict

SIZES = (59, 41, 51, 40, 22)
PUBLISHED = {
    "vlm gpt": ((35, 12, 23, 5, 15), ("59.3", "29.3", "45.1", "12.5", "68.2", "42.3"), 90),
    "vlm claude": ((21, 8, 15, 5, 11), ("35.6", "19.5", "29.4", "12.5", "50.0", "28.2"), 60),
    "vlm gemini": ((29, 9, 15, 5, 11), ("49.2", "22.0", "29.4", "12.5", "50.0", "32.4"), 69),
    "vlm muse": ((13, 5, 7, 2, 5), ("22.0", "12.2", "13.7", "5.0", "22.7", "15.0"), 32),
    "vlm qwen": ((7, 3, 2, 1, 5), ("11.9", "7.3", "3.9", "2.5", "22.7", "8.5"), 18),
    "vla-vlm gpt": ((12, 7, 13, 0, 3), ("20.3", "17.1", "25.5", "0.0", "13.6", "16.4"), 35),
    "vla-vlm claude": ((13, 9, 6, 1, 3), ("22.0", "22.0", "11.8", "2.5", "13.6", "15.0"), 32),
    "vla-vlm gemini": ((12, 10, 9, 2, 4), ("20.3", "24.4", "17.6", "5.0", "18.2", "17.4"), 37),
    "vla-vlm muse": ((3, 4, 5, 0, 2), ("5.1", "9.8", "9.8", "0.0", "9.1", "6.6"), 14),
    "vla-vlm qwen": ((11, 9, 6, 0, 1), ("18.6", "22.0", "11.8", "0.0", "4.5", "12.7"), 27),
}
CODES = ("G1", "C1", "V1", "T1", "S2")


def episode(
    number: int,
    passed: bool | None,
    *,
    code: str = "G1",
    family: str = FAMILIES[0],
    condition: str = "vlm",
    status: EpisodeStatus | None = "completed",
    evidenced: bool | None = None,
    error: str = "",
) -> EpisodeResult:
    """A synthetic result; `passed` None = no verdict, `status` None = not finished."""
    verdicts = []
    if passed is not None:
        verdicts.append(Verdict("identified", float(passed), 1.0, passed))
    if error:
        verdicts.append(Verdict("identified", None, 1.0, None, error=error))
    if evidenced is not None:
        verdicts.append(Verdict("evidenced", float(evidenced), 1.0, evidenced))
    return EpisodeResult(
        f"{number:032x}",
        Task(f"t/{number}", {}, scene="t", tags=(code, family)),
        Condition(condition),
        "openai/m",
        0,
        False,
        None if status is None else Outcome(status),
        tuple(verdicts),
    )


def results(*episodes: EpisodeResult, model: str = "openai/m", judge: str = "truth") -> Results:
    return Results("worldaudit", "run", model, judge, tuple(episodes))


def rate(made: Sequence[Metric], group: str = "", condition: str = "", name: str = "success_rate") -> Metric:
    (found,) = [m for m in made if (m.name, m.group, m.condition) == (name, group, condition)]
    return found


def published(run: str) -> Results:
    passes, _, _ = PUBLISHED[run]
    made: list[EpisodeResult] = []
    for code, family, size, count in zip(CODES, FAMILIES, SIZES, passes, strict=True):
        made += [episode(len(made) + n, n < count, code=code, family=family) for n in range(size)]
    return results(*made, model=run)


@pytest.mark.parametrize("run", PUBLISHED)
def test_the_published_percentages_follow_from_the_counts(run: str) -> None:
    made = WorldAudit().summarize(published(run))
    _, printed, total = PUBLISHED[run]
    values = [rate(made, group) for group in (*FAMILIES, "")]
    assert tuple(f"{metric.value:.1f}" for metric in values) == printed
    assert [metric.denominator for metric in values] == [*SIZES, 213]
    assert round((values[-1].value or 0) * 213 / 100) == total
    assert all(m.low is not None and m.high is not None and m.low <= (m.value or 0) <= m.high for m in values)


def test_the_main_table_prints_them_with_passes_of_tasks() -> None:
    (page,) = WorldAudit().pages([published("vlm gpt"), published("vla-vlm qwen")])
    (table,) = page.tables
    assert table.columns == ("model", "judge", *FAMILIES, "overall", "excluded")
    first, second = table.rows
    assert first[:4] == ("vlm gpt", "truth", "59.3 (35/59)", "29.3 (12/41)")
    assert first[-2:] == ("42.3 (90/213)", "none") and second[-2] == "12.7 (27/213)"


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
    (row,) = WorldAudit().pages([made])[0].tables[0].rows
    assert row[-1] == "1 model error, 1 simulator error (more than 5%)"
    assert row[-2] == "100.0 (3/3)" and row[2] == "100.0 (3/3)" and row[3] is None


def test_a_few_excluded_episodes_raise_no_flag() -> None:
    made = results(*(episode(n, True) for n in range(39)), episode(39, None, status="harness_error"))
    (row,) = WorldAudit().pages([made])[0].tables[0].rows
    assert row[-1] == "1 harness error"


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
    (row,) = WorldAudit().pages([results(*static, other)])[0].tables[0].rows
    assert row[-2] == "1 of 4 episodes are unjudged" and row[2] == "100.0 (3/3)"


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
    rows = WorldAudit().pages([made])[0].tables[0].rows
    assert [row[0] for row in rows] == ["openai/m (vlm)", "openai/m (budget-half)"]


def test_runs_under_different_conditions_are_told_apart_in_the_table() -> None:
    one, two = results(episode(0, True)), results(episode(0, False, condition="no-memory"))
    rows = WorldAudit().pages([one, two])[0].tables[0].rows
    assert [row[0] for row in rows] == ["openai/m (vlm)", "openai/m (no-memory)"]
    assert [row[-2] for row in rows] == ["100.0 (1/1)", "0.0 (0/1)"]


def test_repeats_are_episodes_of_their_own() -> None:
    made = [EpisodeResult(**{**vars(episode(0, n == 0)), "repeat": n}) for n in range(4)]
    overall = rate(WorldAudit().summarize(results(*made)))
    assert (overall.value, overall.denominator) == (25.0, 4)
