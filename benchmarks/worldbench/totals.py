"""From halves to points: by test, by region and in all, as exact fractions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.worldbench.evidence import BIOMES, Half
from benchmarks.worldbench.spec import TESTS, Spec, load_spec
from embodied_eval.errors import UnknownName

MAXIMUM = Fraction(280)
DENOMINATOR = 1000
"""No half has a larger denominator (a source item's hundredths, a share of up to 1000 frames)."""


@dataclass(frozen=True)
class Totals:
    """Points by test, and by test and region where a test has regions; None where an item of theirs is unjudged.
    `unjudged` holds the ids of the items that are, in order: a half of theirs is an error or is not there."""

    tests: Mapping[str, Fraction | None]
    biomes: Mapping[str, Mapping[str, Fraction | None]]
    total: Fraction | None
    unjudged: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every item was judged."""
        return not self.unjudged

    @property
    def reason(self) -> str:
        """Why there is no total; "" where there is one."""
        return f"{len(self.unjudged)} items are unjudged" if self.unjudged else ""


def totals(halves: Iterable[Half], spec: Spec | None = None) -> Totals:
    """The points that `halves` add up to: what a region loses never takes it below 0 in a test, nor does a test
    fall below 0. Raises UnknownName for a half of no known item."""
    spec = spec or load_spec()
    sums: dict[tuple[str, str], Fraction] = {}
    of = dict.fromkeys(spec.items, Fraction(0))
    bad: set[str] = set()
    seen: set[str] = set()
    for half in halves:
        if half.item not in spec.items:
            raise UnknownName("item", half.item, spec.items)
        item = spec.items[half.item]
        key = (item.test, item.biome)
        sums[key] = sums.get(key, Fraction(0)) + half.earned
        of[item.id] += half.of
        seen.add(item.id)
        if half.error:
            bad.add(item.id)
    bad |= {
        item.id
        for item in spec.items.values()
        if item.id not in seen or (not item.forbidden and of[item.id] != item.points)
    }
    return _totals(sums, tuple(name for name in spec.items if name in bad), spec)


def _totals(sums: Mapping[tuple[str, str], Fraction], unjudged: tuple[str, ...], spec: Spec) -> Totals:
    open_in = {(spec.items[name].test, spec.items[name].biome) for name in unjudged}
    tests: dict[str, Fraction | None] = {}
    biomes: dict[str, Mapping[str, Fraction | None]] = {}
    for test in TESTS:
        parts = {biome: max(sums.get((test, biome), Fraction(0)), Fraction(0)) for biome in ("", *BIOMES)}
        is_open = any(name == test for name, _ in open_in)
        tests[test] = None if is_open else sum(parts.values(), Fraction(0))
        if any(item.biome for item in spec.of(test=test)):
            biomes[test] = {b: None if (test, b) in open_in else parts[b] for b in BIOMES}
    known = [points for points in tests.values() if points is not None]
    total = sum(known, Fraction(0)) if len(known) == len(TESTS) else None
    return Totals(tests, biomes, total, unjudged)


def exact(points: float) -> Fraction:
    """The fraction that a stored number of points stands for: half points have small denominators, so it is the
    very one that was graded."""
    return Fraction(points).limit_denominator(DENOMINATOR)


def shown(points: Fraction | None) -> str:
    """Points as they are printed: two decimals, half up from the exact fraction; "-" for None."""
    if points is None:
        return "-"
    hundredths = (abs(points) * 200 + 1) // 2
    sign = "-" if points < 0 and hundredths else ""
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d}"
