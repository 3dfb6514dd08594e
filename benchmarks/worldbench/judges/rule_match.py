"""Which of a region's things serves which of its items, for the rule's code and frames alike. Rules and weights ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.worldbench.spec import Item

BY = "rule"
LEAST = 0.45
"""Likeness from which a line can prove an item."""
NEARLY = 0.9
"""A line may also serve an item that it is nearly as like as the likest."""
OTHERS = 0.2
"""Nothing can serve an item that it is less like than this share of the likest of the region's other test."""
YIELDS = 0.7
"""A holder with another line yields one that is another's by at least this share of what it is the holder's."""
MOVES, STANDS = 1.1, 0.75
EQUAL = 1e-9
Edges = dict[str, list[tuple[float, int]]]

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


def has_all(said: Sequence[str], groups: Sequence[str]) -> bool:
    """Whether of each group of stems some word begins with one."""
    return all(any(word.startswith(stem) for word in said for stem in group.split()) for group in groups)


def moving(item: Item, moves: bool) -> float:
    """What it counts for an item that ought to move whether a thing moves; 1 for all others."""
    if item.fauna or not (item.axis or item.test == "WC005"):
        return 1.0
    return MOVES if moves else STANDS


def matched(edges: Edges, order: Sequence[str]) -> dict[str, int]:
    """Item -> line, each line once, the likest pairs first. An item left without may take a line that is nearly as
    much its own as its holder's where the holder has another free one; longer exchanges would find what is missing. Two
    items change lines where both together are likelier so."""
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
    return _exchanged({name: at for at, name in holder.items()}, edges)


def _exchanged(lines: dict[str, int], edges: Edges) -> dict[str, int]:
    likeness = {(name, at): score for name, found in edges.items() for score, at in sorted(found)}
    better = True
    while better:
        better = False
        holder = {at: name for name, at in lines.items()}
        for name in sorted(lines):
            for _, at in edges[name]:
                other, own = holder.get(at), lines[name]
                if other is None or other == name or (other, own) not in likeness:
                    continue
                now = likeness[name, own] + likeness[other, at]
                if likeness[name, at] + likeness[other, own] > now + EQUAL:
                    lines[name], lines[other] = at, own
                    holder[at], holder[own] = name, other
                    better = True
    return lines
