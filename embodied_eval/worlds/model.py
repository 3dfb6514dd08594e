"""A `World`: objects made of primitives, materials, lights, sky, bounds, regions, spawn points.

Plain frozen data, no simulator in sight. The file form is canonical JSON, schema `embodied-eval/world/1`.
Metres, degrees, seconds; right-handed, z up. An object's frame has its origin at the middle of its
footprint on the floor (or at the back for things that hang on a wall), +x to its front.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from embodied_eval.records import Json, canonical_json, content_hash, to_json

SCHEMA = "embodied-eval/world/1"
Vec3 = tuple[float, float, float]
Shape = Literal["box", "ellipsoid", "cylinder", "capsule", "cone", "mesh"]
Texture = Literal[
    "plain",
    "wood",
    "planks",
    "tile",
    "brick",
    "plaster",
    "fabric",
    "carpet",
    "rug",
    "marble",
    "metal",
    "leaf",
    "bark",
    "paper",
    "screen",
    "picture",
    "stripes",
    "checker",
    "concrete",
    "grass",
    "water",
    "books",
]
TEXTURES: tuple[str, ...] = Texture.__args__  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Material:
    """A surface. `color` and `color2` are linear-ish sRGB in 0..1 mixed by the procedural `texture`, whose
    pattern repeats every `scale_m`; `emission` is added light in 0..; `roughness` 0 (mirror-like) to 1."""

    texture: Texture = "plain"
    color: Vec3 = (0.8, 0.8, 0.8)
    color2: Vec3 = (0.6, 0.6, 0.6)
    scale_m: float = 1.0
    roughness: float = 0.8
    metallic: float = 0.0
    emission: float = 0.0


@dataclass(frozen=True)
class Primitive:
    """One convex solid of an object.

    `size` is the full extent (x, y, z) in metres: a box's edges, an ellipsoid's diameters, a cylinder's or
    capsule's diameter twice and its whole height along z, a cone's base diameter twice and height. `taper`
    is a cone's top diameter over its base diameter (0 = pointed); `bevel_m` rounds a box's or cylinder's
    edges in pictures. `position` is the centre, `rotation_deg` (roll, pitch, yaw about the fixed x, then y,
    then z axis), both in the frame of its `part` ("" = the object itself). `collides` False draws only.
    A "mesh" shows the world's mesh called `mesh`, stretched to fill `size`; what collides is its convex hull;
    with the material "" it has its own colours.
    """

    shape: Shape
    size: Vec3
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation_deg: Vec3 = (0.0, 0.0, 0.0)
    material: str = "default"
    bevel_m: float = 0.0
    taper: float = 0.0
    part: str = ""
    collides: bool = True
    mesh: str = ""


@dataclass(frozen=True)
class Mesh:
    """A glTF 2.0 model in its binary form (`.glb`), base64, with everything in it. Its axes become ours: glTF's
    +z (front) is +x, +x (left) is +y, +y (up) is +z."""

    glb: str


@dataclass(frozen=True)
class Page:
    """An HTML page that is a world by itself: nothing is known of what is in it.

    `sha256` is that of the page's file, or of what the address answered. `folder` holds the file `entry` and
    whatever it may ask for; with `folder` "" `entry` is an address on this machine. Where a page lies is no
    part of its identity.
    """

    entry: str
    sha256: str
    folder: str = ""
    query: str = ""


@dataclass(frozen=True)
class Game:
    """A game that is the world by itself, as an environment pack describes it: what stands in the world beside this
    is what the pack tells of it.

    `sha256` is that of what a result over its map depends on. `pack` is the pack's file; where it lies is no part of
    the identity.
    """

    map: str
    sha256: str
    pack: str = ""


@dataclass(frozen=True)
class Interaction:
    """What operating an object does.

    `hinge` turns `part` about `axis` through `pivot` by `travel` degrees, `slide` moves it by `travel`
    metres along `axis`, both within `seconds`; `toggle` switches; `spin` turns `part` about `axis` at
    `travel` degrees a second while on. `states` = (resting, operated), e.g. ("closed", "open");
    `initial` one of them. While in `states[1]` the lights in `lights` are on and primitives whose material
    has emission glow; in `states[0]` both are off.
    """

    kind: Literal["hinge", "slide", "toggle", "spin"]
    part: str = ""
    axis: Vec3 = (0.0, 0.0, 1.0)
    pivot: Vec3 = (0.0, 0.0, 0.0)
    travel: float = 0.0
    seconds: float = 1.0
    states: tuple[str, str] = ("off", "on")
    initial: str = "off"
    lights: tuple[str, ...] = ()


@dataclass(frozen=True)
class WorldObject:
    """A thing with a name. `kind` is its object-library kind; `label` and `synonyms` are what people call
    it. `rotation_deg` is (roll, pitch, yaw). `dynamic` bodies can be pushed and fall; the rest stay where
    they are put. `supports` names what it rests on or is fixed to: "floor", "wall", "ceiling", "fixed"
    (part of the building), or an object; `joined` names objects it may overlap on purpose. `region` is
    the sub-scene it stands in."""

    name: str
    kind: str
    label: str
    primitives: tuple[Primitive, ...]
    position: Vec3 = (0.0, 0.0, 0.0)
    rotation_deg: Vec3 = (0.0, 0.0, 0.0)
    scale: Vec3 = (1.0, 1.0, 1.0)
    synonyms: tuple[str, ...] = ()
    mass_kg: float = 5.0
    dynamic: bool = False
    collides: bool = True
    visible: bool = True
    casts_shadow: bool = True
    interaction: Interaction | None = None
    supports: str = "floor"
    joined: tuple[str, ...] = ()
    region: str = ""


@dataclass(frozen=True)
class Light:
    """A lamp: a point light at `position` reaching `range_m`, warm or cold by `color`; `on` at load."""

    name: str
    position: Vec3
    color: Vec3 = (1.0, 0.92, 0.8)
    intensity: float = 1.0
    range_m: float = 6.0
    on: bool = True


@dataclass(frozen=True)
class Sun:
    """The one light that casts shadows: it shines along `direction`. `softness_m` is the penumbra's width."""

    direction: Vec3 = (0.35, 0.25, -0.9)
    color: Vec3 = (1.0, 0.96, 0.88)
    intensity: float = 1.0
    softness_m: float = 0.05


