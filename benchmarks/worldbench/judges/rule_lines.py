"""The lines of a source as the rule reads them: their words, the things they name, whose they are. Ours."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.worldbench.evidence import Span
from benchmarks.worldbench.judges.rule_words import SHORTEST, words
from benchmarks.worldbench.source.hud import interface
from benchmarks.worldbench.source.sourcemap import Source
from benchmarks.worldbench.source.tokens import KEYWORDS
from benchmarks.worldbench.source.units import units

LONGEST = 700
"""Characters of a line that can be read as one notion."""
NAMED_ONLY = 0.25
COMMON_NAME = 60
"""A name that stands on more lines than this names nothing in particular."""
_LETTERS = re.compile(r"[A-Za-z]{3}")
_COLOR = re.compile(r"""^["'`]#?[0-9a-fA-F]{3,8}["'`]$""")
_HEADER = re.compile(
    r"(?:export\s+|default\s+|async\s+)*(?:function\b|class\b|constructor\s*\(|get\s|set\s|\w+\s*\([\w\s,={}]*\)\s*\{)"
)
_NOISE = frozenset(("three", "math", "object", "array", "number", "json", "console", "window", "document"))


@dataclass(frozen=True)
class Line:
    """Characters [start, end) of the source. `said`: the words of its strings, or of its names where it has none;
    `heard`: the words by which the things that it uses were called when they were made. `names`: identifiers in it;
    `makes`: those it gives a value to. `owners`: the biomes whose code it is. `calls`: it calls or creates something."""

    start: int
    end: int
    text: str
    said: tuple[str, ...]
    heard: tuple[str, ...]
    names: frozenset[str]
    makes: frozenset[str]
    owners: frozenset[str]
    calls: bool
    labelled: bool


def lines_of(source: Source, own: Mapping[str, Sequence[Span]]) -> tuple[Line, ...]:
    """The lines that can prove anything: no comments, no interface, nothing overlong."""
    dull = interface(source)
    found = [
        _line(source, start, end, own)
        for start, end in units(source).spans
        if end - start <= LONGEST and not _inside(start, end, dull) and not _leads_in(source.text[start:end])
    ]
    return tuple(_with_heard([line for line in found if line is not None]))


def _leads_in(text: str) -> bool:
    """Whether a line only begins a function or a class: its name promises, it shows nothing."""
    text = text.strip()
    return text.endswith("{") and _HEADER.match(text) is not None


def _inside(start: int, end: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(low < end and start < high for low, high in spans)


def _line(source: Source, start: int, end: int, own: Mapping[str, Sequence[Span]]) -> Line | None:
    tokens = source.tokens
    low, high = bisect_left(tokens.starts, start), bisect_left(tokens.starts, end)
    names: list[str] = []
    strings: list[str] = []
    makes: set[str] = set()
    calls = False
    for index in range(low, high):
        kind, word = tokens.kinds[index], tokens.words[index]
        if kind == "i" and word not in KEYWORDS:
            names.append(word)
            if index + 1 < len(tokens.words) and tokens.words[index + 1] == "=":
                makes.add(word)
        elif kind in "st" and _LETTERS.search(word) and not _COLOR.match(word):
            strings.append(word)
        calls = calls or word == "(" or word == "new"
    if not names and (not strings or not any(kind == "n" for kind in tokens.kinds[low:high])):
        return None  # empty, or a row of words as a legend has
    if "title" in makes and set(names) <= {"document", "window", "title"}:
        return None
    spoken = tuple(word for one in strings for word in words(one))
    named = tuple(
        word for one in names for word in words(one) if len(word) >= SHORTEST and word not in _NOISE
    )
    return Line(
        start,
        end,
        source.text[start:end].strip(),
        spoken or named,
        (),
        frozenset(names),
        frozenset(makes),
        _owners(start, end, own),
        calls,
        bool(spoken),
    )


def _owners(start: int, end: int, own: Mapping[str, Sequence[Span]]) -> frozenset[str]:
    """The biomes whose code a line is. Where one owns far more around it than another, the other is only named."""
    around = {
        biome: max(
            (span.end - span.start for span in spans if span.start < end and start < span.end), default=0
        )
        for biome, spans in own.items()
    }
    most = max(around.values(), default=0)
    return frozenset(biome for biome, size in around.items() if size and size >= NAMED_ONLY * most)


def _with_heard(lines: Sequence[Line]) -> list[Line]:
    """Lines that use a thing by its name hear what it was called where it was made, in the same biome's code first."""
    made: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        if line.labelled:
            for name in line.makes:
                made[name].append(line)
    out = []
    for line in lines:
        heard: list[str] = []
        for name in sorted(line.names - line.makes):
            makers = made.get(name, ())
            near = [one for one in makers if one.owners & line.owners] or (
                list(makers) if len(makers) == 1 else []
            )
            if near:
                heard += min(near, key=lambda one: abs(one.start - line.start)).said
        out.append(replace(line, heard=tuple(heard)))
    return out


def telling_names(lines: Sequence[Line]) -> Mapping[str, int]:
    """The names that some line makes and that stand on few enough lines to name one thing: name -> how many."""
    counts = Counter(name for line in lines for name in line.names)
    made = {name for line in lines for name in line.makes}
    return {name: count for name, count in counts.items() if name in made and count <= COMMON_NAME}
