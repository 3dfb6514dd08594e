"""Whether a quote is text that the source contains, and whether it may count for its item. Pure.

The rules are the paper's: matching ignores whitespace, goes line by line, at least 80 % of the lines must be found, a
line counts when its first 85 % are verbatim; a quote comes from the biome's own code; one quote serves one item.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from benchmarks.worldbench.evidence import Quote, Span
from benchmarks.worldbench.source.hud import interface
from benchmarks.worldbench.source.slices import merged
from benchmarks.worldbench.source.sourcemap import Source, Squeezed
from benchmarks.worldbench.source.tokens import is_shader, without_comments
from benchmarks.worldbench.source.units import Units, units

SHORTEST = 8
"""Characters, without whitespace, below which a quote or one of its lines proves nothing."""
PREFIX = Fraction(85, 100)
LINES = Fraction(80, 100)
_MAX_OCCURRENCES = 64
LONGEST = 8_000
_LEAST_CODE = 4
_ROUND_IT = str.maketrans("", "", ";,{}")

TOO_SHORT = "shorter than 8 characters"
TOO_LONG = "longer than 8,000 characters"
COMMENT = "only a comment"
NOT_FOUND = "says that nothing was found"
IDENTIFIER = "only a name"
COORDINATES = "only numbers"
INTERFACE = "only a legend row or text of the interface"
ABSENT = "not in the source"
ELSEWHERE = "not in this biome's own code"
USED = "already serves another item"
SAME = "the same quote as the item's look"

_NOTHING = re.compile(
    r"\W*(?:n/?a|none|null|nil|(?:code |quote |text )?(?:is )?(?:not|no|never) (?:\w+ ){0,3}(?:found|present|available|exist"
    r"s?|evidence|code|quote|match(?:es)?|implement\w*|applicable|in (?:the )?(?:source|code))|missing|absent|nothing"
    r"(?: was)? found|unable to find|could not (?:be )?f(?:ind|ound)|cannot find)\b[^(){}=;]{0,80}",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:(?:return|var|let|const|new)\s+)?[A-Za-z_$][\w$]*(?:\??\.[\w$]+)*\s*[;,:]?")
# Keys of up to four letters (x, z, w, pts) in front of a number or bracket, and what declares a table.
_KEYS = re.compile(
    r"(?:const|let|var)[A-Za-z_$][\w$]{0,3}=(?=[\[({])|(?<![\w$])[A-Za-z_$][\w$]{0,3}[:=](?=[\d.\[({-])|0[xX][0-9a-fA-F]+|(?<=\d)[eE](?=[-\d])"
)
_LETTERS = re.compile(r"[A-Za-z_$'\"`\u0080-\U0010ffff]")


@dataclass(frozen=True)
class Match:
    """Where a quote stands: character spans of the source, sorted and apart."""

    spans: tuple[tuple[int, int], ...]


class Matcher:
    """Finds quotes in one source; build it once and ask it often."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.units: Units = units(source)

    @cached_property
    def _dull(self) -> list[tuple[int, int]]:
        """Interface code, and text: strings that hold no code for the graphics card."""
        tokens = self.source.tokens
        texts = [
            (start, start + len(word))
            for kind, word, start in zip(tokens.kinds, tokens.words, tokens.starts, strict=True)
            if kind in "st" and not (is_shader(word) or (";" in word and "=" in word and "<" not in word))
        ]
        return merged([*interface(self.source), *texts])

    def verify(self, quote: str, own: Sequence[Span] | None = None) -> Quote:
        """The quote with the spans of the source that it matches, or with the reason why it is refused.

        Where it occurs several times the first counts; with `own`, the first with a line in one of those spans,
        and it is refused where there is none. Of a quote that only matches line by line, half of the lines must.
        """
        refused = _refused(quote)
        if refused:
            return Quote(quote, refused=refused)
        allowed = None if own is None else merged((one.start, one.end) for one in own)
        match = self._match(quote, allowed)
        if match is None and allowed is not None and self._match(quote, None) is not None:
            return Quote(quote, refused=ELSEWHERE)
        if match is None:
            return Quote(quote, refused=ABSENT)
        if self._proves_nothing(match):
            return Quote(quote, refused=INTERFACE)
        return Quote(quote, tuple(self.source.span(start, end) for start, end in match.spans))

    def find(self, text: str, own: Sequence[Span] | None = None) -> tuple[int, int] | None:
        """Characters [start, end) where all of `text` stands verbatim as code, with `own` rather in one of those
        spans; None where it does not."""
        allowed = None if own is None else merged((one.start, one.end) for one in own)
        return (self._find(text, allowed) if allowed else None) or self._find(text, None)

    def key(self, quote: Quote) -> str:
        """What makes two quotes the same: a hash of the code they match, without space, comments and the marks
        that only separate."""
        code = []
        for span in quote.spans:
            low, high = self.source.code.index(span.start), self.source.code.index(span.end)
            code.append(self.source.code.text[low:high])
        return hashlib.sha256("".join(code).translate(_ROUND_IT).encode()).hexdigest()

    def _match(self, text: str, own: list[tuple[int, int]] | None) -> Match | None:
        whole = self._find(text, own)
        if whole is not None:
            return Match((whole,))
        # Word for word, but elsewhere: then its lines may not be picked from here and there.
        if own is not None and self._find(text, None) is not None:
            return None
        lines = self._lines(text)
        if len(lines) <= 1:
            found = self._find_prefix(lines[0] if lines else text, own)
            return None if found is None else Match((found,))
        hits, inside = [], 0
        for line in lines:
            hit = self._find(line, own) or self._find_prefix(line, own)
            if hit is not None:
                inside += 1
            elif own is not None:
                hit = self._find(line, None) or self._find_prefix(line, None)
            if hit is not None:
                hits.append(hit)
        if Fraction(len(hits), len(lines)) < LINES or inside * 2 < len(hits):
            return None
        return Match(tuple(merged(hits)))

    def _lines(self, text: str) -> list[str]:
        """The quote's lines that are long enough to count; statements where the source counts by them."""
        if self.units.mode == "statement":
            pieces = re.split(r"(?<=[;{}])|\n", text)
        else:
            pieces = text.split("\n")
        return [one for one in pieces if len(_squeezed(without_comments(one))) >= SHORTEST]

    def _find(self, text: str, own: list[tuple[int, int]] | None) -> tuple[int, int] | None:
        """Where all of `text` stands as code: without its comments, or as it is."""
        bare = _squeezed(without_comments(text))
        if len(bare) >= SHORTEST:
            found = self._occurrence(self.source.code, bare, own)
            if found is not None:
                return found
        whole = _squeezed(text)
        return self._occurrence(self.source.full, whole, own) if len(whole) >= SHORTEST else None

    def _occurrence(
        self, where: Squeezed, wanted: str, own: list[tuple[int, int]] | None
    ) -> tuple[int, int] | None:
        at = -1
        for _ in range(_MAX_OCCURRENCES if own is None else _MAX_OCCURRENCES * 8):
            at = where.text.find(wanted, at + 1)
            if at < 0:
                return None
            start, end = where.place(at), where.place(at + len(wanted) - 1) + 1
            if self.source.code_length(start, end) >= min(SHORTEST, len(wanted)) and (
                own is None or self._inside(start, end, own)
            ):
                return start, end
        return None

    def _inside(self, start: int, end: int, own: list[tuple[int, int]]) -> bool:
        """Whether enough of the code in [start, end) to count as a line lies in `own`."""
        length = self.source.code_length(start, end)
        shared = sum(
            self.source.code_length(max(start, low), min(end, high))
            for low, high in own
            if low < end and start < high
        )
        return shared >= min(SHORTEST, length)

    def _find_prefix(self, line: str, own: list[tuple[int, int]] | None) -> tuple[int, int] | None:
        """Where a line stands whose end was garbled: its first 85 % verbatim. The match runs to the line's end."""
        bare = _squeezed(without_comments(line)) or _squeezed(line)
        need = -(-len(bare) * PREFIX.numerator // PREFIX.denominator)
        if len(bare) < SHORTEST or need < 1:
            return None
        found = self._occurrence(self.source.code, bare[:need], own)
        if found is None:
            return None
        start, end = found
        around = self.units.within(end - 1, end)
        return start, max(end, around[-1][1] if around else end)

    def _proves_nothing(self, match: Match) -> bool:
        """Whether all of its code lies in interface code or inside strings."""
        code = 0
        for start, end in match.spans:
            code += self.source.code_length(start, end)
            for low, high in _overlapping(self._dull, start, end):
                code -= self.source.code_length(max(start, low), min(end, high))
        return code < _LEAST_CODE


def verify(quote: str, source: Source, own: Sequence[Span] | None = None) -> Quote:
    """As `Matcher.verify`, for a single quote."""
    return Matcher(source).verify(quote, own)


def _overlapping(spans: list[tuple[int, int]], start: int, end: int) -> Iterable[tuple[int, int]]:
    at = max(0, bisect_right(spans, (start, start)) - 1)
    while at < len(spans) and spans[at][0] < end:
        if spans[at][1] > start:
            yield spans[at]
        at += 1


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _refused(text: str) -> str:
    """Why the quote's own form rules it out; "" where it does not."""
    if len(text) > LONGEST:
        return TOO_LONG
    bare = _squeezed(text)
    if _NOTHING.fullmatch(text.strip()):
        return NOT_FOUND
    if len(bare) < SHORTEST:
        return TOO_SHORT
    code = _squeezed(without_comments(text))
    if len(code) < SHORTEST:
        return COMMENT
    if _NAME.fullmatch(without_comments(text).strip()):
        return IDENTIFIER
    if not _LETTERS.search(_KEYS.sub("", code)):
        return COORDINATES
    return ""


Kind = Literal["look", "motion"]


@dataclass(frozen=True)
class _Offer:
    item: str
    kind: Kind
    biome: str
    texts: tuple[str, ...]
    repaired: bool


class Ledger:
    """Gives each quote to one item of the world. `order`: all items in the spec's order; the earlier keeps a quote
    that two claim, and of one item the look comes before the motion. `slices`: each biome's own code."""

    def __init__(self, source: Source, slices: Mapping[str, Sequence[Span]], order: Sequence[str]) -> None:
        self.matcher = Matcher(source)
        self._slices = slices
        self._order = {item: at for at, item in enumerate(order)}
        self._offers: dict[tuple[str, Kind], _Offer] = {}

    def offer(self, item: str, biome: str, *texts: str, kind: Kind = "look", repaired: bool = False) -> None:
        """Claim `texts`, the best first, for the item; the first that counts is taken. `biome` "": any code will
        do. A second offer for the same item and kind replaces the first."""
        self._offers[item, kind] = _Offer(item, kind, biome, texts, repaired)

    def settle(self) -> Mapping[tuple[str, Kind], Quote]:
        """For each offer (item, kind) the quote that counts, or its first one with the reason why none does."""
        last = len(self._order)
        offers = sorted(
            self._offers.values(), key=lambda one: (self._order.get(one.item, last), one.item, one.kind)
        )
        taken: dict[str, str] = {}
        settled: dict[tuple[str, Kind], Quote] = {}
        for one in offers:
            own = self._slices.get(one.biome, ()) if one.biome else None
            first: Quote | None = None
            for text in one.texts:
                quote = replace(self.matcher.verify(text, own), repaired=one.repaired)
                if quote.verified:
                    key = self.matcher.key(quote)
                    holder = taken.get(key)
                    if holder is None:
                        taken[key] = one.item
                        settled[one.item, one.kind] = quote
                        break
                    quote = replace(quote, spans=(), refused=SAME if holder == one.item else USED)
                first = first or quote
            else:
                settled[one.item, one.kind] = first or Quote("", refused=ABSENT)
        return settled
