"""WC005, day, night and seasons: ten items of two points, measured where pixels can tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from benchmarks.worldbench.evidence import TIMES, Clock, Evidence, Half
from benchmarks.worldbench.grade.channels import (
    ZERO,
    Found,
    in_code,
    in_frames,
    lines_of,
    moves_in_code,
    penalty,
)
from benchmarks.worldbench.spec import Item, Spec, Thresholds


@dataclass(frozen=True)
class Measured:
    """A value measured on frames `refs`, None where the frames are not there."""

    value: float | None
    refs: tuple[str, ...] = ()


def grade(evidence: Evidence, spec: Spec) -> Iterator[Half]:
    """Channel "code" for each item, and "measured" or "frames" for what decides its other point. Where no time of
    day could be set at all, and where an item has no second half, code alone is worth both points."""
    for item in spec.of(test="WC005", kind="time"):
        alone = item.second == "none" or evidence.clock.source == "none"
        yield _code(item, evidence).half(item, "code", item.points if alone else item.points / 2)
        if alone:
            continue
        if item.second == "judged":
            yield in_frames(item, evidence).half(item, "frames", item.points / 2)
        else:
            yield _measured(item, item.points / 2, evidence.clock, spec.thresholds)
    yield penalty(spec.items["T.stars"], evidence)


def _code(item: Item, evidence: Evidence) -> Found:
    """Both a look quote and another motion quote must stand."""
    look, claim = in_code(item, evidence), evidence.code.get(item.id)
    motion = moves_in_code(item, evidence, claim)
    if look.found and motion.found and claim is not None:
        return Found(True, lines=lines_of(claim.look, claim.motion))
    return motion if look.found else look


def _measured(item: Item, of: Fraction, clock: Clock, thresholds: Thresholds) -> Half:
    measure, threshold = MEASURES[item.id](clock), _threshold(item.id, thresholds)
    if measure.value is None:
        return Half(item.id, "measured", ZERO, of, "the frames that would tell were not drawn", measure.refs)
    enough = measure.value >= threshold
    reason = "" if enough else "below the threshold"
    if clock.ambiguous and item.id != "T.tint":
        reason = "; ".join(filter(None, (reason, "which frame is day is not certain")))
    earned = of if enough else ZERO
    return Half(item.id, "measured", earned, of, reason, measure.refs, (), measure.value, threshold)


def light(clock: Clock) -> Measured:
    """The largest mean absolute difference (0..255) of a requested time from day."""
    return _largest(clock, {i: clock.differs[i] for i in range(len(TIMES)) if i != clock.day})


def night(clock: Clock) -> Measured:
    """Mean luma (0..255, all pixels) of the brightest time less that of the darkest."""
    if clock.day is None or clock.night is None:
        return Measured(None)
    day, dark = clock.times[clock.day], clock.times[clock.night]
    if day is None or dark is None:
        return Measured(None)
    return Measured(day.luma_all - dark.luma_all, (day.ref, dark.ref))


def dusk(clock: Clock) -> Measured:
    """The largest chromaticity shift from day of a time that is neither day nor night."""
    between = {i: clock.shift[i] for i in range(len(TIMES)) if i not in (clock.day, clock.night)}
    return _largest(clock, between)


def tint(clock: Clock) -> Measured:
    """The largest chromaticity shift of a season from spring."""
    known = [(shift, i) for i, shift in enumerate(clock.season_shift) if i and shift is not None]
    if not known:
        return Measured(None)
    shift, index = max(known)
    return Measured(shift, tuple(look.ref for look in (clock.seasons[0], clock.seasons[index]) if look))


def _largest(clock: Clock, values: Mapping[int, float | None]) -> Measured:
    known = [(value, i) for i, value in values.items() if value is not None]
    if clock.day is None or not known:
        return Measured(None)
    value, index = max(known)
    return Measured(value, tuple(look.ref for look in (clock.times[clock.day], clock.times[index]) if look))


MEASURES: Mapping[str, Callable[[Clock], Measured]] = {
    "T.light": light,
    "T.night": night,
    "T.dusk": dusk,
    "T.tint": tint,
}


def _threshold(item: str, thresholds: Thresholds) -> float:
    return {
        "T.light": thresholds.light_difference,
        "T.night": thresholds.night_luma,
        "T.dusk": thresholds.dusk_shift,
        "T.tint": thresholds.season_shift,
    }[item]
