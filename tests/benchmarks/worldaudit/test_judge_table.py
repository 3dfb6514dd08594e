"""The hand-written reports: the corpus itself, and the judge's false credit and false loss over it."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.worldaudit.judge_table import cross_readings, judge_reports, load_reports, main, render
from benchmarks.worldaudit.taxonomy import SUBCATEGORIES
from embodied_eval.errors import DataFileError

MOST_LOSS = 0.03


def test_the_corpus_covers_every_kind_with_right_and_wrong_reports() -> None:
    reports, _ = load_reports()
    assert len(reports) >= 240
    assert len({report.id for report in reports}) == len(reports)
    assert len({(report.text, report.subcategory) for report in reports}) == len(reports)
    right = Counter(report.subcategory for report in reports if report.should)
    wrong = Counter(report.subcategory for report in reports if not report.should)
    assert min(right[code] for code in SUBCATEGORIES) >= 15
    assert min(wrong[code] for code in SUBCATEGORIES) >= 15
    blind = [report for report in reports if report.first is not None]
    assert len(blind) * 3 >= len(reports)


def test_no_wrong_report_is_credited_and_few_right_ones_are_lost() -> None:
    judged = judge_reports()
    credited = [f"{item.report.id}: {item.report.text}" for item in judged if item.false_credit]
    lost = [f"{item.report.id}: {item.report.text}" for item in judged if item.false_loss]
    assert not credited
    assert len(lost) <= MOST_LOSS * sum(item.report.should for item in judged), lost


def test_a_right_report_is_right_for_its_own_task_only() -> None:
    count, credited = cross_readings(every=7)
    assert count > 800
    assert not credited


def test_the_command_prints_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--errors"]) == 0
    out = capsys.readouterr().out
    assert "| blind_1 |" in out and "| hostile |" in out and "| S3 |" in out and "false loss `" in out
    assert render([]).count("| all | 0 |") == 3


def test_a_folder_without_reports_is_named(tmp_path: object) -> None:
    with pytest.raises(DataFileError, match=str(tmp_path)):
        main([str(tmp_path)])
