"""Code against frames: on how many required items the two channels agree, world by world and pooled."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.worldbench.agreement import Agreement, pooled
from benchmarks.worldbench.evidence import BIOMES
from benchmarks.worldbench.pages.lines import Line
from benchmarks.worldbench.published import Published
from benchmarks.worldbench.spec import Spec
from embodied_eval.benchmark import Cell, Page, RowGroup, Table
from embodied_eval.records import Json

COUNTS = ("both", "code_only", "frames_only", "neither")
SHARES = {
    "disagree": "disagree",
    "code-only judge": "code",
    "look-only judge": "frames",
    "both required": "both",
}
"""Column by the count of `Agreement` that it is the share of."""


def channels_page(lines: Sequence[Line], judge: str, known: Published, spec: Spec, suffix: str = "") -> Page:
    """The agreement table, and what each region's items come to."""
    return Page(
        f"Code against frames{suffix}",
        "What a judge of the code alone, and one of the frames alone, would credit; and where they contradict each "
        "other.",
        (_agreement(lines, judge, known, spec), _by_region(lines, judge, spec)),
    )


def _agreement(lines: Sequence[Line], judge: str, known: Published, spec: Spec) -> Table:
    judged = [line for line in lines if line.score]
    rows = [(Cell(line.name), *_cells(line.score.agreement)) for line in judged if line.score]
    if len(judged) > 1:
        rows.append(("all worlds", *_cells(pooled(line.score.agreement for line in judged if line.score))))
    low, high = known.disagree_percent_range
    published = RowGroup(
        f"Published: {known.citation}",
        (
            (
                Cell("five models' worlds", note=f"disagreement from {low} to {high} % by world"),
                *_cells(known.agreement),
            ),
        ),
        "Other items and judges: not comparable one to one.",
        apart=True,
    )
    return Table(
        f"Agreement over {len(spec.of(kind='required'))} required items a world",
        ("world", "both", "code only", "frames only", "neither", "unjudged", *SHARES),
        tuple(rows),
        f"Judge {judge}. Counts of items; shares of the judged ones with 95 % Wilson intervals. A code half needs a "
        "quote that the source holds, a frames half a frame that was identified blind or a wide view.",
        (published,),
    )


def _cells(table: Agreement) -> tuple[Json | Cell, ...]:
    return (
        *(getattr(table, name) for name in COUNTS),
        table.unjudged,
        *(_share(table, n) for n in SHARES.values()),
    )


def _share(table: Agreement, name: str) -> Cell:
    share = table.share(name)
    value, low, high = (None if end is None else 100 * end for end in (share.value, share.low, share.high))
    return Cell(value, low, high, "%", share.reason)


def _by_region(lines: Sequence[Line], judge: str, spec: Spec) -> Table:
    rows = []
    for biome in BIOMES:
        table = pooled(_of_region(line, biome, spec) for line in lines if line.score)
        rows.append((biome, *_cells(table)))
    return Table(
        "Agreement by region",
        ("region", "both", "code only", "frames only", "neither", "unjudged", *SHARES),
        tuple(rows),
        f"Judge {judge}, all worlds together.",
    )


def _of_region(line: Line, biome: str, spec: Spec) -> Agreement:
    from dataclasses import replace

    from benchmarks.worldbench.agreement import agreement

    # `agreement` walks the items of its spec: one that holds this region's alone.
    mine = {item.id: item for item in spec.of(kind="required", biome=biome)}
    halves = line.score.halves if line.score else ()
    return agreement((half for half in halves if half.item in mine), replace(spec, items=mine))
