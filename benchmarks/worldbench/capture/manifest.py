"""The manifest of a capture: every frame with its hash, virtual time, camera and measurements, as data.

Stored as an event of the episode and read back by judging; `to_json` and `from_json` are inverse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from benchmarks.worldbench.evidence import Clock

EVENT = "capture"
VERSION = 1
Vec3 = tuple[float, float, float]
Light = Literal["set", "held", "free"]
Found = Literal["found", "uncertain", "not_found", "error"]


@dataclass(frozen=True)
class Camera:
    """The page's camera in its own axes and units (y up in Three.js): unit vectors, vertical field of view."""

    position: Vec3
    forward: Vec3
    up: Vec3
    fov_deg: float
    aspect: float


@dataclass(frozen=True)
class Shot:
    """A stored frame, interface hidden unless the note says otherwise. `ref` names it in the episode. `view`:
    "time:0.25", "overview", "orbit:left", "season:1", "close:swamp", "near:swamp:2", "far:swamp:1",
    "turn:swamp:3" (what a navigator saw), "overlay:near:swamp". `filled`: share that is not background."""

    ref: str
    view: str
    sha256: str
    size: tuple[int, int]
    biome: str = ""
    t_s: float = 0.0
    camera: Camera | None = None
    filled: float = 0.0
    luma_all: float = 0.0
    luma_lit: float = 0.0
    chroma: tuple[float, float] = (0.0, 0.0)
    note: str = ""


@dataclass(frozen=True)
class ObjectMotion:
    """The objects of the scene that share name, parents, type and colour, during a burst; measured in the near
    frames, or in the far ones where only these show them. `id` is the first's place in the scene graph, `name` its
    own name or that of the nearest thing it is part of, `parents` all names above it.

    `changed` tells what of it was other in some frame than at the beginning: "place", "instances", "geometry",
    "material", "shader", "texture", "visible". `drift` is the median velocity of its parts (page units a second,
    page axes) over the first tenth of a second; `area` the share of the frame that its projected box covers,
    `share_in_box` that of the changed pixels in there. `visible_share` is the share of the frame that is this
    object's to be seen, `share_in_mask` that of changed pixels among those: None where not measured.
    """

    id: int
    name: str
    parents: tuple[str, ...]
    type: str
    color: str
    changed: tuple[str, ...]
    drift: Vec3
    area: float
    share_in_box: float
    visible_share: float | None = None
    share_in_mask: float | None = None


@dataclass(frozen=True)
class BurstShots:
    """The bursts of one saved view: refs of the near (4) and far (3) frames and of the overlays of changed pixels,
    shares of changed pixels, whether the camera stood still. `light`: "set" through the page's clock, "held"
    through the hook, or "free"."""

    biome: str
    near: tuple[str, ...] = ()
    far: tuple[str, ...] = ()
    near_share: float | None = None
    far_share: float | None = None
    near_overlay: str = ""
    far_overlay: str = ""
    camera_still: bool | None = None
    light: Light = "free"
    objects: tuple[ObjectMotion, ...] = ()


@dataclass(frozen=True)
class Turn:
    """A tool call of a navigator, what it was told, and the frame that it saw before."""

    tool: str
    arguments: Mapping[str, Any]
    result: str
    ref: str = ""


@dataclass(frozen=True)
class Visit:
    """How a navigator looked for one biome. `shows`, `confidence`, `note` are its own words on saving; nobody
    believes them."""

    biome: str
    outcome: Found
    reason: str
    turns: tuple[Turn, ...] = ()
    ref: str = ""
    shows: str = ""
    confidence: float = 0.0
    note: str = ""


@dataclass(frozen=True)
class Sample:
    """One moment of the clock sweep: virtual seconds, luma of all and of lit pixels (None = not drawn), the season
    that the page's interface names ("" = none)."""

    t_s: float
    luma_all: float | None = None
    luma_lit: float | None = None
    season: str = ""


