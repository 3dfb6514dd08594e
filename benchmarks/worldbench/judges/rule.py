"""The judge `rule`: both channels of a stored world by our own analysis, no model asked.

It is a baseline and a check of the machinery. Its scores are not comparable with the paper's, nor with a model's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from benchmarks.worldbench.evidence import CodeClaim, Evidence, Quote, Span
from benchmarks.worldbench.judges.rule_code import Code, claims
from benchmarks.worldbench.judges.rule_frames import Frames, bursts_of, frame_claims
from benchmarks.worldbench.judges.rule_hunt import hunt
from benchmarks.worldbench.judges.rule_layout import layout_of
from benchmarks.worldbench.source.slices import slices
from benchmarks.worldbench.source.sourcemap import Source, from_html
from benchmarks.worldbench.spec import Spec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from benchmarks.worldbench.capture.manifest import Manifest

    ReadPicture = Callable[[str], NDArray[np.uint8] | None]

NOTICE = (
    "Rule-based: our own offline analysis, not comparable with the paper's scores or with a model's verdicts."
)
"""Stands wherever results of this judge do."""


def analyse(html: str, manifest: Manifest, read: ReadPicture, spec: Spec) -> Evidence:
    """The evidence on a captured world: `html` as it was frozen, `read` gives a stored frame by its ref (uint8
    (H, W, 3), None where it is not there). Pure but for `read`."""
    if not manifest.loaded:
        return Evidence(loaded=False)
    source = from_html(html)
    own = slices(source, spec.aliases)
    code = Code(source, own, spec, ran(source, manifest))
    frames = Frames(manifest, read, spec)
    found = claims(code)
    layout, rows = layout_of(code)
    return Evidence(
        loaded=True,
        code=found,
        frames=frame_claims(frames),
        classified={**_classified(found, spec), **rows},
        named_in_source=frozenset(biome for biome, spans in own.items() if spans),
        confirmed=frames.confirmed,
        layout=layout,
        bursts=bursts_of(manifest),
        hunt=hunt(frames),
        clock=manifest.clock,
        errors=(f"the capture is incomplete: {manifest.incomplete}",) if manifest.incomplete else (),
    )


def _classified(found: Mapping[str, CodeClaim], spec: Spec) -> dict[str, Quote]:
    """For a region without a row in a table: the quote of the first thing that its own code makes."""
    made: dict[str, Quote] = {}
    for item in spec.items.values():
        claim = found.get(item.id)
        if (
            claim is not None
            and item.biome
            and not item.forbidden
            and claim.look is not None
            and claim.look.verified
        ):
            made.setdefault(item.biome, claim.look)
    return made


def ran(source: Source, manifest: Manifest) -> Callable[[Span], bool | None]:
    """Whether some of a span's code ran, by the capture's coverage: None where that knows nothing of it."""

    def known(span: Span) -> bool | None:
        start, end = source.html_place(span.start), source.html_place(span.end)
        script = next((one for one in manifest.ran if one.start <= start < one.end), None)
        if script is None:
            return None
        return not _within(start, end, script.idle, source)

    return known


def _within(start: int, end: int, idle: Sequence[tuple[int, int]], source: Source) -> bool:
    """Whether all of [start, end) but its edges lies in one range that never ran."""
    text = source.html[start:end]
    low = start + len(text) - len(text.lstrip())
    high = end - (len(text) - len(text.rstrip(" \t\n;}")))
    return any(first <= low and high <= last for first, last in idle)
