"""One world's points, by test and region."""

from __future__ import annotations

from benchmarks.worldbench.agreement import agreement
from benchmarks.worldbench.evidence import BIOMES
from benchmarks.worldbench.pages.lines import points_cell
from benchmarks.worldbench.pages.regions import REGIONAL
from benchmarks.worldbench.spec import TESTS, Spec
from benchmarks.worldbench.summary import WorldScore, maximum
from benchmarks.worldbench.totals import MAXIMUM, shown, totals
from benchmarks.worldbench.verdicts import halves_of
from embodied_eval.benchmark import Cell, EpisodeResult, RowGroup, Table
from embodied_eval.records import Json


def scored_world(result: EpisodeResult, spec: Spec) -> WorldScore:
    """The world of `result` with what its verdicts add up to."""
    halves = halves_of(result.verdicts)
    return WorldScore(result, halves, totals(halves, spec), agreement(halves, spec))


def score_table(world: WorldScore) -> Table:
    """Regions by test, and below them the whole tests and the total."""
    points = world.totals
    rows = []
    for biome in BIOMES:
        cells: list[Json | Cell] = []
        for test in TESTS:
            of = REGIONAL.get(test)
            cells.append(points_cell(points.biomes[test][biome], of) if of else Cell("", note=""))
        rows.append((biome, *cells))
    whole = tuple(points_cell(points.tests[test], maximum(test.lower())) for test in TESTS)
    title = "no total" if points.total is None else f"{shown(points.total)} of {MAXIMUM} points"
    if points.total is not None and points.total.denominator > 1:
        title += f" (exactly {points.total})"
    return Table(
        title,
        ("region", *(f"{name} ({maximum(test.lower())})" for test, name in TESTS.items())),
        tuple(rows),
        "Bars show the share of what the region is worth in the test.",
        (RowGroup("Whole tests", (("points", *whole),)),),
    )
