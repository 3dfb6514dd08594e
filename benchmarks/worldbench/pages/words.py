"""What channels and views are called in reports."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.worldbench.evidence import SEASONS

CHANNELS: Mapping[str, str] = {
    "source": "code",
    "code": "code",
    "frames": "frames",
    "look": "code, look",
    "motion": "code, motion",
    "burst": "pixels, motion",
    "measured": "measured",
    "classify": "covered",
    "place": "placed",
    "penalty": "forbidden",
}
TIME_WORDS: Mapping[str, str] = {"0": "midnight", "0.25": "sunrise", "0.5": "noon", "0.75": "sunset"}
"""What was asked for, by requested time; the pixels say what came."""


def view_words(ref: str) -> str:
    """A frame's view in words: "orbit:left" -> "orbit left", "overlay:near:swamp" -> "swamp, changed pixels, near"."""
    kind, _, rest = ref.partition(":")
    if kind == "time":
        return f"asked for {TIME_WORDS.get(rest, rest)}"
    if kind == "season" and rest.isdecimal() and int(rest) < len(SEASONS):
        return SEASONS[int(rest)]
    if kind == "overlay":
        which, _, biome = rest.partition(":")
        return f"{biome}, changed pixels, {which}"
    if kind == "close":
        return f"{rest}, close view"
    return ref.replace(":", " ")
