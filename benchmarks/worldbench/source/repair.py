"""A failing quote put right before it is matched: its pieces are looked up and replaced by the real lines around them.

The matcher is never loosened: pieces count only verbatim, and at least 80 % of them must be found, as of lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.worldbench.evidence import Quote, Span
from benchmarks.worldbench.source.quotes import LINES, SHORTEST, Matcher

MOST_LINES = 12
_CUTS = re.compile(r"[;\n]|\.\.\.|…")
_MAX_PIECES = 200


@dataclass(frozen=True)
class Repair:
    """`text`: the real lines, "" where too few pieces were found; `missing`: the pieces that the source does not
    hold, which a model may still be asked the line numbers of."""

    text: str
    missing: tuple[str, ...] = ()


def repaired(text: str, matcher: Matcher, own: Sequence[Span] | None = None) -> Repair:
    """Cut `text` at semicolons, line ends and ellipses, and take the full source lines (statements, where the source
    counts by them) that hold the pieces, at most `MOST_LINES` of them."""
    pieces = [one.strip() for one in _CUTS.split(text) if len("".join(one.split())) >= SHORTEST]
    pieces = list(dict.fromkeys(pieces))[:_MAX_PIECES]
    lines: list[tuple[int, int]] = []
    missing = []
    for piece in pieces:
        place = matcher.find(piece, own)
        if place is None:
            missing.append(piece)
            continue
        for line in matcher.units.within(*place):
            if line not in lines:
                lines.append(line)
    if not pieces or Fraction(len(pieces) - len(missing), len(pieces)) < LINES:
        return Repair("", tuple(missing))
    kept = sorted(lines[:MOST_LINES])
    source = matcher.source.text
    return Repair("\n".join(source[start:end].strip() for start, end in kept), tuple(missing))


def verified_or_repaired(text: str, matcher: Matcher, own: Sequence[Span] | None = None) -> Quote:
    """The quote as it is if it verifies, else repaired and marked so, else as it was refused."""
    first = matcher.verify(text, own)
    if first.verified:
        return first
    mended = repaired(text, matcher, own)
    if not mended.text:
        return first
    second = matcher.verify(mended.text, own)
    return Quote(second.text, second.spans, repaired=True) if second.verified else first


def from_lines(numbers: Sequence[int], matcher: Matcher) -> str:
    """The text of the lines that a model named by number (`Units.numbers`), at most `MOST_LINES`; "" for none."""
    return matcher.units.joined(numbers, MOST_LINES)
