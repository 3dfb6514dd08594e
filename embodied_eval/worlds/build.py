"""Building a world in Python: place kinds on floors and on each other, hang them, make rooms.

Heights are computed from the kinds, never typed: what is placed on something rests exactly on it. Names are
`KIND_N`, counted in the order of placement.
"""

from __future__ import annotations

import base64
import math
from collections import Counter
from dataclasses import replace
from typing import Any

from embodied_eval.errors import DataFileError
from embodied_eval.worlds.library import COMMON, PALETTE, design, lamp_light, make
from embodied_eval.worlds.meshes import mesh_of, shape_of
from embodied_eval.worlds.model import (
    Bounds,
    Light,
    Material,
    Mesh,
    PointOfInterest,
    Primitive,
    Region,
    Sky,
    Spawn,
    Sun,
    Vec3,
    World,
    WorldObject,
)

CEILING_M = 2.6


class WorldBuilder:
    """Collects a world's objects, lights, regions and spawns; `build` freezes them.

    `region` is given to whatever is placed next. All positions are in metres in the world's frame.
    """

    def __init__(self, name: str, version: int, description: str) -> None:
        self.name, self.version, self.description = name, version, description
        self.region = ""
        self._objects: dict[str, WorldObject] = {}
        self._lights: list[Light] = []
        self._regions: list[Region] = []
        self._spawns: list[Spawn] = []
        self._points: list[PointOfInterest] = []
        self._meshes: dict[str, Mesh] = {}
        self._counts: Counter[str] = Counter()

    def add_mesh(self, name: str, glb: bytes) -> None:
        """Declare a glTF model, the content of a `.glb` file, that objects may show. Raises what `mesh_of`
        does."""
        made = Mesh(base64.b64encode(glb).decode("ascii"))
        shape_of(made, f"Mesh {name!r}")
        self._meshes[name] = made

    def put(
        self,
        kind: str,
        x: float,
        y: float,
        yaw: float = 0.0,
        *,
        z: float = 0.0,
        supports: str = "floor",
        mesh: str = "",
        mesh_size_m: Vec3 | None = None,
        **options: Any,
    ) -> str:
        """Place a `kind` with its origin at (x, y, z); returns its name. Options: those of `library.make`.

        With `mesh` it shows that model, of the model's own size unless `mesh_size_m` is given, instead of
        what the library makes of the kind, and cannot be operated.
        """
        self._counts[kind] += 1
        name = f"{kind}_{self._counts[kind]}"
        own = {k: v for k, v in options.items() if k not in _MAKE_OPTIONS}
        made = design(kind, **own)
        light = f"{name}_light" if made.lamp is not None and not mesh else ""
        item = make(kind, name, (x, y, z), yaw, region=self.region, supports=supports, light=light, **options)
        if mesh:
            part = self._showing(mesh, mesh_size_m, supports)
            item = replace(item, primitives=(part,), interaction=None)
        self._objects[name] = item
        lamp = lamp_light(made, item, light) if light else None
        if lamp is not None:
            self._lights.append(lamp)
        return name

    def on(
        self,
        support: str,
        kind: str,
        dx: float = 0.0,
        dy: float = 0.0,
        yaw: float = 0.0,
        *,
        below_m: float = math.inf,
        **options: Any,
    ) -> str:
        """Place a `kind` on the object `support`, (dx, dy) from its origin in its own frame, turned by `yaw`
        against it, on its highest level surface there that lies lower than `below_m` above its origin."""
        base = self._objects[support]
        angle = math.radians(base.rotation_deg[2])
        x = base.position[0] + math.cos(angle) * dx - math.sin(angle) * dy
        y = base.position[1] + math.sin(angle) * dx + math.cos(angle) * dy
        z = base.position[2] + surface_height(base, dx, dy, below_m)
        return self.put(kind, x, y, base.rotation_deg[2] + yaw, z=z, supports=support, **options)

    def hang(self, kind: str, x: float, y: float, z: float, yaw: float, **options: Any) -> str:
        """Hang a `kind` on a wall: its back at (x, y), its origin at height `z`, its front towards `yaw`."""
        return self.put(kind, x, y, yaw, z=z, supports="wall", **options)

    def overhead(self, kind: str, x: float, y: float, **options: Any) -> str:
        """Hang a `kind` from the ceiling, where the sun would not reach it."""
        return self.put(kind, x, y, z=CEILING_M, supports="ceiling", casts_shadow=False, **options)

    def fixed(
        self, kind: str, x: float, y: float, yaw: float = 0.0, *, z: float = 0.0, **options: Any
    ) -> str:
        """Add a part of the building: it never moves and lets the sun through."""
        return self.put(kind, x, y, yaw, z=z, supports="fixed", casts_shadow=False, **options)

    def add_region(self, name: str, title: str, bounds: Bounds, description: str) -> None:
        """Declare a sub-scene and make it the current one."""
        self._regions.append(Region(name, title, bounds, description))
        self.region = name

    def add_spawn(self, name: str, x: float, y: float, yaw: float) -> None:
        """Declare a start on the floor of the current region."""
        self._spawns.append(Spawn(name, (x, y, 0.0), yaw, self.region))

    def add_point(self, name: str, x: float, y: float) -> None:
        """Declare a floor point that must be reachable, in the current region."""
        self._points.append(PointOfInterest(name, (x, y, 0.0), self.region))

    def build(self, bounds: Bounds, *, sun: Sun, sky: Sky) -> World:
        """The finished world, with the whole palette as its materials."""
        return World(
            name=self.name,
            version=self.version,
            description=self.description,
            materials=self._materials(),
            objects=tuple(self._objects.values()),
            lights=tuple(self._lights),
            sun=sun,
            sky=sky,
            bounds=bounds,
            regions=tuple(self._regions),
            spawns=tuple(self._spawns),
            points_of_interest=tuple(self._points),
            meshes=dict(self._meshes),
        )

    def _materials(self) -> dict[str, Material]:
        """The common palette whole, and of the others what is used: a palette that grows changes no world that
        shows nothing of it."""
        used = {primitive.material for item in self._objects.values() for primitive in item.primitives}
        return {name: made for name, made in PALETTE.items() if name in COMMON or name in used}

    def _showing(self, mesh: str, size_m: Vec3 | None, supports: str) -> Primitive:
        """The primitive that shows a mesh: it stands on its origin, hangs below it, or has its back there."""
        x, y, z = size_m or mesh_of(self._meshes, mesh).extent_m
        middle = {"wall": (x / 2.0, 0.0, 0.0), "ceiling": (0.0, 0.0, -z / 2.0)}.get(
            supports, (0.0, 0.0, z / 2.0)
        )
        return Primitive("mesh", (x, y, z), middle, material="", mesh=mesh)


