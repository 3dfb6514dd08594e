"""The blocks and statements of a script, found from its brackets and keywords. Ours; no full parser.

Statements end at semicolons, at the end of a block, or at a line end where the language would end them too.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from benchmarks.worldbench.source.tokens import KEYWORDS, Tokens

Brace = Literal["block", "function", "switch", "class", "literal"]
_CONTROL = frozenset({"if", "for", "while", "with", "switch", "catch"})
_OPENS_BLOCK = frozenset({"else", "do", "try", "finally", ";", "{", "}", "static"})
_GOES_ON = frozenset({"in", "instanceof", "of", "as", "else", "catch", "finally", "while"})
_MAX_DEPTH = 60
_MAX_CHAIN = 100
# Far more than a page of the largest allowed size holds; what comes behind is read as one statement.
_MAX_BRACES = 60_000
_MAX_STATEMENTS = 200_000


@dataclass(slots=True)
class Statement:
    """Tokens [low, high). `head`: those between the parentheses of an if, loop or switch; `arms`: its bodies
    (then, else), or the tokens under each label of a switch. `names`: of a case, the tokens of its labels."""

    low: int
    high: int
    kind: Literal["plain", "if", "loop", "switch", "case", "function", "class", "block"] = "plain"
    head: tuple[int, int] = (0, 0)
    arms: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Block:
    """The statements between two braces, in the arm of an if, or at a script's own level, tokens [low, high)."""

    low: int
    high: int
    statements: list[Statement]
    function: bool = False


