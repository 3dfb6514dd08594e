"""The rule's code channel: real lines for each item, found by what they are most like. Offline; rules and weights ours.

A line serves the item that it is most like among those of its test and region, never a worse one; each line serves one
item. That the best lines are given out so that most items get one is a matching, not a search for more credit.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from benchmarks.worldbench.evidence import BIOMES, CodeClaim, Quote, Span
from benchmarks.worldbench.judges.rule_lines import Line, lines_of, telling_names
from benchmarks.worldbench.judges.rule_match import (
    BY,
    LEAST,
    NEARLY,
    NEEDS,
    OTHERS,
    YIELDS,
    Edges,
    has_all,
    matched,
    moving,
)
from benchmarks.worldbench.judges.rule_motion import axis_of, motions
from benchmarks.worldbench.judges.rule_words import Likeness, begins
from benchmarks.worldbench.source.definitions import Definitions
from benchmarks.worldbench.source.quotes import Matcher
from benchmarks.worldbench.source.sourcemap import Source
from benchmarks.worldbench.source.statements import Syntax
from benchmarks.worldbench.spec import Spec

DRIVEN = 0.7
"""What a line counts as a look that moves something: it is rather the motion's."""
UNLABELLED = 0.5
"""What a line counts that gives nothing a name, where the world's things have names."""
LABELS = 40
"""So many lines with names make a world of named things."""
ROW_KEYWORDS = 2
"""A row of data that calls and makes nothing must match so many keywords: legends have such rows too."""
PLAIN = 0.6
"""What a line counts that makes or calls nothing."""
FOUND_FORBIDDEN = 1.25
"""A forbidden item must be so much likelier than all that is asked for in the region."""

SEASON_ROWS = {
    "T.tint": re.compile(r"""\[\s*(?:['"]#[0-9a-fA-F]{6}['"]\s*,?\s*|0x[0-9a-fA-F]{6}\s*,?\s*){4}\]"""),
    "T.wet": re.compile(r"=\s*\[\s*(?:-?[\d.]+\s*,\s*){3}-?[\d.]+\s*,?\s*\]"),
    "T.dusk": re.compile(r"=\s*new\s+[\w.]*\bColor\(\s*['\"0#]"),
    "T.night": re.compile(r"=\s*new\s+[\w.]*\b(?:Hemisphere|Ambient)Light\("),
}
"""What the values of season, twilight and night look like whatever they are called: four colours, four numbers, a
colour, a light without a place."""
UNNAMED = 0.5
SHORT_FUNCTION = 600
"""Characters of a function that is read along with the line that calls it."""

Executed = Callable[[Span], "bool | None"]