_MAKE_OPTIONS = frozenset({"label", "dynamic", "joined", "casts_shadow", "synonyms"})


def surface_height(item: WorldObject, x: float, y: float, below_m: float = math.inf) -> float:
    """Height (m, above the object's origin) of its highest solid level surface at (x, y) in its own frame,
    lower than `below_m`. Raises `DataFileError` if it has none there."""
    best = -math.inf
    for part in item.primitives:
        roll, pitch, yaw = part.rotation_deg
        if not part.collides or roll or pitch or part.shape not in ("box", "cylinder", "cone"):
            continue
        if part.shape == "cone" and part.taper < 0.5:
            continue
        angle = math.radians(-yaw)
        rx, ry = x - part.position[0], y - part.position[1]
        px = math.cos(angle) * rx - math.sin(angle) * ry
        py = math.sin(angle) * rx + math.cos(angle) * ry
        if part.shape == "box":
            inside = abs(px) <= part.size[0] / 2 + 1e-9 and abs(py) <= part.size[1] / 2 + 1e-9
        else:
            width = part.size[0] * (part.taper if part.shape == "cone" else 1.0)
            inside = math.hypot(px, py) <= width / 2 + 1e-9
        top = part.position[2] + part.size[2] / 2
        if inside and best < top < below_m:
            best = top
    if best == -math.inf:
        raise DataFileError(
            f"{item.name!r} has no level surface at ({x:.2f}, {y:.2f}) in its frame.",
            hint="Place the thing inside the footprint of one of its solid boxes, cylinders or frustums.",
        )
    return best
