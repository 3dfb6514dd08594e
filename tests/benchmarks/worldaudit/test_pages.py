"""The report's pages: the paper's tables over our results, the published numbers beside them and apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.worldaudit.causes import CAUSES
from benchmarks.worldaudit.pages.published import published as known
from benchmarks.worldaudit.plugin import WorldAudit
from benchmarks.worldaudit.taxonomy import FAMILIES
from embodied_eval.benchmark import Cell, EpisodeResult, Page, Results, RowGroup, Table
from embodied_eval.records import Outcome, Verdict
from reports.privacy import public_results
from reports.tables import TableView, laid_out
from tests.benchmarks.worldaudit.results import PUBLISHED, SIZES, episode, published, results

BUDGET: Mapping[str, Any] = {"name": "vlm", "budget": 40, "icl": True}
HALF: Mapping[str, Any] = {"name": "budget-half", "budget": 20, "icl": True}


def tables(*made: Results) -> dict[str, Table]:
    """Every table of the pages, by title."""
    return {table.title: table for page in WorldAudit().pages(made) for table in page.tables}


def main_of(*made: Results) -> Table:
    return tables(*made)["Success rate"]


def printed(row: Sequence[Any]) -> list[str]:
    """A row's texts as the report prints them, without units."""
    view: TableView = laid_out(Table("", ("",) * len(row), (tuple(row),)))
    return [cell.text.removesuffix("\u202f%") for cell in view.groups[0].rows[0]]


def titles(pages: Sequence[Page]) -> list[str]:
    return [page.title for page in pages]


@pytest.mark.parametrize("run", PUBLISHED)
def test_published_counts_print_the_published_percentages(run: str) -> None:
    passes, texts, total = PUBLISHED[run]
    ours = main_of(published(run)).rows[0]
    assert tuple(printed(ours)[1:7]) == texts
    assert [cell.note for cell in ours[1:6]] == [f"{n} of {of}" for n, of in zip(passes, SIZES, strict=True)]
    assert ours[6].note == f"{total} of 213" and ours[7] == "none"
    theirs = {f"{row[0].note} {row[0].value}": row for row in main_of(published(run)).groups[-1].rows}
    assert tuple(printed(theirs[run])[1:7]) == texts
    assert theirs[run][6].note == f"{total} of 213"


def test_published_rows_stand_apart_with_their_source() -> None:
    group = main_of(published("vlm Qwen 3.8 Flash")).groups[-1]
    assert group.apart and "arXiv:2609.40325" in group.title
    for words in ("another harness", "other worlds", "another judge", "not comparable one to one"):
        assert words in group.note
    assert len(group.rows) == 1 + len(PUBLISHED)
    assert printed(group.rows[0])[1:7] == ["89.8", "81.3", "76.3", "78.1", "88.6", "83.4"]
    assert all(cell.low is None for row in group.rows for cell in row[1:7]), "no interval is made up"


def test_published_ablations_print_the_published_differences() -> None:
    told = {"near": ("38.1", 4.8), "budget-half": ("23.0", -10.3), "budget-1.5": ("34.9", 1.6), "no-icl": ("31.0", -2.4),
            "no-icl-no-type": ("15.9", -17.5)}  # fmt: skip
    for condition, (after, points) in told.items():
        run = results(episode(0, True), episode(0, True, condition=condition))
        row = ablations(run).groups[0].rows[0]
        assert round(row[-1].value, 1) == points and row[-1].unit == "pp"
        assert row[-1].note == f"33.3 → {after} %"
    vla = {"near": 1.6, "budget-half": -1.6, "budget-1.5": 1.6, "no-icl": 0.0, "no-icl-no-type": -3.2}
    for condition, points in vla.items():
        run = results(
            episode(0, True, condition="vla-vlm"), episode(0, True, condition=f"vla-vlm-{condition}")
        )
        assert round(ablations(run).groups[0].rows[0][-1].value, 1) == points


def test_missing_episodes_are_told_by_cause_and_a_crash_counts_for_nothing() -> None:
    made = results(
        *(episode(n, True) for n in range(3)),
        episode(3, None, status="simulator_error"),
        episode(4, None, status="model_error", code="T1", family=FAMILIES[3]),
    )
    row = main_of(made).rows[0]
    assert row[-1] == Cell("1 model error, 1 simulator error (more than 5% excluded)", note="5 planned")
    assert (row[-2].value, row[-2].note) == (100.0, "3 of 3")
    assert (row[4].value, row[4].note) == (None, "all 1 episodes are excluded") and row[5] == Cell(None)
    few = results(*(episode(n, True) for n in range(39)), episode(39, None, status="harness_error"))
    assert main_of(few).rows[0][-1] == Cell("1 harness error", note="40 planned")


