"""What the devtools hook tells of a Three.js page: its scene graph and its camera."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Vec3 = tuple[float, float, float]


@dataclass(frozen=True)
class SceneMaterial:
    """The (first) material of a node. Colours are "#rrggbb" or "" where it has none."""

    type: str
    name: str
    color: str
    emissive: str
    map: bool
    opacity: float
    transparent: bool
    visible: bool


@dataclass(frozen=True)
class SceneNode:
    """One object of the scene; `id` is its place in `SceneGraph.nodes`, `parent` that of its parent (-1: the
    scene itself). `visible` counts what hides its parents. `bounds` is the box (low, high) of its own
    geometry in world coordinates (all instances together), None where it has none; `triangles` are those of
    one instance."""

    id: int
    parent: int
    name: str
    type: str
    visible: bool
    bounds: tuple[Vec3, Vec3] | None
    triangles: int
    instances: int
    material: SceneMaterial | None
    cast_shadow: bool


@dataclass(frozen=True)
class SceneGraph:
    """The scene of the page's main picture, parents before children. `matrices` is float64 (n, 16): world
    matrices, column-major, in the page's own axes and units (y is up in Three.js)."""

    nodes: tuple[SceneNode, ...]
    matrices: NDArray[np.float64]

    @property
    def triangles(self) -> int:
        """Triangles of everything visible, instances counted."""
        return sum(node.triangles * node.instances for node in self.nodes if node.visible)


@dataclass(frozen=True)
class CameraView:
    """The camera of the page's main picture, in the page's axes. `forward` and `up` have length 1; `fov_deg`
    is vertical, 0 for a camera without perspective; `aspect` is width by height."""

    position: Vec3
    forward: Vec3
    up: Vec3
    fov_deg: float
    aspect: float
    perspective: bool


def scene_graph(text: str) -> SceneGraph:
    """The scene graph from the JSON text of the page's side."""
    import numpy as np

    data = json.loads(text)
    nodes = tuple(_node(number, row) for number, row in enumerate(data["nodes"]))
    matrices = np.frombuffer(base64.b64decode(data["matrices"]), dtype="<f8").reshape(-1, 16)
    return SceneGraph(nodes, matrices)


def camera_view(row: dict[str, Any]) -> CameraView:
    """The camera from what the page's side sends."""
    return CameraView(
        _vector(row["position"]),
        _vector(row["forward"]),
        _vector(row["up"]),
        float(row["fov"]),
        float(row["aspect"]),
        bool(row["perspective"]),
    )


def _node(number: int, row: dict[str, Any]) -> SceneNode:
    box = row["bounds"]
    return SceneNode(
        number,
        row["parent"],
        str(row["name"]),
        str(row["type"]),
        row["visible"],
        (_vector(box[:3]), _vector(box[3:])) if box else None,
        row["triangles"],
        row["instances"],
        SceneMaterial(**row["material"]) if row["material"] else None,
        row["castShadow"],
    )


def _vector(values: list[float]) -> Vec3:
    x, y, z = values
    return float(x), float(y), float(z)
