"""How far totals scatter, over worlds and over judging, and which gaps between models are ties."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean, variance

from benchmarks.worldbench.spec import Thresholds

Number = Fraction | float


@dataclass(frozen=True)
class Judged:
    """One total: of which world, by which judging of it (two judgings by one judge have two names)."""

    world: Hashable
    judging: Hashable
    total: Number


@dataclass(frozen=True)
class Spread:
    """Standard deviations in points, None where there is nothing to take them from: of `worlds` worlds' mean totals,
    and of repeated judging within a world, pooled over the `repeated` worlds that were judged more than once."""

    over_worlds: float | None
    over_judging: float | None
    worlds: int
    repeated: int

    @property
    def worlds_reason(self) -> str:
        """Why there is no spread over worlds; "" where there is one."""
        return "" if self.over_worlds is not None else f"{self.worlds} world{'s' * (self.worlds != 1)} only"

    @property
    def judging_reason(self) -> str:
        """Why there is no spread over judging; "" where there is one."""
        return "" if self.over_judging is not None else "judged once"


def spread(judged: Iterable[Judged]) -> Spread:
    """The two spreads, kept apart: sqrt(sum (n_i - 1) s_i^2 / sum (n_i - 1)) over worlds i judged n_i > 1 times,
    and the sample standard deviation of the worlds' means (pooled variance, as in any textbook)."""
    by_world: dict[Hashable, list[float]] = {}
    for one in judged:
        by_world.setdefault(one.world, []).append(float(one.total))
    repeated = [values for values in by_world.values() if len(values) > 1]
    within = sum(variance(values) * (len(values) - 1) for values in repeated)
    freedom = sum(len(values) - 1 for values in repeated)
    means = [fmean(values) for values in by_world.values()]
    return Spread(
        math.sqrt(variance(means)) if len(means) > 1 else None,
        math.sqrt(within / freedom) if freedom else None,
        len(by_world),
        len(repeated),
    )


@dataclass(frozen=True)
class Rank:
    """A model's place by its total. `gap` in points to the one above it, None for the first; `tie`: that gap is
    below `tie_below`, so the order of the two says nothing."""

    name: str
    total: Number
    gap: float | None
    tie: bool
    tie_below: float


def tie_below(over_judging: float | None, thresholds: Thresholds) -> float:
    """The gap in points below which two models tie: twice the spread over judging, "a few points" (5) where no
    judging was repeated (ours)."""
    if over_judging is None:
        return thresholds.tie_points
    return thresholds.tie_spreads * over_judging


def ranking(
    totals: Mapping[str, Number], thresholds: Thresholds, over_judging: float | None = None
) -> tuple[Rank, ...]:
    """Models from the highest total down; equal totals always tie, by name among themselves."""
    least = tie_below(over_judging, thresholds)
    ordered = sorted(totals.items(), key=lambda entry: (-entry[1], entry[0]))
    ranks: list[Rank] = []
    for name, total in ordered:
        gap = float(ranks[-1].total - total) if ranks else None
        ranks.append(Rank(name, total, gap, gap is not None and (gap < least or gap == 0), least))
    return tuple(ranks)