def test_an_unjudged_or_unfinished_episode_leaves_no_value() -> None:
    made = results(episode(0, True), episode(1, None), episode(2, None, status=None))
    row = main_of(made).rows[0]
    assert row[-1] == Cell("1 unfinished, 1 unjudged", note="3 planned")
    assert (row[-2].value, row[-2].note) == (None, "1 of 3 episodes are unjudged")


def test_judges_are_named_and_never_in_one_table() -> None:
    pages = WorldAudit().pages([results(episode(0, True)), results(episode(0, False), judge="openai/j")])
    main = [page for page in pages if page.title.startswith("Main results")]
    assert titles(main) == ["Main results, judge truth", "Main results, judge openai/j"]
    for page, judge in zip(main, ("truth", "openai/j"), strict=True):
        (table,) = page.tables
        assert len(table.rows) == 1 and table.caption.startswith(f"Judge {judge}.")


def test_the_best_model_comes_first_and_who_saw_the_truth_apart() -> None:
    good = results(episode(0, True, model="b"), model="b")
    bad = results(episode(0, False), episode(0, False, condition="near"), model="a")
    oracle = results(episode(0, True, privileged=True), model="scripted/oracle")
    table = main_of(oracle, bad, good)
    assert [(row[0].value, row[0].note) for row in table.rows] == [("b", "vlm"), ("a", "vlm"), ("a", "near")]
    assert table.groups[0].title == "Saw the truth: not ranked"
    assert [row[0].value for row in table.groups[0].rows] == ["scripted/oracle"]


def test_two_runs_of_one_model_are_told_apart() -> None:
    table = main_of(results(episode(0, True), run="r1"), results(episode(0, False), run="r2"))
    assert [row[0].note for row in table.rows] == ["vlm · r1", "vlm · r2"]


def ablations(*made: Results) -> Table:
    (found,) = [table for title, table in tables(*made).items() if title.startswith("Each condition")]
    return found


def halved(before: Sequence[bool], after: Sequence[bool | None], run: str = "run") -> Results:
    """The default and half the budget over the same tasks in three scenes; None = broken off."""
    made = [
        episode(n, x, settings=BUDGET, scene=f"s{n % 3}")
        for n, x in enumerate(before)
    ] + [
        episode(n, x, condition="budget-half", settings=HALF, scene=f"s{n % 3}",
                status="completed" if x is not None else "simulator_error")
        for n, x in enumerate(after)
    ]  # fmt: skip
    return results(*made, run=run)


def test_an_ablation_is_paired_by_task() -> None:
    before = [True] * 8 + [False] * 4
    after = [True] * 2 + [False] * 6 + [True] + [False] * 3
    (group,) = ablations(halved(before, after)).groups
    assert group.title == "openai/m"
    head, differs, base, other, points, p, pairs, _ = group.rows[0]
    assert (head.value, differs) == ("budget-half", "budget 40 → 20")
    assert (base.note, other.note, pairs) == ("8 of 12", "3 of 12", 12)
    assert points.value == pytest.approx(-500 / 12) and points.unit == "pp" and points.note == "3 scenes"
    assert points.low <= points.value <= points.high
    assert p == "0.125", "6 against 1: 2 * (1 + 7) / 2^7"


def test_a_crash_leaves_its_pair_out_and_an_open_judging_all() -> None:
    row = ablations(halved([True] * 4, [True, False, True, None])).groups[0].rows[0]
    assert row[6] == Cell(3, note="1 left out") and row[2].note == "3 of 3"
    run = halved([True] * 3, [True] * 3)
    waiting = replace(run, episodes=(*run.episodes[:-1], replace(run.episodes[-1], verdicts=())))
    row = ablations(waiting).groups[0].rows[0]
    assert row[2] is None and row[4].value is None and row[6] == 0
    assert row[4].note == "1 of 6 paired episodes are unjudged or unfinished"


