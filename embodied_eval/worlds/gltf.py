"""The geometry and surfaces that a glTF model shows, as arrays, decoded by trimesh.

The default scene at rest: node transforms are applied, animations, cameras and lights left out. Axes are
ours: glTF's +z (front) is +x, +x (left) is +y, +y (up) is +z; metres.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.errors import DataFileError, MissingPart
from embodied_eval.worlds.glb import Header, checked_header, packed, refuse, shown

if TYPE_CHECKING:
    from PIL.Image import Image

Array = NDArray[np.float64]
MAX_TEXTURE_PIXELS = 4096 * 4096
SAMPLED_PX = 128
MAX_COORDINATE_M = 1e6
# Ours from glTF's: rows pick z, x, y.
AXES: Array = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
_TEXTURES = ("baseColorTexture", "metallicRoughnessTexture", "emissiveTexture")


@dataclass(frozen=True)
class Surface:
    """A glTF material: linear factors in 0..1 (`emissive` with its strength) and textures as they are stored,
    averaged to at most `SAMPLED_PX` a side, (h, w, 3) in 0..1. `fitted` says whether the texture coordinates
    of a part are those of the base colour texture."""

    color: Array = field(default_factory=lambda: np.ones(3))
    roughness: float = 1.0
    metallic: float = 1.0
    emissive: Array = field(default_factory=lambda: np.zeros(3))
    color_texture: Array | None = None
    metallic_texture: Array | None = None
    emissive_texture: Array | None = None
    fitted: bool = True
    double_sided: bool = False


@dataclass(frozen=True)
class Part:
    """One mesh primitive at one place of the scene: `vertices` (n, 3) metres, unit `normals` (n, 3), `faces`
    (m, 3) counter-clockwise seen from outside, `uv` (n, 2) with v from the bottom, or None, linear vertex
    `colors` (n, 3) or None."""

    vertices: Array
    normals: Array
    faces: NDArray[np.int64]
    surface: Surface
    uv: Array | None = None
    colors: Array | None = None


def read_parts(data: bytes, what: str) -> list[Part]:
    """What the `.glb` in `data` shows, in an order that depends on `data` alone.

    Raises DataFileError, naming `what`, for what `checked_header` refuses and for data that cannot be decoded
    or are not finite, MissingPart without trimesh.
    """
    header, binary = checked_header(data, what)
    primitives = [item for mesh in header.get("meshes", []) for item in mesh["primitives"] if shown(item)]
    scene = _decoded(packed(_slimmed(header), binary), what)
    if len(scene.geometry) != len(primitives):
        refuse(what, "has a mesh that cannot be decoded")
    order = {name: number for number, name in enumerate(scene.geometry)}
    placed = [scene.graph[node] for node in scene.graph.nodes_geometry]
    placed = [(order[name], np.asarray(matrix, np.float64)) for matrix, name in placed]
    # Node names are partly random.
    placed.sort(key=lambda item: (item[0], item[1].tobytes()))
    shapes = list(scene.geometry.values())
    surfaces: dict[int, Surface] = {}
    seen: dict[int, Array] = {}
    parts = []
    for number, matrix in placed:
        listed = primitives[number].get("material")
        if listed is not None and listed not in surfaces:
            found = shapes[number].visual.material
            surfaces[listed] = _surface(found, header["materials"][listed], seen, what)
        surface = Surface() if listed is None else surfaces[listed]
        smooth = "NORMAL" in primitives[number]["attributes"]
        part = _part(shapes[number], matrix, surface, smooth, what)
        if len(part.faces):
            parts.append(part)
    return parts


def _slimmed(header: Header) -> Header:
    """The header without what trimesh would read unasked: cameras take their node's mesh away."""
    slim = {key: value for key, value in header.items() if key not in ("animations", "cameras", "extras")}
    slim["nodes"] = [_plain(node, ("camera", "extras", "extensions")) for node in header.get("nodes", [])]
    slim["meshes"] = [
        {"primitives": [_plain(item, ("targets", "extras")) for item in mesh["primitives"] if shown(item)]}
        for mesh in header.get("meshes", [])
    ]
    slim["materials"] = [_plain(item, ("extras", "extensions")) for item in header.get("materials", [])]
    return slim


def _plain(item: Header, without: tuple[str, ...]) -> Header:
    return {key: value for key, value in item.items() if key not in without}


def _decoded(data: bytes, what: str) -> Any:
    try:
        import trimesh
    except ImportError as error:
        raise MissingPart(
            f"Meshes in worlds need trimesh ({error}).", fix="pip install 'embodied-eval[mujoco]'"
        ) from error
    try:
        return trimesh.load_scene(io.BytesIO(data), file_type="glb", process=False)
    except Exception as error:
        raise DataFileError(f"{what} cannot be decoded ({type(error).__name__}: {error}).") from error