@dataclass(frozen=True)
class Sky:
    """Background and air. `ambient` lights everything a little; `fog_per_m` is the share of fog a metre."""

    zenith: Vec3 = (0.35, 0.55, 0.85)
    horizon: Vec3 = (0.80, 0.87, 0.95)
    ground: Vec3 = (0.35, 0.33, 0.30)
    ambient: float = 0.45
    fog_per_m: float = 0.0
    fog_color: Vec3 = (0.8, 0.85, 0.9)


@dataclass(frozen=True)
class Bounds:
    """An axis-aligned box in metres."""

    low: Vec3
    high: Vec3


@dataclass(frozen=True)
class Spawn:
    """A named start: feet point and yaw."""

    name: str
    position: Vec3
    yaw_deg: float
    region: str = ""


@dataclass(frozen=True)
class Region:
    """A sub-scene: its bounds and the description that an agent may read."""

    name: str
    title: str
    bounds: Bounds
    description: str


@dataclass(frozen=True)
class PointOfInterest:
    """A floor point that a 0.3 m capsule must be able to reach from every spawn."""

    name: str
    position: Vec3
    region: str = ""


@dataclass(frozen=True)
class World:
    """A whole world. Names of objects, lights, regions and spawns are unique in it."""

    name: str
    version: int
    description: str
    materials: dict[str, Material]
    objects: tuple[WorldObject, ...]
    lights: tuple[Light, ...]
    sun: Sun
    sky: Sky
    bounds: Bounds
    regions: tuple[Region, ...]
    spawns: tuple[Spawn, ...]
    points_of_interest: tuple[PointOfInterest, ...] = ()
    eye_height_m: float = 1.6
    fov_deg: float = 90.0
    meshes: dict[str, Mesh] = field(default_factory=dict)
    page: Page | None = None
    game: Game | None = None

    def object(self, name: str) -> WorldObject:
        """The object called `name`; KeyError if there is none."""
        for item in self.objects:
            if item.name == name:
                return item
        raise KeyError(name)

    def region(self, name: str) -> Region:
        """The region called `name`; KeyError if there is none."""
        for item in self.regions:
            if item.name == name:
                return item
        raise KeyError(name)

    def spawn(self, name: str = "") -> Spawn:
        """The spawn called `name`, or the first one for ""; KeyError if there is none."""
        for item in self.spawns:
            if not name or item.name == name:
                return item
        raise KeyError(name)

    def to_json(self) -> dict[str, Json]:
        """As a JSON object with its schema. What only worlds with meshes, pages or games have is left out of the
        others, so that their hashes stay."""
        made: dict[str, Any] = {"schema": SCHEMA, **to_json(self)}
        if not self.meshes:
            del made["meshes"]
            for item in made["objects"]:
                for primitive in item["primitives"]:
                    del primitive["mesh"]
        if self.page is None:
            del made["page"]
        else:
            del made["page"]["folder"]
        if self.game is None:
            del made["game"]
        else:
            del made["game"]["pack"]
        return made

    def canonical(self) -> str:
        """The canonical JSON text: what is hashed and written."""
        return canonical_json(self.to_json())

    @property
    def sha256(self) -> str:
        """Content hash of the canonical form."""
        return content_hash(self.to_json())