def test_without_pairs_the_reason_stands() -> None:
    alone = ablations(results(episode(0, True, condition="near"))).groups[0].rows[0]
    assert alone[4].note == "no paired episodes: this model was not run under vlm"
    assert alone[-1].value is not None, "the published difference stands all the same"
    apart = ablations(results(episode(0, True), episode(1, True, condition="near"))).groups[0].rows[0]
    assert apart[4].note == "no paired episodes: the two were run on different tasks"
    lost = ablations(halved([True], [None])).groups[0].rows[0]
    assert lost[4].note == "no paired episodes: all 1 pairs hold an excluded one"
    assert not [title for title in tables(results(episode(0, True))) if title.startswith("Each condition")]


def test_pairs_may_come_from_two_runs_but_the_own_one_goes_first() -> None:
    half = results(*(episode(n, False, condition="budget-half", settings=HALF) for n in range(3)), run="r2")
    whole = results(*(episode(n, True, settings=BUDGET) for n in range(3)), run="r1")
    assert ablations(whole, half).groups[0].rows[0][4].value == -100.0
    own = halved([False] * 3, [False] * 3, run="r3")
    rows = ablations(whole, own).groups[0].rows
    assert [row[4].value for row in rows] == [0.0]


def test_a_task_that_was_changed_is_another_task() -> None:
    before = episode(0, True)
    after = episode(0, True, condition="near", private={"subcategory": "G1"})
    row = ablations(results(before, after)).groups[0].rows[0]
    assert row[4].note == "no paired episodes: the two were run on different tasks"


def measured(
    number: int, passed: bool, cone: bool, seen: bool, exposed: bool, cause: str = ""
) -> EpisodeResult:
    measures = {"could_be_seen": (cone, ""), "coverage_visible": (seen, ""), "exposed": (exposed, "")}
    if cause:
        measures["cause"] = (False, cause)
    return episode(number, passed, measures=measures, scene=f"s{number % 2}")


def test_exposure_is_decomposed() -> None:
    run = results(
        measured(0, True, True, True, True),
        measured(1, False, True, True, True, "wrong object"),
        measured(2, False, True, True, False, "never triggered"),
        measured(3, False, True, False, False, "never reached"),
    )
    table = tables(run)["From what was in reach to what was identified"]
    row = table.rows[0]
    assert [cell.note for cell in row[1:6]] == ["4 of 4", "3 of 4", "2 of 4", "1 of 4", "1 of 2"]
    assert row[6].value == 3.0 and row[6].unit == "actions"
    assert "heuristic" in table.columns[1] and "judge truth" in table.caption
    theirs = table.groups[-1]
    assert theirs.apart and [printed(row)[1:6] for row in theirs.rows] == [
        ["91.1", "–", "68.1", "42.3", "62.1"],
        ["47.4", "–", "34.7", "16.4", "47.3"],
    ]


def test_causes_add_up() -> None:
    run = results(
        measured(0, True, True, True, True),
        measured(1, False, True, True, True, "wrong object"),
        measured(2, False, True, True, True, "wrong object"),
        episode(3, False),
        episode(4, None, status="model_error"),
    )
    table = tables(run)["Where the chain broke"]
    assert table.columns == ("model", "found", *CAUSES, "cause not stored", "no verdict")
    counts = dict(zip(table.columns[1:], table.rows[0][1:], strict=True))
    assert {name: n for name, n in counts.items() if n} == {
        "found": 1, "wrong object": 2, "cause not stored": 1, "no verdict": 1
    }  # fmt: skip


def test_the_gallery_goes_by_the_stored_cause() -> None:
    plugin = WorldAudit()
    failed = measured(0, False, True, True, True, "seen but not reported")
    assert plugin.cause(failed) == "seen but not reported"
    assert plugin.cause(replace(failed, outcome=Outcome("invalid_reply"))) == ""
    assert plugin.cause(episode(0, False)) == ""


