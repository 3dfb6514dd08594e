"""Environment packs: one TOML file that says how a user's own UE5 game is started and what of it tasks may name.

Schema `embodied-eval/ue-pack/1`. A pack is read once and checked whole; `spec` is how the launcher starts one of its
maps, `pack_world.world_of` the map as a world.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from embodied_eval.drivers.unrealcv.spec import GameSpec, Overrides
from embodied_eval.errors import DataFileError, SchemaMismatch, UnknownName

SCHEMA = "embodied-eval/ue-pack/1"
PREFIX = "ue:"
"""What a task file's `world` begins with when it means a pack: `ue:PACK.toml#MAP`."""
_ID = r"[a-z0-9][a-z0-9_-]{0,95}"
_WORD = r"[^\s/]{1,200}"
_TOO_LARGE = 4 * 1024 * 1024

Id = Annotated[str, Field(pattern=f"^{_ID}$")]
ActorName = Annotated[str, Field(pattern=f"^{_WORD}$")]
Number = Annotated[float, Field(allow_inf_nan=False)]
Point = tuple[Number, Number, Number]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Box(_Part):
    """Two opposite corners of a box along the axes."""

    low: Point
    high: Point

    @model_validator(mode="after")
    def _has_room(self) -> Self:
        if any(a >= b for a, b in zip(self.low, self.high, strict=True)):
            raise ValueError("every number of low must be below that of high")
        return self


class Start(_Part):
    """A place to start at: where the feet are, and where the eye looks."""

    name: Id
    position: Point
    yaw_deg: Number = 0.0
    region: str = ""


class Area(_Part):
    """A sub-scene with the description that an agent may read."""

    name: Id
    title: str = ""
    bounds: Box
    description: str


class Mapped(_Part):
    """An object that tasks may name: the game's actor for it, what people call it, and, if it is written down, the
    box around it. Without `bounds` they are known only while the game runs."""

    actor: ActorName
    label: str = Field(min_length=1)
    synonyms: tuple[str, ...] = ()
    kind: str = "thing"
    region: str = ""
    bounds: Box | None = None


class Map(_Part):
    """A map: `name` is what the plugin reports (`vget /level/name`), `open` what the engine is told to open, by default
    the same. `bounds` is the play area."""

    name: Annotated[str, Field(pattern=f"^{_WORD}$")]
    open: str = ""
    description: str
    bounds: Box
    start: tuple[Start, ...] = Field(min_length=1)
    region: tuple[Area, ...] = ()
    object: dict[Id, Mapped] = {}

    @model_validator(mode="after")
    def _names_fit(self) -> Self:
        for what, names in (
            ("start", [item.name for item in self.start]),
            ("region", [item.name for item in self.region]),
            ("actor", [item.actor for item in self.object.values()]),
        ):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"{what} {twice[0]!r} occurs twice")
        regions = {item.name for item in self.region}
        named = [item.region for item in self.start] + [item.region for item in self.object.values()]
        for region in filter(None, named):
            if region not in regions:
                raise ValueError(
                    f"region {region!r} is none of this map's: {', '.join(sorted(regions)) or 'it has none'}"
                )
        return self

    @property
    def actors(self) -> dict[str, str]:
        """The game's actor by object name."""
        return {name: item.actor for name, item in self.object.items()}


class Program(_Part):
    """The game and how it is run; see `GameSpec`."""

    binary: str = Field(min_length=1)
    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = {}
    size: tuple[Annotated[int, Field(ge=16, le=4096)], Annotated[int, Field(ge=16, le=4096)]] = (640, 480)
    offscreen: bool = True
    adapter: int | None = Field(None, ge=0)
    overrides: Overrides = "none"
    max_fps: int = Field(30, ge=1, le=1000)
    exposure_bias: Number = 0.0
    warm_up_frames: int = Field(30, ge=0, le=10_000)
    ready_s: float = Field(180.0, gt=0.0, le=3600.0)
    memory_mb: int = Field(0, ge=0)


