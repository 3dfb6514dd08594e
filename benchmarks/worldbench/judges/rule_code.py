"""The rule's code channel: real lines for each item, found by what they are most like. Offline; rules and weights ours.

A line serves the item that it is most like among those of its test and region, never a worse one; each line serves one
item. That the best lines are given out so that most items get one is a matching, not a search for more credit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from benchmarks.worldbench.evidence import BIOMES, CodeClaim, Quote, Span
from benchmarks.worldbench.judges.rule_lines import Line, lines_of, telling_names
from benchmarks.worldbench.judges.rule_words import Likeness, begins, words
from benchmarks.worldbench.source.definitions import Definitions
from benchmarks.worldbench.source.quotes import Matcher
from benchmarks.worldbench.source.sourcemap import Source
from benchmarks.worldbench.source.statements import Syntax
from benchmarks.worldbench.spec import Item, Spec

BY = "rule"
LEAST = 0.45
"""Likeness from which a line can prove an item."""
NEARLY = 0.9
"""A line may also serve an item that it is nearly as like as the likest."""
OTHERS = 0.2
"""A line cannot serve an item that it is less like than this share of the likest of the region's other test."""
DRIVEN = 0.7
"""What a line counts as a look that moves something: it is rather the motion's."""
OF_ANOTHER = 0.75
"""What a line that moves an item counts where its words are rather another's, or it uses nothing of the item's."""
YIELDS = 0.7
"""A holder with another line yields one that is another's by at least this share of what it is the holder's."""
MOVES, STANDS = 1.1, 0.75
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

NEEDS: Mapping[str, tuple[str, ...]] = {
    "V.bed": ("bed floor bottom", "sea ocean water lake river pond"),
    "V.held": ("bed bank basin wall carve shore level fall", "sea ocean water lake river pond"),
    "T.air": ("fog haze air atmosphere background sky",),
    "T.tint": ("tint color colour hue foliage leaf leaves lerp",),
    "C.delta.4": ("headland rock reef crag outcrop boulder stone",),
    "C.forest.2": ("canop cap crown frost pine tree leaf lea white",),
    "P.forest.2": ("canop cap crown frost pine tree leaf lea white",),
    "P.mountains.3": ("stone rock layer",),
    "C.volcano.2": ("crater glow vent magma ember emissive",),
}
"""Stems of which a line must have one of each group: items that one keyword says too little for."""
SEASON_ROWS = {
    "T.tint": re.compile(r"""\[\s*(?:['"]#[0-9a-fA-F]{6}['"]\s*,?\s*|0x[0-9a-fA-F]{6}\s*,?\s*){4}\]"""),
    "T.wet": re.compile(r"=\s*\[\s*(?:-?[\d.]+\s*,\s*){3}-?[\d.]+\s*,?\s*\]"),
    "T.dusk": re.compile(r"=\s*new\s+[\w.]*\bColor\(\s*['\"0#]"),
}
"""What a season's or twilight's values look like whatever they are called: four colours, four numbers, a colour."""
UNNAMED = 0.5
SHORT_FUNCTION = 600
"""Characters of a function that is read along with the line that calls it."""

Executed = Callable[[Span], "bool | None"]
Edges = dict[str, list[tuple[float, int]]]


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
        """Names that stand for one thing each."""
        return telling_names(self.lines)

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
    unnamed = [at for at in everywhere if at not in named]
    _likest(code, Likeness(spec.of(test="WC005", kind="time")), "WC005", unnamed, edges)
    _by_form(code, unnamed, edges)
    looks = matched(edges, list(spec.items))
    taken = set(looks.values())
    wanted = [
        item for item in spec.items.values() if item.id in looks and (item.axis or item.test == "WC005")
    ]
    motions = _motions(code, wanted, edges, looks)
    found: dict[str, CodeClaim] = {}
    for name, at in looks.items():
        item = spec.items[name]
        motion = motions.get(name)
        found[name] = CodeClaim(
            name,
            1.0,
            code.quote(at, item.biome),
            None if motion is None else code.quote(motion, item.biome),
            "" if motion is None else axis_of(code.running(motion), item, spec),
            judge=BY,
        )
    return found | _forbidden(code, taken)


def has_all(said: Sequence[str], groups: Sequence[str]) -> bool:
    """Whether of each group of stems some word begins with one."""
    return all(any(word.startswith(stem) for word in said for stem in group.split()) for group in groups)


def _by_form(code: Code, lines: Iterable[int], edges: Edges) -> None:
    """Add lines that have the form of an item's values and whose name is used on a line that runs on time."""
    for at in lines:
        line = code.lines[at]
        if line.owners or not line.makes & code.moved or at in code.driven:
            continue
        for name, form in SEASON_ROWS.items():
            if form.search(line.text) and all(one != at for _, one in edges.get(name, ())):
                edges.setdefault(name, []).append((UNNAMED, at))


def moving(item: Item, moves: bool) -> float:
    """What it counts for an item that ought to move whether a thing moves; 1 for all others."""
    if item.fauna or not (item.axis or item.test == "WC005"):
        return 1.0
    return MOVES if moves else STANDS


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


