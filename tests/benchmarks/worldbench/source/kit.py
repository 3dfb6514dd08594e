"""A small world's source, and short ways to its slices."""

from __future__ import annotations

from benchmarks.worldbench.source.slices import slices
from benchmarks.worldbench.source.sourcemap import Source, from_html

ALIASES = {
    "mountains": ("mountain", "peak", "mtn"),
    "forest": ("conifer", "snow forest"),
    "jungle": ("rain forest",),
    "swamp": ("marsh", "backwater"),
    "grove": ("blossom",),
    "delta": ("coast", "beach", "ocean", "sea"),
    "desert": ("dune",),
    "volcano": ("volcanic",),
}


def source_of(code: str, before: str = "<!doctype html>\n<html>\n<body>\n") -> Source:
    """The source of a page with one script."""
    return from_html(f"{before}<script>\n{code}\n</script>\n</body>\n</html>\n")


def own(code: str) -> dict[str, str]:
    """The text of each biome's own code, pieces joined by a bar; biomes without any left out."""
    source = source_of(code)
    found = slices(source, ALIASES)
    return {
        biome: "|".join(source.text[one.start : one.end] for one in spans)
        for biome, spans in found.items()
        if spans
    }
