"""The items as a page of documentation: `python -m benchmarks.worldbench.items_table > docs/worldbench-items.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction

from benchmarks.worldbench.evidence import BIOMES
from benchmarks.worldbench.spec import TESTS, Item, Placement, Spec, load_spec

INTRODUCTION = """\
# What WorldBench grades

<!-- Written by `python -m benchmarks.worldbench.items_table`; change the files in `benchmarks/worldbench/spec/`. -->

Items, wordings and weights are ours: the paper tells its five tests, their subject and their 280 points, the 73
required items and how evidence is checked, but prints no table of items. **Totals are therefore not comparable with
the published ones.** All points are exact fractions; they are rounded only in print.

| test | subject | points | items |
|---|---|---|---|
"""
RULES = """
How each kind earns:

- **source** (WC001): points times the judge's probability, if its quote stands in the source. The bug hunt adds
  20 times the share of clean frames; fewer than three wide frames that show block terrain give nothing.
- **coverage** (WC002): one point where the region is found by a quote or by a frame identified blind, one where the
  rules below hold. Rules on regions that are not there are left out.
- **required** (WC003): half for a quote that stands, half for a sighting in a confirmed or wide frame.
- **still** (WC004): the same halves. **moving**: a quarter each for the look quote, the sighting, the motion quote
  and the burst, in which pixels must change; for animals (no burst) the motion quote counts half.
- **time** (WC005): half for a look and a motion quote together, half for what is measured or judged on the frames of
  the times and seasons; some items, and all where no time of day can be set, stand on code alone.
- **forbidden**: found by either channel or both, it costs its points once. A region never falls below 0 in a test.
- **gates**: sea over the void takes all that the delta has: its contents where one of the overview, the left and the
  bottom orbit or its own close frame shows it, its look where two of the five wide frames do.
"""


def items_table(spec: Spec) -> str:
    """The whole page, Markdown."""
    return "\n".join(_lines(spec)) + "\n"


def _lines(spec: Spec) -> Iterator[str]:
    yield INTRODUCTION.rstrip("\n")
    for test, subject in TESTS.items():
        worth = sum((item.points for item in spec.of(test=test) if not item.forbidden), Fraction(0))
        yield f"| {test} | {subject} | {_points(worth)} | {len(spec.of(test=test))} |"
    yield RULES.rstrip("\n")
    yield from _table("WC001 voxel island", spec.of(test="WC001"))
    yield from _placement(spec)
    for biome in BIOMES:
        yield from _table(f"WC003 contents: {biome}", spec.of(test="WC003", biome=biome))
    for biome in BIOMES:
        yield from _table(f"WC004 look and physics: {biome}", spec.of(test="WC004", biome=biome))
    yield from _table("WC005 day, night and seasons", spec.of(test="WC005"))
    yield from _thresholds(spec)


def _table(title: str, items: tuple[Item, ...]) -> Iterator[str]:
    yield from ("", f"## {title}", "", "| id | points | kind | what is asked |", "|---|---|---|---|")
    for item in items:
        points = _points(-item.points if item.forbidden else item.points)
        yield f"| `{item.id}` | {points} | {_kind(item)} | {item.text} |"


def _kind(item: Item) -> str:
    name = "forbidden" if item.forbidden and item.kind != "gate" else item.kind
    told = [item.axis, "animal" if item.fauna else "", f"then {item.second}" if item.second else ""]
    extra = ", ".join(filter(None, told)).replace("then none", "code alone")
    return f"{name} ({extra})" if extra else name


def _placement(spec: Spec) -> Iterator[str]:
    yield from (
        "",
        "## WC002 coverage and placement",
        "",
        "One point covered and one placed, for each region.",
        "",
    )
    yield from ("| id | touches | touches none of | higher than |", "|---|---|---|---|")
    for biome in BIOMES:
        rules = spec.rules[biome]
        cells = (_touches(rules), ", ".join(rules.touches_none), ", ".join(rules.higher_than))
        yield f"| `L.{biome}` | {' | '.join(cells)} |"


def _touches(rules: Placement) -> str:
    return ", ".join((*rules.touches_all, *filter(None, [" or ".join(rules.touches_any)])))


def _thresholds(spec: Spec) -> Iterator[str]:
    limits = spec.thresholds
    yield from ("", f"## Thresholds (version {limits.version})", "", "| decides | at least |", "|---|---|")
    yield f"| `T.light`: mean absolute difference of a time from day, 0..255 | {limits.light_difference} |"
    yield f"| `T.night`: luma of day less that of night, 0..255 | {limits.night_luma} |"
    yield f"| `T.dusk`: chromaticity shift from day | {limits.dusk_shift} |"
    yield f"| `T.tint`: chromaticity shift of a season from spring | {limits.season_shift} |"
    yield f"| moving items: share of pixels changed in a burst | {limits.motion_share} |"
    yield f"| a frame can show terrain: share of pixels unlike the background | {limits.terrain_share} |"
    yield ""
    yield f"A value within {limits.near:.0%} of its threshold is reported as near it."


def _points(points: Fraction) -> str:
    return str(points)


if __name__ == "__main__":
    sys.stdout.write(items_table(load_spec()))
