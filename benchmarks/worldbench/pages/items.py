"""Every item of one world: its halves side by side, the quote in its context, the frames, the measurement."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from benchmarks.worldbench.evidence import BIOMES, Half
from benchmarks.worldbench.pages.words import CHANNELS, view_words
from benchmarks.worldbench.spec import TESTS, Item, Spec
from benchmarks.worldbench.summary import WorldScore, maximum
from benchmarks.worldbench.totals import shown
from embodied_eval.benchmark import Entry, Excerpt, Gauge, Part, Picture, Sheet, Trajectory

AROUND = 2
"""Lines shown before and after those that a quote stands in."""
MOST_LINES = 14
MOST_EXCERPTS = 2
MOST_CHARS = 220
MOST_PICTURES = 4


def item_sheets(world: WorldScore, trajectory: Trajectory, spec: Spec) -> tuple[Sheet, ...]:
    """One sheet a test, one a region in tests that have regions. Forbidden things are listed where they were found."""
    halves: dict[str, list[Half]] = {}
    for half in world.halves:
        halves.setdefault(half.item, []).append(half)
    lines = tuple(_html(trajectory).split("\n"))
    page = _Page(world.episode.episode_key, lines, frozenset(trajectory.frames))
    return tuple(
        _sheet(test, biome, world, halves, page, spec)
        for test in TESTS
        for biome in (BIOMES if test in ("WC003", "WC004") else ("",))
    )


class _Page:
    """What parts rest on: the file's lines and the stored frames."""

    def __init__(self, key: str, lines: Sequence[str], frames: frozenset[str]) -> None:
        self.key, self.lines, self.frames = key, lines, frames

    def excerpts(self, marked: Sequence[tuple[int, int]]) -> tuple[Excerpt, ...]:
        """The lines `marked` (first, last) with those around them, overlapping ones joined."""
        spans: list[tuple[int, int, list[tuple[int, int]]]] = []
        for first, last in sorted(marked):
            low, high = max(1, first - AROUND), min(len(self.lines), last + AROUND)
            if low > len(self.lines):
                continue
            if spans and low <= spans[-1][1] + 1:
                spans[-1] = (spans[-1][0], max(high, spans[-1][1]), [*spans[-1][2], (first, last)])
            else:
                spans.append((low, high, [(first, last)]))
        return tuple(
            Excerpt(low, _outdented(self.lines[low - 1 : min(high, low - 1 + MOST_LINES)]), tuple(hits))
            for low, high, hits in spans[:MOST_EXCERPTS]
        )

    def pictures(self, refs: Sequence[str]) -> tuple[Picture, ...]:
        """The frames `refs`; for a burst's close view its changed pixels too."""
        found = [ref for ref in dict.fromkeys(refs) if ref in self.frames]
        return tuple(Picture(self.key, ref, view_words(ref)) for ref in found[:MOST_PICTURES])


def _sheet(
    test: str, biome: str, world: WorldScore, halves: Mapping[str, Sequence[Half]], page: _Page, spec: Spec
) -> Sheet:
    totals = world.totals
    points = totals.biomes[test][biome] if biome else totals.tests[test]
    of = 10 if biome else maximum(test.lower())
    entries = tuple(
        _entry(item, halves[item.id], page)
        for item in spec.of(test=test, biome=biome or None)
        if item.id in halves and (not item.forbidden or _found(halves[item.id]))
    )
    title = f"{TESTS[test].capitalize()}: {biome}" if biome else TESTS[test].capitalize()
    score = f"{shown(points)} of {of}" if points is not None else "unjudged"
    return Sheet(title, score, None if points is None else float(points / of), entries)


def _found(halves: Sequence[Half]) -> bool:
    return any(half.earned < 0 or half.error for half in halves)


def _entry(item: Item, halves: Sequence[Half], page: _Page) -> Entry:
    return Entry(item.id, item.text, tuple(_parts(item, halves, page)))


def _parts(item: Item, halves: Sequence[Half], page: _Page) -> Iterator[Part]:
    for half in halves:
        refs = list(half.refs)
        if half.channel == "burst" and half.measured is not None:
            refs = [f"overlay:near:{item.biome}", f"overlay:far:{item.biome}"]
        yield Part(
            CHANNELS[half.channel],
            _state(half),
            _score(half),
            half.error or half.reason,
            page.pictures(refs),
            page.excerpts(half.lines),
            _gauge(half),
        )


def _state(half: Half) -> Literal["pass", "partial", "fail", "errored"]:
    if half.error:
        return "errored"
    if half.earned >= half.of:
        return "pass"
    return "partial" if half.earned > 0 else "fail"


def _score(half: Half) -> str:
    if half.error:
        return ""
    return f"{shown(half.earned)} of {shown(half.of)}" if half.of else f"{shown(half.earned)} points"


def _gauge(half: Half) -> Gauge | None:
    if half.measured is None or half.threshold is None:
        return None
    return Gauge(half.measured, half.threshold, f"{half.measured:.4g} measured, {half.threshold:.4g} needed")


def _outdented(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines without the space that all of them begin with, cut where nobody reads on."""
    return tuple(_cut(line) for line in textwrap.dedent("\n".join(lines)).split("\n"))


def _cut(line: str) -> str:
    return line if len(line) <= MOST_CHARS else f"{line[:MOST_CHARS]} … ({len(line) - MOST_CHARS} more)"


def _html(trajectory: Trajectory) -> str:
    rows = trajectory.rows.get("worlds", ())
    return str(rows[-1].get("html", "")) if rows else ""
