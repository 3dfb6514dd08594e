"""WC002, coverage and placement: one point for each region that exists, one if it lies where it should."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from benchmarks.worldbench.evidence import BIOMES, Evidence, Half
from benchmarks.worldbench.grade.channels import Found, quoted
from benchmarks.worldbench.spec import Placement, Spec

ONE = Fraction(1)


def grade(evidence: Evidence, spec: Spec) -> Iterator[Half]:
    """Two halves a region, channels "classify" and "place"."""
    coverage = {biome: covered(biome, evidence) for biome in BIOMES}
    for biome in BIOMES:
        item = spec.items[f"L.{biome}"]
        yield coverage[biome].half(item, "classify", ONE)
        yield _placed(biome, coverage, evidence, spec.rules[biome]).half(item, "place", ONE)


def covered(biome: str, evidence: Evidence) -> Found:
    """Whether the classifier's layout quote stands, or a close frame was identified as `biome` blind. A claim on
    `L.<biome>` that holds an error says that the classifier could not be had."""
    confirmed = evidence.confirmed.get(biome, ())
    quote = evidence.classified.get(biome)
    code = quoted(quote, evidence, "layout quote")
    if code.found or confirmed:
        both = "in the code and in a frame" if code.found and confirmed else ""
        reason = both or ("in the code" if code.found else "in a frame")
        return Found(True, reason, confirmed, code.lines if code.found else ())
    claim = evidence.code.get(f"L.{biome}")
    if claim is not None and claim.error:
        return Found(False, error=claim.error)
    return code


def _placed(biome: str, coverage: dict[str, Found], evidence: Evidence, rules: Placement) -> Found:
    if coverage[biome].error:
        return Found(False, error=coverage[biome].error)
    if not coverage[biome].found:
        return Found(False, "not covered")
    named = {*rules.touches_all, *rules.touches_any, *rules.touches_none, *rules.higher_than}
    unknown = [coverage[name].error for name in BIOMES if name in named and coverage[name].error]
    if unknown:
        return Found(False, error=unknown[0])
    there = {name for name in named if coverage[name].found}
    if not there:
        return Found(True, "no rule is left, its neighbours being uncovered")
    if evidence.layout.error:
        return Found(False, error=evidence.layout.error)
    broken = _broken(biome, rules, there, evidence)
    return Found(not broken, "; ".join(broken) or "all rules hold")


def _broken(biome: str, rules: Placement, there: set[str], evidence: Evidence) -> list[str]:
    """The rules that do not hold, in words; those on regions that are not `there` are left out."""
    edges = {frozenset(edge) for edge in evidence.layout.edges}
    rank = evidence.layout.rank

    def touches(other: str) -> bool:
        return frozenset((biome, other)) in edges

    broken = [f"does not touch {name}" for name in rules.touches_all if name in there and not touches(name)]
    either = [name for name in rules.touches_any if name in there]
    if either and not any(map(touches, either)):
        broken.append(f"touches none of {', '.join(either)}")
    broken += [f"touches {name}" for name in rules.touches_none if name in there and touches(name)]
    for name in rules.higher_than:
        if name in there and (biome not in rank or name not in rank):
            broken.append(f"not known to be higher than {name}")
        elif name in there and rank[biome] >= rank[name]:
            broken.append(f"not higher than {name}")
    return broken
