"""The pieces of code that are keyed by a biome's name: functions, branches, calls, rows and properties. Ours."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from typing import NamedTuple

from benchmarks.worldbench.source.conditions import Condition, condition
from benchmarks.worldbench.source.definitions import Definitions
from benchmarks.worldbench.source.names import Names
from benchmarks.worldbench.source.statements import Block, Statement, Syntax

_EQUAL = frozenset({"==", "==="})
_UNEQUAL = frozenset({"!=", "!=="})
_DECLARES = frozenset({"const", "let", "var"})
_LEAVES = frozenset({"continue", "return", "break"})
_MEASURES = frozenset({"hypot", "sqrt", "distanceTo", "distance", "dist"})
_ENDS = frozenset({",", ";", ":", "=>"})
_MAX_BIOMES = 2
_MAX_VALUE_TOKENS = 40
_MAX_REGION_TOKENS = 4000
_MAX_STEPS = 1_000_000
_MAX_CLIMB = 60
_MAX_PLACES = 400
_CODE = frozenset({"block", "function", "switch"})
_ID = re.compile(r"[A-Za-z_][\w-]{0,23}")


class Anchor(NamedTuple):
    """Characters [start, end) that are keyed by a biome's name. `container`: a whole function, class or property of
    that name, rather than a branch, call or row."""

    biome: str
    start: int
    end: int
    container: bool


class Anchors:
    """Finds them, all of them in `found`."""

    def __init__(self, syntax: Syntax, names: Names, definitions: Definitions) -> None:
        self._syntax, self._names, self._definitions = syntax, names, definitions
        self._tokens = syntax.tokens
        self._partner, self._parent = syntax.tokens.pairs
        self.found: list[Anchor] = []
        self._heads: dict[int, tuple[Block, Statement]] = {}
        for block in syntax.blocks:
            for one in block.statements:
                if one.kind in ("if", "loop", "switch"):
                    self._heads[one.head[0] - 1] = (block, one)
        self._signed: dict[int, dict[int, frozenset[str]]] = defaultdict(dict)
        self._said: dict[int, tuple[Block, Statement, set[str]]] = {}
        self._rows: dict[int, dict[int, frozenset[str]]] = defaultdict(dict)
        # Broken or hostile code must not cost quadratic time: in all, so many tokens are searched for an end.
        self._steps = _MAX_STEPS
        self._distances: set[str] = set()
        self._seen: set[tuple[int, frozenset[str]]] = set()
        self._waiting = self._mentions()
        while self._waiting:
            while self._waiting:
                self._take(*self._waiting.pop())
            self._settle()

    def _mentions(self) -> list[tuple[int, frozenset[str]]]:
        found = []
        words = self._tokens.words
        for index, kind in enumerate(self._tokens.kinds):
            if kind == "i":
                member = (index > 0 and words[index - 1] in (".", "?.")) or self._is_key(index)
                biomes = self._names.of_name(words[index], member)
            elif kind == "s":
                biomes = self._names.of_string(words[index][1:-1])
            else:
                continue
            if biomes:
                found.append((index, biomes))
        return found

    def _is_key(self, index: int) -> bool:
        """Whether the token is the name of a property of an object literal."""
        words = self._tokens.words
        if index + 1 >= len(words) or words[index + 1] not in (":", "("):
            return False
        outer = self._parent[index]
        return outer >= 0 and self._syntax.braces.get(outer) == "literal" and words[index - 1] in ("{", ",")

    def _own(self, biomes: frozenset[str] | set[str], low: int, high: int, container: bool = False) -> None:
        if low < high <= len(self._tokens.words) and len(biomes) <= _MAX_BIOMES:
            start, end = self._tokens.starts[low], self._tokens.end(high - 1)
            self.found.extend(Anchor(biome, start, end, container) for biome in sorted(biomes))

    def _take(self, index: int, biomes: frozenset[str]) -> None:
        """Find what the mention at token `index` keys, climbing out of the brackets around it."""
        if (index, biomes) in self._seen:
            return
        self._seen.add((index, biomes))
        if self._compared(index) and self._region(index, biomes):
            return
        at = index
        for _ in range(_MAX_CLIMB):
            outer = self._parent[at]
            if outer < 0:
                break
            word = self._tokens.words[outer]
            brace = self._syntax.braces.get(outer)
            if outer in self._heads:
                self._signed[outer][index] = biomes
                return
            if brace == "literal":
                self._in_literal(outer, at, index, biomes)
                return
            if brace == "class" and at == index:
                self._own(biomes, index, self._member_end(index, self._syntax.close(outer)), True)
                return
            if brace is not None:
                break
            if word == "(" and self._are_parameters(outer):
                return
            if word == "[" and self._is_row(outer):
                self._rows[outer][index] = biomes
                return
            at = outer
        self._in_statement(index, biomes)

    def _are_parameters(self, open_: int) -> bool:
        close = self._partner[open_]
        words = self._tokens.words
        if close < 0 or close + 1 >= len(words):
            return False
        return words[close + 1] == "=>" or self._syntax.braces.get(close + 1) == "function"

    def _is_row(self, open_: int) -> bool:
        """Whether the array is an element of an array."""
        outer = self._parent[open_]
        return outer >= 0 and self._tokens.words[outer] == "[" and self._tokens.words[open_ - 1] in ("[", ",")

    def _compared(self, index: int) -> bool:
        words = self._tokens.words
        start = index
        while start > 1 and index - start < _MAX_CLIMB and words[start - 1] in (".", "?."):
            start -= 2
        after = words[index + 1] if index + 1 < len(words) else ""
        return words[start - 1] in _EQUAL | _UNEQUAL or after in _EQUAL | _UNEQUAL

    def _region(self, index: int, biomes: frozenset[str]) -> bool:
        """Own what a comparison guards in an expression: `b === x ? THIS : ...` or `b === x && THIS`."""
        words, outer = self._tokens.words, self._parent[index]
        if outer in self._heads:
            return False
        after = words[index + 1] if index + 1 < len(words) else ""
        negative = words[index - 1] in _UNEQUAL or after in _UNEQUAL
        at, low, depth, other = index + 1, -1, 0, -1
        stop = min(len(words), index + _MAX_REGION_TOKENS)
        while (
            at < stop and self._steps > 0 and self._parent[at] == outer and words[at] not in (")", "]", "}")
        ):
            self._steps -= 1
            word = words[at]
            if word in (",", ";") or (word in _ENDS and not depth):
                break
            if word == "?":
                depth += 1
                if low < 0:
                    low = at + 1
            elif word == ":":
                depth -= 1
                if not depth:
                    other = at
                    if not negative:
                        break
            elif word == "&&" and low < 0 and not negative:
                low = at + 1
            at = self._partner[at] + 1 if self._partner[at] > at else at + 1
        if low < 0:
            return False
        if negative:
            if other >= 0:
                self._own(biomes, other + 1, at)
        else:
            self._own(biomes, index, at)
        return True

    def _in_literal(self, outer: int, at: int, index: int, biomes: frozenset[str]) -> None:
        """A mention inside an object literal: a property's name owns the property, a value its whole row."""
        words = self._tokens.words
        if at == index and words[index - 1] in ("{", ",") and index + 1 < len(words):
            flag = words[index + 1] == ":" and words[index + 2 : index + 3] == ["true"]
            if words[index + 1] in (":", "(") and not flag:
                self._own(biomes, index, self._property_end(index, self._syntax.close(outer)), True)
                return
            if words[index + 1] in (",", "}"):
                return
        self._rows[outer][index] = biomes

    def _member_end(self, at: int, close: int) -> int:
        """The end of a class's method or field whose name is token `at`."""
        words = self._tokens.words
        while at < close and self._steps > 0 and words[at] != ";":
            self._steps -= 1
            if self._syntax.braces.get(at) == "function":
                return min(self._syntax.close(at) + 1, close)
            at = self._partner[at] + 1 if self._partner[at] > at else at + 1
        return min(at, close)

    def _property_end(self, at: int, close: int) -> int:
        while at < close and self._steps > 0 and self._tokens.words[at] != ",":
            self._steps -= 1
            at = self._partner[at] + 1 if self._partner[at] > at else at + 1
        return min(at, close)

    def _in_statement(self, index: int, biomes: frozenset[str]) -> None:
        chain = self._syntax.chain(index)
        if not chain:
            return
        block, one = chain[0]
        if one.kind == "case":
            self._own(biomes, one.low, one.high)
            return
        if one.kind in ("if", "loop", "switch", "block"):
            return
        if one.kind in ("function", "class") and index > one.low + 4:
            return
        said = self._said.setdefault(id(one), (block, one, set()))[2]
        said.update(biomes)

    def _settle(self) -> None:
        """Own what the mentions taken so far key, and follow the constants they define."""
        for block, one, said in self._said.values():
            if len(said) > _MAX_BIOMES:
                continue
            self._own(said, one.low, one.high, one.kind in ("function", "class"))
            if len(said) == 1:
                self._follow(block, one, frozenset(said))
        self._said.clear()
        for outer, signed in self._signed.items():
            self._conditional(*self._heads[outer], signed)
        self._signed.clear()
        for outer, mentions in self._rows.items():
            self._row(outer, mentions)
        self._rows.clear()

    def _conditional(self, block: Block, one: Statement, signed: dict[int, frozenset[str]]) -> None:
        if one.kind == "switch":
            return
        said = frozenset().union(*signed.values())
        if one.kind == "loop":
            self._own(said, one.low, one.high)
            return
        meant: Condition = condition(self._tokens, one.head, signed, self._distances)
        then = one.arms[0]
        if len(meant.positive) <= _MAX_BIOMES + 1:
            for biome in sorted(meant.positive):
                self._own({biome}, one.low, then[1])
        if not meant.otherwise:
            return
        if len(one.arms) > 1:
            if len(meant.otherwise) == 1:
                self._own(meant.otherwise, *one.arms[1])
        elif self._leaves(then):
            self._own(meant.otherwise, one.high, block.high)

    def _leaves(self, arm: tuple[int, int]) -> bool:
        """Whether the arm only leaves the block."""
        words = self._tokens.words
        at = arm[0] + 1 if words[arm[0] : arm[0] + 1] == ["{"] else arm[0]
        return at < len(words) and words[at] in _LEAVES and arm[1] - arm[0] <= 12

    def _row(self, outer: int, mentions: dict[int, frozenset[str]]) -> None:
        """A row with one biome among its values is that biome's, and its id becomes a name of the biome."""
        said = frozenset().union(*mentions.values())
        if len(said) != 1:
            return
        close = self._syntax.close(outer)
        self._own(said, outer, min(close + 1, len(self._tokens.words)))
        around = self._parent[outer]
        if self._tokens.words[outer] == "{" and (
            around < 0 or self._tokens.words[around] == "(" or self._syntax.braces.get(around) in _CODE
        ):
            self._waiting.append((outer, said))
        words, kinds = self._tokens.words, self._tokens.kinds
        for index in range(outer + 1, min(close, outer + 60)):
            if kinds[index] == "s" and self._parent[index] == outer and index not in mentions:
                text = words[index][1:-1]
                if _ID.fullmatch(text) and self._names_one_row(index, text):
                    self._spread_id(text, index, said)
                return

    def _names_one_row(self, index: int, text: str) -> bool:
        """Whether the string is the id of a row: its first value, or behind a key that says so."""
        words = self._tokens.words
        before = words[index - 1]
        if before == "[":
            return True
        return before == ":" and words[index - 2] in ("id", "key", "slug", "k", "i", "type") and text != ""

    def _spread_id(self, text: str, index: int, biomes: frozenset[str]) -> None:
        if self._names.of_string(text):
            return
        words = self._tokens.words
        strings = [at for at in self._strings.get(text, ()) if at != index]
        if len(strings) > _MAX_PLACES or any(self._is_first_of_row(at) for at in strings):
            return
        self._waiting.extend((at, biomes) for at in strings)
        for at in self._identifiers.get(text, [])[:_MAX_PLACES]:
            if words[at - 1] == "." or self._is_key(at):
                self._waiting.append((at, biomes))

    def _is_first_of_row(self, at: int) -> bool:
        return self._tokens.words[at - 1] == "[" and self._is_row(at - 1)

    def _follow(self, block: Block, one: Statement, biomes: frozenset[str]) -> None:
        """A constant that a biome's name defines names that biome wherever it is used in its block."""
        words, kinds = self._tokens.words, self._tokens.kinds
        if words[one.low] not in _DECLARES or one.high - one.low > _MAX_VALUE_TOKENS:
            return
        end = one.low + 1
        while end < one.high and words[end] != "=":
            end += 1
        far = not _MEASURES.isdisjoint(words[end : one.high])
        whole = block.high - block.low > len(words) // 2
        for index in range(one.low + 1, end):
            name = words[index]
            if kinds[index] != "i" or self._names.of_name(name):
                continue
            if whole and (self._definitions.count(name) != 1 or name in self._definitions.parameters):
                continue
            if far:
                self._distances.add(name)
            places = self._identifiers.get(name, [])
            low = bisect_left(places, one.high)
            for at in places[low : min(bisect_left(places, block.high), low + _MAX_PLACES)]:
                if words[at - 1] != "." and not self._is_key(at):
                    self._waiting.append((at, biomes))

    @property
    def _strings(self) -> dict[str, list[int]]:
        return self._positions("s")

    @property
    def _identifiers(self) -> dict[str, list[int]]:
        return self._positions("i")

    def _positions(self, kind: str) -> dict[str, list[int]]:
        known = self.__dict__.setdefault("_known_positions", {})
        if kind not in known:
            found: dict[str, list[int]] = defaultdict(list)
            for index, one in enumerate(self._tokens.kinds):
                if one == kind:
                    word = self._tokens.words[index]
                    found[word[1:-1] if kind == "s" else word].append(index)
            known[kind] = found
        return known[kind]  # type: ignore[no-any-return]
