"""Points by region: where a model's worlds are rich and where they are empty."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from benchmarks.worldbench.evidence import BIOMES
from benchmarks.worldbench.pages.lines import NOT_JUDGED, Line, points_cell
from benchmarks.worldbench.spec import TESTS
from benchmarks.worldbench.totals import shown
from embodied_eval.benchmark import Cell, Table
from embodied_eval.records import Json

REGIONAL = {"WC002": 2, "WC003": 10, "WC004": 10}
"""Tests that have regions, and what a region is worth in each."""
WORTH = sum(REGIONAL.values())


def regions_table(lines: Sequence[Line], judge: str) -> Table:
    """One row a region, means over worlds: a column a model, or a column a test where there is one model only."""
    by_maker: dict[str, list[Line]] = {}
    for line in lines:
        if line.score:
            by_maker.setdefault(line.maker, []).append(line)
    several = len(by_maker) > 1
    columns = (
        tuple(by_maker)
        if several
        else (*(f"{TESTS[t]} ({of})" for t, of in REGIONAL.items()), f"all ({WORTH})")
    )
    rows = []
    for biome in BIOMES:
        cells: list[Json | Cell] = []
        for mine in by_maker.values():
            means = {test: _mean([_points(line, test, biome) for line in mine]) for test in REGIONAL}
            if not several:
                cells += [points_cell(means[test], of) for test, of in REGIONAL.items()]
            cells.append(_together(list(means.values()), several))
        rows.append((biome, *cells))
    what = " + ".join(f"{TESTS[test]} ({of})" for test, of in REGIONAL.items())
    return Table(
        "Regions",
        ("region", *columns),
        tuple(rows),
        f"Judge {judge}. Means over the worlds, of {WORTH} points: {what}. What must not be in a region was taken off, "
        "never below 0.",
    )


def _together(means: Sequence[Fraction | None], told: bool) -> Cell:
    known = [points for points in means if points is not None]
    if len(known) < len(means):
        return Cell(None, note=NOT_JUDGED)
    points = sum(known, Fraction(0))
    note = " + ".join(map(shown, known)) if told else ""
    return Cell(shown(points), note=note, share=float(points / WORTH))


def _points(line: Line, test: str, biome: str) -> Fraction | None:
    return line.score.totals.biomes[test][biome] if line.score else None


def _mean(points: Sequence[Fraction | None]) -> Fraction | None:
    known = [value for value in points if value is not None]
    return sum(known, Fraction(0)) / len(known) if known and len(known) == len(points) else None
