"""Grading: from checked evidence to the halves of every item. Pure: no model, no file, no clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from benchmarks.worldbench.evidence import Evidence, Half
from benchmarks.worldbench.grade import wc001, wc002, wc003, wc004, wc005
from benchmarks.worldbench.spec import Spec

NOT_LOADED = "the world did not load"


def grade(evidence: Evidence, spec: Spec) -> tuple[Half, ...]:
    """Every half of every item, in the order of `spec.items`; their `of` add up to 280.

    A world that did not load earns nothing, with that reason. What could not be judged carries an `error`; where
    `evidence.errors` says that a part of the evidence could not be had at all, every half that is not earned in
    full, and every leak that was not found, is such an error, since the missing part might have decided it.
    """
    if not evidence.loaded:
        return tuple(replace(half, reason=NOT_LOADED) for half in _halves(Evidence(loaded=True), spec))
    halves = tuple(_halves(evidence, spec))
    missing = "; ".join(evidence.errors)
    if not missing:
        return halves
    return tuple(
        half if _settled(half) else replace(half, earned=Fraction(0), error=missing) for half in halves
    )


def _settled(half: Half) -> bool:
    if half.error:
        return True
    return half.earned < 0 if half.channel == "penalty" else half.earned == half.of


def _halves(evidence: Evidence, spec: Spec) -> Iterator[Half]:
    for test in (wc001, wc002, wc003, wc004, wc005):
        yield from test.grade(evidence, spec)