class Syntax:
    """Blocks and statements of the tokens of a source."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self._partner, self._parent = tokens.pairs
        self.braces = self._braces()
        self.blocks: list[Block] = []
        self._count = 0
        start = 0
        for end in tokens.script_ends:
            self._add(start, end)
            start = end
        for open_, kind in self.braces.items():
            if kind in ("block", "function"):
                self._add(open_ + 1, self.close(open_), kind == "function")
            elif kind == "switch":
                self._add_cases(open_ + 1, self.close(open_))
        self.blocks.sort(key=lambda one: (one.low, -one.high))
        self._block_lows = [one.low for one in self.blocks]
        self._parents = self._block_parents()

    def close(self, open_: int) -> int:
        """The token that ends what `open_` opens; the next one where nothing does."""
        mate = self._partner[open_]
        return mate if mate >= 0 else open_ + 1

    def parent(self, index: int) -> int:
        """The innermost open bracket around token `index`, -1 for none."""
        return self._parent[index]

    def chain(self, index: int) -> list[tuple[Block, Statement]]:
        """The statements around token `index`, the innermost first, at most `_MAX_CHAIN`, each with its block."""
        found: list[tuple[Block, Statement]] = []
        at = bisect_right(self._block_lows, index) - 1
        for _ in range(_MAX_CHAIN):
            if at < 0:
                break
            block = self.blocks[at]
            if block.low <= index < block.high:
                which = bisect_right(block.statements, index, key=lambda one: one.low) - 1
                if which >= 0 and index < block.statements[which].high:
                    found.append((block, block.statements[which]))
            at = self._parents[at]
        return found

    def _block_parents(self) -> list[int]:
        parents: list[int] = []
        open_: list[int] = []
        for at, block in enumerate(self.blocks):
            while open_ and self.blocks[open_[-1]].high <= block.low:
                open_.pop()
            parents.append(open_[-1] if open_ else -1)
            if block.high > block.low:
                open_.append(at)
        return parents

    def _braces(self) -> dict[int, Brace]:
        words, kinds = self.tokens.words, self.tokens.kinds
        found: dict[int, Brace] = {}
        for index, word in enumerate(words):
            if word == "{" and kinds[index] == "b" and self._partner[index] >= 0:
                found[index] = self._brace(index, found)
                if len(found) == _MAX_BRACES:
                    break
        return found

    def _brace(self, index: int, found: dict[int, Brace]) -> Brace:
        words, kinds = self.tokens.words, self.tokens.kinds
        if index == 0:
            return "block"
        before = words[index - 1]
        if before == "=>":
            return "function"
        if before == ")":
            open_ = self._partner[index - 1]
            word = words[open_ - 1] if open_ > 0 else ""
            if word == "switch":
                return "switch"
            return "block" if word in _CONTROL or word == "await" else "function"
        if kinds[index - 1] == "i" and before not in KEYWORDS:
            back = index - 1
            while back > 0 and (kinds[back - 1] == "i" or words[back - 1] == ".") and index - back < 8:
                back -= 1
                if words[back] == "class":
                    return "class"
            return "literal"
        if before == "class":
            return "class"
        outer = self._parent[index]
        around = found.get(outer) if outer >= 0 and words[outer] == "{" else None
        in_code = outer < 0 or around in ("block", "function", "switch", "class")
        if before in _OPENS_BLOCK:
            return "block" if in_code else "literal"
        if before == ":" and around == "switch":
            return "block"
        return "literal"

    def _add(self, low: int, high: int, function: bool = False) -> None:
        block = Block(low, high, [], function)
        self.blocks.append(block)
        at = low
        while at < high:
            self._count += 1
            if self._count > _MAX_STATEMENTS:
                block.statements.append(Statement(at, high))
                return
            statement, at = self._statement(at, high, 0)
            block.statements.append(statement)

    def _add_cases(self, low: int, high: int) -> None:
        block = Block(low, high, [])
        self.blocks.append(block)
        at = low
        while at < high:
            start, end_of_labels = at, at
            while end_of_labels < high and self.tokens.words[end_of_labels] in ("case", "default"):
                end_of_labels = self._skip_to(end_of_labels, high, ":") + 1
            body = end_of_labels = max(end_of_labels, start + 1)
            while body < high and self.tokens.words[body] not in ("case", "default"):
                body = self._over(body)
            body = min(body, high)
            block.statements.append(
                Statement(start, body, "case", (start, end_of_labels), [(end_of_labels, body)])
            )
            if end_of_labels < body:
                self._add(end_of_labels, body)
            at = body

    def _over(self, at: int) -> int:
        """Behind token `at`, and where it opens a bracket, behind its end."""
        mate = self._partner[at]
        if self.tokens.kinds[at] == "b" and mate > at:
            return mate + 1
        return at + 1

    def _skip_to(self, at: int, high: int, word: str) -> int:
        while at < high and self.tokens.words[at] != word:
            at = self._over(at)
        return min(at, high)

    def _statement(self, low: int, high: int, depth: int) -> tuple[Statement, int]:
        words = self.tokens.words
        word = words[low]
        first = low
        while word in ("export", "default", "async") and first + 1 < high:
            first += 1
            word = words[first]
        if depth < _MAX_DEPTH and self.tokens.kinds[first] in "ib":
            if word in ("if", "for", "while", "with", "switch") and not self._is_name(first):
                return self._controlled(low, first, high, depth)
            if word in ("do", "try", "else", "finally", "catch"):
                return self._bodied(low, first, high, depth)
            if word == "function":
                return self._until_brace(low, first, high, "function")
            if word == "class":
                return self._until_brace(low, first, high, "class")
            if word == "{" and self.braces.get(first) == "block":
                end = min(self._over(first), high)
                return Statement(low, end, "block"), end
        end = self._plain_end(first, high)
        return Statement(low, end), end

    def _is_name(self, at: int) -> bool:
        return at + 1 < len(self.tokens.words) and self.tokens.words[at + 1] in ("=", ":", ".", ",", "")

    def _controlled(self, low: int, first: int, high: int, depth: int) -> tuple[Statement, int]:
        words = self.tokens.words
        at = first + 1
        while at < high and words[at] == "await":
            at += 1
        if at >= high or words[at] != "(":
            end = self._plain_end(first + 1, high)
            return Statement(low, end), end
        body = min(self._over(at), high)
        head = (at + 1, body - 1)
        kind: Literal["if", "loop", "switch"] = (
            "if" if words[first] == "if" else "switch" if words[first] == "switch" else "loop"
        )
        if kind == "switch":
            end = min(self._over(body), high) if body < high else high
            return Statement(low, end, "switch", head, [(body, end)]), end
        if kind == "if":
            return self._if(low, head, body, high, depth)
        end = self._body(body, high, depth)
        return Statement(low, end, kind, head, [(body, end)]), end

    def _if(self, low: int, head: tuple[int, int], body: int, high: int, depth: int) -> tuple[Statement, int]:
        """An if with all its `else if`s; each of these is a statement of its own in the else arm before it."""
        words = self.tokens.words
        links = [Statement(low, high, "if", head)]
        while True:
            end = self._body(body, high, depth)
            links[-1].arms.append((body, end))
            if end >= high or words[end] != "else":
                break
            low = end + 1
            if low + 1 < high and words[low] == "if" and words[low + 1] == "(":
                body = min(self._over(low + 1), high)
                links.append(Statement(low, high, "if", (low + 2, body - 1)))
                continue
            end = self._body(low, high, depth)
            links[-1].arms.append((low, end))
            break
        for before, link in pairwise(links):
            before.arms.append((link.low, end))
            self.blocks.append(Block(link.low, end, [link]))
        for link in links:
            link.high = end
        return links[0], end

    def _body(self, at: int, high: int, depth: int) -> int:
        """The end of the body at `at`; one without braces is recorded as a block of its own."""
        if at >= high:
            return high
        if self.tokens.words[at] == "{" and self.tokens.kinds[at] == "b":
            return min(self._over(at), high)
        statement, end = self._statement(at, high, depth + 1)
        self.blocks.append(Block(at, end, [statement]))
        return end

    def _bodied(self, low: int, first: int, high: int, depth: int) -> tuple[Statement, int]:
        words = self.tokens.words
        at = first + 1
        if words[first] == "catch" and at < high and words[at] == "(":
            at = min(self._over(at), high)
        end = self._body(at, high, depth)
        if words[first] == "do" and end < high and words[end] == "while":
            end = self._plain_end(end, high)
        return Statement(low, end, "block"), end

    def _until_brace(
        self, low: int, first: int, high: int, kind: Literal["function", "class"]
    ) -> tuple[Statement, int]:
        at = first
        while at < high and self.tokens.words[at] != "{":
            if self.tokens.words[at] == ";":
                return Statement(low, at + 1), at + 1
            at = self._over(at)
        end = min(self._over(at), high) if at < high else high
        return Statement(low, end, kind), end

    def _plain_end(self, at: int, high: int) -> int:
        kinds, words, starts = self.tokens.kinds, self.tokens.words, self.tokens.starts
        while at < high:
            if words[at] == ";" and kinds[at] == "o":
                return at + 1
            after = self._over(at)
            if after >= high:
                return high
            last = after - 1
            if (
                kinds[after] in "ins"
                and (kinds[last] in "nstr" or (kinds[last] == "b") or self._ends_value(last))
                and words[after] not in _GOES_ON
                and self.tokens.text.find("\n", self.tokens.end(last), starts[after]) >= 0
            ):
                return after
            at = after
        return high

    def _ends_value(self, at: int) -> bool:
        word = self.tokens.words[at]
        if self.tokens.kinds[at] == "i":
            return word not in KEYWORDS or word in (
                "this",
                "true",
                "false",
                "null",
                "break",
                "continue",
                "return",
            )
        return word in ("++", "--")