def test_an_episode_costs_what_it_costs() -> None:
    used = {
        "steps": 10,
        "calls": 9,
        "tokens_in": 1000,
        "tokens_out": 50,
        "cost_usd": 0.25,
        "wall_s": 8.0,
        "sim_s": 30.0,
    }
    run = results(
        *(episode(n, True, scene=f"s{n}", **used) for n in range(2)),
        *(episode(n, True, scene=f"s{n}", **{**used, "steps": 20, "cost_usd": None}) for n in range(2, 4)),
        episode(4, None, status="simulator_error", steps=500),
    )
    table = tables(run)["Success and what an episode takes"]
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert row["tool calls"].value == 15.0 and row["tool calls"].low < 15 < row["tool calls"].high
    assert row["tokens"] == Cell(1050.0, note="each") and row["wall time"] == Cell(8.0, unit="s", note="each")
    assert row["cost"] == Cell(None, note="unknown in 2 of 4")
    assert "actions" not in row
    with_actions = replace(episode(0, True), outcome=Outcome("completed", {"actions": 40}))
    assert "actions" in tables(results(with_actions))["Success and what an episode takes"].columns


def test_the_two_arms_are_paired() -> None:
    slow = [
        episode(n, n < 5, scene=f"s{n % 4}", calls=40, wall_s=100.0, tokens_in=9, tokens_out=1)
        for n in range(8)
    ]
    fast = [
        episode(
            n, n < 1, scene=f"s{n % 4}", condition="vla-vlm", calls=4, wall_s=20.0, tokens_in=4, tokens_out=1
        )
        for n in range(8)
    ]
    table = tables(results(*slow, *fast))["vla-vlm against vlm, paired by task"]
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert row["difference in success"].value == -50.0 and row["pairs"] == 8
    assert (row["wall time"].value, row["tokens"].value, row["model calls"].value) == (0.2, 0.5, 0.1)
    assert row["cost"].note == "nothing to compare to"
    assert "2.7 to 10.3 times faster" in table.caption
    assert "vla-vlm against vlm, paired by task" not in tables(results(*slow))


def several(number: int, found: str, condition: str, labels: str, reports: int) -> EpisodeResult:
    """An episode with the anomalies `labels`, those in `found` identified, and so many reports."""
    targets = [{"label": label, "subcategory": "G1", "effects": []} for label in labels]
    settings = {"name": condition, "anomalies": labels, "anchors_only": condition == "single"}
    made = episode(number, "A" in found, condition=condition, settings=settings, scene=f"s{number % 3}",
                   private={"targets": targets} if len(labels) > 1 else {})  # fmt: skip
    joint = tuple(
        Verdict(f"identified:{label}", float(label in found), 1.0, label in found)
        for label in labels
        if len(labels) > 1
    )
    findings = [
        {"id": f"b{n}", "description": "x", "status": "confirmed", "evidence": []} for n in range(reports)
    ]
    return replace(
        made, verdicts=(*made.verdicts, *joint), outcome=Outcome("completed", {"findings": findings})
    )


def test_several_anomalies() -> None:
    run = results(
        several(0, "A", "single", "A", 1),
        several(1, "", "single", "A", 1),
        several(2, "AB", "multi-ab", "AB", 2),
        several(3, "A", "multi-ab", "AB", 4),
    )
    table = tables(run)["Several anomalies in one scene"]
    single, ab = table.rows
    assert [cell.value for cell in single[1:]] == [50.0, 50.0, None, None]
    assert [cell.value for cell in ab[1:]] == [100.0, 50.0, 75.0, 50.0]
    theirs = [printed(row)[1:3] for row in table.groups[-1].rows]
    assert theirs == [["42.9", "42.9"], ["–", "7.1"], ["47.6", "4.8"]]
    assert not [title for title in tables(run) if title.startswith("Each condition")], (
        "no ablation of the protocol"
    )


def test_the_public_edition_shows_what_it_may() -> None:
    run = results(
        measured(0, False, True, True, True, "wrong object"),
        several(2, "AB", "multi-ab", "AB", 2),
        model="m",
    )
    shown = public_results(run)
    made = tables(shown)
    assert "Where the chain broke" not in made and "Several anomalies in one scene" not in made
    assert main_of(shown).rows[0][-2].note == "0 of 1"
    assert "wrong object" not in repr(WorldAudit().pages([shown]))


def test_no_runs_make_no_pages() -> None:
    assert WorldAudit().pages([]) == []


def test_the_data_is_whole() -> None:
    data = known()
    assert data.family_sizes == SIZES and data.tasks == 213
    assert {(run.arm, run.model) for run in data.main} == {tuple(name.split(" ", 1)) for name in PUBLISHED}
    assert data.ablation_tasks == 126 and data.several_runs == 42
    assert isinstance(main_of(results(episode(0, True))).groups[-1], RowGroup)
