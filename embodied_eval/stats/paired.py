"""Comparing two models on the same tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from embodied_eval.stats.intervals import Clusters, Estimate, bootstrap_mean

# Up to this many signs all 2^n of them are tried; beyond it they are drawn.
_EXACT_SIGNS = 14


@dataclass(frozen=True)
class PairedCounts:
    """How often A and B passed on the same tasks."""

    both: int
    only_a: int
    only_b: int
    neither: int

    @property
    def n(self) -> int:
        """The number of pairs."""
        return self.both + self.only_a + self.only_b + self.neither


def paired_counts(a: Sequence[bool], b: Sequence[bool]) -> PairedCounts:
    """The four counts of paired pass and fail. Raises ValueError for unequal lengths."""
    _paired(a, b)
    pairs = [(bool(x), bool(y)) for x, y in zip(a, b, strict=True)]
    return PairedCounts(
        pairs.count((True, True)),
        pairs.count((True, False)),
        pairs.count((False, True)),
        pairs.count((False, False)),
    )


def mcnemar_exact(a: Sequence[bool], b: Sequence[bool]) -> float | None:
    """Two-sided p of McNemar's exact test: the pairs in which A and B differ are fair coins if A and B are
    equally good (Q. McNemar, Psychometrika 12, 1947, 153-157; exact binomial form: Agresti, Categorical
    Data Analysis, section 10.1). 1 where no pair differs, None where there are no pairs.

    Raises ValueError for unequal lengths.
    """
    counts = paired_counts(a, b)
    return _coins(counts.only_a, counts.only_b) if counts.n else None


def sign_test(a: Sequence[float], b: Sequence[float]) -> Estimate:
    """Two-sided p of the sign test: pairs with a tie are left out, the rest are fair coins (Dixon and Mood,
    JASA 41, 1946, 557-566). `n` counts the pairs without a tie; None if there are none."""
    _paired(a, b)
    above = sum(x > y for x, y in zip(a, b, strict=True))
    below = sum(x < y for x, y in zip(a, b, strict=True))
    if above + below == 0:
        return Estimate(None, None, None, 0, "every pair is a tie" if a else "there are no pairs")
    return Estimate(_coins(above, below), None, None, above + below)


def permutation_test(
    a: Sequence[float],
    b: Sequence[float],
    clusters: Clusters | None = None,
    *,
    seed: int = 0,
    resamples: int = 10_000,
) -> Estimate:
    """Two-sided p of a paired permutation test on the mean difference: under no difference the sign of each
    pair's difference (of each cluster's, given `clusters`) is arbitrary (R. A. Fisher, The Design of
    Experiments, 1935, section 21). All signs are tried for up to 14 clusters; beyond, `resamples` are drawn
    by `seed` and p = (1 + as extreme) / (1 + drawn) (Phipson and Smyth, 2010). `n` counts the pairs.
    """
    _paired(a, b)
    if not a:
        return Estimate(None, None, None, 0, "there are no pairs")
    names = range(len(a)) if clusters is None else clusters
    if len(names) != len(a):
        raise ValueError(f"{len(a)} pairs but {len(names)} cluster names")
    sums: dict[object, float] = {}
    for name, x, y in zip(names, a, b, strict=True):
        sums[name] = sums.get(name, 0.0) + (x - y)
    parts = [part for part in sums.values() if part != 0.0]
    if not all(map(math.isfinite, parts)):
        raise ValueError("a difference is not finite")
    seen = abs(math.fsum(parts))
    limit = seen - 1e-9 * max(1.0, seen)  # sums in another order may differ in the last bits
    if len(parts) <= _EXACT_SIGNS:
        signs = product((1.0, -1.0), repeat=len(parts))
        extreme = sum(
            abs(math.fsum(s * p for s, p in zip(row, parts, strict=True))) >= limit for row in signs
        )
        return Estimate(extreme / 2 ** len(parts), None, None, len(a))
    import numpy as np

    rng = np.random.default_rng(seed)
    values, extreme = np.array(parts), 0
    for start in range(0, resamples, 1000):
        count = min(1000, resamples - start)
        flips = rng.integers(2, size=(count, len(parts))) * 2 - 1
        extreme += int((np.abs(flips @ values) >= limit).sum())
    return Estimate((1 + extreme) / (1 + resamples), None, None, len(a))


def paired_bootstrap(
    a: Sequence[float],
    b: Sequence[float],
    clusters: Clusters | None = None,
    *,
    seed: int = 0,
    resamples: int = 10_000,
    level: float = 0.95,
) -> Estimate:
    """Mean of B minus mean of A over the same tasks, with the clustered percentile bootstrap interval of
    `bootstrap_mean` over the pairs' differences."""
    _paired(a, b)
    differences = [float(y) - float(x) for x, y in zip(a, b, strict=True)]
    return bootstrap_mean(differences, clusters, seed=seed, resamples=resamples, level=level)


def _paired(a: Sequence[object], b: Sequence[object]) -> None:
    if len(a) != len(b):
        raise ValueError(f"{len(a)} and {len(b)} results cannot be paired")


def _coins(heads: int, tails: int) -> float:
    """Two-sided p of so unequal a result of fair coins."""
    tosses, fewer = heads + tails, min(heads, tails)
    below = sum(math.comb(tosses, k) for k in range(fewer + 1))
    return min(1.0, float(2 * below / (1 << tosses)))