@dataclass(frozen=True)
class Swept:
    """What running the page's own clock showed. `period_s` None: no day repeats within the sweep. `times_s` are
    the moments that stand for `evidence.TIMES`; `seasons_s` for spring to winter, `season_error` how far (as a
    share of the day) each is from the same time of day."""

    samples: tuple[Sample, ...] = ()
    period_s: float | None = None
    resolution_s: float = 0.0
    correlation: float = 0.0
    swing: float = 0.0
    times_s: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    seasons_s: tuple[float | None, ...] = (None, None, None, None)
    season_error: tuple[float | None, ...] = (None, None, None, None)


@dataclass(frozen=True)
class Edit:
    """A replacement in the page's text: `old` occurs exactly once."""

    old: str
    new: str


@dataclass(frozen=True)
class Patched:
    """What came of the clock patch: "applied", "refused" (all tries), "no_effect" (times look alike), "failed" (the
    patched page does not load), "off". `refusals` are those fed back, by try."""

    outcome: Literal["applied", "refused", "no_effect", "failed", "off"] = "off"
    edits: tuple[Edit, ...] = ()
    refusals: tuple[tuple[str, ...], ...] = ()
    cycle_found: bool = False
    season_found: bool = False
    sha256: str = ""


@dataclass(frozen=True)
class SceneItem:
    """A drawn object of the scene at the overview, largest first. `bounds` is its box in page axes, `triangles`
    counts all instances, `area` is the share of the overview that its projected box covers."""

    id: int
    name: str
    parents: tuple[str, ...]
    type: str
    bounds: tuple[Vec3, Vec3] | None
    color: str
    emissive: str
    opacity: float
    triangles: int
    instances: int
    area: float


@dataclass(frozen=True)
class Ran:
    """A script of the page's file: [start, end) are its characters in the file, `functions` (name, start, end,
    count) of every function, `idle` the ranges (start, end) that never ran."""

    start: int
    end: int
    functions: tuple[tuple[str, int, int, int], ...]
    idle: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Manifest:
    """One world's capture. `loaded` tells whether it drew; `outcome` and `errors` how its load ended; `incomplete`
    why it was cut short ("" = whole)."""

    world_sha256: str
    loaded: bool
    outcome: str
    errors: tuple[str, ...] = ()
    three: str = ""
    substitutions: tuple[tuple[str, str], ...] = ()
    refused: tuple[str, ...] = ()
    hooked: bool = False
    isolation: str = ""
    renderer: str = ""
    size: tuple[int, int] = (0, 0)
    seed: int = 0
    shots: tuple[Shot, ...] = ()
    clock: Clock = field(default_factory=lambda: Clock("none"))
    swept: Swept = field(default_factory=Swept)
    patched: Patched = field(default_factory=Patched)
    visits: tuple[Visit, ...] = ()
    bursts: tuple[BurstShots, ...] = ()
    scene: tuple[SceneItem, ...] = ()
    objects: int = 0
    triangles: int = 0
    ran: tuple[Ran, ...] = ()
    tampered: tuple[str, ...] = ()
    incomplete: str = ""
    cpu_s: float = field(default=0.0, compare=False)
    version: int = VERSION

    def shot(self, view: str) -> Shot | None:
        """The frame of a view, if it was taken."""
        return next((shot for shot in self.shots if shot.view == view), None)

    def close(self) -> tuple[Shot, ...]:
        """The close views, in the order of biomes."""
        return tuple(shot for shot in self.shots if shot.view.startswith("close:"))

    def burst(self, biome: str) -> BurstShots | None:
        """The bursts of a biome, if they were taken."""
        return next((burst for burst in self.bursts if burst.biome == biome), None)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        from pydantic import TypeAdapter

        made = TypeAdapter(Manifest).dump_python(self, mode="json")
        assert isinstance(made, dict)
        return made


def from_json(data: Mapping[str, Any]) -> Manifest:
    """The manifest from what `to_json` made. Raises `SchemaMismatch` for another version and `DataFileError` for
    what is none."""
    from pydantic import TypeAdapter, ValidationError

    from embodied_eval.errors import DataFileError, SchemaMismatch

    if data.get("version") != VERSION:
        raise SchemaMismatch(
            f"The capture has version {data.get('version')!r}; this package reads {VERSION}.",
            hint="Capture the world again, or judge it with the version that captured it.",
        )
    try:
        return TypeAdapter(Manifest).validate_python(dict(data))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise DataFileError(f"The stored capture is damaged at {place}: {first['msg']}.") from None
