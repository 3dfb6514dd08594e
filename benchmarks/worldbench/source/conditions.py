"""What an if's condition says of biomes: whom its then-arm belongs to, and whom what comes otherwise. Ours."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass

from benchmarks.worldbench.source.tokens import Tokens

_UNEQUAL = frozenset({"!=", "!=="})
_MAX_CLIMB = 40
_LESS = frozenset({"<", "<="})
_MORE = frozenset({">", ">="})
_DISTANCE = re.compile(r"(?:^|_)(?:d|dist)(?=[A-Z_]|$)|[dD]ist|[rR]adius|(?<=[a-z])D$")


@dataclass(frozen=True)
class Condition:
    """`positive`: biomes the condition asks for. `otherwise`: biomes that are meant whenever it does not hold, as in
    `if (b !== "x") continue; ...`."""

    positive: frozenset[str]
    otherwise: frozenset[str]


def condition(
    tokens: Tokens,
    head: tuple[int, int],
    mentions: Mapping[int, frozenset[str]],
    distances: Container[str] = frozenset(),
) -> Condition:
    """The meaning of the tokens in `head`, given the biomes that some of them name.

    The condition is read as alternatives of joint parts. An alternative that consists of nothing but "is not this
    biome" makes the rest that biome's. Below a number means being there for a distance (a name of `distances`, or one
    that says so), above it for anything else, such as the strength of a mask.
    """
    _, parent = tokens.pairs
    words = tokens.words
    level = parent[head[0]] if head[0] < len(words) else -1
    positive: set[str] = set()
    otherwise: set[str] = set()
    part_negative: set[str] = set()
    part_said = alternative_pure = False
    alternative: set[str] = set()
    alternative_pure = True

    def end_part() -> None:
        nonlocal part_negative, part_said, alternative_pure
        if part_negative and not part_said:
            alternative.update(part_negative)
        else:
            alternative_pure = False
        part_negative, part_said = set(), False

    def end_alternative() -> None:
        nonlocal alternative, alternative_pure
        end_part()
        if alternative_pure:
            otherwise.update(alternative)
        alternative, alternative_pure = set(), True

    for index in range(head[0], head[1]):
        word = words[index]
        if parent[index] == level and word == "&&":
            end_part()
        elif parent[index] == level and word == "||":
            end_alternative()
        elif index in mentions:
            if _negated(tokens, index, head[0], distances):
                part_negative.update(mentions[index])
            else:
                part_said = True
                positive.update(mentions[index])
    end_alternative()
    return Condition(frozenset(positive), frozenset(otherwise))


def _negated(tokens: Tokens, index: int, low: int, distances: Container[str]) -> bool:
    """Whether the mention is said not to hold: compared by `!=`, on the far side of a number, or inside a `!`."""
    words = tokens.words
    _, parent = tokens.pairs
    start = index
    while start - 2 >= low and index - start < _MAX_CLIMB and words[start - 1] in (".", "?."):
        start -= 2
    after = words[index + 1] if index + 1 < len(words) else ""
    unequal = words[start - 1] in _UNEQUAL or after in _UNEQUAL
    less = after in _LESS or words[start - 1] in _MORE
    if tokens.kinds[index] == "i" and (less or after in _MORE or words[start - 1] in _LESS):
        far = words[index] in distances or _DISTANCE.search(words[index]) is not None
        unequal = less != far
    flips = words[start - 1] == "!" and start > low
    outer = parent[index]
    for _ in range(_MAX_CLIMB):
        if outer < low:
            break
        before = outer - 1
        while (
            before > low
            and outer - before < _MAX_CLIMB
            and (tokens.kinds[before] == "i" or words[before] == ".")
        ):
            before -= 1
        if before >= low and words[before] == "!":
            flips = not flips
        outer = parent[outer]
    return unequal != flips
