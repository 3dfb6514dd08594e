"""How many tasks a comparison needs before it is run."""

from __future__ import annotations

import math
from statistics import NormalDist

from embodied_eval.stats.intervals import quantile


def pairs_needed(only_a: float, only_b: float, *, power: float = 0.8, level: float = 0.95) -> int | None:
    """Pairs needed for McNemar's test to find a difference when A alone passes a share `only_a` of the
    tasks and B alone a share `only_b` (R. J. Connor, Biometrics 43, 1987, 207-211, formula for the
    unconditional test): (z_a sqrt(s) + z_b sqrt(s - d^2))^2 / d^2 with s their sum and d their difference,
    rounded up. None where the two are equal: no number of pairs finds no difference.

    Raises ValueError unless both are shares with a sum of at most 1.
    """
    if min(only_a, only_b) < 0 or only_a + only_b > 1:
        raise ValueError(f"{only_a} and {only_b} are not two shares of the same tasks")
    together, apart = only_a + only_b, abs(only_a - only_b)
    if apart == 0:
        return None
    root = quantile(level) * math.sqrt(together) + _power(power) * math.sqrt(together - apart**2)
    return math.ceil(root**2 / apart**2)


def group_size_needed(
    share_a: float, share_b: float, *, power: float = 0.8, level: float = 0.95
) -> int | None:
    """Tasks needed in each of two independent groups to tell `share_a` from `share_b` by the normal
    approximation without continuity correction (Fleiss, Statistical Methods for Rates and Proportions,
    section 3.2), rounded up. None where they are equal. Raises ValueError outside 0..1.
    """
    if not (0 <= share_a <= 1 and 0 <= share_b <= 1):
        raise ValueError(f"{share_a} and {share_b} are not both shares")
    if share_a == share_b:
        return None
    mean = (share_a + share_b) / 2
    root = quantile(level) * math.sqrt(2 * mean * (1 - mean)) + _power(power) * math.sqrt(
        share_a * (1 - share_a) + share_b * (1 - share_b)
    )
    return math.ceil(root**2 / (share_a - share_b) ** 2)


def _power(power: float) -> float:
    if not 0.0 < power < 1.0:
        raise ValueError(f"a power lies between 0 and 1, not {power}")
    return NormalDist().inv_cdf(power)
