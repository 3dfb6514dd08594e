"""Evidence for a world that has everything, and ways to take something away from it."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, permutations
from typing import Any

from benchmarks.worldbench.evidence import (
    BIOMES,
    WIDE,
    Burst,
    Clock,
    CodeClaim,
    Evidence,
    FrameClaim,
    FrameFlags,
    Layout,
    Look,
    Quote,
    Span,
)
from benchmarks.worldbench.spec import Spec

RANK = {
    name: rank
    for rank, name in enumerate(
        [
            "mountains",
            "forest",
            "highlands",
            "volcano",
            "desert",
            "jungle",
            "swamp",
            "grove",
            "grassland",
            "delta",
        ]
    )
}


def perfect_evidence(spec: Spec) -> Evidence:
    """Grades to exactly 280: every quote verified and its own, every item seen in a confirmed frame."""
    line = count(1)

    def quote() -> Quote:
        number = next(line)
        return Quote(
            f"line {number};", (Span(number * 100, number * 100 + 50, number, number),), executed=True
        )

    code: dict[str, CodeClaim] = {}
    frames: dict[str, FrameClaim] = {}
    for item in spec.items.values():
        if item.forbidden or item.kind in ("hunt", "place"):
            continue
        moving = item.kind in ("moving", "time")
        code[item.id] = CodeClaim(item.id, 1.0, quote(), quote() if moving else None, item.axis)
        if item.kind != "source":
            ref = f"close.{item.biome}" if item.biome else "overview"
            frames[item.id] = FrameClaim(item.id, True, item.kind == "moving", item.axis, (ref,))
    edges = {
        tuple(sorted((name, other)))
        for name, rules in spec.rules.items()
        for other in (*rules.touches_all, *rules.touches_any)
    }
    hunt = tuple(FrameFlags(view, view if view == "overview" else f"orbit:{view}") for view in WIDE)
    return Evidence(
        loaded=True,
        code=code,
        frames=frames,
        classified={biome: quote() for biome in BIOMES},
        named_in_source=frozenset(BIOMES),
        confirmed={biome: (f"close.{biome}",) for biome in BIOMES},
        layout=Layout(frozenset((a, b) for a, b in edges), RANK),
        bursts={biome: Burst(biome, near=0.384, far=0.1, camera_still=True) for biome in BIOMES},
        hunt=(*hunt, *(FrameFlags(f"close.{biome}", f"close:{biome}") for biome in BIOMES)),
        clock=perfect_clock(),
    )


def perfect_clock() -> Clock:
    """Noon is day, midnight night; every measure is well above its threshold."""

    def look(ref: str, luma: float) -> Look:
        return Look(ref, luma, luma + 20.0, (0.33, 0.33), 0.4)

    return Clock(
        "patch",
        times=(look("t0", 10.0), look("t1", 25.0), look("t2", 40.0), look("t3", 22.0)),
        seasons=tuple(look(f"s{i}", 40.0) for i in range(4)),
        differs=(30.0, 15.0, 0.0, 18.0),
        shift=(0.05, 0.06, 0.0, 0.08),
        season_shift=(0.0, 0.03, 0.05, 0.04),
        day=2,
        night=0,
    )


def without(evidence: Evidence, item: str, **fields: Any) -> Evidence:
    """`evidence` without any claim on `item`."""
    code = {name: claim for name, claim in evidence.code.items() if name != item}
    frames = {name: claim for name, claim in evidence.frames.items() if name != item}
    return replace(evidence, code=code, frames=frames, **fields)


def uncover(evidence: Evidence, *biomes: str) -> Evidence:
    """`evidence` of a world in which nobody found `biomes`."""
    return replace(
        evidence,
        classified={name: quote for name, quote in evidence.classified.items() if name not in biomes},
        confirmed={name: refs for name, refs in evidence.confirmed.items() if name not in biomes},
        layout=Layout(
            frozenset(edge for edge in evidence.layout.edges if not set(edge) & set(biomes)),
            {name: rank for name, rank in evidence.layout.rank.items() if name not in biomes},
        ),
    )


def leak(item: str, *, code: bool = False, frames: bool = False) -> dict[str, Any]:
    """Claims that the forbidden `item` was found, by the channels named."""
    quote = Quote("leak;", (Span(1, 5, 9999, 9999),))
    return {
        "code": {item: CodeClaim(item, 1.0, quote)} if code else {},
        "frames": {item: FrameClaim(item, True, refs=("overview",))} if frames else {},
    }


def add(evidence: Evidence, claims: dict[str, Any]) -> Evidence:
    """`evidence` with the claims of `leak` beside its own."""
    return replace(
        evidence,
        code={**evidence.code, **claims["code"]},
        frames={**evidence.frames, **claims["frames"]},
    )


def all_pairs() -> frozenset[tuple[str, str]]:
    """Every region touching every other."""
    return frozenset((a, b) for a, b in permutations(BIOMES, 2) if a < b)
