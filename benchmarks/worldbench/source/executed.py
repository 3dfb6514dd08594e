"""Whether quoted code ever ran, by the browser's precise coverage.

Coverage gives ranges of the HTML file, nested, each with a count; the innermost decides. Which lines of a quote must
have run for it to count as executed is ours.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from benchmarks.worldbench.evidence import Quote, Span
from benchmarks.worldbench.source.units import Units

Range = tuple[int, int, int]
"""(start, end, count) in characters of the HTML file with line ends as "\\n"."""

# What only leads into a block says nothing of whether the block ran.
_LEADS_IN = re.compile(
    r"[\s}]*(?:(?:else\s+)?(?:if|for|while|switch)\b.*\{|else\s*\{|(?:async\s+)?function\b[^{]*\{|.*=>\s*\{|do\s*\{|try\s*\{)\s*",
    re.DOTALL,
)
_MAX_LEAD = 300


@dataclass(frozen=True)
class Executed:
    """Runs of the source's characters: `starts[i]` up to `starts[i + 1]` ran (True), did not (False), or nothing is
    known of it (None)."""

    units: Units
    starts: tuple[int, ...]
    ran: tuple[bool | None, ...]

    def of_span(self, span: Span) -> bool | None:
        """Whether one of the span's lines ran: at least half of the line's code, lines that only lead into a block
        left out where there are others. None where coverage knows nothing of them."""
        source = self.units.source
        known: list[tuple[bool, bool]] = []
        for low, high in self.units.within(span.start, span.end):
            low, high = max(low, span.start), min(high, span.end)
            yes, no = self._code(low, high)
            if yes + no:
                text = source.text[low:high]
                leads = len(text) <= _MAX_LEAD and _LEADS_IN.fullmatch(text) is not None
                known.append((yes >= no, leads))
        telling = [ran for ran, leads in known if not leads] or [ran for ran, _ in known]
        return any(telling) if telling else None

    def of_quote(self, quote: Quote) -> bool | None:
        """Whether some line of the quote ran; None where it was refused or nothing is known."""
        known = [one for one in (self.of_span(span) for span in quote.spans) if one is not None]
        return any(known) if known else None

    def mark(self, quote: Quote) -> Quote:
        """The quote with `executed` filled in."""
        return replace(quote, executed=self.of_quote(quote))

    def never_ran(self) -> tuple[Span, ...]:
        """The code that coverage knows and that never ran."""
        source = self.units.source
        ends = (*self.starts[1:], len(source.text))
        return tuple(
            source.span(start, end)
            for start, end, ran in zip(self.starts, ends, self.ran, strict=True)
            if ran is False and source.code_length(start, end)
        )

    def _code(self, low: int, high: int) -> tuple[int, int]:
        """How many characters of code in [low, high) ran, and how many did not."""
        counts = {True: 0, False: 0}
        at = max(0, bisect_right(self.starts, low) - 1)
        while at < len(self.starts) and self.starts[at] < high:
            end = self.starts[at + 1] if at + 1 < len(self.starts) else high
            ran = self.ran[at]
            if ran is not None:
                start, stop = max(low, self.starts[at]), min(high, end)
                counts[ran] += self.units.source.code_length(start, stop)
            at += 1
        return counts[True], counts[False]


def executed(units: Units, takes: Iterable[Iterable[Sequence[Range]]]) -> Executed:
    """What ran of a source. `takes`: each time coverage was read, the ranges of every function, the first of which
    is the whole function. Code that ran in any take ran."""
    source = units.source
    ran: dict[int, bool | None] = {0: None}
    for functions in takes:
        painted = _painted([one for ranges in functions for one in ranges])
        known = [(place, count) for html, count in painted if (place := source.place(html)) is not None]
        ran = _joined(ran, known)
    starts = tuple(sorted(ran))
    return Executed(units, starts, tuple(ran[one] for one in starts))


def _painted(ranges: list[Range]) -> list[tuple[int, bool | None]]:
    """The innermost range's say from each place on, in order; None behind the last."""
    ordered = sorted(enumerate(ranges), key=lambda one: (one[1][0], -one[1][1], one[0]))
    out: list[tuple[int, bool | None]] = []
    open_: list[Range] = []

    def close(until: int) -> None:
        while open_ and open_[-1][1] <= until:
            end = open_.pop()[1]
            out.append((end, open_[-1][2] > 0 if open_ else None))

    for _, (start, end, count) in ordered:
        close(start)
        if end > start:
            open_.append((start, end, count))
            out.append((start, count > 0))
    close(max((end for _, end, _ in ranges), default=0))
    return out


def _joined(first: dict[int, bool | None], second: list[tuple[int, bool | None]]) -> dict[int, bool | None]:
    """Both at once: what ran in either ran, and what is known in either is known."""
    later = {0: None, **dict(second)}
    out: dict[int, bool | None] = {}
    one: bool | None = None
    two: bool | None = None
    for place in sorted({*first, *later}):
        one, two = first.get(place, one), later.get(place, two)
        said = [value for value in (one, two) if value is not None]
        out[place] = any(said) if said else None
    return out