class Units(_Part):
    """What this file's places are given in, "unreal" (the game's own units and axes: y to the right, yaw to the right)
    or "metres" (the toolkit's: y to the left, yaw to the left), and what a unit of the game is worth, of lengths and
    of depth pictures."""

    places: Literal["unreal", "metres"] = "unreal"
    metres_a_unit: float = Field(0.01, gt=0.0, le=1000.0)
    depth_metres_a_unit: float = Field(0.01, gt=0.0, le=1000.0)


class Body(_Part):
    """The agent's: its eye above its feet, in metres, and its horizontal field of view."""

    eye_height_m: float = Field(1.6, gt=0.0, le=10.0)
    fov_deg: float = Field(90.0, ge=5.0, le=170.0)


class Pack(_Part):
    """A whole pack. `file` is where it was read from; the binary's path is relative to that."""

    schema_: Literal["embodied-eval/ue-pack/1"] = Field(alias="schema")
    name: Id
    version: int = Field(1, ge=1)
    description: str = ""
    game: Program
    units: Units = Units()
    body: Body = Body()
    map: tuple[Map, ...] = Field(min_length=1)
    file: Path = Field(Path(), exclude=True)

    @model_validator(mode="after")
    def _maps_differ(self) -> Self:
        names = [item.name for item in self.map]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"map {twice[0]!r} occurs twice")
        return self

    def map_of(self, name: str = "") -> Map:
        """The map called `name`, "" for the first. Raises `UnknownName`."""
        for item in self.map:
            if name in ("", item.name):
                return item
        raise UnknownName(f"map of {self.file}", name, [item.name for item in self.map])

    def spec(self, name: str = "") -> GameSpec:
        """How the game is started with that map. Raises `UnknownName`."""
        chosen, game = self.map_of(name), self.game
        return GameSpec(
            binary=self.file.parent / game.binary,
            map=chosen.open or chosen.name,
            level=chosen.name,
            fov_deg=self.body.fov_deg,
            metres_a_unit=self.units.metres_a_unit,
            depth_metres_a_unit=self.units.depth_metres_a_unit,
            **{key: getattr(game, key) for key in Program.model_fields if key != "binary"},
        )


def read_pack(path: Path | str) -> Pack:
    """The pack in the file at `path`. Raises `SchemaMismatch` for a file of another schema, `DataFileError`, naming the
    file and the field, for one that cannot be used."""
    file = Path(path)
    try:
        with file.open("rb") as stream:
            content = stream.read(_TOO_LARGE + 1)
        if len(content) > _TOO_LARGE:
            raise DataFileError(f"The pack {file} is larger than {_TOO_LARGE} bytes.")
        data: dict[str, Any] = tomllib.loads(content.decode("utf-8"))
    except OSError as error:
        raise DataFileError(f"The pack {file} cannot be read: {error.strerror or error}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise DataFileError(f"The pack {file} is not TOML: {error}.") from error
    if data.get("schema") != SCHEMA:
        raise SchemaMismatch(
            f"{file} has schema {data.get('schema')!r}; this version reads {SCHEMA!r}.",
            hint="A pack's first line says its schema; see docs/unrealcv-games.md.",
        )
    try:
        return Pack.model_validate({**data, "file": file})
    except ValidationError as error:
        raise DataFileError(f"The pack {file} cannot be used: {_first(error)}.") from error


def split_world(name: str) -> tuple[Path, str]:
    """The pack's path and the map's name ("" = the first) in `ue:PACK.toml#MAP`. Raises `DataFileError` for another
    form."""
    match = re.fullmatch(rf"{PREFIX}([^#]+\.toml)(?:#([^\s/#]+))?", name)
    if match is None:
        raise DataFileError(f"{name!r} names no map of a pack.", hint=f"Legal: {PREFIX}PACK.toml#MAP.")
    return Path(match[1]), match[2] or ""


def _first(error: ValidationError) -> str:
    """The first thing that is wrong, with its place and what was given, and how much more there is."""
    found = error.errors(include_url=False)
    first = found[0]
    place = ".".join(str(part) for part in first["loc"]) or "the pack"
    given = (
        ""
        if isinstance(first["input"], dict) or first["type"] == "missing"
        else f", not {first['input']!r:.80}"
    )
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return f"{place}: {first['msg'].removeprefix('Value error, ')}{given}{more}"
