"""The exposure table: could the anomaly be seen, was it, could it be told, was it identified."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.worldaudit.pages.lines import Line, grouped, printed
from benchmarks.worldaudit.pages.published import NOT_COMPARABLE, Published
from embodied_eval.benchmark import Cell, RowGroup, Table

MEASURES = {
    "could be seen (heuristic)": "coverage_cone_rate",
    "visible by mask": "coverage_visible_rate",
    "exposed": "exposed_rate",
    "identified": "success_rate",
    "identified, given exposed": "identified_given_exposed",
    "actions to exposure": "time_to_exposure",
}
"""Column by metric."""
TRACED = "contact reports with trace"


def exposure_table(lines: Sequence[Line], judge: str, known: Published) -> Table | None:
    """One row a run and condition; None where no episode holds a measure."""
    if not any(
        (name, "") in line.metrics for line in lines for name in MEASURES.values() if name != "success_rate"
    ):
        return None
    traced = any(("traced_rate", "") in line.metrics for line in lines)
    names = [*MEASURES.values(), *(["traced_rate"] if traced else [])]
    rows, groups = grouped((line, (line.head, *(line.cell(name) for name in names))) for line in lines)
    return Table(
        "From what was in reach to what was identified",
        ("model", *MEASURES, *([TRACED] if traced else [])),
        rows,
        "Measured from poses, masks and events, not judged, save “identified”, which is "
        f"judge {judge}'s. “Could be seen” is the official view cone, a heuristic without occlusion. “Visible” asks the "
        "masks of the stored frames. “Exposed” asks, kind by kind, whether the episode held what it takes to tell. "
        "Shares are of all episodes that count, but for the one given exposed; actions are the median with a bootstrap interval over scenes, "
        "and in vla-vlm half seconds of the recording.",
        (*groups, _published(known, traced)),
    )


def _published(known: Published, traced: bool) -> RowGroup:
    rows = []
    for run in known.exposure:
        cells = [
            printed(run.covered, known.tasks),
            Cell(None),
            printed(run.exposed, known.tasks),
            printed(run.identified, known.tasks),
            printed(run.identified, run.exposed),
            Cell(None),
            *([Cell(None)] if traced else []),
        ]
        rows.append((Cell(run.model, note=run.arm), *cells))
    return RowGroup(
        known.group_title,
        tuple(rows),
        f"{NOT_COMPARABLE} Exposure was annotated by people; the test behind the coverage is not published.",
        apart=True,
    )
