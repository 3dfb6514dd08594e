"""Sea over the void: which frames say so, and the gates on the delta that follow."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.worldbench.evidence import WIDE, Evidence, FrameFlags, Half
from benchmarks.worldbench.grade.channels import ZERO
from benchmarks.worldbench.spec import Spec

FLAG = "sea_over_void"
GATED = ("overview", "left", "bottom", "delta")
"""Where the flag closes the delta's contents: three wide views, and the delta's own close frame."""


def plain_view(view: str) -> str:
    """`view` without its kind: "orbit:left" is "left", "close:delta:1" is "delta"."""
    parts = view.split(":")
    return parts[1] if len(parts) > 1 and parts[0] in ("orbit", "wide", "close", "near") else view


def is_wide(flags: FrameFlags) -> bool:
    """Whether the frame is one of the five wide ones."""
    return plain_view(flags.view) in WIDE


def shows_terrain(flags: FrameFlags, evidence: Evidence, spec: Spec) -> bool:
    """Whether the frame was judged and shows block terrain: by the judge's word, and by its share of pixels unlike
    the background where that was measured."""
    if not flags.judged or not flags.shows_terrain:
        return False
    looks = (*evidence.clock.times, *evidence.clock.seasons)
    filled = [look.filled for look in looks if look is not None and look.ref == flags.ref]
    return all(share >= spec.thresholds.terrain_share for share in filled)


def contents_gate(evidence: Evidence, spec: Spec) -> Half:
    """WC003: the delta earns nothing when any frame that shows its sea has it over the void."""
    return _gate("F.delta.void", 1, lambda flags: plain_view(flags.view) in GATED, evidence, spec)


def look_gate(evidence: Evidence, spec: Spec) -> Half:
    """WC004: the delta earns nothing when so many wide frames have it that it is a property of the world."""
    return _gate("G.delta.void", spec.thresholds.void_frames, is_wide, evidence, spec)


def _gate(
    item: str, least: int, concerned: Callable[[FrameFlags], bool], evidence: Evidence, spec: Spec
) -> Half:
    frames = [flags for flags in evidence.hunt if concerned(flags)]
    flagged = tuple(f.ref for f in frames if shows_terrain(f, evidence, spec) and FLAG in f.flags)
    failed = [flags.error for flags in frames if flags.error]
    if len(flagged) >= least:
        reason = f"sea over the void in {len(flagged)} frames"
        return Half(item, "penalty", -spec.items[item].points, ZERO, reason, flagged)
    if len(flagged) + len(failed) >= least:
        return Half(item, "penalty", ZERO, ZERO, error=f"whether sea lies over the void: {failed[0]}")
    reason = "sea over the void in one frame only" if flagged else "no sea over the void"
    return Half(item, "penalty", ZERO, ZERO, reason, flagged)
