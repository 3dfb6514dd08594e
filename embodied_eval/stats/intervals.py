"""Estimates with intervals: Wilson for a share, the bootstrap over whole clusters for everything else."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Item = TypeVar("Item")
Clusters = Sequence[Hashable]


@dataclass(frozen=True)
class Estimate:
    """A value with its interval over `n` items. What is not defined is None and `reason` says why."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    reason: str = ""


def wilson(passed: int, n: int, *, level: float = 0.95) -> Estimate:
    """The share `passed` / `n` with Wilson's score interval (E. B. Wilson, JASA 22, 1927, 209-212).

    None for n = 0. Raises ValueError unless 0 <= passed <= n.
    """
    if not 0 <= passed <= n:
        raise ValueError(f"{passed} of {n} is no share")
    if n == 0:
        return Estimate(None, None, None, 0, "nothing was counted")
    z = quantile(level)
    share = passed / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At the ends the formula is exactly 0 and 1; rounding must not leave the range.
    low = 0.0 if passed == 0 else max(0.0, middle - half)
    high = 1.0 if passed == n else min(1.0, middle + half)
    return Estimate(share, low, high, n)


def bootstrap_mean(
    values: Sequence[float],
    clusters: Clusters | None = None,
    *,
    seed: int = 0,
    resamples: int = 10_000,
    level: float = 0.95,
) -> Estimate:
    """The mean of `values` with a percentile bootstrap interval (Efron and Tibshirani, An Introduction to
    the Bootstrap, 1993, section 13.3) that draws whole clusters with replacement (Davison and Hinkley,
    Bootstrap Methods and Their Application, 1997, section 3.8), items within a cluster not being
    independent. Each item is a cluster of its own unless `clusters` names one for each.

    The same `seed` gives the same interval. None for no values; no interval for fewer than two clusters.
    """
    groups = _grouped(values, clusters)
    _finite(values)
    if not groups:
        return Estimate(None, None, None, 0, "nothing was measured")
    n = len(values)
    mean = math.fsum(values) / n
    if len(groups) < 2:
        return Estimate(mean, None, None, n, "an interval needs two clusters or more")
    import numpy as np

    sums = np.array([math.fsum(group) for group in groups])
    sizes = np.array([len(group) for group in groups], dtype=float)
    means = np.empty(resamples)
    rng = np.random.default_rng(seed)
    at_once = max(1, 2_000_000 // len(groups))  # bounds the memory of the draws
    for start in range(0, resamples, at_once):
        stop = min(resamples, start + at_once)
        drawn = rng.integers(len(groups), size=(stop - start, len(groups)))
        means[start:stop] = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = _percentiles(means, level)
    # The mean of equal values must lie in its interval to the last bit.
    return Estimate(mean, min(low, mean) if _close(low, mean) else low, _upper(high, mean), n)


def bootstrap_statistic(
    statistic: Callable[[list[Item]], float | None],
    items: Sequence[Item],
    clusters: Clusters | None = None,
    *,
    seed: int = 0,
    resamples: int = 2_000,
    level: float = 0.95,
) -> Estimate:
    """`statistic` of `items` with the interval of `bootstrap_mean`'s kind. Resamples for which the statistic
    is None are left out; if they are more than a tenth there is no interval (ours)."""
    groups = _grouped(items, clusters)
    value = statistic(list(items)) if groups else None
    if value is None:
        return Estimate(None, None, None, len(items), "the statistic is not defined for these items")
    if len(groups) < 2:
        return Estimate(value, None, None, len(items), "an interval needs two clusters or more")
    import numpy as np

    rng = np.random.default_rng(seed)
    found = []
    for _ in range(resamples):
        drawn = rng.integers(len(groups), size=len(groups))
        result = statistic([item for index in drawn for item in groups[index]])
        if result is not None:
            found.append(result)
    if len(found) < 0.9 * resamples:
        return Estimate(value, None, None, len(items), "the statistic is undefined in many resamples")
    low, high = _percentiles(np.array(found), level)
    return Estimate(value, low, high, len(items))


def quantile(level: float) -> float:
    """The standard normal quantile that leaves `level` between -z and z. Raises ValueError outside (0, 1)."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"a level lies between 0 and 1, not {level}")
    return NormalDist().inv_cdf(0.5 + level / 2)


def _grouped(items: Sequence[Item], clusters: Clusters | None) -> list[list[Item]]:
    if clusters is None:
        return [[item] for item in items]
    if len(clusters) != len(items):
        raise ValueError(f"{len(items)} items but {len(clusters)} cluster names")
    groups: dict[Hashable, list[Item]] = {}
    for cluster, item in zip(clusters, items, strict=True):
        groups.setdefault(cluster, []).append(item)
    return list(groups.values())


def _finite(values: Sequence[float]) -> None:
    bad = [value for value in values if not math.isfinite(value)]
    if bad:
        raise ValueError(f"{len(bad)} of {len(values)} values are not finite")


def _percentiles(values: NDArray[np.float64], level: float) -> tuple[float, float]:
    import numpy as np

    if not 0.0 < level < 1.0:
        raise ValueError(f"a level lies between 0 and 1, not {level}")
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-15)


def _upper(high: float, mean: float) -> float:
    return max(high, mean) if _close(high, mean) else high
