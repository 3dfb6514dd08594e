"""How far two judges agree. Values carry no interval; `bootstrap_statistic` gives one."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Literal

from embodied_eval.stats.intervals import Estimate, wilson

Ratings = Sequence[Hashable]
Weights = Literal["none", "linear", "quadratic"]


def raw_agreement(a: Ratings, b: Ratings) -> Estimate:
    """The share of items on which both say the same, with its Wilson interval; None for no items."""
    _same_length(a, b)
    return wilson(sum(x == y for x, y in zip(a, b, strict=True)), len(a))


def cohen_kappa(
    a: Ratings, b: Ratings, categories: Ratings | None = None, *, weights: Weights = "none"
) -> Estimate:
    """Cohen's kappa (J. Cohen, Educational and Psychological Measurement 20, 1960, 37-46); with `weights`,
    the weighted form (Psychological Bulletin 70, 1968, 213-220) over the order of `categories`, a
    disagreement of d steps counting d ("linear") or d^2 ("quadratic").

    `categories` defaults to those that occur. None for no items, and where both always give one and the
    same category (chance agreement is then perfect). Raises ValueError for a rating that is no category,
    or for weights without categories.
    """
    table, size = _table(a, b, categories)
    if weights != "none" and categories is None:
        raise ValueError("weighted kappa needs the categories in their order")
    n = len(a)
    if n == 0:
        return Estimate(None, None, None, 0, "nothing was rated by both")
    rows = [sum(row) / n for row in table]
    columns = [sum(row[j] for row in table) / n for j in range(size)]
    seen = expected = 0.0
    for i in range(size):
        for j in range(size):
            weight = {"none": float(i != j), "linear": abs(i - j), "quadratic": (i - j) ** 2}[weights]
            seen += weight * table[i][j] / n
            expected += weight * rows[i] * columns[j]
    if expected == 0.0:
        return Estimate(None, None, None, n, "both gave one and the same category throughout")
    return Estimate(1.0 - seen / expected, None, None, n)


def gwet_ac1(a: Ratings, b: Ratings, categories: Ratings | None = None) -> Estimate:
    """Gwet's AC1 (K. L. Gwet, British Journal of Mathematical and Statistical Psychology 61, 2008, 29-48):
    (po - pe) / (1 - pe), pe = sum q (1 - q) / (K - 1) over K categories, q the mean of both judges' shares.

    `categories` defaults to those that occur; a single one leaves AC1 undefined (None), as do no items.
    """
    table, size = _table(a, b, categories)
    n = len(a)
    if n == 0:
        return Estimate(None, None, None, 0, "nothing was rated by both")
    if size < 2:
        return Estimate(None, None, None, n, "AC1 needs two categories or more")
    shares = [(sum(table[i]) + sum(row[i] for row in table)) / (2 * n) for i in range(size)]
    chance = sum(share * (1 - share) for share in shares) / (size - 1)
    agreed = sum(table[i][i] for i in range(size)) / n
    return Estimate((agreed - chance) / (1 - chance), None, None, n)


def spearman(x: Sequence[float], y: Sequence[float]) -> Estimate:
    """Spearman's rank correlation: Pearson's of the ranks, ties sharing their mean rank (C. Spearman,
    American Journal of Psychology 15, 1904, 72-101). None for fewer than two items or where one side is
    constant. Raises ValueError for values that are not finite."""
    _same_length(x, y)
    if not all(map(math.isfinite, (*x, *y))):
        raise ValueError("a value is not finite")
    n = len(x)
    if n < 2:
        return Estimate(None, None, None, n, "a correlation needs two items or more")
    first, second = _ranks(x), _ranks(y)
    middle = (n + 1) / 2
    product = math.fsum((p - middle) * (q - middle) for p, q in zip(first, second, strict=True))
    squares = [math.fsum((rank - middle) ** 2 for rank in ranks) for ranks in (first, second)]
    if min(squares) == 0.0:
        return Estimate(None, None, None, n, "one side is constant")
    rho = product / math.sqrt(squares[0] * squares[1])
    return Estimate(max(-1.0, min(1.0, rho)), None, None, n)


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks, start = [0.0] * len(values), 0
    while start < len(order):
        stop = start
        while stop < len(order) and values[order[stop]] == values[order[start]]:
            stop += 1
        for place in range(start, stop):
            ranks[order[place]] = (start + 1 + stop) / 2
        start = stop
    return ranks


def _table(a: Ratings, b: Ratings, categories: Ratings | None) -> tuple[list[list[int]], int]:
    _same_length(a, b)
    known = list(dict.fromkeys((*a, *b) if categories is None else categories))
    index = {category: i for i, category in enumerate(known)}
    table = [[0] * len(known) for _ in known]
    for first, second in zip(a, b, strict=True):
        if first not in index or second not in index:
            raise ValueError(f"{first!r}, {second!r}: not among the categories {known}")
        table[index[first]][index[second]] += 1
    return table, len(known)


def _same_length(a: Sequence[object], b: Sequence[object]) -> None:
    if len(a) != len(b):
        raise ValueError(f"{len(a)} and {len(b)} ratings cannot be paired")
