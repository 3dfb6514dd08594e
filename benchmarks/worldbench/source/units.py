"""What a "line" of a source is: a file line, or a statement where a page packs its code into very long lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Literal

from benchmarks.worldbench.evidence import Span
from benchmarks.worldbench.source.sourcemap import Source

Mode = Literal["line", "statement"]
LONG_LINE = 200
"""Characters; with a median line above it, statements take the place of lines."""


@dataclass(frozen=True)
class Units:
    """The lines of a source, without the empty ones. `numbers[i]` is the number by which `spans[i]` is shown and
    asked for: the file's line, or the statement's position from 1."""

    source: Source
    mode: Mode
    spans: tuple[tuple[int, int], ...]
    numbers: tuple[int, ...]

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.spans]

    def text(self, number: int) -> str:
        """The line of that number, without the space around it; "" where there is none."""
        at = bisect_right(self.numbers, number) - 1
        if at < 0 or self.numbers[at] != number:
            return ""
        start, end = self.spans[at]
        return self.source.text[start:end].strip()

    def within(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """The lines that hold any of the characters [start, end)."""
        first = max(0, bisect_right(self._starts, start) - 1)
        found = []
        for low, high in self.spans[first:]:
            if low >= end:
                break
            if high > start:
                found.append((low, high))
        return tuple(found)

    def numbers_of(self, span: Span) -> tuple[int, ...]:
        """The numbers of the lines that hold any of the span's characters."""
        first = max(0, bisect_right(self._starts, span.start) - 1)
        found = []
        for at in range(first, len(self.spans)):
            low, high = self.spans[at]
            if low >= span.end:
                break
            if high > span.start:
                found.append(self.numbers[at])
        return tuple(found)

    def joined(self, numbers: Iterable[int], most: int = 12) -> str:
        """The lines of those numbers, in order of the file, each once, at most `most` of them."""
        wanted = sorted(set(numbers))
        texts = [text for text in (self.text(number) for number in wanted) if text]
        return "\n".join(texts[:most])


def units(source: Source) -> Units:
    """The lines of `source`; statements where the median line that is not empty exceeds `LONG_LINE` characters."""
    lines = []
    for script in source.scripts:
        at = script.start
        while at < script.end:
            end = source.text.find("\n", at, script.end)
            end = script.end if end < 0 else end
            if source.text[at:end].strip():
                lines.append((at, end))
            at = end + 1
    if lines and median(end - start for start, end in lines) > LONG_LINE:
        spans = tuple(_statements(source, lines))
        return Units(source, "statement", spans, tuple(range(1, len(spans) + 1)))
    return Units(source, "line", tuple(lines), tuple(source.line(start) for start, _ in lines))


def _statements(source: Source, lines: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Each line cut behind every semicolon outside of parentheses and at every brace of code."""
    tokens = source.tokens
    _, parent = tokens.pairs
    cuts = []
    for index, word in enumerate(tokens.words):
        kind = tokens.kinds[index]
        outer = parent[index]
        round_ = outer >= 0 and tokens.words[outer] in ("(", "[")
        if (word == ";" and kind == "o" and not round_) or (word in ("{", "}") and kind == "b"):
            cuts.append(tokens.end(index))
    spans = []
    at = 0
    for start, end in lines:
        while at < len(cuts) and cuts[at] <= start:
            at += 1
        begin = start
        while at < len(cuts) and cuts[at] < end:
            if source.text[begin : cuts[at]].strip():
                spans.append((begin, cuts[at]))
            begin = cuts[at]
            at += 1
        if source.text[begin:end].strip():
            spans.append((begin, end))
    return spans
