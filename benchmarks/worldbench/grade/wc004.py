"""WC004, look and physics: 65 still and 35 moving items of one point, 35 forbidden ones."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from benchmarks.worldbench.evidence import BIOMES, Evidence, Half
from benchmarks.worldbench.grade.channels import ZERO, Found, in_code, in_frames, moves_in_code, penalty
from benchmarks.worldbench.grade.void import look_gate
from benchmarks.worldbench.spec import Item, Spec

MOTIONLESS = ("still", "grounded", "none")
"""Axes for which no pixel needs to change."""


def grade(evidence: Evidence, spec: Spec) -> Iterator[Half]:
    """Channels "look" (the look quote) and "frames" for each item, "motion" (the motion quote) for a moving one,
    "burst" for a moving one that is no animal; "penalty" for forbidden ones and for the gate."""
    for biome in BIOMES:
        for item in spec.of(test="WC004", biome=biome, kind="still"):
            yield from _look(item, item.points / 2, evidence)
        for item in spec.of(test="WC004", biome=biome, kind="moving"):
            yield from _look(item, item.points / 4, evidence)
            share = Fraction(1, 2) if item.fauna else Fraction(1, 4)
            yield _motion(item, item.points * share, evidence, spec)
            if not item.fauna:
                yield _burst(item, item.points / 4, evidence, spec)
        for item in spec.of(test="WC004", biome=biome, kind="forbidden_look"):
            yield penalty(item, evidence)
    yield look_gate(evidence, spec)


def _look(item: Item, of: Fraction, evidence: Evidence) -> Iterator[Half]:
    yield in_code(item, evidence).half(item, "look", of)
    yield in_frames(item, evidence).half(item, "frames", of)


def _motion(item: Item, of: Fraction, evidence: Evidence, spec: Spec) -> Half:
    claim = evidence.code.get(item.id)
    found = moves_in_code(item, evidence, claim)
    if found.found and claim is not None and not spec.compatible(item.axis, claim.axis):
        found = Found(False, f"{claim.axis or 'no axis'} given, {item.axis} expected", lines=found.lines)
    return found.half(item, "motion", of)


def _burst(item: Item, of: Fraction, evidence: Evidence, spec: Spec) -> Half:
    """Seen, along a fitting axis, and for a moving axis said to move and with changed pixels in a burst of a
    confirmed close view: the judge's word alone never earns motion."""
    seen, claim = in_frames(item, evidence), evidence.frames.get(item.id)
    if not seen.found or claim is None:
        return seen.half(item, "burst", of)
    if not spec.compatible(item.axis, claim.axis):
        return Half(
            item.id, "burst", ZERO, of, f"{claim.axis or 'no axis'} seen, {item.axis} expected", seen.refs
        )
    if item.axis in MOTIONLESS:
        return Half(item.id, "burst", of, of, "seen; no pixel needs to change", seen.refs)
    if not claim.moves:
        return Half(item.id, "burst", ZERO, of, "seen, but not said to move", seen.refs)
    return _changed(item, of, seen.refs, evidence, spec)


def _changed(item: Item, of: Fraction, refs: tuple[str, ...], evidence: Evidence, spec: Spec) -> Half:
    burst, threshold = evidence.bursts.get(item.biome), spec.thresholds.motion_share
    if not evidence.confirmed.get(item.biome):
        return Half(item.id, "burst", ZERO, of, "no confirmed close view, so no burst", refs)
    if burst is None or (burst.near is None and burst.far is None):
        return Half(item.id, "burst", ZERO, of, "no burst was taken", refs)
    if burst.camera_still is False:
        return Half(item.id, "burst", ZERO, of, "the camera moved by itself during the burst", refs)
    moved = burst.share >= threshold
    reason = f"{burst.share:.1%} of pixels changed" + ("" if moved else ", so nothing moved")
    return Half(item.id, "burst", of if moved else ZERO, of, reason, refs, (), burst.share, threshold)
