"""What the model judge goes by: the stored world, its source as text, its frames as pictures under neutral names."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from benchmarks.worldbench.capture.manifest import Manifest, Shot
from benchmarks.worldbench.evidence import BIOMES, Burst, Quote, Span
from benchmarks.worldbench.judges.evidence_of import capture_of, decoded, html_of
from benchmarks.worldbench.source.executed import Executed, executed
from benchmarks.worldbench.source.quotes import Matcher
from benchmarks.worldbench.source.slices import slices
from benchmarks.worldbench.source.sourcemap import Source, from_html
from benchmarks.worldbench.spec import Item, Spec
from embodied_eval.models.types import Image

if TYPE_CHECKING:
    from embodied_eval.benchmark import Trajectory

LONGEST_SIDE = 896
JPEG_QUALITY = 88
MOST_SOURCE = 400_000
"""Characters of source that are shown whole; of a longer page a region's question gets that region's code (ours)."""
WIDE_VIEWS = ("overview", "orbit:right", "orbit:left", "orbit:top", "orbit:bottom")


@dataclass(frozen=True)
class Material:
    """One captured world."""

    trajectory: Trajectory
    html: str
    manifest: Manifest
    spec: Spec

    @cached_property
    def source(self) -> Source:
        """The page's scripts."""
        return from_html(self.html)

    @cached_property
    def matcher(self) -> Matcher:
        """Checks quotes."""
        return Matcher(self.source)

    @cached_property
    def slices(self) -> Mapping[str, tuple[Span, ...]]:
        """Each region's own code."""
        functions = [(name, start, end) for ran in self.manifest.ran for name, start, end, _ in ran.functions]
        return slices(self.source, self.spec.aliases, functions)

    @cached_property
    def executed(self) -> Executed:
        """What of it ran."""
        ranges = [
            [(start, end, count) for _, start, end, count in ran.functions]
            + [(start, end, 0) for start, end in ran.idle]
            for ran in self.manifest.ran
        ]
        return executed(self.matcher.units, [ranges] if ranges else [])

    def text(self, biome: str = "") -> str:
        """The source to be shown for a question on `biome`."""
        if not biome or len(self.source.text) <= MOST_SOURCE:
            return self.source.text[:MOST_SOURCE]
        own = self.slices.get(biome, ())
        return "\n...\n".join(self.source.text[one.start : one.end] for one in own)[:MOST_SOURCE]

    def numbered(self) -> str:
        """The source with the numbers by which `from_lines` knows its lines."""
        units = self.matcher.units
        rows = (
            f"{number}: {self.source.text[start:end].rstrip()}"
            for number, (start, end) in zip(units.numbers, units.spans, strict=True)
        )
        return "\n".join(rows)[:MOST_SOURCE]

    def mark(self, quote: Quote) -> Quote:
        """The quote with whether it ran."""
        return self.executed.mark(quote)

    def wide(self) -> list[Shot]:
        """The wide views that were taken."""
        return [shot for view in WIDE_VIEWS if (shot := self.manifest.shot(view)) is not None]

    def picture(self, shot: Shot, name: str) -> Image:
        """A frame as it is shown to a model, under a neutral name."""
        return Image(shrunk(self.trajectory.read_frame(shot.sha256)), "image/jpeg", name)


def material(trajectory: Trajectory, spec: Spec) -> Material:
    """What is stored of a captured world. Raises JudgeError where something is not stored."""
    return Material(trajectory, html_of(trajectory), capture_of(trajectory), spec)


def shrunk(data: bytes) -> bytes:
    """An encoded image as JPEG, at most `LONGEST_SIDE` pixels on its long side."""
    from PIL import Image as Picture

    picture = Picture.fromarray(decoded(data))
    scale = LONGEST_SIDE / max(picture.size)
    if scale < 1:
        size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
        picture = picture.resize(size, Picture.Resampling.BOX)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=JPEG_QUALITY)
    return out.getvalue()


def bursts_of(manifest: Manifest) -> dict[str, Burst]:
    """The bursts as measured."""
    return {
        one.biome: Burst(one.biome, one.near_share, one.far_share, one.camera_still)
        for one in manifest.bursts
    }


def named(material_: Material) -> frozenset[str]:
    """The regions whose own code the source holds."""
    return frozenset(biome for biome in BIOMES if material_.slices.get(biome))


def listed(items: Sequence[Item]) -> str:
    """The items as a list for a prompt."""
    return "\n".join(f"- {item.id}: {item.text}" for item in items)
