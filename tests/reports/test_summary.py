"""Causes of failure, states, the matrix and its order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from embodied_eval.benchmark import EpisodeResult, Headline
from embodied_eval.records import Metric, Outcome, Verdict
from reports.data import RunSource, state_of, totals, words_of
from reports.summary import cause_of, group_tables, matrix_of, overall_table
from tests.reports.synthetic import FrameFiles, Synthetic, judged, result_of, source, suite, task, walk


def _result(*verdicts: Verdict, outcome: Outcome | None = None) -> EpisodeResult:
    given = outcome or Outcome("completed")
    base = EpisodeResult("0" * 32, task(0), Synthetic().conditions()[0], "m", 0, False, given)
    return replace(base, verdicts=verdicts)


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ("no finding stands", "x: no finding stands"),
        ("b1 names another object (lamp, sofa); b2 does not name the object", "x: names another object"),
        ("b1: cites no frame (limits: 0.05% of the image)", "x: cites no frame"),
        ("The gate stayed shut. It was late.", "x: The gate stayed shut"),
        ("0.4 m short of the goal", "x: 0.4 m short of the goal"),
        ("", "not x"),
        ("w" * 200, "not x"),
    ],
)
def test_reasons_become_causes(reason: str, cause: str) -> None:
    assert cause_of(_result(Verdict("x", 0.0, 1, False, reason))) == cause


def test_how_it_ended_comes_before_the_verdict() -> None:
    failed = Verdict("x", 0.0, 1, False, "no answer")
    assert cause_of(_result(failed, outcome=Outcome("invalid_reply"))) == "invalid reply"
    assert (
        cause_of(_result(Verdict("a", 1, 1, True), failed, outcome=Outcome("budget_exhausted")))
        == "x: no answer"
    )


def test_states() -> None:
    assert state_of(_result(*judged(True, True))) == "pass"
    assert state_of(_result(*judged(False, False))) == "fail"
    assert words_of(_result(*judged(True, False))) == "identified, not evidenced"
    points = [Verdict(f"i{n}", float(n), 10, None) for n in range(5)]
    assert state_of(_result(*points)) == "partial" and words_of(_result(*points)) == "10 of 50 points"
    assert state_of(_result(Verdict("i", 10.0, 10, None))) == "pass"
    assert state_of(_result()) == "unjudged"
    assert state_of(_result(Verdict("*", None, 1, None, error="JudgeError: x"))) == "errored"
    assert state_of(_result(outcome=Outcome("cancelled"))) == "excluded"


@pytest.fixture
def runs(tmp_path: Path) -> list[RunSource]:
    sources = suite(FrameFiles(tmp_path), tasks=6, steps=1)
    return [replace(run, metrics=tuple(run.benchmark.summarize(run.results))) for run in sources]


def test_the_best_comes_first_and_the_privileged_apart(runs: list[RunSource]) -> None:
    matrix = matrix_of(runs)
    assert [row.model for row in matrix.ranked] == [
        "anthropic/claude-small",
        "openai/gpt-large",
        "scripted/null",
    ]
    assert [row.model for row in matrix.privileged] == ["scripted/oracle"]
    (cell,) = matrix.ranked[0].cells[0]
    assert (cell.value, cell.support) == ("75.0\u202f%", "4 of 6")


def test_lower_can_be_better(runs: list[RunSource]) -> None:
    for run in runs:
        run.benchmark.headline = Headline("success_rate", higher_is_better=False)
    matrix = matrix_of(runs)
    assert matrix.ranked[0].model == "scripted/null"
    assert matrix.columns[0].headline == "success rate, lower is better"


def test_a_benchmark_without_a_headline_shows_its_first_two_metrics(runs: list[RunSource]) -> None:
    for run in runs:
        run.benchmark.headline = None
    names = [cell.name for cell in matrix_of(runs).ranked[0].cells[0]]
    assert names == ["success_rate", "evidenced_rate"]


def test_conditions_make_rows_of_their_own(runs: list[RunSource]) -> None:
    made = [
        Metric("success_rate", value, 3, 0, 100, "%", 3, condition=name)
        for name, value in (("near", 60.0), ("far", 20.0))
    ]
    run = replace(runs[2], metrics=tuple(made))
    assert [(row.model, row.condition) for row in matrix_of([run]).ranked] == [
        ("openai/gpt-large", "near"),
        ("openai/gpt-large", "far"),
    ]
    table = overall_table([run], "truth")
    assert [head for head, _ in table.rows] == ["openai/gpt-large · near", "openai/gpt-large · far"]


def test_groups_are_rows_and_the_headline_comes_first(runs: list[RunSource]) -> None:
    tables = group_tables(runs, "truth")
    assert [table.title for table in tables] == ["success_rate", "evidenced_rate"]
    assert [head for head, _ in tables[0].rows] == ["spatial", "static", "temporal"]
    assert all(len(cells) == 4 for _, cells in tables[0].rows)


def test_an_unknown_price_makes_the_sum_unknown(tmp_path: Path) -> None:
    walked = walk(FrameFiles(tmp_path), task(0), model="m", steps=1)
    known = result_of(walked, judged(True, True))
    run = source(FrameFiles(tmp_path), "m", [(walked, known), (walked, replace(known, cost_usd=None))])
    found = totals(run.results)
    assert found.cost_usd is None and found.tokens_in == 2400 and found.counted == 2
