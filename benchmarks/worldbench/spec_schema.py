"""What may stand in the files of `spec/`, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from benchmarks.worldbench.evidence import BIOMES, Axis
from benchmarks.worldbench.spec import Test


def _biome(name: str) -> str:
    if name not in BIOMES:
        raise ValueError(f"no region is called {name!r}; there are {', '.join(BIOMES)}")
    return name


Text = Annotated[str, Field(min_length=4)]
Stem = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*( [a-z0-9]+)*$")]
Stems = Annotated[tuple[Stem, ...], Field(min_length=1)]
Share = Annotated[float, Field(gt=0, lt=1)]
Level = Annotated[float, Field(gt=0, le=255)]
Counted = Annotated[int, Field(ge=0)]
Side = Annotated[int, Field(ge=1)]
Biome = Annotated[str, AfterValidator(_biome)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Entry(_Strict):
    text: Text
    keywords: Stems


class _Named(Entry):
    id: Annotated[str, Field(pattern=r"^[VT]\.[a-z]+$")]


class _Source(_Named):
    points: Annotated[int, Field(gt=0)]


class _Hunt(_Strict):
    points: Annotated[int, Field(gt=0)]
    text: Text


class _Island(_Strict):
    source: tuple[_Source, ...]
    hunt: _Hunt


class _Coverage(_Strict):
    text: Text


class _Gate(_Strict):
    text: Text


class _Contents(_Strict):
    required: Annotated[tuple[Entry, ...], Field(min_length=1)]
    forbidden: tuple[Entry, ...]


class Sums(_Strict):
    points: Mapping[Test, int]
    source: Counted
    required: Counted
    forbidden: Counted
    still: Counted
    moving: Counted
    fauna: Counted
    forbidden_look: Counted
    cycle: Counted


class ItemsFile(_Strict):
    schema_: str = Field(alias="schema")
    version: str
    sums: Sums
    island: _Island
    gate: _Gate
    coverage: _Coverage
    contents: Mapping[Biome, _Contents]


class Moving(Entry):
    axis: Axis
    fauna: bool = False


class _LookOf(_Strict):
    still: tuple[Entry, ...]
    moving: tuple[Moving, ...]
    forbidden: tuple[Entry, ...]


class _Time(_Named):
    second: Literal["none", "judged", "measured"]


class _Cycle(_Strict):
    items: tuple[_Time, ...]
    stars: _Named


class LooksFile(_Strict):
    schema_: str = Field(alias="schema")
    looks: Mapping[Biome, _LookOf]
    cycle: _Cycle


class _Placement(_Strict):
    touches_all: tuple[Biome, ...] = ()
    touches_any: tuple[Biome, ...] = ()
    touches_none: tuple[Biome, ...] = ()
    higher_than: tuple[Biome, ...] = ()


class Axes(_Strict):
    accepts: Mapping[Axis, tuple[Axis | Literal[""], ...]]
    synonyms: Mapping[Axis, tuple[str, ...]]


class _Drivers(_Strict):
    words: tuple[Stem, ...]
    patterns: tuple[str, ...]


class RulesFile(_Strict):
    schema_: str = Field(alias="schema")
    placement: Mapping[Biome, _Placement]
    axes: Axes
    time_drivers: _Drivers


class _Decide(_Strict):
    light_difference: Level
    night_luma: Level
    dusk_shift: Share
    season_shift: Share
    motion_share: Share
    terrain_share: Share
    near: Share


class _Count(_Strict):
    wide_frames: Annotated[int, Field(ge=1, le=5)]
    void_frames: Annotated[int, Field(ge=1, le=5)]


class _Measure(_Strict):
    motion_grey_step: Annotated[int, Field(gt=0, le=255)]
    lit_grey: Annotated[int, Field(ge=0, le=255)]
    chroma_sum: Annotated[int, Field(ge=0, le=765)]
    crop_left: Annotated[float, Field(ge=0, lt=1)]
    luma_size_px: tuple[Side, Side]
    chroma_size_px: tuple[Side, Side]


class _Display(_Strict):
    source_pass: Share
    tie_points: Annotated[float, Field(gt=0)]
    tie_spreads: Annotated[float, Field(gt=0)]


class ThresholdsFile(_Strict):
    schema_: str = Field(alias="schema")
    version: str
    decide: _Decide
    count: _Count
    measure: _Measure
    display: _Display


class AliasesFile(_Strict):
    schema_: str = Field(alias="schema")
    aliases: Mapping[Biome, Stems]
