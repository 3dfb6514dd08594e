"""Reading a sweep: the day's length, the requested times, the seasons near day."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.worldbench.capture.manifest import Sample
from benchmarks.worldbench.capture.sweep import STEP_S, period, read, seasons_of


def curve(length_s: float, seconds: float, phase: float = 0.0) -> list[Sample]:
    count = int(seconds / STEP_S)
    return [
        Sample(STEP_S * n, 30 + 25 * max(-0.6, math.sin(2 * math.pi * (STEP_S * n / length_s + phase))))
        for n in range(1, count + 1)
    ]


def lumas(samples: list[Sample]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray([sample.luma_all for sample in samples], dtype=np.float64)


@pytest.mark.parametrize("length_s", [30.0, 52.0, 80.0, 120.0])
def test_the_length_of_a_day_is_found_to_a_fraction_of_a_step(length_s: float) -> None:
    found, correlation = period(lumas(curve(length_s, 2.2 * length_s + 20)), STEP_S)
    assert found == pytest.approx(length_s, abs=STEP_S / 2)
    assert correlation > 0.8


def test_the_example_of_a_real_world_repeats_after_50_to_55_seconds() -> None:
    lit = [27, 104, 82, 28, 26, 26, 90, 87, 38, 26, 26, 70, 91, 49]
    found, _ = period(np.asarray(lit, dtype=np.float64), 10.0)
    assert found is not None
    assert 48 <= found <= 57


def test_a_flat_world_has_no_day() -> None:
    assert period(np.full(40, 55.0), STEP_S) == (None, 0.0)
    noise = np.random.default_rng(1).normal(50, 5, 48)
    assert period(noise, STEP_S)[0] is None


def test_times_lie_a_quarter_of_a_day_apart_around_the_brightest() -> None:
    swept = read(curve(80.0, 200.0), ())
    midnight, morning, noon, evening = swept.times_s
    assert noon == pytest.approx(20.0, abs=1)
    assert (midnight - noon) % 80 == pytest.approx(40, abs=2)
    assert (morning - noon) % 80 == pytest.approx(60, abs=2)
    assert (evening - noon) % 80 == pytest.approx(20, abs=2)
    assert min(swept.times_s) >= 1.0


def test_noon_is_the_middle_of_a_flat_bright_stretch() -> None:
    moments = [STEP_S * n for n in range(1, 41)]
    flat = [Sample(t_s, 40.0 if abs((t_s - 12.0 + 45.0) % 90.0 - 45.0) <= 20.0 else 4.0) for t_s in moments]
    swept = read(flat, ())
    assert swept.period_s == pytest.approx(90.0, abs=1)
    assert swept.times_s[2] == pytest.approx(12.0, abs=2)


def test_without_a_repetition_the_extremes_stand_for_day_and_night() -> None:
    samples = [Sample(STEP_S * n, 20.0 + n) for n in range(1, 31)]
    swept = read(samples, ())
    assert swept.period_s is None
    assert swept.times_s[2] > swept.times_s[0]
    assert swept.times_s[0] == STEP_S


def test_a_season_is_taken_near_the_same_time_of_day() -> None:
    names = ("spring", "summer", "autumn", "winter")
    named = [(2.5 * n, names[int(2.5 * n // 42) % 4]) for n in range(1, 240)]
    swept = read(curve(80.0, 200.0), named)
    for index, moment in enumerate(swept.seasons_s):
        assert moment is not None
        assert names[int(moment // 42) % 4] == names[index]
        error = swept.season_error[index]
        assert error is not None
        assert error <= 1 / 16


def test_a_season_that_never_comes_by_day_is_not_taken() -> None:
    named = [(2.5 * n, "winter" if 55 <= 2.5 * n % 80 < 65 else "spring") for n in range(1, 200)]
    swept = read(curve(80.0, 200.0), named)
    assert swept.seasons_s[3] is None
    assert swept.season_error[3] is not None
    assert swept.seasons_s[1] is None
    assert swept.season_error[1] is None


def test_the_place_that_names_the_season_is_the_one_that_goes_through_them() -> None:
    rows = [
        (1.0, {"0.1": "spring", "0.2": "winter"}),
        (2.0, {"0.1": "summer", "0.2": "winter", "0.3": "autumn"}),
        (3.0, {"0.1": "autumn", "0.2": "winter"}),
    ]
    assert seasons_of(rows) == ((1.0, "spring"), (2.0, "summer"), (3.0, "autumn"))
    assert seasons_of([(1.0, {"0.2": "winter"}), (2.0, {"0.2": "winter"})]) == ()