def _part(geometry: Any, matrix: Array, surface: Surface, smooth: bool, what: str) -> Part:
    vertices = np.array(geometry.vertices, np.float64)
    faces = np.array(geometry.faces, np.int64)
    if faces.min(initial=0) < 0 or faces.max(initial=0) >= len(vertices):
        refuse(what, "has a face with a corner that there is not")
    if not (np.isfinite(matrix).all() and np.isfinite(vertices).all()):
        refuse(what, "has a position that is no finite number")
    linear = AXES @ matrix[:3, :3]
    placed = vertices @ linear.T + AXES @ matrix[:3, 3]
    if not np.abs(placed).max(initial=0.0) <= MAX_COORDINATE_M:
        refuse(what, f"reaches farther than {MAX_COORDINATE_M:g} m")
    mirrored = np.linalg.det(linear) < 0.0
    if mirrored:
        faces = faces[:, ::-1]
    uv = _rows(getattr(geometry.visual, "uv", None), len(vertices), 2)
    colors = _vertex_colors(geometry.visual, len(vertices))
    part = Part(placed, np.zeros_like(placed), faces, surface, uv, colors)
    given = _rows(geometry.vertex_normals, len(vertices), 3) if smooth else None
    if given is None:
        return _flat(part)
    # Normals go with the transposed inverse; its cofactors also exist for a flattening node.
    normals = given @ _cofactors(linear).T * (-1.0 if mirrored else 1.0)
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return replace(part, normals=normals / length) if (length > 1e-12).all() else _flat(part)


def _cofactors(matrix: Array) -> Array:
    a, b, c = matrix.T
    return np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1)


def _flat(part: Part) -> Part:
    """Every face with corners of its own and one normal: what glTF 2.0, 3.7.2.1, asks for without normals."""
    corners = part.faces.ravel()
    vertices = part.vertices[corners]
    a, b, c = vertices.reshape(-1, 3, 3).transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    length = np.linalg.norm(across, axis=1, keepdims=True)
    unit = np.where(length > 0.0, across / np.where(length > 0.0, length, 1.0), [0.0, 0.0, 1.0])
    return Part(
        vertices,
        np.repeat(unit, 3, axis=0),
        np.arange(len(corners)).reshape(-1, 3),
        part.surface,
        None if part.uv is None else part.uv[corners],
        None if part.colors is None else part.colors[corners],
    )


def _rows(values: Any, count: int, width: int) -> Array | None:
    """`values` as (count, width) finite numbers, or None."""
    if values is None:
        return None
    array = np.asarray(values, np.float64)
    if array.ndim != 2 or array.shape[0] != count or array.shape[1] < width or not np.isfinite(array).all():
        return None
    return array[:, :width]


def _vertex_colors(visual: Any, count: int) -> Array | None:
    values: Any = None
    if visual.kind == "vertex":
        values = visual.vertex_colors
    elif visual.kind == "texture":
        values = visual.vertex_attributes.get("color")
    if values is None:
        return None
    values = np.asarray(values)
    largest = np.iinfo(values.dtype).max if values.dtype.kind == "u" else 1.0
    rows = _rows(values, count, 3)
    return None if rows is None else np.clip(rows / largest, 0.0, 1.0)


def _surface(material: Any, given: Header, seen: dict[int, Array], what: str) -> Surface:
    """The material as the header says, with the pictures that trimesh opened for it; `seen` keeps those
    decoded."""
    try:
        return _read_surface(material, given, seen, what)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataFileError(f"{what} has a broken material ({error!r}).") from error


def _read_surface(material: Any, given: Header, seen: dict[int, Array], what: str) -> Surface:
    rough = given.get("pbrMetallicRoughness", {})
    textures: dict[str, Array | None] = {}
    for key in _TEXTURES:
        picture = getattr(material, key, None)
        if (key in rough or key in given) and picture is None:
            refuse(what, f"has a {key} that cannot be read")
        if picture is not None and id(picture) not in seen:
            seen[id(picture)] = _texels(picture, what)
        textures[key] = None if picture is None else seen[id(picture)]
    extensions = given.get("extensions", {})
    strength = float(extensions.get("KHR_materials_emissive_strength", {}).get("emissiveStrength", 1.0))
    base = rough.get("baseColorTexture", {})
    return Surface(
        color=_factors(rough.get("baseColorFactor", (1.0, 1.0, 1.0))),
        roughness=float(np.clip(rough.get("roughnessFactor", 1.0), 0.0, 1.0)),
        metallic=float(np.clip(rough.get("metallicFactor", 1.0), 0.0, 1.0)),
        emissive=_factors(given.get("emissiveFactor", (0.0, 0.0, 0.0))) * min(max(strength, 0.0), 16.0),
        color_texture=textures["baseColorTexture"],
        metallic_texture=textures["metallicRoughnessTexture"],
        emissive_texture=textures["emissiveTexture"],
        fitted=base.get("texCoord", 0) == 0 and "KHR_texture_transform" not in base.get("extensions", {}),
        double_sided=bool(given.get("doubleSided", False)),
    )


def _texels(picture: Image, what: str) -> Array:
    from PIL.Image import Resampling

    width, height = picture.size
    if width * height > MAX_TEXTURE_PIXELS:
        refuse(what, f"has a texture of {width}x{height} pixels")
    try:
        small = picture.convert("RGB")
    except Exception as error:
        raise DataFileError(f"{what} has a texture that cannot be decoded ({error}).") from error
    if max(small.size) > SAMPLED_PX:
        small = small.resize((min(width, SAMPLED_PX), min(height, SAMPLED_PX)), Resampling.BOX)
    return np.asarray(small, np.float64) / 255.0


def _factors(values: Any) -> Array:
    numbers = np.array([float(value) for value in values], np.float64)[:3]
    if numbers.shape != (3,) or not np.isfinite(numbers).all():
        raise ValueError(f"factor {values!r}")
    return np.clip(numbers, 0.0, 1.0)
