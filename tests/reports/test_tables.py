"""A benchmark's tables as laid out: axes, alignment, groups, notes; and what the page makes of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from embodied_eval.benchmark import Cell, EpisodeResult, Page, Results, RowGroup, Table
from reports.build import write_report
from reports.tables import laid_out
from tests.reports.synthetic import FrameFiles, Synthetic, judged, result_of, source, suite, task, walk

TABLE = Table(
    "Models",
    ("model", "rate", "gain", "count", "time"),
    (
        (Cell("a", note="near"), Cell(50.0, 40.0, 60.0, "%", "5 of 10"), Cell(-4.0, -8.0, 0.0, "pp"), 12, Cell(3.0, unit="s")),
        ("b", Cell(None, note="not judged"), Cell(2.0, 1.0, 3.0, "pp"), None, Cell(75.0, unit="s")),
    ),
    "As a paper would print it.",
    (RowGroup("Elsewhere", (("c", Cell(10.0, unit="%"), None, 7, None),), "not comparable", apart=True),),
)  # fmt: skip


class Grouped(Synthetic):
    """Its pages hold groups and intervals; its causes are its own."""

    def pages(self, results: Sequence[Results]) -> Sequence[Page]:
        return (Page("Main", "intro", (TABLE,)), Page("More", "", (replace(TABLE, groups=()),)))

    def cause(self, result: EpisodeResult) -> str:
        return "looked away" if result.task.id.endswith("0") else ""


def test_intervals_share_the_axis_of_their_column() -> None:
    view = laid_out(TABLE)
    (_, rate, gain, _, _), (_, _, other, _, _) = view.groups[0].rows
    assert rate.bar is not None and rate.bar.value == 60.0 and rate.bar.zero is None
    assert (rate.text, rate.interval, rate.note) == ("50.0\u202f%", "40.0 to 60.0", "5 of 10")
    assert gain.bar is not None and other.bar is not None
    assert gain.bar.zero == other.bar.zero == 60.0 and gain.bar.low == 5.0


def test_plain_numbers_are_set_flush_right_and_intervals_are_not() -> None:
    assert laid_out(TABLE).numeric == (False, False, False, True, True)
    only = Table(
        "t", ("a", "b"), (("x", None), ("y", Cell(None))), "", (RowGroup("z", (("z", Cell(5.0, unit="%")),)),)
    )
    assert laid_out(only).numeric == (False, False)


def test_what_has_no_value_has_a_dash_and_its_reason() -> None:
    cell = laid_out(TABLE).groups[0].rows[1][1]
    assert (cell.text, cell.note, cell.bar, cell.beside) == ("–", "not judged", None, False)


def test_groups_follow_the_rows() -> None:
    first, apart = laid_out(TABLE).groups
    assert (first.title, first.apart) == ("", False)
    assert (apart.title, apart.note, apart.apart) == ("Elsewhere", "not comparable", True)
    assert [cell.text for cell in apart.rows[0]] == ["c", "10.0\u202f%", "–", "7", "–"]
    assert [group.title for group in laid_out(replace(TABLE, rows=())).groups] == ["Elsewhere"]


def test_rows_of_unequal_length_and_empty_tables() -> None:
    ragged = laid_out(Table("t", ("a",), (("x", 1, 2.5), ("y",))))
    assert ragged.numeric == (False, True, True)
    assert [len(row) for row in ragged.groups[0].rows] == [3, 1]
    assert laid_out(Table("t", (), ())).groups == ()


def _page(out: Path) -> str:
    return (out / "benchmark-synthetic.html").read_text(encoding="utf-8")


def test_the_page_sets_foreign_rows_apart_and_lists_its_parts(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    runs = [
        replace(run, benchmark=Grouped()) for run in suite(FrameFiles(tmp_path / "store"), tasks=1, steps=1)
    ]
    write_report(runs, tmp_path / "out")
    text = _page(tmp_path / "out")
    assert re.search(r'<tbody class="apart">\s*<tr class="divider">.*Elsewhere.*not comparable', text)
    for anchor, words in re.findall(r'<a href="#([^"]+)">([^<]+)</a>', text):
        assert re.search(rf'id="{anchor}">{words}<', text)
    assert ">More</a>" in text and ">Failures by cause</a>" in text
    assert "success_rate by group" in text, "the benchmark's own tables come first, the core's are folded"


def test_failures_are_grouped_by_the_benchmarks_own_cause(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    files = FrameFiles(tmp_path / "store")
    episodes = []
    for number in range(24):
        trajectory = walk(files, task(number), model="m", steps=2)
        episodes.append((trajectory, result_of(trajectory, judged(False, False))))
    write_report([source(files, "m", episodes, benchmark=Grouped())], tmp_path / "out")
    text = _page(tmp_path / "out")
    causes = re.findall(r"<summary>([^<]+) <small>(\d+) episodes?</small>", text)
    assert causes == [("identified: no finding names it", "21"), ("looked away", "3")]
    assert "<summary>11 more</summary>" in text
    first = re.search(r'<ul class="gallery">\s*<li>.*?alt="Frame ([^"]+)"', text, re.DOTALL)
    assert first is not None and first.group(1) == "a2", "the frame that the verdict goes by"
