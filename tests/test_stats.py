"""Statistics against published figures, exact enumeration and laws."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embodied_eval.stats import (
    bootstrap_mean,
    bootstrap_statistic,
    cohen_kappa,
    group_size_needed,
    gwet_ac1,
    mcnemar_exact,
    paired_bootstrap,
    paired_counts,
    pairs_needed,
    permutation_test,
    raw_agreement,
    sign_test,
    spearman,
    wilson,
)

FLAGS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)
NUMBERS = st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("passed", "n", "low", "high"),
    # R. G. Newcombe, Statistics in Medicine 17, 1998, 857-872, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_intervals(passed: int, n: int, low: float, high: float) -> None:
    found = wilson(passed, n)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


@pytest.mark.parametrize("n", [5, 10, 20, 40])
def test_wilson_covers_on_average(n: int) -> None:
    intervals = [wilson(k, n) for k in range(n + 1)]
    covered = []
    for step in range(1, 200):
        p = step / 200
        covered.append(
            sum(
                math.comb(n, k) * p**k * (1 - p) ** (n - k)
                for k, item in enumerate(intervals)
                if item.low is not None and item.high is not None and item.low <= p <= item.high
            )
        )
    assert 0.94 <= sum(covered) / len(covered) <= 0.97
    assert min(covered) > 0.80


@given(st.integers(0, 500), st.integers(0, 500))
def test_wilson_lies_in_the_range_and_around_the_share(a: int, b: int) -> None:
    found = wilson(min(a, b), max(a, b))
    if max(a, b) == 0:
        assert found.value is None and found.reason
        return
    assert found.value is not None and found.low is not None and found.high is not None
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    assert wilson(max(a, b) - min(a, b), max(a, b)).high == pytest.approx(1 - found.low)


@given(NUMBERS, st.integers(0, 5))
@settings(max_examples=30, deadline=None)
def test_bootstrap_is_fixed_by_its_seed_and_stays_in_the_range(values: list[float], seed: int) -> None:
    first = bootstrap_mean(values, seed=seed, resamples=200)
    assert first == bootstrap_mean(values, seed=seed, resamples=200)
    assert first.value == pytest.approx(sum(values) / len(values), abs=1e-9)
    if len(values) > 1:
        assert first.low is not None and first.high is not None
        assert min(values) - 1e-9 <= first.low <= first.high <= max(values) + 1e-9
    else:
        assert first.low is None and "two clusters" in first.reason


def test_bootstrap_of_one_item_clusters_is_the_normal_interval() -> None:
    found = bootstrap_mean([0.0, 1.0] * 200)
    assert found.low is not None and found.high is not None
    assert found.low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.004)
    assert found.high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.004)


def test_bootstrap_draws_clusters_whole() -> None:
    values, scenes = [1.0] * 20 + [0.0] * 20, ["a"] * 20 + ["b"] * 20
    clustered = bootstrap_mean(values, scenes)
    assert (clustered.value, clustered.low, clustered.high) == (0.5, 0.0, 1.0)
    unequal = bootstrap_mean([1.0, 0.0, 0.0, 0.0], ["a", "b", "b", "b"], resamples=4000)
    assert unequal.value == 0.25  # items count alike, whatever the size of their cluster
    assert bootstrap_mean([0.1] * 3).low == bootstrap_mean([0.1] * 3).value


def test_bootstrap_refuses_bad_input() -> None:
    assert bootstrap_mean([]).reason == "nothing was measured"
    with pytest.raises(ValueError, match="not finite"):
        bootstrap_mean([1.0, float("nan")])
    with pytest.raises(ValueError, match="3 items but 2 cluster names"):
        bootstrap_mean([1.0, 2.0, 3.0], ["a", "b"])
    with pytest.raises(ValueError, match="level"):
        bootstrap_mean([1.0, 2.0], level=95)
    with pytest.raises(ValueError, match="5 of 3"):
        wilson(5, 3)


def test_bootstrap_of_a_statistic() -> None:
    pairs = [(float(i), float(i * i % 7)) for i in range(12)]

    def rho(items: list[tuple[float, float]]) -> float | None:
        return spearman([x for x, _ in items], [y for _, y in items]).value

    found = bootstrap_statistic(rho, pairs, resamples=300)
    assert found.low is not None and found.value is not None and found.high is not None
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert found == bootstrap_statistic(rho, pairs, resamples=300)
    assert bootstrap_statistic(rho, [(1.0, 1.0)] * 3).value is None
    assert bootstrap_statistic(rho, [(1.0, 1.0), (2.0, 2.0)]).reason.endswith("many resamples")


@given(FLAGS)
@settings(max_examples=50)
def test_mcnemar_equals_enumeration(pairs: list[tuple[bool, bool]]) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    counts = paired_counts(a, b)
    differing, seen = counts.only_a + counts.only_b, abs(counts.only_a - counts.only_b)
    as_extreme = sum(math.comb(differing, k) for k in range(differing + 1) if abs(2 * k - differing) >= seen)
    assert mcnemar_exact(a, b) == pytest.approx(as_extreme / 2**differing)
    assert mcnemar_exact(b, a) == mcnemar_exact(a, b)
    assert counts.n == len(pairs) and counts.both == sum(x and y for x, y in pairs)


def test_mcnemar_by_hand() -> None:
    a, b = [True] * 9 + [False], [False] * 9 + [True]
    assert mcnemar_exact(a, b) == pytest.approx(22 / 1024)
    assert mcnemar_exact(a, a) == 1.0
    assert mcnemar_exact([], []) is None
    with pytest.raises(ValueError, match="cannot be paired"):
        mcnemar_exact([True], [])


def test_sign_test_leaves_ties_out() -> None:
    found = sign_test([3, 2, 2, 5, 1.0], [1, 1, 2, 2, 0.0])
    assert found.value == pytest.approx(2 / 16) and found.n == 4
    assert sign_test([1.0], [1.0]).reason == "every pair is a tie"


def test_permutation_test_by_enumeration_and_by_draws() -> None:
    exact = permutation_test([1.0, 2.0, 3.0, 4.0], [0.0] * 4)
    assert exact.value == pytest.approx(2 / 16)
    differences = [0.9, -0.4, 0.3, 0.7, -0.2, 0.5, 0.1, 0.8, -0.6, 0.2, 0.4, 0.35, 0.15]
    full = permutation_test(differences, [0.0] * 13)
    drawn = permutation_test([*differences, 0.001, 0.001], [0.0] * 15, resamples=20_000)
    assert full.value is not None and drawn.value == pytest.approx(full.value, abs=0.02)
    by_scene = permutation_test(differences, [0.0] * 13, ["a"] * 6 + ["b"] * 7)
    assert by_scene.value == 0.5
    assert permutation_test([1.0, 1.0], [1.0, 1.0]).value == 1.0


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=8))
@settings(max_examples=30)
def test_permutation_test_equals_all_swaps(pairs: list[tuple[int, int]]) -> None:
    seen = abs(sum(a - b for a, b in pairs))
    swaps = [
        abs(sum((a - b) * s for (a, b), s in zip(pairs, signs, strict=True))) >= seen
        for signs in product((1, -1), repeat=len(pairs))
    ]
    found = permutation_test([a for a, _ in pairs], [b for _, b in pairs])
    assert found.value == pytest.approx(sum(swaps) / len(swaps))


def test_paired_bootstrap_is_tighter_than_its_parts() -> None:
    a = [float(i % 10) for i in range(60)]
    b = [value - 0.5 + 0.1 * (i % 3) for i, value in enumerate(a)]
    found = paired_bootstrap(b, a)
    assert found.value == pytest.approx(0.4)
    assert found.low is not None and found.high is not None and found.high - found.low < 0.06
    assert paired_bootstrap([True, False], [False, False]).value == -0.5


def test_sample_sizes() -> None:
    assert pairs_needed(0.2, 0.1) == 234  # (1.95996 sqrt .3 + .84162 sqrt .29)^2 / .01 = 233.1
    assert pairs_needed(0.1, 0.2) == 234
    assert pairs_needed(0.1, 0.1) is None
    assert group_size_needed(0.6, 0.5) == 388  # Fleiss: 387.3
    assert group_size_needed(0.5, 0.5) is None
    with pytest.raises(ValueError, match="shares"):
        pairs_needed(0.7, 0.6)
    with pytest.raises(ValueError, match="power"):
        group_size_needed(0.1, 0.2, power=1.0)


def test_the_needed_pairs_have_the_power() -> None:
    import numpy as np

    n = pairs_needed(0.25, 0.10)
    assert n is not None
    drawn = np.random.default_rng(0).multinomial(n, [0.25, 0.10, 0.65], size=20_000)
    z = np.abs(drawn[:, 0] - drawn[:, 1]) / np.sqrt(np.maximum(1, drawn[:, 0] + drawn[:, 1]))
    assert float((z > 1.95996).mean()) == pytest.approx(0.8, abs=0.02)


def _judges(table: list[list[int]]) -> tuple[list[int], list[int]]:
    cells = [(i, j) for i, row in enumerate(table) for j, count in enumerate(row) for _ in range(count)]
    return [i for i, _ in cells], [j for _, j in cells]


def test_agreement_by_hand() -> None:
    a, b = _judges([[20, 5], [10, 15]])
    assert cohen_kappa(a, b).value == pytest.approx(0.4)
    assert gwet_ac1(a, b).value == pytest.approx((0.7 - 0.495) / 0.505)
    assert raw_agreement(a, b).value == 0.7
    a, b = _judges([[11, 3, 0], [2, 8, 4], [1, 2, 9]])
    rows, columns = (14, 14, 12), (14, 13, 13)
    expected = sum(abs(i - j) * rows[i] * columns[j] for i in range(3) for j in range(3)) / 40
    found = cohen_kappa(a, b, [0, 1, 2], weights="linear")
    assert found.value == pytest.approx(1 - (3 + 2 + 4 + 2 + 2 * 1) / expected)
    squared = sum((i - j) ** 2 * rows[i] * columns[j] for i in range(3) for j in range(3)) / 40
    found = cohen_kappa(a, b, [0, 1, 2], weights="quadratic")
    assert found.value == pytest.approx(1 - (3 + 2 + 4 + 2 + 4 * 1) / squared)


def test_agreement_where_it_is_not_defined() -> None:
    assert cohen_kappa([1, 1], [1, 1]).reason.startswith("both gave one")
    assert cohen_kappa([1, 1], [1, 1], [0, 1], weights="linear").value is None
    assert gwet_ac1([1, 1], [1, 1]).value is None
    assert gwet_ac1([1, 1], [1, 1], [0, 1]).value == 1.0
    assert raw_agreement([], []).value is None
    assert cohen_kappa([], []).value is None
    with pytest.raises(ValueError, match="not among the categories"):
        cohen_kappa([1], [2], [0, 1])
    with pytest.raises(ValueError, match="categories in their order"):
        cohen_kappa([1], [2], weights="linear")


@given(FLAGS)
@settings(max_examples=50)
def test_binary_kappa_is_symmetric_and_bounded(pairs: list[tuple[bool, bool]]) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    kappa = cohen_kappa(a, b).value
    if kappa is not None:
        assert -1.0 - 1e-9 <= kappa <= 1.0
        assert cohen_kappa(b, a).value == pytest.approx(kappa)
        assert cohen_kappa(a, b, [False, True], weights="linear").value == pytest.approx(kappa)
    ac1 = gwet_ac1(a, b, [False, True]).value
    assert ac1 is not None and -1.0 - 1e-9 <= ac1 <= 1.0


def test_spearman_by_hand() -> None:
    assert spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]).value == pytest.approx(0.8207826817)
    assert spearman([1, 2, 3], [3, 2, 1]).value == -1.0
    assert spearman([1, 1], [1, 2]).reason == "one side is constant"
    assert spearman([1.0], [1.0]).value is None
    with pytest.raises(ValueError, match="not finite"):
        spearman([1.0, math.inf], [1.0, 2.0])


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=30))
@settings(max_examples=50)
def test_spearman_sees_only_the_order(pairs: list[tuple[int, int]]) -> None:
    x, y = [float(a) for a, _ in pairs], [float(b) for _, b in pairs]
    plain, bent = spearman(x, y).value, spearman([v**3 for v in x], [math.exp(v / 50) for v in y]).value
    assert bent == (plain if plain is None else pytest.approx(plain))
