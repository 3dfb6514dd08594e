"""The rule's placement: a table of regions in the code, rectangles or circles with a level. Ours, and no more than that.

A world that places its regions by formulas alone has no layout that this rule can read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from benchmarks.worldbench.evidence import BIOMES, Layout, Quote
from benchmarks.worldbench.judges.rule_code import Code
from benchmarks.worldbench.source.names import Names

LEAST_ROWS = 3
"""A table with fewer regions is none."""
TOUCH = 0.15
"""Circles touch whose gap is at most this share of their radii together."""
_NUMBER = r"-?(?:\d+\.?\d*|\.\d+)"
_KEY = re.compile(r"""^\s*\{?\s*(?:(?:id|key|name|n)\s*:\s*)?\[?['"]?([A-Za-z_]\w*)['"]?\s*[:,]""")
_PLOT = re.compile(rf"\[\s*({_NUMBER})\s*,\s*({_NUMBER})\s*,\s*({_NUMBER})\s*,\s*({_NUMBER})\s*\]")
_FIELD = re.compile(rf"\b([A-Za-z_]\w*)\s*:\s*({_NUMBER})")
_LEVEL = ("level", "base", "height", "elevation", "elev", "alt", "altitude", "h", "y")
_X, _Z = ("x", "cx"), ("z", "cz")
_R = ("r", "radius", "rad", "rx", "size", "w")
Plot = tuple[float, float, float, float]


@dataclass(frozen=True)
class Row:
    """A region's row: rectangles (x0, z0, x1, z1), or a circle (x, z, radius), and its level, in the page's units."""

    biome: str
    at: int
    plots: tuple[Plot, ...]
    circle: tuple[float, float, float] | None
    level: float | None


def layout_of(code: Code) -> tuple[Layout, Mapping[str, Quote]]:
    """Neighbours and order of height from the table of regions, and each region's row as its quote; empty where no
    such table is found."""
    rows = _rows(code)
    if len(rows) < LEAST_ROWS:
        return Layout(), {}
    edges = frozenset((min(a, b), max(a, b)) for a, b in combinations(rows, 2) if _touch(rows[a], rows[b]))
    levels = sorted({row.level for row in rows.values() if row.level is not None}, reverse=True)
    rank = {biome: levels.index(row.level) for biome, row in rows.items() if row.level is not None}
    quotes = {biome: code.quote(row.at, biome) for biome, row in rows.items()}
    return Layout(edges, rank), {biome: quote for biome, quote in quotes.items() if quote.verified}


def _rows(code: Code) -> dict[str, Row]:
    names = Names(code.spec.aliases)
    found: dict[str, Row] = {}
    for at, line in enumerate(code.lines):
        key = _KEY.match(line.text)
        named = names.of_name(key[1], member=True) if key else frozenset()
        if len(named) != 1:
            continue
        (biome,) = named
        row = _row(biome, at, line.text)
        if row is not None and biome in BIOMES:
            found.setdefault(biome, row)
    return found


def _row(biome: str, at: int, text: str) -> Row | None:
    plots = tuple(
        (float(one[1]), float(one[2]), float(one[3]), float(one[4])) for one in _PLOT.finditer(text)
    )
    fields = {name: float(value) for name, value in reversed(_FIELD.findall(text))}
    x, z, radius = (next((fields[name] for name in names if name in fields), None) for names in (_X, _Z, _R))
    circle = (x, z, radius) if x is not None and z is not None and radius is not None else None
    if not plots and circle is None:
        return None
    level = next((fields[name] for name in _LEVEL if name in fields), None)
    return Row(biome, at, plots, circle, level)


def _touch(a: Row, b: Row) -> bool:
    if a.plots and b.plots:
        return any(_share_border(one, other) for one in a.plots for other in b.plots)
    if a.circle and b.circle:
        gap = math.dist(a.circle[:2], b.circle[:2])
        return gap <= (1 + TOUCH) * (a.circle[2] + b.circle[2])
    return False


def _share_border(a: Plot, b: Plot) -> bool:
    over_x = min(a[2], b[2]) - max(a[0], b[0])
    over_z = min(a[3], b[3]) - max(a[1], b[1])
    return over_x >= 0 and over_z >= 0 and (over_x > 0 or over_z > 0)
