"""The ablation table: each condition against its arm's own setting, pair by pair, and the published difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.worldaudit.pages.lines import PRIVILEGED, Line, Row, share
from benchmarks.worldaudit.pages.pairing import base_of, difference, pairs_of
from benchmarks.worldaudit.pages.published import Published
from embodied_eval.benchmark import Cell, RowGroup, Table
from embodied_eval.records import Json

COLUMNS = (
    "condition",
    "what differs",
    "arm's own setting",
    "under the condition",
    "difference",
    "McNemar p",
    "pairs",
    "published difference",
)
UNTOLD = {"name"}
"""Settings that differ between any two conditions."""


def ablation_table(lines: Sequence[Line], judge: str, known: Published) -> Table | None:
    """One row a model and condition other than its arm's own setting; None if there are none."""
    rows: dict[tuple[str, bool], list[Row]] = {}
    for line in lines:
        if line.ablation != "default" and not line.several:
            rows.setdefault((line.model, line.privileged), []).append(_row(line, lines, known))
    if not rows:
        return None
    ranked = sorted(rows, key=lambda key: key[1])
    return Table(
        "Each condition against its arm's own setting, same model, same tasks",
        COLUMNS,
        (),
        f"Judge {judge}. Success over the tasks played under both; the difference in percentage points has a 95 % "
        "bootstrap interval that draws whole scenes, and McNemar's exact p, not corrected for the number of rows. A pair "
        "with an episode that was broken off is left out, so these rates may differ from those above. Published "
        f"differences: {known.ablation_model}, {known.ablation_tasks} tasks, judge {known.judge}, {known.citation}; "
        "from another harness and other worlds, not comparable one to one.",
        tuple(
            RowGroup(model, tuple(rows[model, privileged]), PRIVILEGED if privileged else "")
            for model, privileged in ranked
        ),
    )


def changed(base: Mapping[str, Json], other: Mapping[str, Json]) -> str:
    """The settings that differ, as "name before → after"; one that a side leaves out is told as "unset"."""
    told = []
    for name in sorted({*base, *other} - UNTOLD):
        before, after = base.get(name, "unset"), other.get(name, "unset")
        if before != after:
            told.append(f"{name.replace('_', ' ')} {_said(before)} → {_said(after)}")
    return ", ".join(told)


def _row(line: Line, lines: Sequence[Line], known: Published) -> Row:
    base = base_of(line, lines, line.arm)
    found = pairs_of(base, line)
    points, p = difference(found)
    differs = (
        changed(base.condition.settings, line.condition.settings) if base else line.condition.description
    )
    beside: Cell = _published(line, known)
    head = Cell(line.name, note=line.run_id if line.twice else "")
    if found.reason:
        return (head, differs, None, None, points, None, 0, beside)
    before, after = found.passed
    n = len(found.pairs)
    scenes = len(set(found.scenes))
    points = Cell(points.value, points.low, points.high, "pp", points.note or f"{scenes} scenes")
    left_out = Cell(n, note=f"{found.left_out} left out") if found.left_out else n
    return (head, differs, share(sum(before), n), share(sum(after), n), points, _p(p), left_out, beside)


def _p(p: float | None) -> Json:
    return None if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def _published(line: Line, known: Published) -> Cell:
    counts = known.ablations.get(line.arm, {})
    if line.ablation not in counts:
        return Cell(None, note="not published")
    before, after = (100.0 * counts[name] / known.ablation_tasks for name in ("default", line.ablation))
    return Cell(after - before, unit="pp", note=f"{before:.1f} → {after:.1f} %")


def _said(value: Json) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value is None else str(value)