def matched(edges: Edges, order: Sequence[str]) -> dict[str, int]:
    """Item -> line, each line once, the likest pairs first. An item left without may take a line that is nearly as
    much its own as its holder's where the holder has another free one; longer exchanges would find what is missing."""
    rank = {name: place for place, name in enumerate(order)}
    holder: dict[int, str] = {}
    served: set[str] = set()
    pairs = [(-score, rank.get(name, 0), name, at) for name, found in edges.items() for score, at in found]
    for _, _, name, at in sorted(pairs):
        if name not in served and at not in holder:
            holder[at] = name
            served.add(name)
    for name in sorted(edges.keys() - served, key=lambda one: rank.get(one, 0)):
        for score, at in sorted(edges[name], key=lambda one: (-one[0], one[1])):
            if at not in holder:
                holder[at] = name
                break
            other = holder[at]
            mine = max(value for value, line in edges[other] if line == at)
            spare = [one for one in edges[other] if one[1] not in holder]
            if spare and score >= YIELDS * mine:
                holder[max(spare, key=lambda one: (one[0], -one[1]))[1]] = other
                holder[at] = name
                break
    return {name: at for at, name in holder.items()}


def _motions(code: Code, wanted: Sequence[Item], edges: Edges, looks: Mapping[str, int]) -> dict[str, int]:
    """Item -> the line that makes it move: one that runs on time and uses a thing that the item may be, if it is no
    other item's of the same test."""
    holders = {at: name for name, at in looks.items()}
    driven = sorted(code.driven - holders.keys())
    cycle = Likeness(code.spec.of(test="WC005", kind="time"))
    found: Edges = {}
    for item in wanted:
        look = set(code.lines[looks[item.id]].said)
        own = looks[item.id]
        free = [
            (score, at)
            for score, at in edges[item.id]
            if at == own
            or (item.biome and at not in holders)
            or (
                item.biome
                and code.spec.items[holders[at]].test != item.test
                and set(code.lines[at].said) & look
            )
        ]
        things = _things(code, free)
        likeness = Likeness((item,))
        for at in driven:
            line = code.lines[at]
            if item.biome and item.biome not in line.owners:
                continue
            shared = line.names & things.keys()
            ranked = () if item.biome or line.owners else cycle.ranked(line.said)
            likest = bool(ranked) and ranked[0].item == item.id
            if not shared and not likest:
                continue
            if item.axis and not code.spec.compatible(item.axis, axis_of(code.running(at), item, code.spec)):
                continue
            match = likeness.match(item, (*line.said, *line.heard))
            score = max((things[name] / code.names[name] for name in shared), default=0.0) + match.score
            if ranked and not (likest and shared):
                score *= OF_ANOTHER
            found.setdefault(item.id, []).append((score, at))
    return matched(found, list(code.spec.items))


def _things(code: Code, lines: Sequence[tuple[float, int]]) -> dict[str, float]:
    """The names that the lines make or use and that stand for one thing each, with the lines' likeness."""
    found: dict[str, float] = {}
    for score, at in lines:
        for name in code.lines[at].names & code.names.keys():
            found[name] = max(found.get(name, 0.0), score)
    return found


_FALLS = re.compile(
    r"\by\b[^;]*=[^;=]*-\s*[^;]*(?:time|elapsed|clock|dt|delta|speed|\bt\b)|\by\b\s*-=", re.IGNORECASE
)
_RISES = re.compile(
    r"\by\b[^;]*=[^;=]*(?:\+|\*)\s*[^;]*(?:time|elapsed|clock|dt|delta|speed|\bt\b)|\by\b\s*\+=",
    re.IGNORECASE,
)
_SWINGS = re.compile(r"\bMath\s*\.\s*(?:abs\s*\(\s*Math\s*\.\s*)?(?:sin|cos)\b|\bsin\s*\(")
_SIDE = re.compile(r"\.(?:x|z)\s*[-+]?=|\bposition\.set\b|\boffset\b|\balong\b|\blerp", re.IGNORECASE)
_SHINE = re.compile(r"opacity|intensity|emissive|glow|fade|shine|scale|uniform|visible|color", re.IGNORECASE)


def axis_of(text: str, item: Item, spec: Spec) -> str:
    """The axis along which code moves a thing, as far as the code tells: from the sign of what is added to a height,
    from sideways movement, from swinging values; where a sideways movement may be wind, water or walking, the kind of
    thing decides. "" where nothing tells."""
    falls, rises = bool(_FALLS.search(text)), bool(_RISES.search(text))
    swings, side, shines = bool(_SWINGS.search(text)), bool(_SIDE.search(text)), bool(_SHINE.search(text))
    if item.fauna and item.axis in ("grounded", "pulsing") and (side or swings or rises or falls):
        return item.axis
    if falls:
        return "falling"
    if rises and not swings:
        return "rising"
    if side and item.axis in ("blowing", "flowing"):
        return item.axis
    if shines and swings and not side:
        return "still" if item.axis == "still" else "pulsing"
    if side and item.axis == "falling":
        return "flowing"
    if swings or shines:
        return "pulsing"
    told = {spec.axis(word) for word in words(text)} - {"none"}
    fitting = [one for one in sorted(told) if one in spec.accepts]
    return fitting[0] if fitting else ""


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
