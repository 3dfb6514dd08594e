"""What a piece of code or the name of an object is most like among the items of a region. All weights are ours.

Words are counted by how much they tell apart: a keyword that only one item of the region has says more than one that
five have. What is an item's by its own words is not another's too: each thing is what it is most like.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.worldbench.spec import Item

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_COMMON_TEXT = """a an and are as at be by for from has have in into is it its of off on or over than that the their them they to
    up upon which with not one where there through such other another own all about along whole lie lies
    stand stands made make move moves like land region colour colours tint water ground kind"""
_COMMON = frozenset(_COMMON_TEXT.split())
_JOINING_TEXT = "a an the that which and or of on in at to with by from its this"
_JOINING = frozenset(_JOINING_TEXT.split())
REGION_WEIGHT = 0.2
"""What the name of the region itself counts: everything there may bear it."""
TEXT_WEIGHT = 1.05
"""What a word of the item's text counts that is no keyword."""
BOTH_WEIGHT = 0.2
"""What a keyword counts more that is in the item's text too."""
HEAD = 1.25
"""A thing is above all what its last word says: "canopy bird" is a bird."""
SHORTEST = 3
SUFFIX = 3
"""A stem may be continued by so many letters before it is another word (rock - rocks, snow - snowy)."""


def words(text: str) -> tuple[str, ...]:
    """The lower-case words of a text, camelCase and snake_case taken apart."""
    return tuple(word.lower() for word in _WORD.findall(text))


def begins(word: str, stem: str) -> bool:
    """Whether `word` is `stem` with at most an ending to it."""
    return word.startswith(stem) and (len(stem) > SHORTEST or len(word) <= len(stem) + SUFFIX)


@dataclass(frozen=True)
class Match:
    """How like an item something is: `weight` the sum of what matched, `keywords` how many keywords did, `covered` the
    share (0..1) of the thing's words that the item explains, `head` whether its last word is one."""

    item: str
    weight: float
    keywords: int
    covered: float
    head: bool = False

    @property
    def score(self) -> float:
        """By weight, and by how much of the thing's own words it leaves unexplained."""
        return self.weight * (0.4 + 0.6 * self.covered) * (HEAD if self.head else 1.0)


class Likeness:
    """Tells what things of one region (or of the world as a whole) are, among `items`."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = tuple(items)
        self._regions = {_root(item.biome) for item in items if item.biome}
        counts: Counter[str] = Counter()
        for item in items:
            counts.update(set(item.keywords))
        total = max(len(items), 1)
        # First stem of a keyword -> (item, all its stems, what it counts).
        self._keywords: dict[str, list[tuple[str, tuple[str, ...], float]]] = defaultdict(list)
        for item in items:
            for keyword in item.keywords:
                stems = tuple(keyword.split())
                weight = 0.5 + math.log(1 + total / counts[keyword]) / math.log(1 + total)
                self._keywords[stems[0]].append((item.id, stems, weight))
        self._texts: dict[str, list[str]] = defaultdict(list)
        for item in items:
            for root in {
                _root(word) for word in words(item.text) if word not in _COMMON and len(word) >= SHORTEST
            }:
                self._texts[root].append(item.id)
        self._begun: dict[str, tuple[str, ...]] = {}
        self._known: dict[tuple[str, ...], tuple[Match, ...]] = {}

    def ranked(self, said: Sequence[str]) -> tuple[Match, ...]:
        """The items that something with the words `said` may be, likest first."""
        key = tuple(said)
        if key not in self._known:
            self._known[key] = self._ranked(key)
        return self._known[key]

    def match(self, item: Item, said: Sequence[str]) -> Match:
        """How like `item` something with the words `said` is."""
        found = [one for one in self.ranked(said) if one.item == item.id]
        return found[0] if found else Match(item.id, 0.0, 0, 0.0)

    def _ranked(self, all_said: tuple[str, ...]) -> tuple[Match, ...]:
        said = tuple(word for word in all_said if word not in _JOINING)
        explained: dict[str, dict[str, float]] = defaultdict(dict)
        keywords: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for place, word in enumerate(said):
            for first in self._stems(word):
                for item, stems, weight in self._keywords[first]:
                    rest = said[place + 1 : place + len(stems)]
                    if len(rest) == len(stems) - 1 and all(map(begins, rest, stems[1:])):
                        region = not rest and _root(word) in self._regions
                        if not region:
                            keywords[item].add(stems)
                        for one in (word, *rest):
                            worth = REGION_WEIGHT if region else weight
                            explained[item][one] = max(explained[item].get(one, 0.0), worth)
        for word in set(said):
            for item in self._texts.get(_root(word), ()):
                if item in keywords:
                    known = explained[item].get(word)
                    explained[item][word] = TEXT_WEIGHT if known is None else known + BOTH_WEIGHT
        telling = {word for word in said if word not in _COMMON}
        last = said[-1] if said else ""
        found = [
            Match(
                item,
                sum(once.values()),
                len(keywords[item]),
                len(once) / max(len(telling | once.keys()), 1),
                last in once,
            )
            for item, once in explained.items()
            if keywords[item]
        ]
        return tuple(sorted(found, key=lambda one: (-one.score, one.item)))

    def _stems(self, word: str) -> tuple[str, ...]:
        """The first stems of keywords that `word` begins with."""
        if word not in self._begun:
            self._begun[word] = tuple(stem for stem in self._keywords if begins(word, stem))
        return self._begun[word]


def _root(word: str) -> str:
    """A word without its ending, roughly."""
    for ending in ("ings", "ing", "ies", "ed", "es", "s", "y", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST:
            return word[: -len(ending)]
    return word
