"""JavaScript cut into tokens: enough to tell code from comments and strings and to pair brackets. Ours.

A small tokenizer, not a parser: it never fails, whatever it is given, and its time grows with the text's length.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_TOKEN = re.compile(
    r"""\s*(?:
      ([A-Za-z_$#\u0080-\U0010ffff][\w$\u0080-\U0010ffff]*)
    | ((?:\d|\.\d)[\w.]*(?:\s*,\s*-?(?:\d|\.\d)[\w.]*)*)
    | ("[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"?|'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'?)
    | ([(){}\[\]])
    | (//[^\n]*|<!--[^\n]*)
    | (/\*)
    | (`)
    | (/)
    | (=>|\.\.\.|[=!]==?|&&=?|\|\|=?|\?\?=?|\?\.(?!\d)|\*\*=?|<<=?|>>>?=?|[-+*%&|^<>]=|\+\+|--|[\s\S])
    )""",
    re.VERBOSE,
)
_KINDS = " insb"
_REGEX = re.compile(r"/[^/\\\[\n]*(?:(?:\\[^\n]|\[[^\]\\\n]*(?:\\[^\n][^\]\\\n]*)*\])[^/\\\[\n]*)*/[A-Za-z]*")
_TEMPLATE = re.compile(r"[^`\\$]*(?:(?:\\[\s\S]|\$(?!\{))[^`\\$]*)*")
_SHADER = re.compile(r"\bgl_[A-Z]|\bvoid\s+main\b|\bvec[234]\b")
_SHADER_COMMENT = re.compile(r"//[^\n]*|/\*[\s\S]*?\*/")
_MOST_OPEN = 12
_LONGEST_REGEX = 200
_OPENING = frozenset({"(", "[", "{", "${"})


def word_set(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())


_BEFORE_REGEX = word_set(
    "return typeof instanceof in of new delete void throw case do else yield await default"
)
KEYWORDS = word_set(
    """await async break case catch class const continue debugger default delete do else export extends finally for
    function if import in instanceof let new of return static super switch this throw try typeof var void while with
    yield true false null undefined"""
)


@dataclass(frozen=True)
class Tokens:
    """Tokens in order, as columns. `kinds`: i identifier or keyword, n numbers (a run of them with commas counts as
    one), s string, t piece of a template literal, r regular expression, b bracket ("(", "[", "{", "${" and their
    ends), o operator. `words`: their text. `starts`: where. `comments`: [start, end) of each comment, also those in
    shader text. `script_ends`: the number of tokens up to the end of each part."""

    text: str
    kinds: list[str]
    words: list[str]
    starts: list[int]
    comments: tuple[tuple[int, int], ...]
    script_ends: tuple[int, ...]

    def end(self, index: int) -> int:
        """Where token `index` ends."""
        return self.starts[index] + len(self.words[index])

    @cached_property
    def pairs(self) -> tuple[list[int], list[int]]:
        """For each token: the bracket that ends or begins with it (-1: none), and the innermost open bracket
        around it (-1: none). Of brackets that nothing closes the outermost few, as a torn file leaves them, are
        paired with the end of their script (a token behind its last), deeper ones with nothing."""
        count = len(self.words)
        partner, parent = [-1] * count, [-1] * count
        open_: list[int] = []
        bounds = iter((*self.script_ends, count))
        bound = next(bounds)
        inner = -1
        for index, kind in enumerate(self.kinds):
            while index >= bound:
                for mate in open_[:_MOST_OPEN]:
                    partner[mate] = bound
                open_, inner = [], -1
                bound = next(bounds)
            parent[index] = inner
            if kind != "b":
                continue
            word = self.words[index]
            if word in _OPENING:
                open_.append(index)
                inner = index
            else:
                wanted = ("{", "${") if word == "}" else ("(",) if word == ")" else ("[",)
                # A wrong bracket is passed over, at most a few deep: broken code must not cost quadratic time.
                for depth in range(1, min(len(open_), 4) + 1):
                    if self.words[open_[-depth]] in wanted:
                        mate = open_[-depth]
                        partner[index], partner[mate] = mate, index
                        del open_[-depth:]
                        break
                inner = open_[-1] if open_ else -1
                parent[index] = inner
        for mate in open_[:_MOST_OPEN]:
            partner[mate] = count
        return partner, parent


def tokenize(text: str, parts: tuple[tuple[int, int], ...] = ()) -> Tokens:
    """The tokens of `text`; each of `parts` (default: all of it) is read on its own, so that an open string or
    comment in one script does not swallow the next."""
    kinds: list[str] = []
    words: list[str] = []
    starts: list[int] = []
    comments: list[tuple[int, int]] = []
    ends: list[int] = []
    for start, end in parts or ((0, len(text)),):
        _read(text, start, end, kinds, words, starts, comments)
        ends.append(len(kinds))
    return Tokens(text, kinds, words, starts, tuple(comments), tuple(ends))


def _read(
    text: str,
    at: int,
    stop: int,
    kinds: list[str],
    words: list[str],
    starts: list[int],
    comments: list[tuple[int, int]],
) -> None:
    braces: list[bool] = []  # whether each open brace belongs to a template literal
    scan = _TOKEN.scanner(text, at, stop).match  # type: ignore[attr-defined]
    first = len(kinds)

    def add(kind: str, start: int, end: int) -> None:
        kinds.append(kind)
        words.append(text[start:end])
        starts.append(start)

    def template(start: int, inside: int) -> int:
        """Read a template literal's text, from `inside` on, up to its end or its next `${`."""
        match = _TEMPLATE.match(text, inside, stop)
        end = match.end() if match else stop
        if _SHADER.search(text, start, end):
            comments.extend(one.span() for one in _SHADER_COMMENT.finditer(text, start, end))
        opened = text.startswith("${", end)
        add("t", start, end if opened else min(end + 1, stop))
        if opened:
            add("b", end, end + 2)
            braces.append(True)
            return end + 2
        return min(end + 1, stop)

    while (match := scan()) is not None:
        group = match.lastindex
        if group is None:
            break
        start = match.start(group)
        again = -1
        if group <= 3:
            kinds.append(_KINDS[group])
            words.append(match.group(group))
            starts.append(start)
        elif group == 4:
            word = match.group(4)
            kinds.append("b")
            words.append(word)
            starts.append(start)
            if word == "{":
                braces.append(False)
            elif word == "}" and braces and braces.pop():
                again = template(start + 1, start + 1)
        elif group == 5:
            comments.append((start, match.end()))
        elif group == 6:
            end = text.find("*/", start + 2, stop)
            again = stop if end < 0 else end + 2
            comments.append((start, again))
        elif group == 7:
            again = template(start, start + 1)
        elif group == 8:
            regex = None
            if len(kinds) == first or not _operand(kinds[-1], words[-1]):
                regex = _REGEX.match(text, start, min(stop, start + _LONGEST_REGEX))
            end = regex.end() if regex else start + (2 if text.startswith("/=", start) else 1)
            add("r" if regex else "o", start, end)
            again = end
        else:
            kinds.append("o")
            words.append(match.group(9))
            starts.append(start)
        if again >= 0:
            scan = _TOKEN.scanner(text, again, stop).match  # type: ignore[attr-defined]


def _operand(kind: str, word: str) -> bool:
    """Whether a slash behind this token divides."""
    if kind == "i":
        return word not in _BEFORE_REGEX
    return kind in "nstr" or word in (")", "]", "}")


def is_shader(text: str) -> bool:
    """Whether a string or template holds code for the graphics card rather than text."""
    return _SHADER.search(text) is not None


def without_comments(text: str) -> str:
    """`text` with every comment of it taken out, read as a piece of JavaScript."""
    kept, at = [], 0
    for start, end in tokenize(text).comments:
        kept.append(text[at:start])
        at = end
    return "".join((*kept, text[at:]))
