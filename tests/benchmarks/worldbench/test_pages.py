"""The report's pages from a real store: points, ties, agreement, item sheets, and the SQL that makes the tables again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest

from benchmarks.worldbench.evidence import BIOMES, Evidence
from benchmarks.worldbench.pages import episode_pages, pages
from benchmarks.worldbench.pages.queries import QUERIES
from benchmarks.worldbench.plugin import WorldBench
from benchmarks.worldbench.spec import load_spec
from benchmarks.worldbench.totals import shown
from embodied_eval.benchmark import Cell, EpisodeResult, Page, Results, Table
from embodied_eval.results import results_of, trajectory_of
from embodied_eval.store import Collector, RunDir, Store
from embodied_eval.store.query import query
from reports.build import build_report
from reports.privacy import public_results, public_trajectory
from tests.benchmarks.worldbench.report_kit import Made, judged_run, lossy, store_at, whole


@dataclass(frozen=True)
class Stored:
    """Three runs: a model with two worlds, one with a whole world, and given files."""

    store: Store
    runs: tuple[RunDir, ...]

    def results(self) -> list[Results]:
        """What the pages are made of."""
        return [results_of(self.store, run) for run in self.runs]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Stored:
    """The store, played, judged and loaded."""
    spec, store = load_spec(), store_at(tmp_path_factory.mktemp("worldbench"))
    late = replace(lossy(spec, 5), errors=())
    code = dict(late.code)
    code["C.swamp.1"] = replace(
        code.get("C.swamp.1", whole(spec).code["C.swamp.1"]), error="JudgeError: away"
    )
    runs = (
        judged_run(
            store, [Made("island", lossy(spec, 3)), Made("island", lossy(spec, 4), repeat=1)], "openai/a"
        ),
        judged_run(store, [Made("island", whole(spec))], "openai/b", number=2),
        judged_run(
            store,
            [
                Made("given/tiny", lossy(spec, 7)),
                Made("given/broken", Evidence(loaded=False), loaded=False),
                Made("given/late", replace(late, code=code)),
                Made("given/waiting", None),
            ],
            "given/none",
            number=3,
        ),
    )
    for run in runs:
        Collector(store).ingest(run)
    return Stored(store, runs)


@pytest.fixture(scope="module")
def made(stored: Stored) -> list[Page]:
    """The pages over all runs."""
    return pages(stored.results())


def table(made: list[Page], title: str) -> Table:
    """The table whose title begins with `title`."""
    return next(one for page in made for one in page.tables if one.title.startswith(title))


def text(cell: object) -> str:
    """What a cell says."""
    return str(cell.value) if isinstance(cell, Cell) else str(cell)


def rows(one: Table) -> dict[str, tuple[object, ...]]:
    """A table's own rows by their head."""
    return {text(row[0]): row for row in one.rows}


def test_worlds_show_exact_points_and_why_there_are_none(made: list[Page]) -> None:
    found = rows(table(made, "Worlds"))
    assert list(found) == [
        "openai/a, world 1",
        "openai/a, world 2",
        "openai/b",
        "given/tiny",
        "given/broken",
        "given/late",
        "given/waiting",
    ]
    assert [text(cell) for cell in found["openai/b"][1:]] == [
        "280.00",
        "40.00",
        "20.00",
        "100.00",
        "100.00",
        "20.00",
    ]
    assert text(found["given/broken"][1]) == "0.00"
    head, late = found["given/late"][0], found["given/late"]
    assert isinstance(head, Cell) and head.note == "1 items are unjudged"
    assert text(late[1]) == "None" and text(late[4]) == "None" and text(late[2]) != "None"
    cell = found["openai/a, world 1"][1]
    assert isinstance(cell, Cell) and re.fullmatch(r"= \d+/\d+", cell.note)
    assert shown(Fraction(cell.note[2:])) == cell.value


