"""WC001, voxel island: 20 points by source items, 20 by the share of clean frames."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from benchmarks.worldbench.evidence import Evidence, Half
from benchmarks.worldbench.grade.channels import ZERO, in_code
from benchmarks.worldbench.grade.void import is_wide, shows_terrain
from benchmarks.worldbench.spec import Item, Spec

DEFECTS = ("afloat", "hollow", "nonblock")


def grade(evidence: Evidence, spec: Spec) -> Iterator[Half]:
    """The 11 source items, then the bug hunt."""
    for item in spec.of(test="WC001", kind="source"):
        yield _source(item, evidence)
    yield _hunt(spec.items["V.hunt"], evidence, spec)


def _source(item: Item, evidence: Evidence) -> Half:
    """Points times the judge's probability, to hundredths (ours), if the quote stands; else nothing."""
    found = in_code(item, evidence)
    if not found.found or found.error:
        return found.half(item, "source", item.points)
    share = probability(evidence.code[item.id].probability)
    reason = f"probability {float(share):.2f}"
    return Half(item.id, "source", item.points * share, item.points, reason, lines=found.lines)


def probability(value: float) -> Fraction:
    """`value` as an exact number of hundredths from 0 to 1."""
    return Fraction(min(max(round(value * 100), 0), 100), 100)


def _hunt(item: Item, evidence: Evidence, spec: Spec) -> Half:
    """20 x clean / judged. Frames whose call failed, or that show no block terrain, are in neither number; with
    fewer than three wide frames that show it, nothing (ours: an empty page is not a clean one)."""
    judged = [flags for flags in evidence.hunt if shows_terrain(flags, evidence, spec) and not flags.error]
    failed = [flags for flags in evidence.hunt if flags.error]
    wide, least = sum(map(is_wide, judged)), spec.thresholds.wide_frames
    if wide < least:
        if wide + sum(map(is_wide, failed)) >= least:
            return Half(item.id, "frames", ZERO, item.points, error=f"the bug hunt: {failed[0].error}")
        reason = f"{wide} of 5 wide frames show block terrain, {least} are needed"
        return Half(item.id, "frames", ZERO, item.points, reason)
    dirty = tuple(flags.ref for flags in judged if any(flag in DEFECTS for flag in flags.flags))
    clean = Fraction(len(judged) - len(dirty), len(judged))
    reason = f"{len(judged) - len(dirty)} of {len(judged)} judged frames are clean"
    if failed:
        reason += f"; {len(failed)} could not be judged"
    return Half(item.id, "frames", item.points * clean, item.points, reason, dirty, measured=float(clean))
