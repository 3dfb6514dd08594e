"""What a world is graded by: items, placement rules, axes, thresholds and aliases, read from `spec/` and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Literal

from benchmarks.worldbench.evidence import Axis

FOLDER = Path(__file__).parent / "spec"
TESTS: Mapping[str, str] = {
    "WC001": "voxel island",
    "WC002": "coverage and placement",
    "WC003": "contents",
    "WC004": "look and physics",
    "WC005": "day, night and seasons",
}
Test = Literal["WC001", "WC002", "WC003", "WC004", "WC005"]
Kind = Literal[
    "source",
    "hunt",
    "place",
    "required",
    "forbidden",
    "still",
    "moving",
    "forbidden_look",
    "gate",
    "time",
    "stars",
]
Second = Literal["", "none", "judged", "measured"]
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
SHORTEST_WORD = 3
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True)
class Item:
    """One thing that is graded. `points` is what it is worth: what can be earned, or for a forbidden item what
    finding it costs (a gate costs all that its biome can earn in its test). `biome` is "" for items of the world as a whole. `axis` (moving items) is the motion expected,
    `fauna` says that frames cannot judge it. `second` (time items): what decides the half that code does not.
    `keywords` are lower-case stems for an offline rule, words of one keyword apart by a space."""

    id: str
    test: Test
    biome: str
    kind: Kind
    points: Fraction
    text: str
    axis: Axis | Literal[""] = ""
    fauna: bool = False
    second: Second = ""
    keywords: tuple[str, ...] = ()

    @property
    def forbidden(self) -> bool:
        """Whether finding it costs points."""
        return self.kind in ("forbidden", "forbidden_look", "gate", "stars")


@dataclass(frozen=True)
class Placement:
    """Where a region must lie: neighbours it touches (all of them; at least one of them; none of them), and
    regions that it is higher than."""

    touches_all: tuple[str, ...] = ()
    touches_any: tuple[str, ...] = ()
    touches_none: tuple[str, ...] = ()
    higher_than: tuple[str, ...] = ()


@dataclass(frozen=True)
class Thresholds:
    """The numbers of `thresholds.toml`, which says what each is; luma and greys are 0..255, shares 0..1."""

    version: str
    light_difference: float
    night_luma: float
    dusk_shift: float
    season_shift: float
    motion_share: float
    terrain_share: float
    near: float
    wide_frames: int
    void_frames: int
    motion_grey_step: int
    lit_grey: int
    chroma_sum: int
    crop_left: float
    luma_size_px: tuple[int, int]
    chroma_size_px: tuple[int, int]
    source_pass: float
    tie_points: float
    tie_spreads: float

    def is_near(self, measured: float, threshold: float) -> bool:
        """Whether `measured` lies within the share `near` of `threshold`, on either side."""
        return abs(measured - threshold) <= self.near * abs(threshold) * (1 + 1e-9)


@dataclass(frozen=True)
class Spec:
    """All of it. `items` by id, in the order in which quotes are given out. `sha256` is of each file, by name."""

    version: str
    items: Mapping[str, Item]
    rules: Mapping[str, Placement]
    accepts: Mapping[str, frozenset[str]]
    synonyms: Mapping[str, str]
    driver_words: frozenset[str]
    driver_patterns: tuple[re.Pattern[str], ...]
    thresholds: Thresholds
    aliases: Mapping[str, tuple[str, ...]]
    sha256: Mapping[str, str]

    def of(
        self, *, test: str | None = None, biome: str | None = None, kind: str | None = None
    ) -> tuple[Item, ...]:
        """The items of that test, biome and kind (None = any), in order."""
        return tuple(
            item
            for item in self.items.values()
            if test in (None, item.test) and biome in (None, item.biome) and kind in (None, item.kind)
        )

    def axis(self, word: str) -> str:
        """The axis that `word` stands for; a word that is none comes back as it is, in lower case."""
        plain = word.strip().lower()
        return self.synonyms.get(plain, plain)

    def compatible(self, expected: str, given: str) -> bool:
        """Whether the axis `given` (or a synonym of one) may stand for the axis `expected`."""
        return self.axis(given) in self.accepts[expected]

    def driven(self, code: str) -> bool:
        """Whether `code` holds a sign that it runs on the clock or the frame."""
        words = {word.lower() for name in _NAME.findall(code) for word in _words_in(name)}
        return bool(words & self.driver_words) or any(
            pattern.search(code) for pattern in self.driver_patterns
        )


def _words_in(name: str) -> list[str]:
    """The words of an identifier, camelCase taken apart. Of one with digits inside only those that are long enough to
    be words at all: the `t` of `t40x8` is no time."""
    parts = _WORD.findall(name)
    inside = any(char.isdigit() for char in name.rstrip("0123456789"))
    return [part for part in parts if not inside or len(part) >= SHORTEST_WORD]


@cache
def load_spec() -> Spec:
    """The specification that ships. Raises DataFileError naming file and place for anything it may not hold."""
    from benchmarks.worldbench.spec_files import read_spec

    return read_spec(FOLDER)