def test_models_are_ranked_with_spreads_apart_and_the_published_ones_below(made: list[Page]) -> None:
    one = table(made, "Models by total")
    found = rows(one)
    assert next(iter(found)) == "openai/b" and found["openai/a"][1] == 2
    assert re.fullmatch(r"\d+\.\d\d", text(found["openai/a"][3]))
    assert text(found["openai/a"][4]) == "none" and text(found["openai/b"][3]) == "none"
    (published,) = one.groups
    assert published.apart
    assert [(text(row[0]), text(row[2]), row[5], row[6]) for row in published.rows] == [
        ("claude-fable-5-1", "210.79", "", ""),
        ("gpt-6-astra", "199.73", "11.06", "below"),
        ("kimi-k-3", "191.36", "8.37", "below"),
        ("grok-4-7", "187.78", "3.58", "tie"),
        ("gemini-3-1-pro", "149.00", "38.78", "below"),
    ]


def test_a_world_judged_twice_gives_the_spread_over_judging(stored: Stored) -> None:
    (one,) = [result for result in stored.results() if result.model == "openai/b"]
    again = replace(one, run_id="another")
    found = rows(table(pages([one, again]), "Models by total"))
    assert text(found["openai/b"][4]) == "0.00" and found["openai/b"][1] == 1


def test_agreement_has_wilson_intervals_and_the_papers_counts_beside(made: list[Page]) -> None:
    one = table(made, "Agreement over 73")
    found = rows(one)
    assert found["openai/b"][1:6] == (73, 0, 0, 0, 0)
    assert sum(found["given/late"][1:6]) == 73 and found["given/late"][5] == 1  # type: ignore[arg-type]
    share = found["openai/b"][6]
    assert isinstance(share, Cell) and share.value == 0 and share.high and 4 < share.high < 6
    assert sum(found["all worlds"][1:6]) == 73 * 6  # type: ignore[arg-type]
    (published,) = one.groups
    assert published.rows[0][1:6] == (184, 105, 10, 66, 0)
    cells = [cell for cell in published.rows[0][6:9] if isinstance(cell, Cell)]
    assert [round(float(cell.value or 0)) for cell in cells] == [32, 79, 53]


def test_rule_based_results_say_so(made: list[Page], stored: Stored) -> None:
    assert made[0].intro.startswith("Rule-based")
    other = [replace(one, judge="openai/judge") for one in stored.results()]
    assert "Rule-based" not in pages(other)[0].intro


def test_every_judge_has_pages_of_its_own(stored: Stored) -> None:
    first, second, _ = stored.results()
    both = pages([first, replace(second, judge="truth")])
    assert [page.title for page in both if page.title.startswith("Points")] == [
        "Points, judge rule",
        "Points, judge truth",
    ]


def world(stored: Stored, number: int = 0, *, public: bool = False) -> tuple[list[Page], EpisodeResult]:
    """The pages of the first world of a run."""
    run, results = stored.runs[number], stored.results()[number]
    results = public_results(results) if public else results
    episode = results.episodes[0]
    trajectory = trajectory_of(stored.store, run, episode.episode_key, WorldBench())
    if public:
        trajectory = public_trajectory(trajectory, WorldBench())
    return episode_pages(trajectory, episode), episode


def test_a_worlds_page_shows_every_item_with_its_quote_in_context(stored: Stored) -> None:
    made, episode = world(stored)
    assert [page.title for page in made] == ["Score", "Views", "Items"]
    sheets = {sheet.title: sheet for sheet in made[2].sheets}
    assert len(sheets) == 1 + 1 + 10 + 10 + 1
    items = {entry.name: entry for sheet in sheets.values() for entry in sheet.entries}
    spec = load_spec()
    assert {item.id for item in spec.items.values() if not item.forbidden} <= items.keys()
    assert "F.forest.2" in items and "F.forest.1" not in items  # only the leak that was found
    quoted = [part for entry in items.values() for part in entry.parts if part.excerpts]
    for part in quoted:
        for excerpt in part.excerpts:
            for first, last in excerpt.marked:
                for number in range(first, last + 1):
                    assert f"line {number}<" in excerpt.lines[number - excerpt.first_line]
    assert len(quoted) > 150 and all(
        picture.episode_key == episode.episode_key for picture in made[1].galleries[0].pictures
    )


