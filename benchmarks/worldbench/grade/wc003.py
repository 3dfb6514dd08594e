"""WC003, contents: 73 required items, half by code and half by frames; 43 forbidden ones."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.worldbench.evidence import BIOMES, Evidence, Half
from benchmarks.worldbench.grade.channels import in_code, in_frames, penalty
from benchmarks.worldbench.grade.void import contents_gate
from benchmarks.worldbench.spec import Spec


def grade(evidence: Evidence, spec: Spec) -> Iterator[Half]:
    """Channels "code" and "frames" for each required item, "penalty" for each forbidden one and for the gate. A
    region's sum lies in 0..10: `totals` clamps it."""
    for biome in BIOMES:
        for item in spec.of(test="WC003", biome=biome, kind="required"):
            yield in_code(item, evidence).half(item, "code", item.points / 2)
            yield in_frames(item, evidence).half(item, "frames", item.points / 2)
        for item in spec.of(test="WC003", biome=biome, kind="forbidden"):
            yield penalty(item, evidence)
    yield contents_gate(evidence, spec)
