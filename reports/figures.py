"""Numbers as text, and intervals as coordinates for the inline figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from embodied_eval.records import Json

BAR_WIDTH = 120.0
_PAD = 5.0
_THIN = "\u202f"
_MINUS = "\u2212"


class Valued(Protocol):
    """A number with its interval and unit: a `Metric`, or a `Cell` that holds a number."""

    @property
    def value(self) -> float | None:
        """The number; None where it is not supported."""

    @property
    def low(self) -> float | None:
        """The interval's lower end, in the same unit."""

    @property
    def high(self) -> float | None:
        """Its upper end."""

    @property
    def unit(self) -> str:
        """The unit, "" for none."""


@dataclass(frozen=True)
class Bar:
    """A value with its interval on a line `BAR_WIDTH` long: x coordinates, and the words for it. `zero` is
    where 0 is, on an axis that has both signs."""

    low: float
    value: float
    high: float
    words: str
    zero: float | None = None


def metric_text(value: float | None, unit: str) -> str:
    """A value with its unit; a dash where there is none."""
    if value is None:
        return "–"
    if unit == "%":
        return f"{value:.1f}{_THIN}%"
    if unit == "pp":
        return f"{_signed(value)}{_THIN}pp"
    if unit == "$":
        return money(value)
    if unit == "s":
        return duration(value)
    if unit == "x":
        return f"{value:.2f}{_THIN}×"
    text = f"{value:.0f}" if float(value).is_integer() and abs(value) >= 10 else f"{value:.4g}"
    if abs(value) >= 10_000:
        text = count(round(value))
    return f"{text}{_THIN}{unit}" if unit else text


def interval_text(metric: Valued) -> str:
    """The interval in words, "" where there is none."""
    if metric.value is None or metric.low is None or metric.high is None:
        return ""
    if metric.unit == "%":
        return f"{metric.low:.1f} to {metric.high:.1f}"
    if metric.unit == "pp":
        return f"{_signed(metric.low)} to {_signed(metric.high)}"
    if metric.unit == "x":
        return f"{metric.low:.2f} to {metric.high:.2f}"
    if metric.unit in {"$", "s", ""}:
        return f"{metric_text(metric.low, metric.unit)} to {metric_text(metric.high, metric.unit)}"
    return f"{metric.low:.4g} to {metric.high:.4g}"


def scale_of(metrics: Iterable[Valued]) -> tuple[float, float]:
    """The common axis of numbers drawn side by side: 0 to 100 for percentages, as far to both sides of 0 for
    differences, else all that they span."""
    known = [metric for metric in metrics if metric.value is not None]
    if known and all(metric.unit == "%" for metric in known):
        return (0.0, 100.0)
    ends = [
        end for metric in known for end in (metric.low, metric.value, metric.high, 0.0) if end is not None
    ]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    if known and all(metric.unit == "pp" for metric in known):
        far = max(-low, high) or 1.0
        return (-far, far)
    return (low, high) if high > low else (low, low + 1.0)


def bar_of(metric: Valued, scale: tuple[float, float]) -> Bar | None:
    """The bar of `metric` on the axis `scale`; None where there is no value."""
    if metric.value is None:
        return None
    low = metric.value if metric.low is None else metric.low
    high = metric.value if metric.high is None else metric.high
    spread = interval_text(metric)
    words = metric_text(metric.value, metric.unit) + (f", interval {spread}" if spread else "")
    zero = _at(0.0, scale) if scale[0] < 0.0 < scale[1] else None
    return Bar(_at(low, scale), _at(metric.value, scale), _at(high, scale), words, zero)


def _at(value: float, scale: tuple[float, float]) -> float:
    share = (value - scale[0]) / (scale[1] - scale[0])
    return round(_PAD + min(1.0, max(0.0, share)) * (BAR_WIDTH - 2 * _PAD), 1)


def _signed(value: float) -> str:
    """With one decimal and its sign; what rounds to 0 has none."""
    text = f"{abs(value):.1f}"
    sign = "" if text == "0.0" else "+" if value > 0 else _MINUS
    return sign + text


def count(value: int | None) -> str:
    """A whole number with thin spaces between thousands; "unknown" for None."""
    return "unknown" if value is None else f"{value:,}".replace(",", _THIN)


def money(usd: float | None) -> str:
    """Dollars; "unknown" where no price is known."""
    if usd is None:
        return "unknown"
    return "$0" if usd == 0 else f"${usd:.4f}" if usd < 0.01 else f"${usd:,.2f}"


def duration(seconds: float) -> str:
    """A length of time in its two largest units."""
    if seconds < 60:
        return f"{seconds:.1f}{_THIN}s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60}{_THIN}min {whole % 60}{_THIN}s"
    return f"{whole // 3600}{_THIN}h {whole % 3600 // 60}{_THIN}min"


def number(value: Json) -> str:
    """A cell of a table as text."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3g}"
    return str(value)