def test_motion_stands_beside_its_changed_pixels_and_threshold(stored: Stored) -> None:
    made, _ = world(stored, 1)
    burst = next(
        part
        for sheet in made[2].sheets
        for entry in sheet.entries
        for part in entry.parts
        if entry.name == "P.jungle.7" and part.name == "pixels, motion"
    )
    assert burst.gauge and burst.gauge.value == 0.384 and burst.gauge.threshold == 0.001
    assert [picture.ref for picture in burst.pictures[:2]] == ["overlay:near:jungle", "overlay:far:jungle"]


def test_day_is_outlined_and_unconfirmed_views_are_marked(stored: Stored) -> None:
    made, _ = world(stored)
    times = next(gallery for gallery in made[1].galleries if gallery.title == "Four times")
    assert [picture.marked for picture in times.pictures] == [False, False, True, False]
    (close,) = made[1].sheets
    states = {entry.name: entry.parts[0].state for entry in close.entries}
    assert (
        states.pop("jungle") == "fail" and set(states.values()) == {"pass"} and len(states) == len(BIOMES) - 1
    )


def test_the_public_edition_tells_no_reasons(stored: Stored) -> None:
    made, _ = world(stored, public=True)
    parts = [part for sheet in made[2].sheets for entry in sheet.entries for part in entry.parts]
    assert not any(part.reason or part.excerpts or part.pictures for part in parts)
    (close,) = made[1].sheets
    assert {entry.parts[0].state for entry in close.entries} == {"unscored"}


def test_queries_make_the_tables_again(stored: Stored, made: list[Page]) -> None:
    found = {name: query(stored.store, sql) for name, (_, sql) in QUERIES.items()}
    names, worlds = found["worlds"]
    told = {(row[0], row[1], row[2]): row[names.index("total")] for row in worlds}
    shown_rows = rows(table(made, "Worlds"))
    assert told["openai/b", "island", 0] == 280.0
    assert told["given/none", "given/late", 0] is None
    for key, head in (
        (("openai/a", "island", 0), "openai/a, world 1"),
        (("given/none", "given/tiny", 0), "given/tiny"),
    ):
        assert f"{told[key]:.2f}" == text(shown_rows[head][1])
    names, counted = found["agreement"]
    first = next(row for row in counted if row[0] == "openai/a" and row[2] == 0)
    assert first[4:] == rows(table(made, "Agreement over"))["openai/a, world 1"][1:6]
    _, regions = found["agreement by region"]
    for row in regions:
        assert row[2:] == rows(table(made, "Agreement by region"))[row[1]][1:6]
    _, reasons = found["reasons"]
    top = table(made, "Reasons").rows[0]
    assert (reasons[0][2], reasons[0][3], f"{reasons[0][4]:.2f}") == (top[0], top[2], top[3])
    assert len(found["items"][1]) > 1000 and len(found["views"][1]) == 60


@pytest.fixture(scope="module")
def report(stored: Stored, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The written report."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("embodied_eval.plugins.load_benchmark", lambda name: WorldBench())
        yield build_report(stored.store, stored.runs, tmp_path_factory.mktemp("report") / "out").parent


def test_the_report_is_written_escaped_and_shows_the_sheets(report: Path) -> None:
    page = (report / "benchmark-worldbench.html").read_text("utf-8")
    assert "Agreement over 73 required items a world" in page and "claude-fable-5-1" in page
    episodes = [path.read_text("utf-8") for path in sorted((report / "episodes").glob("0-*.html"))]
    for one in episodes:
        assert "Look and physics: jungle" in one and "&lt;b&gt;line" in one and "<b>line" not in one
        assert 'class="hit"' in one and 'class="gauge"' in one and "../frames/" in one
