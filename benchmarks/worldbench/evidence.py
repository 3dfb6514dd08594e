"""What grading goes by, as plain data: the two channels' claims after they were checked, and what was measured.

Everything here can be written to JSON and read back; `grade` is a pure function of it. Points are exact fractions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

BIOMES = (
    "mountains",
    "forest",
    "highlands",
    "jungle",
    "swamp",
    "grassland",
    "grove",
    "delta",
    "desert",
    "volcano",
)
TIMES = (0.0, 0.25, 0.5, 0.75)
SEASONS = ("spring", "summer", "autumn", "winter")
WIDE = ("overview", "right", "left", "top", "bottom")
"""The wide views, the first being the day frame."""

Axis = Literal["falling", "blowing", "rising", "flowing", "pulsing", "still", "grounded", "none"]
Channel = Literal[
    "source", "code", "frames", "look", "motion", "burst", "measured", "classify", "place", "penalty"
]


@dataclass(frozen=True)
class Span:
    """Characters [start, end) of the page's scripts (as concatenated by the source map) and the file lines, from 1,
    that they cover."""

    start: int
    end: int
    first_line: int
    last_line: int


@dataclass(frozen=True)
class Quote:
    """A quote as claimed, and where it really stands; without spans it was refused, for `refused`. `executed`: whether
    some of its lines ran; None = not known."""

    text: str
    spans: tuple[Span, ...] = ()
    refused: str = ""
    repaired: bool = False
    executed: bool | None = None

    @property
    def verified(self) -> bool:
        """Whether the source holds it."""
        return bool(self.spans) and not self.refused


@dataclass(frozen=True)
class CodeClaim:
    """What the code channel says of one item. `probability` in 0..1 (source items), else 1 or 0; `motion` is the
    quote that shows it moving, along `axis`. `error`: the judge could not be had; then nothing else counts."""

    item: str
    probability: float = 0.0
    look: Quote | None = None
    motion: Quote | None = None
    axis: str = ""
    error: str = ""
    judge: str = ""


@dataclass(frozen=True)
class FrameClaim:
    """What the frames channel says of one item: seen in the frames `refs`, and whether and along which axis it is
    said to move there."""

    item: str
    seen: bool = False
    moves: bool = False
    axis: str = ""
    refs: tuple[str, ...] = ()
    reason: str = ""
    error: str = ""
    judge: str = ""


@dataclass(frozen=True)
class Burst:
    """Frames of one place two world-seconds apart: largest share of changed pixels between neighbours, near and
    far (0..1; None = not taken). `camera_still` False: the camera moved by itself, so the burst shows nothing.
    `in_mask`: the share inside the named object's mask, where it was measured."""

    biome: str
    near: float | None = None
    far: float | None = None
    camera_still: bool | None = None
    in_mask: float | None = None

    @property
    def share(self) -> float:
        """The larger of the two, 0 where neither was taken or the camera moved."""
        if self.camera_still is False:
            return 0.0
        return max(self.near or 0.0, self.far or 0.0)


@dataclass(frozen=True)
class FrameFlags:
    """The bug hunt on one frame: which flags stand after the votes (`afloat`, `hollow`, `nonblock`,
    `sea_over_void`). `judged` False: the call failed, or the frame shows no block terrain."""

    ref: str
    view: str
    flags: tuple[str, ...] = ()
    shows_terrain: bool = True
    judged: bool = True
    error: str = ""


@dataclass(frozen=True)
class Look:
    """Pixel measurements of a time or season frame: mean luma over all and over lit pixels (0..255), chromaticity
    (r, b) of lit pixels, share of pixels that differ from the background."""

    ref: str
    luma_all: float
    luma_lit: float
    chroma: tuple[float, float]
    filled: float = 1.0


@dataclass(frozen=True)
class Clock:
    """The four requested times (index = `TIMES`) and the seasons that were drawn. `source` is "patch" (a model's
    edit), "sweep" (searched by running the clock), "given" (the page was asked) or "none". `differs[i]` is the mean
    absolute difference of time i from day, `shift[i]` its chromaticity shift; `season_shift` from spring."""

    source: Literal["patch", "sweep", "given", "none"]
    times: tuple[Look | None, ...] = (None, None, None, None)
    seasons: tuple[Look | None, ...] = (None, None, None, None)
    differs: tuple[float | None, ...] = (None, None, None, None)
    shift: tuple[float | None, ...] = (None, None, None, None)
    season_shift: tuple[float | None, ...] = (None, None, None, None)
    day: int | None = None
    night: int | None = None
    ambiguous: bool = False


@dataclass(frozen=True)
class Layout:
    """The neighbour graph and the order of height as extracted from the code, edges and ranks with verified
    quotes only. `edges` holds each pair once, sorted; `rank` biome -> 0 (highest) upwards."""

    edges: frozenset[tuple[str, str]] = frozenset()
    rank: Mapping[str, int] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True)
class Evidence:
    """All of it for one world under one judge."""

    loaded: bool
    code: Mapping[str, CodeClaim] = field(default_factory=dict)
    frames: Mapping[str, FrameClaim] = field(default_factory=dict)
    classified: Mapping[str, Quote] = field(default_factory=dict)
    named_in_source: frozenset[str] = frozenset()
    confirmed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    layout: Layout = Layout()
    bursts: Mapping[str, Burst] = field(default_factory=dict)
    hunt: tuple[FrameFlags, ...] = ()
    clock: Clock = Clock("none")
    strict_executed: bool = False
    errors: tuple[str, ...] = ()


@dataclass(frozen=True)
class Half:
    """One graded part of an item: `earned` of `of` points (both exact; a penalty has `of` 0 and `earned` below 0).
    `refs` names frames, `lines` the source lines (first, last) it rests on; `measured`, `threshold` where a pixel
    measurement decided. `error`: it could not be judged."""

    item: str
    channel: Channel
    earned: Fraction
    of: Fraction
    reason: str = ""
    refs: tuple[str, ...] = ()
    lines: tuple[tuple[int, int], ...] = ()
    measured: float | None = None
    threshold: float | None = None
    error: str = ""
