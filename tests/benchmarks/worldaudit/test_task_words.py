"""The judge on the bundled tasks' own words: reports as people would write them, right ones and wrong ones."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from benchmarks.worldaudit.suite import bundled_tasks
from embodied_eval.records import Task
from tests.benchmarks.worldaudit.test_suite import identified

REPORTS = tomllib.loads((Path(__file__).parent / "task_reports.toml").read_text("utf-8"))
TASKS: dict[str, Task] = {task.id: task for task in bundled_tasks()}


@pytest.mark.parametrize(("task", "text"), REPORTS["right"])
def test_a_right_report_is_credited(task: str, text: str) -> None:
    assert identified(TASKS[task], text)


@pytest.mark.parametrize(("task", "text"), REPORTS["wrong"])
def test_a_wrong_report_is_not(task: str, text: str) -> None:
    """Another object, another anomaly, another attribute, or the object as it should be."""
    assert not identified(TASKS[task], text)


def test_what_is_lost_is_little_and_known() -> None:
    """A loss that is mended moves to the right ones."""
    assert not any(identified(TASKS[task], text) for task, text in REPORTS["lost"])
    assert len(REPORTS["lost"]) <= 0.1 * len(REPORTS["right"])
