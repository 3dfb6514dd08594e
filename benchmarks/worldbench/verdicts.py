"""Halves as verdicts of the store, and back without loss of a point."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import cast, get_args

from benchmarks.worldbench.evidence import Channel, Half
from benchmarks.worldbench.spec import Spec, load_spec
from benchmarks.worldbench.totals import exact
from embodied_eval.records import Verdict

HUNT = "V.hunt"
TOTAL = "total"
"""A judging's note of its total; its reason is the exact fraction. Of several judgings `total#1` and so on."""
VOTE = "#"
LINES = "L"
MEASURED = "measured="
THRESHOLD = "threshold="


def verdicts_of(
    halves: Iterable[Half], spec: Spec | None = None, *, judge: str = "", judge_version: str = ""
) -> tuple[Verdict, ...]:
    """One verdict a half, `item` "<item>/<channel>", score and max in points. It passes where it is earned in full; a
    share (source items, the bug hunt) from the half on that `thresholds.toml` names; a penalty where nothing was
    found. `evidence`: frames' refs, lines as "L120-L124", "measured=0.019" and "threshold=0.015"."""
    share = Fraction(str((spec or load_spec()).thresholds.source_pass))
    return tuple(replace(_verdict(half, share), judge=judge, judge_version=judge_version) for half in halves)


def _verdict(half: Half, share: Fraction) -> Verdict:
    item = f"{half.item}/{half.channel}"
    evidence = (*half.refs, *(f"{LINES}{first}-{LINES}{last}" for first, last in half.lines))
    if half.measured is not None:
        evidence += (f"{MEASURED}{half.measured!r}",)
    if half.threshold is not None:
        evidence += (f"{THRESHOLD}{half.threshold!r}",)
    if half.error:
        return Verdict(item, None, float(half.of), None, half.reason, evidence, error=half.error)
    needed = half.of * share if half.channel == "source" or half.item == HUNT else half.of
    return Verdict(item, float(half.earned), float(half.of), half.earned >= needed, half.reason, evidence)


def halves_of(verdicts: Iterable[Verdict]) -> tuple[Half, ...]:
    """The halves that `verdicts_of` wrote; verdicts on anything but a half are left out."""
    return tuple(_half(verdict) for verdict in verdicts if is_half(verdict))


def is_half(verdict: Verdict) -> bool:
    """Whether a verdict is on a half: no note, and no single vote."""
    return "/" in verdict.item and VOTE not in verdict.item


def judged_totals(verdicts: Iterable[Verdict]) -> tuple[Fraction, ...]:
    """The totals of the single judgings of a world that was judged more than once, each with all its items judged."""
    return tuple(Fraction(verdict.reason) for verdict in verdicts if verdict.item.startswith(TOTAL + VOTE))


def _half(verdict: Verdict) -> Half:
    item, _, channel = verdict.item.partition("/")
    if channel not in get_args(Channel):
        raise ValueError(f"{verdict.item} names no channel")
    refs: list[str] = []
    lines: list[tuple[int, int]] = []
    numbers: dict[str, float] = {}
    for word in verdict.evidence:
        kind = next((kind for kind in (MEASURED, THRESHOLD) if word.startswith(kind)), "")
        span = _span(word)
        if kind:
            numbers[kind] = float(word.removeprefix(kind))
        elif span:
            lines.append(span)
        else:
            refs.append(word)
    return Half(
        item,
        cast(Channel, channel),
        exact(verdict.score or 0.0),
        exact(verdict.max),
        verdict.reason,
        tuple(refs),
        tuple(lines),
        numbers.get(MEASURED),
        numbers.get(THRESHOLD),
        verdict.error,
    )


def _span(word: str) -> tuple[int, int] | None:
    first, dash, last = word.partition("-")
    numbers = (first.removeprefix(LINES), last.removeprefix(LINES))
    if dash and first.startswith(LINES) and last.startswith(LINES) and all(map(str.isdecimal, numbers)):
        return int(numbers[0]), int(numbers[1])
    return None
