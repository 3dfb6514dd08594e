"""The table of conditions with several anomalies in one scene."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.worldaudit.pages.lines import Line, Row, grouped, printed
from benchmarks.worldaudit.pages.published import NOT_COMPARABLE, Published
from embodied_eval.benchmark import Cell, RowGroup, Table

MEASURES = {
    "anchor found": "success_rate",
    "all found": "all_target_success",
    "recall of targets": "target_recall",
    "precision of reports": "report_precision_known",
}
"""Column by metric."""
TITLES = {"single": "one anomaly (A)", "multi-ab": "two (AB)", "multi-abc": "three (ABC)"}


def several_table(lines: Sequence[Line], judge: str, known: Published) -> Table | None:
    """One row a run and condition: the anchors alone, with one and with two more anomalies. None if several
    were never played, or where the truth is left out."""
    mine = [line for line in lines if line.several]
    if not any(("all_target_success", "") in line.metrics for line in mine):
        return None
    rows, groups = grouped((line, (line.head, *_cells(line))) for line in mine)
    return Table(
        "Several anomalies in one scene",
        ("model", *MEASURES),
        rows,
        f"Judge {judge}. The anchor is the task's own anomaly. Recall counts all planted anomalies, precision the standing "
        "reports that are matched to one; without a report precision is not defined. 95 % intervals: Wilson, for "
        "recall and precision a bootstrap over whole scenes.",
        (*groups, _published(known)),
    )


def _cells(line: Line) -> list[Cell]:
    """With one anomaly the anchor is all there is to find; recall and precision are told of several only."""
    cells = [line.cell(name) for name in MEASURES.values()]
    alone = ("all_target_success", "") not in line.metrics
    return [cells[0], cells[0], *cells[2:]] if alone else cells


def _published(known: Published) -> RowGroup:
    rows: list[Row] = [
        (
            Cell(TITLES[name], note="vlm"),
            _count(counts, "anchor", known),
            _count(counts, "all", known),
            None,
            None,
        )
        for name, counts in known.several.items()
    ]
    return RowGroup(known.group_title, tuple(rows), f"{NOT_COMPARABLE} Judge {known.judge}.", apart=True)


def _count(counts: Mapping[str, int], name: str, known: Published) -> Cell:
    if name not in counts:
        return Cell(None, note="not published")
    return printed(counts[name], known.several_runs)
