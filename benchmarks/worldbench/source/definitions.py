"""Named functions and constants of a script, and where each is used. Ours."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from benchmarks.worldbench.source.statements import Syntax
from benchmarks.worldbench.source.tokens import KEYWORDS

_DECLARES = frozenset({"const", "let", "var"})
_MAX_USES = 400


@dataclass(frozen=True)
class Used:
    """A definition [start, end) that has one meaning only, and the characters where its name is used outside it."""

    name: str
    start: int
    end: int
    uses: tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """A constant that is an array or object literal, tokens [low, high), and the tokens where it is used."""

    low: int
    high: int
    uses: tuple[int, ...]


class Definitions:
    """All definitions by name. A name that is defined twice tells nothing about where it is used."""

    def __init__(self, syntax: Syntax) -> None:
        self._syntax = syntax
        self._tokens = syntax.tokens
        self._spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.functions: list[tuple[str, int, int]] = []
        """Each named function: (name, first token, behind its last)."""
        self.places: dict[str, list[int]] = defaultdict(list)
        """The tokens at which a defined name stands, definitions included."""
        self.parameters: set[str] = set()
        self._plain: set[str] = set()
        self._values: dict[str, tuple[int, int]] = {}
        self._find_functions()
        self._find_constants()
        wanted = self._spans
        for index, word in enumerate(self._tokens.words):
            if word in wanted and self._tokens.kinds[index] == "i":
                self.places[word].append(index)

    def count(self, name: str) -> int:
        """How often `name` is defined."""
        return len(self._spans.get(name, ()))

    def span(self, name: str) -> tuple[int, int] | None:
        """Characters of the only definition of `name`; None where there is none or more than one."""
        spans = self._spans.get(name, [])
        return spans[0] if len(spans) == 1 else None

    def add_function(self, name: str, start: int, end: int) -> None:
        """A function that the browser names, at characters [start, end); taken where none of that name is known."""
        if name and name not in self._spans:
            self._spans[name].append((start, end))
            self.places[name] = [
                index
                for index, word in enumerate(self._tokens.words)
                if word == name and self._tokens.kinds[index] == "i"
            ]

    def used(self) -> list[Used]:
        """Every function with one meaning that is used at all, and every such constant that something is made for;
        plain values and tables of numbers stay out, since they belong to nobody unless a name says so."""
        found = []
        left_out = self.parameters | self._plain
        for name, spans in self._spans.items():
            places = self.places[name]
            if len(spans) != 1 or len(places) > _MAX_USES or name in left_out:
                continue
            start, end = spans[0]
            uses = tuple(
                place for place in (self._tokens.starts[one] for one in places) if not start <= place < end
            )
            if uses:
                found.append(Used(name, start, end, uses))
        return found

    def tables(self) -> list[Table]:
        """Every constant with one meaning whose value is an array or object literal."""
        words = self._tokens.words
        found = []
        for name, (low, high) in self._values.items():
            if self.count(name) == 1 and words[low + 1 : low + 2] == ["="] and words[low + 2] in ("[", "{"):
                uses = tuple(one for one in self.places[name] if not low <= one < high)
                found.append(Table(low, high, uses[:_MAX_USES]))
        return found

    def _find_functions(self) -> None:
        words, kinds = self._tokens.words, self._tokens.kinds
        partner, _ = self._tokens.pairs
        for open_, kind in self._syntax.braces.items():
            if kind not in ("function", "class"):
                continue
            close = min(self._syntax.close(open_) + 1, len(words))
            at = open_ - 1
            if kind == "class":
                while at > 0 and words[at] != "class":
                    at -= 1
                name = words[at + 1] if kinds[at + 1] == "i" and words[at + 1] != "extends" else ""
                self._name(name, at, close)
                continue
            if words[at] == "=>":
                at -= 1
            if words[at] == ")" and partner[at] >= 0:
                self._take_parameters(partner[at], at)
                at = partner[at] - 1
            elif kinds[at] == "i":
                self.parameters.add(words[at])
                at -= 1
            self._name_before(at, close)

    def _name_before(self, at: int, close: int) -> None:
        """Name the function whose parameters begin behind token `at`."""
        words, kinds = self._tokens.words, self._tokens.kinds
        if at < 0:
            return
        if words[at] in ("function", "*") or words[at] == "async":
            while at >= 0 and words[at] in ("function", "*", "async"):
                at -= 1
        elif kinds[at] == "i" and words[at] not in KEYWORDS:
            first = at
            while first > 0 and words[first - 1] in ("function", "async", "*", "get", "set", "static"):
                first -= 1
            self._name(words[at], first, close)
            return
        if at > 0 and words[at] in ("=", ":") and kinds[at - 1] in "is":
            self._name(words[at - 1].strip("'\""), at - 1, close)

    def _name(self, name: str, low: int, high: int) -> None:
        if not name or name in KEYWORDS:
            return
        self.functions.append((name, low, high))
        self._spans[name].append((self._tokens.starts[low], self._tokens.end(high - 1)))

    def _take_parameters(self, low: int, high: int) -> None:
        for index in range(low + 1, min(high, low + 60)):
            if self._tokens.kinds[index] == "i" and self._tokens.words[index - 1] in ("(", ",", "{", "["):
                self.parameters.add(self._tokens.words[index])

    def _find_constants(self) -> None:
        words, kinds = self._tokens.words, self._tokens.kinds
        functions = {(name, self._tokens.starts[low]) for name, low, _ in self.functions}
        for block in self._syntax.blocks:
            for one in block.statements:
                at = one.low + 1 if words[one.low] == "export" else one.low
                if one.kind != "plain" or words[at] not in _DECLARES:
                    continue
                for name, low, high in self._declared(at + 1, one.high):
                    start = self._tokens.starts[low]
                    if kinds[low] == "i" and (name, start) not in functions:
                        self._values[name] = (low, high)
                        if "(" not in words[low:high]:
                            self._plain.add(name)
                        self._spans[name].append((start, self._tokens.end(high - 1)))

    def _declared(self, at: int, high: int) -> list[tuple[str, int, int]]:
        """The declarators `name = value` of a declaration, as (name, first token, behind the last)."""
        words = self._tokens.words
        partner, _ = self._tokens.pairs
        found = []
        start = at
        while at <= high:
            if at >= high or words[at] in (",", ";"):
                if start < at:
                    found.append((words[start], start, at))
                start = at + 1
                at += 1
            else:
                at = partner[at] + 1 if partner[at] > at else at + 1
        return found
