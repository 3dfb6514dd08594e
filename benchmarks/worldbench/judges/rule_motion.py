"""The lines that make an item move, and along which axis code moves a thing. Rules and weights ours."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING

from benchmarks.worldbench.judges.rule_match import Edges, matched
from benchmarks.worldbench.judges.rule_words import Likeness, words
from benchmarks.worldbench.spec import Item, Spec

if TYPE_CHECKING:
    from benchmarks.worldbench.judges.rule_code import Code

OF_ANOTHER = 0.75
"""What a line that moves an item counts where its words are rather another's, or it uses nothing of the item's."""


OF_A_REGION = 0.5
"""What a region's own line counts for the day and the year of the whole."""


def motions(
    code: Code,
    wanted: Sequence[Item],
    edges: Edges,
    looks: Mapping[str, int],
    used: Set[int] = frozenset(),
) -> dict[str, int]:
    """Item -> the line that makes it move: one that runs on time and uses a thing that the item may be, if it is no
    other item's of the same test. Of the lines `used` none is one; an item without a look may be any of its things."""
    holders = {at: name for name, at in looks.items()}
    driven = sorted(code.driven - holders.keys() - used)
    cycle = Likeness(code.spec.of(test="WC005", kind="time"))
    found: Edges = {}
    for item in wanted:
        own = looks.get(item.id)
        look = set(code.lines[own].said) if own is not None else set()
        free = [
            (score, at)
            for score, at in edges[item.id]
            if own is None
            or at == own
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
            score = max((things[name] / code.uses(name, line) for name in shared), default=0.0) + match.score
            if ranked and not (likest and shared):
                score *= OF_ANOTHER
            elif line.owners and not item.biome:
                score *= OF_A_REGION
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
