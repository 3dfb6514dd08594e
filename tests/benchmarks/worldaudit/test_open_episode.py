"""A page of the user's own, audited through the command line: the example's fault, and pages that are no world."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import Command

GALLERY = Path(__file__).parents[3] / "examples" / "gallery"
EXPLORE = ("run", "worldaudit", "--model", "scripted/explorer", "--set", "width=480", "--set", "height=270")
THROWS = "<!doctype html><canvas></canvas><script>throw new Error('no such luck')</script>"

pytestmark = pytest.mark.browser


def test_the_example_s_fault_is_reported_with_the_pictures_that_show_it(command: Command) -> None:
    assert command(*EXPLORE, "--world", f"page:{GALLERY / 'faulty.html'}") == 0
    found = command.out.partition("Findings")[2]
    assert found.count("vanished while I looked away") == 1 and "only guess" not in found
    files = [Path(line.split()[-1]) for line in found.splitlines() if re.match(r"\s+a\d+", line)]
    assert len(files) == 2 and all(file.is_file() for file in files)
    assert command("query", "SELECT value FROM metrics WHERE name = 'success_rate'", "--json") == 0
    assert command.json["rows"] == [[None]]


@pytest.mark.full
def test_nothing_is_reported_of_the_page_without_a_fault(command: Command) -> None:
    assert command(*EXPLORE, "--world", f"page:{GALLERY / 'index.html'}") == 0
    assert "Findings" not in command.out
    assert command("query", "SELECT value FROM metrics WHERE name = 'reports'", "--json") == 0
    assert command.json["rows"] == [[0.0]]


def test_a_page_that_throws_is_excluded_with_its_words_and_the_run_goes_on(
    command: Command, tmp_path: Path
) -> None:
    page = tmp_path / "throws.html"
    page.write_text(THROWS)
    assert command(*EXPLORE, "--world", f"page:{page}", "--repeats", "2") == 3
    asked = "SELECT DISTINCT attempt, error_kind, error FROM attempts"
    assert command("query", asked, "--json") == 0
    (row,) = command.json["rows"]
    # Not tried again: it would throw again.
    assert row[:2] == [1, "PageFailed"] and "no such luck" in row[2]
    assert command("query", "SELECT count(*) FROM attempts", "--json") == 0
    assert command.json["rows"] == [[2]]
