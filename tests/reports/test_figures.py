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
