"""How far each measured value lies from the threshold that decided it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.worldbench.evidence import Half
from benchmarks.worldbench.spec import Thresholds


@dataclass(frozen=True)
class Margin:
    """`ratio` is `measured` / `threshold`; `near` says that it lies within 20 % of it, so that another machine or
    a slightly different frame might have decided otherwise."""

    item: str
    measured: float
    threshold: float
    ratio: float
    near: bool


def margins(halves: Iterable[Half], thresholds: Thresholds) -> tuple[Margin, ...]:
    """The margin of every half that a threshold decided, in their order."""
    return tuple(
        Margin(
            half.item,
            half.measured,
            half.threshold,
            half.measured / half.threshold,
            thresholds.is_near(half.measured, half.threshold),
        )
        for half in halves
        if half.measured is not None and half.threshold is not None and not half.error
    )
