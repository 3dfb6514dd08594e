"""The main table: success by family and over all, and what the paper printed set apart below it."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.worldaudit.pages.lines import Line, Row, grouped, printed
from benchmarks.worldaudit.pages.published import NOT_COMPARABLE, Published
from benchmarks.worldaudit.taxonomy import FAMILIES
from embodied_eval.benchmark import Cell, RowGroup, Table

MOST_EXCLUDED = 0.05
"""A run in which more of the episodes crashed than this share is flagged (ours, spec section 9)."""


def success_table(lines: Sequence[Line], judge: str, known: Published) -> Table:
    """One row a run and condition of `judge`."""
    rows, groups = grouped((line, _row(line)) for line in lines)
    return Table(
        "Success rate",
        ("model", *FAMILIES, "overall", "missing"),
        rows,
        f"Judge {judge}. Share of tasks whose anomaly was identified, with its 95 % interval (Wilson) and passes of the "
        "episodes that count. What a provider, the simulator or the toolkit failed at counts for nothing and is told "
        "under “missing”. While an episode is unjudged or unfinished there is no value.",
        (*groups, published_rows(known)),
    )


def published_rows(known: Published) -> RowGroup:
    """The paper's main results: people, then both arms."""
    people: Row = (
        Cell("people", note="lenient judging"),
        *(Cell(value, unit="%") for value in known.human_percent),
        Cell(known.human_overall, unit="%"),
        None,
    )
    rows = [people]
    for run in known.main:
        families = (printed(n, of) for n, of in zip(run.passes, known.family_sizes, strict=True))
        overall = printed(sum(run.passes), known.tasks)
        rows.append((Cell(run.model, note=run.arm), *families, overall, None))
    return RowGroup(
        known.group_title,
        tuple(rows),
        f"{NOT_COMPARABLE} Judge {known.judge}, {known.tasks} tasks; counts follow from the printed "
        "percentages. There an episode that was broken off counts as not passed.",
        apart=True,
    )


def missing(line: Line) -> str | Cell:
    """What of the line's episodes supports no verdict, by cause, and how many were planned; "none" where all do."""
    counts: dict[str, int] = {}
    excluded = 0
    for episode in line.episodes:
        if episode.outcome is None:
            cause = "unfinished"
        elif not episode.outcome.counts:
            cause = episode.outcome.status.replace("_", " ")
            excluded += 1
        elif not episode.judged:
            cause = "unjudged"
        else:
            continue
        counts[cause] = counts.get(cause, 0) + 1
    told = ", ".join(f"{number} {cause}" for cause, number in sorted(counts.items()))
    if excluded > MOST_EXCLUDED * len(line.episodes):
        told += f" (more than {MOST_EXCLUDED:.0%} excluded)"
    return Cell(told, note=f"{len(line.episodes)} planned") if told else "none"


def _row(line: Line) -> Row:
    families = (line.cell("success_rate", family) for family in FAMILIES)
    return (line.head, *families, line.cell("success_rate"), missing(line))