@dataclass(frozen=True)
class Code:
    """A source with what the rule knows of it."""

    source: Source
    own: Mapping[str, Sequence[Span]]
    spec: Spec
    executed: Executed

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines that can prove anything."""
        return lines_of(self.source, self.own)

    @cached_property
    def matcher(self) -> Matcher:
        """Checks quotes."""
        return Matcher(self.source)

    @cached_property
    def names(self) -> Mapping[str, int]:
        """Names that stand for one thing each, and on how many lines."""
        return telling_names(self.lines)

    def uses(self, name: str, line: Line) -> int:
        """On how many lines `name` stands that are of the same region as `line`, or of none as it is."""
        return max(self._uses[name, owner] for owner in line.owners or ("",))

    @cached_property
    def _uses(self) -> Counter[tuple[str, str]]:
        return Counter(
            (name, owner) for line in self.lines for owner in line.owners or ("",) for name in line.names
        )

    @cached_property
    def driven(self) -> frozenset[int]:
        """The lines that run on the clock or the frame."""
        return frozenset(at for at, line in enumerate(self.lines) if self.spec.driven(line.text))

    @cached_property
    def labels(self) -> bool:
        """Whether things are given names in words."""
        return sum(line.labelled and bool(line.makes) for line in self.lines) >= LABELS

    @cached_property
    def moved(self) -> frozenset[str]:
        """Names of one thing each that stand on a line which runs on time."""
        return frozenset(name for at in self.driven for name in self.lines[at].names & self.names.keys())

    def running(self, at: int) -> str:
        """The text of a line and of the functions that it calls."""
        text = self.lines[at].text
        called = [self.functions[name] for name in sorted(self.lines[at].names) if name in self.functions]
        return "\n".join((text, *called))

    @cached_property
    def functions(self) -> Mapping[str, str]:
        """The text of the short named functions."""
        tokens = self.source.tokens
        places = [
            (name, tokens.starts[low], tokens.end(high - 1))
            for name, low, high in Definitions(Syntax(tokens)).functions
            if name and high > low
        ]
        return {
            name: self.source.text[start:end] for name, start, end in places if end - start <= SHORT_FUNCTION
        }

    def quote(self, at: int, biome: str) -> Quote:
        """Line `at` as a checked quote for `biome` ("" = any code)."""
        line = self.lines[at]
        quote = self.matcher.verify(line.text, self.own.get(biome, ()) if biome else None)
        if not quote.verified:
            return quote
        here = self.source.span(line.start, line.end)
        ran = self.executed(here)
        return replace(quote, executed=ran)


def claims(code: Code) -> dict[str, CodeClaim]:
    """What the code shows of every item of the spec: a claim for each that has a line of its own."""
    spec = code.spec
    edges: Edges = {}
    named: set[int] = set()
    for biome in BIOMES:
        mine = [at for at, line in enumerate(code.lines) if biome in line.owners and _bears(line)]
        asked = Likeness(
            [item for item in spec.of(biome=biome) if item.kind in ("required", "still", "moving")]
        )
        for test in ("WC003", "WC004"):
            named |= _likest(code, asked, test, mine, edges)
    everywhere = [at for at, line in enumerate(code.lines) if _bears(line)]
    _likest(code, Likeness(spec.of(test="WC001", kind="source")), "WC001", everywhere, edges)
    turning: Edges = {}
    unnamed = [at for at in everywhere if at not in named]
    _likest(code, Likeness(spec.of(test="WC005", kind="time")), "WC005", unnamed, turning)
    _by_form(code, unnamed, turning)
    # What turns with day and year is one line, so that goes before what it turns.
    moves = motions(code, [item for item in spec.items.values() if item.id in turning], turning, {})
    used = set(moves.values())
    free = {
        name: [(score, at) for score, at in found if at not in used]
        for name, found in (edges | turning).items()
    }
    looks = matched(free, list(spec.items))
    taken = set(looks.values())
    wanted = [item for item in spec.items.values() if item.id in looks and item.axis]
    moves |= motions(code, wanted, free, looks, used)
    found: dict[str, CodeClaim] = {}
    for name, at in looks.items():
        item = spec.items[name]
        motion = moves.get(name)
        found[name] = CodeClaim(
            name,
            1.0,
            code.quote(at, item.biome),
            None if motion is None else code.quote(motion, item.biome),
            "" if motion is None else axis_of(code.running(motion), item, spec),
            judge=BY,
        )
    return found | _forbidden(code, taken)


def _by_form(code: Code, lines: Iterable[int], edges: Edges) -> None:
    """Add lines that have the form of an item's values and whose name is used on a line that runs on time. A form is as
    good as a name: whoever has another line yields this one."""
    for at in lines:
        line = code.lines[at]
        if line.owners or not line.makes & code.moved or at in code.driven:
            continue
        for name, form in SEASON_ROWS.items():
            if form.search(line.text) and all(one != at for _, one in edges.get(name, ())):
                liked = max((score for row in edges.values() for score, one in row if one == at), default=0.0)
                edges.setdefault(name, []).append((max(UNNAMED, YIELDS * liked), at))


def _bears(line: Line) -> bool:
    """Whether a line says by itself what it is of; what only uses a thing that bears a name is no second thing."""
    return line.labelled or not line.heard


def _likest(code: Code, likeness: Likeness, test: str, mine: Iterable[int], edges: Edges) -> set[int]:
    """Add for each of the lines `mine` the items of `test` that it is likest; the lines that serve some. What one
    region's items of another test explain far better is not theirs."""
    served: set[int] = set()
    for at in mine:
        line = code.lines[at]
        plain = (1.0 if line.calls or line.labelled else PLAIN) * (DRIVEN if at in code.driven else 1.0)
        if line.owners and not line.labelled and code.labels:
            plain *= UNLABELLED
        moves = at in code.driven or bool(line.makes & code.moved)
        ranked = likeness.ranked(line.said)
        least_keywords = 1 if line.calls or line.makes else ROW_KEYWORDS
        scores = {
            one.item: one.score * plain * moving(code.spec.items[one.item], moves)
            for one in ranked
            if code.spec.items[one.item].test == test
            and one.keywords >= least_keywords
            and has_all(line.said, NEEDS.get(one.item, ()))
        }
        best = max(scores.values(), default=0.0)
        least = max(LEAST, NEARLY * best, OTHERS * plain * max((one.score for one in ranked), default=0.0))
        for name, score in scores.items():
            if score >= least:
                edges.setdefault(name, []).append((score, at))
                served.add(at)
    return served


def _forbidden(code: Code, taken: set[int]) -> dict[str, CodeClaim]:
    """Claims on forbidden items: a thing that is made in the region's own code and called by a forbidden name, which
    is none of what is asked for there."""
    found: dict[str, CodeClaim] = {}
    for biome in BIOMES:
        mine = [
            at
            for at, line in enumerate(code.lines)
            if biome in line.owners and line.calls and line.labelled and at not in taken and line.makes
        ]
        asked = Likeness([item for item in code.spec.of(biome=biome) if not item.forbidden and item.keywords])
        for item in code.spec.of(biome=biome):
            if not item.forbidden or not item.keywords:
                continue
            likeness = Likeness((item,))
            for at in mine:
                match = likeness.match(item, code.lines[at].said)
                if not match.keywords or match.score < LEAST:
                    continue
                best = max((one.score for one in asked.ranked(code.lines[at].said)), default=0.0)
                if match.score >= FOUND_FORBIDDEN * best:
                    found[item.id] = CodeClaim(item.id, 1.0, code.quote(at, biome), judge=BY)
                    break
    stars = code.spec.items["T.stars"]
    for at, line in enumerate(code.lines):
        if (
            line.calls
            and line.makes
            and any(
                begins(word, stem)
                for word in line.said
                for stem in ("star", "starfield", "skydome", "skybox")
            )
            and not any(word.startswith("start") for word in line.said)
        ):
            found[stars.id] = CodeClaim(stars.id, 1.0, code.quote(at, ""), judge=BY)
            break
    return found
