"""Searching with a model's pattern, in time that grows with the text's length only. Ours.

Patterns are those of grep in small: text, `|`, `.*`, `.`, `[...]`, `\\w` and its like, `?`, plain groups. They are not
handed to a backtracking engine as they are: everything that repeats becomes a gap between pieces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from embodied_eval.errors import UsageError

LONGEST = 200
_MAX_PIECES = 8
_MAX_OPTIONAL = 4
_MAX_GROUPS = 3
_WINDOW = 2_000
_ATOM = re.compile(
    r"(\\[wWdDsSbB])|(\\.)|(\[\^?\]?(?:\\.|[^\]\\])*\])|(\(\?:|\((?!\?))|(\))|(\|)|(\.)|([\^$])|([\s\S])"
)
_REPEAT = re.compile(r"(?:[*+]|\{\d*,?\d*\})[?+]?")


@dataclass(frozen=True)
class Pattern:
    """Alternatives, each a row of pieces that must follow one another within a line."""

    alternatives: tuple[tuple[re.Pattern[str], ...], ...]

    def search(self, text: str) -> tuple[int, int] | None:
        """The first characters [start, end) of `text` that match; None where nothing does. Of a longer line only
        windows of 2,000 characters are joined by a gap."""
        for pieces in self.alternatives:
            first = pieces[0].search(text)
            if first is None:
                continue
            at, stop = first.end(), min(len(text), first.start() + _WINDOW)
            for piece in pieces[1:]:
                following = piece.search(text, at, stop)
                if following is None:
                    break
                at = following.end()
            else:
                return first.start(), at
        return None


def pattern(text: str) -> Pattern:
    """Read a pattern; case does not matter. Raises UsageError for one that is empty, too long or of another kind."""
    if not text.strip():
        raise UsageError("The pattern is empty.", hint="Give a word, or two joined by `.*`.")
    if len(text) > LONGEST:
        raise UsageError(
            f"The pattern has {len(text)} characters; at most {LONGEST} are read.", hint="Use fewer words."
        )
    try:
        return Pattern(tuple(_pieces(one) for one in _alternatives(text)))
    except re.error as error:
        raise UsageError(
            f"The pattern cannot be read: {error}.", hint="Use plain words, `|` and `.*`."
        ) from error


def _alternatives(text: str) -> list[list[str]]:
    """The pattern's atoms, cut at the `|` outside of groups; a repetition stands as its own atom "*"."""
    out: list[list[str]] = [[]]
    depth, at = 0, 0
    while at < len(text):
        atom = _ATOM.match(text, at)
        assert atom is not None  # the last alternative takes any character
        at = atom.end()
        word = atom.group()
        if atom.group(4):
            depth += 1
            word = "(?:"
        elif atom.group(5):
            if not depth:
                word = r"\)"
            else:
                depth -= 1
        elif atom.group(6) and not depth:
            out.append([])
            continue
        elif atom.group(8):
            continue
        elif atom.group(9) or atom.group(2):
            word = re.escape(word[-1])
        repeat = _REPEAT.match(text, at)
        if repeat is not None and word not in ("(?:", "|"):
            at = repeat.end()
            if depth or word == ")":
                raise UsageError(
                    "A group cannot repeat or hold a repetition.", hint="Use plain words, `|` and `.*`."
                )
            if repeat.group()[0] == "+" and word != ".":
                out[-1].append(word)
            out[-1].append("*")
            continue
        out[-1].append(word)
        if text.startswith("?", at) and word not in ("(?:", "|"):
            out[-1].append("?")
            at += 1
    if depth:
        raise UsageError("A group is not closed.", hint="Write `\\(` for a bracket in the code.")
    return out


def _pieces(atoms: list[str]) -> tuple[re.Pattern[str], ...]:
    pieces = [""]
    for atom in atoms:
        if atom == "*":
            pieces.append("")
        else:
            pieces[-1] += atom
    wanted = [one for one in pieces if one]
    if not wanted:
        raise UsageError("The pattern matches everything.", hint="Name what you look for.")
    if (
        len(wanted) > _MAX_PIECES
        or atoms.count("?") > _MAX_OPTIONAL
        or sum(one == "(?:" for one in atoms) > _MAX_GROUPS
    ):
        raise UsageError("The pattern has too many parts.", hint="Search for one thing at a time.")
    return tuple(re.compile(one, re.IGNORECASE) for one in wanted)
