"""Which code is a biome's own: what it must stand in for a quote to count for that biome.

A biome owns a function, branch, call, row or property that is keyed by its name (an alias, or a constant that is
defined by one), and what is used from such code only. A comment or a table of numbers that names no biome makes
nothing anybody's own. The rule is the paper's ("a quote must come from that biome's own code"), the method ours.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping

from benchmarks.worldbench.evidence import Span
from benchmarks.worldbench.source.anchors import Anchor, Anchors
from benchmarks.worldbench.source.definitions import Definitions
from benchmarks.worldbench.source.names import Names
from benchmarks.worldbench.source.sourcemap import Source
from benchmarks.worldbench.source.statements import Syntax

_ROUNDS = 8
_WHOLE_WORLD = 3
_LOOKED_AT = 8


def slices(
    source: Source,
    aliases: Mapping[str, Iterable[str]],
    functions: Iterable[tuple[str, int, int]] = (),
) -> Mapping[str, tuple[Span, ...]]:
    """For each biome of `aliases`, the spans of `source` that are its own, sorted and apart.

    `functions`: (name, start, end) in characters of the HTML file, as the browser's coverage names them; they add to
    the functions found here. A keyed span in which three or more other biomes are keyed is the world's, not one
    biome's.
    """
    syntax = Syntax(source.tokens)
    definitions = Definitions(syntax)
    for name, start, end in functions:
        low, high = source.place(start), source.place(end)
        if low is not None and high is not None:
            definitions.add_function(name, low, high)
    found = Anchors(syntax, Names(aliases), definitions).found
    owned = Owned({biome: [] for biome in aliases})
    owned.add(_narrow(found))
    _spread(owned, definitions)
    return {biome: tuple(source.span(start, end) for start, end in owned.spans[biome]) for biome in aliases}


class Owned:
    """Character spans per biome, kept sorted and merged."""

    def __init__(self, spans: dict[str, list[tuple[int, int]]]) -> None:
        self.spans = spans
        self._starts: dict[str, list[int]] = {biome: [] for biome in spans}

    def add(self, found: Iterable[tuple[str, int, int]]) -> None:
        """Take in (biome, start, end) spans."""
        new: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for biome, start, end in found:
            new[biome].append((start, end))
        for biome, spans in new.items():
            self.spans[biome] = merged([*self.spans[biome], *spans])
            self._starts[biome] = [start for start, _ in self.spans[biome]]

    def holders(self, place: int) -> set[str]:
        """The biomes that own character `place`."""
        found = set()
        for biome, starts in self._starts.items():
            at = bisect_right(starts, place) - 1
            if at >= 0 and place < self.spans[biome][at][1]:
                found.add(biome)
        return found


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same characters in sorted spans that neither touch nor overlap."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], end))
        elif start < end:
            out.append((start, end))
    return out


def _narrow(found: list[Anchor]) -> list[tuple[str, int, int]]:
    """Without those in which `_WHOLE_WORLD` or more other biomes are keyed, and without branches, calls and rows
    that stand inside a function, class or property of another biome and of none of their own."""
    anchors = sorted(set(found))
    by_biome: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for biome, start, end, _ in anchors:
        by_biome[biome].append((start, end))

    def holds(biome: str, start: int, end: int) -> bool:
        """Whether something of the biome lies inside and is not all of it; of many only the first are looked at."""
        spans = by_biome[biome]
        at = bisect_left(spans, (start, 0))
        return any(
            high <= end and (low, high) != (start, end) and low < end
            for low, high in spans[at : at + _LOOKED_AT]
        )

    def others(biome: str, start: int, end: int) -> int:
        return sum(one != biome and holds(one, start, end) for one in by_biome)

    kept = [one for one in anchors if others(*one[:3]) < _WHOLE_WORLD]
    containers = Owned({biome: [] for biome in by_biome})
    containers.add(one[:3] for one in kept if one.container)
    out = []
    for biome, start, end, container in kept:
        holders = containers.holders(start)
        if container or not holders or biome in holders:
            out.append((biome, start, end))
    return out


def _spread(owned: Owned, definitions: Definitions) -> None:
    """Give a biome what only its own code uses, until nothing changes."""
    waiting = definitions.used()
    for _ in range(_ROUNDS):
        new: list[tuple[str, int, int]] = []
        left = []
        for one in waiting:
            holders = owned.holders(one.uses[0])
            for place in one.uses[1:]:
                if not holders:
                    break
                holders &= owned.holders(place)
            if holders:
                new.extend((biome, one.start, one.end) for biome in holders)
            else:
                left.append(one)
        if not new:
            return
        owned.add(new)
        waiting = left
