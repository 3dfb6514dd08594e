"""Numbers as text, bars on their axis."""

from __future__ import annotations

import pytest

from embodied_eval.records import Metric
from reports.figures import bar_of, count, duration, interval_text, metric_text, money, number, scale_of


def _metric(value: float | None, low: float | None, high: float | None, unit: str = "%") -> Metric:
    return Metric("m", value, 5, low, high, unit, 6)


def test_values_in_words() -> None:
    assert metric_text(33.333, "%") == "33.3\u202f%"
    assert metric_text(None, "%") == "–"
    assert metric_text(142.0, "points") == "142\u202fpoints"
    assert metric_text(0.51234, "") == "0.5123"
    assert interval_text(_metric(50, 40.04, 60)) == "40.0 to 60.0"
    assert interval_text(_metric(50, None, None)) == ""
    assert money(None) == "unknown" and money(0) == "$0" and money(0.0012) == "$0.0012"
    assert money(1234.5) == "$1,234.50"
    assert count(None) == "unknown" and count(12000) == "12\u202f000"
    assert [duration(s) for s in (0.04, 75, 3661)] == [
        "0.0\u202fs",
        "1\u202fmin 15\u202fs",
        "1\u202fh 1\u202fmin",
    ]
    assert [number(v) for v in (None, True, 3, 12.345, 0.12345, "x")] == [
        "–",
        "yes",
        "3",
        "12.3",
        "0.123",
        "x",
    ]


def test_units_with_a_form_of_their_own() -> None:
    assert metric_text(4.76, "pp") == "+4.8\u202fpp" and metric_text(-10.32, "pp") == "\u221210.3\u202fpp"
    assert metric_text(-0.04, "pp") == "0.0\u202fpp"
    assert interval_text(_metric(1, -2.5, 4.5, "pp")) == "\u22122.5 to +4.5"
    assert metric_text(0.25, "$") == "$0.25" and metric_text(75.0, "s") == "1\u202fmin 15\u202fs"
    assert interval_text(_metric(9, 8, 10, "s")) == "8.0\u202fs to 10.0\u202fs"
    assert metric_text(0.21234, "x") == "0.21\u202f×"
    assert metric_text(1234567.8, "") == "1\u202f234\u202f568"


def test_differences_reach_as_far_to_both_sides() -> None:
    metrics = [_metric(4, -2, 10, "pp"), _metric(-20, -40, -1, "pp")]
    assert scale_of(metrics) == (-40.0, 40.0)
    bar = bar_of(metrics[0], (-40.0, 40.0))
    assert bar is not None and bar.zero == 60.0 and bar.value > bar.zero > bar.low
    assert scale_of([_metric(0, 0, 0, "pp")]) == (-1.0, 1.0)


def test_percentages_share_the_axis_from_0_to_100() -> None:
    assert scale_of([_metric(10, 5, 20)]) == (0.0, 100.0)
    bar = bar_of(_metric(50, 0, 100), (0.0, 100.0))
    assert bar is not None and (bar.low, bar.value, bar.high) == (5.0, 60.0, 115.0)
    assert bar.words == "50.0\u202f%, interval 0.0 to 100.0"


def test_other_units_span_what_they_hold() -> None:
    metrics = [_metric(12, 10, 20, "points"), _metric(-4, None, None, "points"), _metric(None, None, None)]
    assert scale_of(metrics) == (-4, 20)
    assert scale_of([]) == (0.0, 1.0)
    assert scale_of([_metric(0, 0, 0, "points")]) == (0, 1)
    assert bar_of(metrics[2], (0, 1)) is None
    point = bar_of(metrics[1], (-4, 20))
    assert point is not None and point.low == point.value == point.high == pytest.approx(5.0)
