"""Audits of a page of the user's own: what is offered, what is refused, and how reports without a truth are shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.worldaudit.open_audit import UNSCORED
from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.pages import pages
from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.prompts import opening
from benchmarks.worldaudit.scripted.explorer import UNPLANTED
from embodied_eval.benchmark import EpisodeResult, Results
from embodied_eval.config import resolve
from embodied_eval.errors import ConfigError, DataFileError
from embodied_eval.plan import driver_of, plan_run
from embodied_eval.records import Condition, Outcome, Task, Verdict
from embodied_eval.worlds.bundled import load_world
from reports.data import state_of

PLUGIN = WorldAudit()
PAGE = "<!doctype html><title>x</title><canvas></canvas>"


@pytest.fixture
def page(tmp_path: Path) -> str:
    folder = tmp_path / "My Gallery!"
    folder.mkdir()
    (folder / "index.html").write_text(PAGE)
    return f"page:{folder / 'index.html'}"


def planned(world: str, tmp_path: Path, options: dict[str, str] | None = None) -> Any:
    resolved = resolve(
        PLUGIN, command_line={"world": world}, options=options or {}, environ={}, folder=tmp_path
    )
    return resolved, plan_run(PLUGIN, resolved, "scripted/explorer")


def test_a_page_is_one_task_under_the_open_condition_on_the_page_driver(page: str, tmp_path: Path) -> None:
    resolved, (item,) = planned(page, tmp_path)
    assert driver_of(PLUGIN, resolved.config) == "page"
    assert (item.task.id, item.condition.name) == ("page/my-gallery", "open")
    assert not item.task.private and not item.options.icl and item.options.type_hint == "none"


def test_where_the_page_lies_is_no_part_of_its_identity_and_what_is_in_it_is(
    page: str, tmp_path: Path
) -> None:
    _, (item,) = planned(page, tmp_path)
    elsewhere = tmp_path / "b" / "My Gallery!"
    elsewhere.mkdir(parents=True)
    (elsewhere / "index.html").write_text(PAGE)
    _, (moved,) = planned(f"page:{elsewhere / 'index.html'}", tmp_path)
    (elsewhere / "index.html").write_text(PAGE + "<p>more")
    _, (changed,) = planned(f"page:{elsewhere / 'index.html'}", tmp_path)
    assert moved.hex == item.hex != changed.hex


@pytest.mark.parametrize(
    "option", [{"icl": "true"}, {"type_hint": "code"}, {"start": "near"}, {"anomalies": "AB"}]
)
def test_what_needs_a_planted_anomaly_is_refused(page: str, tmp_path: Path, option: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=next(iter(option))):
        planned(page, tmp_path, option)


@pytest.mark.parametrize("name", ["page:nowhere/index.html", "page:notes.txt"])
def test_a_page_that_is_not_there_or_none_is_named(name: str) -> None:
    with pytest.raises(DataFileError, match=name.removeprefix("page:").split("/")[0]):
        load_world(name)


def test_the_prompt_promises_no_fault_and_tells_what_the_user_says_of_the_place(
    page: str, tmp_path: Path
) -> None:
    _, (item,) = planned(page, tmp_path, {"about": "A sculpture gallery."})
    text = "\n".join(message.text for message in opening(item.task, item.options))
    assert "made wrong on purpose" not in text and "several faults or none" in text
    assert UNPLANTED in text
    assert "The place: A sculpture gallery." in text and "read_example" not in text
    planted = next(iter(PLUGIN.tasks()))
    assert "made wrong on purpose" in opening(planted, Options())[0].text


def results(*findings: dict[str, Any]) -> Results:
    task = Task("page/x", {}, {}, "three.js", "page/x", "page:x.html", ("open",))
    outcome = Outcome("completed", {"findings": list(findings), "summary": ""})
    verdict = Verdict("reports", float(len(findings)), 0.0, None, UNSCORED)
    episode = EpisodeResult("k1", task, Condition("open", {}), "m", 0, False, outcome, (verdict,))
    return Results("worldaudit", "run", "m", "truth", (episode,))


def finding(number: int, status: str) -> dict[str, Any]:
    return {
        "id": f"b{number}",
        "description": f"fault {number}",
        "category": "state",
        "status": status,
        "evidence": ["a1", "a2"],
        "action": 3,
    }


def test_reports_are_counted_and_never_scored() -> None:
    made = {m.name: m for m in PLUGIN.summarize(results(finding(1, "suspect"), finding(2, "confirmed")))}
    assert made["success_rate"].value is None and made["success_rate"].reason == UNSCORED
    assert made["reports"].value == 2.0
    assert state_of(results(finding(1, "suspect")).episodes[0]) == "unscored"


def test_the_page_shows_each_standing_report_with_its_pictures_the_confirmed_first() -> None:
    (shown,) = pages([results(finding(1, "suspect"), finding(2, "confirmed"), finding(3, "retracted"))])
    assert [gallery.title for gallery in shown.galleries] == ["b2", "b1"]
    assert [picture.ref for picture in shown.galleries[0].pictures] == ["a1", "a2"]
    (empty,) = pages([results()])
    assert not empty.galleries and "no proof" in empty.intro
