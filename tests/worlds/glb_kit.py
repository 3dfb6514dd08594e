"""Small glTF models made on the spot: boxes, a chair, a palette-textured box, and a writer for odd ones."""

from __future__ import annotations

import base64
import io
import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.worlds.model import Mesh

Array = NDArray[Any]
Header = dict[str, Any]
# A cube of side 1 around the origin: corner signs and, for each face, its corners counter-clockwise from outside.
_FACES = {
    (1, 0, 0): [(1, -1, 1), (1, -1, -1), (1, 1, -1), (1, 1, 1)],
    (-1, 0, 0): [(-1, -1, -1), (-1, -1, 1), (-1, 1, 1), (-1, 1, -1)],
    (0, 1, 0): [(-1, 1, 1), (1, 1, 1), (1, 1, -1), (-1, 1, -1)],
    (0, -1, 0): [(-1, -1, -1), (1, -1, -1), (1, -1, 1), (-1, -1, 1)],
    (0, 0, 1): [(-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)],
    (0, 0, -1): [(1, -1, -1), (-1, -1, -1), (-1, 1, -1), (1, 1, -1)],
}
PLASTIC = {"metallicFactor": 0.0, "roughnessFactor": 0.7}


class Model:
    """A glTF file in the making: add primitives, materials and nodes, then `glb`."""

    def __init__(self) -> None:
        self.header: Header = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": []}],
            "nodes": [],
            "meshes": [],
            "materials": [],
            "accessors": [],
            "bufferViews": [],
        }
        self._binary = b""

    def view(self, content: bytes) -> int:
        """A buffer view with `content`."""
        self._binary += b"\0" * (-len(self._binary) % 4)
        views = self.header["bufferViews"]
        views.append({"buffer": 0, "byteOffset": len(self._binary), "byteLength": len(content)})
        self._binary += content
        return len(views) - 1

    def accessor(self, array: Array, **fields: Any) -> int:
        """Float or index data: (n, 2), (n, 3) or (n,)."""
        kind = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}[1 if array.ndim == 1 else array.shape[1]]
        floats = array.dtype.kind == "f"
        content = np.ascontiguousarray(array, "<f4" if floats else "<u4").tobytes()
        entry = {"bufferView": self.view(content), "count": len(array), "type": kind}
        self.header["accessors"].append({**entry, "componentType": 5126 if floats else 5125, **fields})
        return len(self.header["accessors"]) - 1

    def image(self, pixels: Array) -> int:
        """A texture of uint8 (h, w, 3) pixels, as a PNG inside the file."""
        from PIL import Image

        stream = io.BytesIO()
        Image.fromarray(pixels).save(stream, "PNG")
        images = self.header.setdefault("images", [])
        images.append({"bufferView": self.view(stream.getvalue()), "mimeType": "image/png"})
        self.header.setdefault("textures", []).append({"source": len(images) - 1})
        return len(self.header["textures"]) - 1

    def material(self, color: Sequence[float] = (1.0, 1.0, 1.0, 1.0), **fields: Any) -> int:
        """A dielectric of a linear colour."""
        rough = {**PLASTIC, "baseColorFactor": list(color), **fields.pop("pbr", {})}
        self.header["materials"].append({"pbrMetallicRoughness": rough, **fields})
        return len(self.header["materials"]) - 1

    def mesh(self, *primitives: Header) -> int:
        """A mesh of primitives made by `primitive`."""
        self.header["meshes"].append({"primitives": list(primitives)})
        return len(self.header["meshes"]) - 1

    def primitive(
        self,
        positions: Array,
        faces: Array | None = None,
        *,
        material: int | None = None,
        **attributes: Array,
    ) -> Header:
        """Triangles; further attributes by their glTF name."""
        made: Header = {"attributes": {"POSITION": self.accessor(np.asarray(positions, float))}}
        made["attributes"] |= {name: self.accessor(values) for name, values in attributes.items()}
        if faces is not None:
            made["indices"] = self.accessor(np.asarray(faces, int).ravel())
        if material is not None:
            made["material"] = material
        return made

    def node(self, *, root: bool = True, **fields: Any) -> int:
        """A node of the scene, or with `root` False one for others' `children`."""
        self.header["nodes"].append(fields)
        number = len(self.header["nodes"]) - 1
        if root:
            self.header["scenes"][0]["nodes"].append(number)
        return number

    def glb(self, **changes: Any) -> bytes:
        """The file, with top-level fields replaced (None: left out)."""
        header = {**self.header, "buffers": [{"byteLength": len(self._binary)}], **changes}
        return written({key: value for key, value in header.items() if value is not None}, self._binary)

    def mesh_data(self, **changes: Any) -> Mesh:
        """As a world's mesh."""
        return mesh_data(self.glb(**changes))


def written(header: Mapping[str, Any], binary: bytes) -> bytes:
    """A `.glb`, by the book."""
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = (
        struct.pack("<II", len(text), 0x4E4F534A)
        + text
        + struct.pack("<II", len(binary), 0x004E4942)
        + binary
    )
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def mesh_data(content: bytes) -> Mesh:
    """`content` as a world's mesh."""
    return Mesh(base64.b64encode(content).decode("ascii"))


def cuboid(
    size: Sequence[float] = (1.0, 1.0, 1.0), at: Sequence[float] = (0.0, 0.0, 0.0)
) -> tuple[Array, Array, Array, Array]:
    """Positions (24, 3), normals (24, 3), texture coordinates (24, 2) and faces (12, 3) of a box in glTF's
    axes."""
    corners = np.array([corner for face in _FACES.values() for corner in face], float)
    positions = corners * np.array(size) / 2.0 + np.array(at)
    normals = np.repeat(np.array(list(_FACES), float), 4, axis=0)
    uv = np.tile([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]], (6, 1))
    start = 4 * np.arange(6)[:, None, None]
    return positions, normals, uv, (start + np.array([[0, 1, 2], [0, 2, 3]])).reshape(-1, 3)


def box_model(
    size: Sequence[float] = (1.0, 1.0, 1.0), color: Sequence[float] = (1.0, 1.0, 1.0, 1.0), **node: Any
) -> Model:
    """One box of one colour, in a node with these fields."""
    model = Model()
    positions, normals, _, faces = cuboid(size)
    material = model.material(color)
    model.node(mesh=model.mesh(model.primitive(positions, faces, material=material, NORMAL=normals)), **node)
    return model


def chair_model() -> Model:
    """A chair in glTF's axes, 0.5 m wide, 0.9 m high, its front towards +z: oak legs and frame, a red seat, a
    back; the four legs are one mesh in four places."""
    model = Model()
    wood, cloth = model.material((0.30, 0.16, 0.06, 1.0)), model.material((0.5, 0.02, 0.03, 1.0))

    def part(size: Sequence[float], material: int) -> int:
        positions, normals, _, faces = cuboid(size)
        return model.mesh(model.primitive(positions, faces, material=material, NORMAL=normals))

    leg, seat = part((0.05, 0.42, 0.05), wood), part((0.5, 0.06, 0.5), cloth)
    post, back = part((0.05, 0.45, 0.04), wood), part((0.4, 0.25, 0.03), cloth)
    for x in (-0.22, 0.22):
        for z in (-0.22, 0.22):
            model.node(mesh=leg, translation=[x, 0.21, z])
        model.node(mesh=post, translation=[x, 0.675, -0.23])
    model.node(mesh=seat, translation=[0.0, 0.45, 0.0])
    model.node(mesh=back, translation=[0.0, 0.75, -0.23])
    return model


def palette_model() -> Model:
    """A box whose six faces look into six cells of one small palette texture, (r, g, b) uint8 in
    `PALETTE`."""
    model = Model()
    pixels = np.repeat(np.repeat(np.array(PALETTE, np.uint8).reshape(2, 3, 3), 8, axis=0), 8, axis=1)
    material = model.material(pbr={"baseColorTexture": {"index": model.image(pixels)}})
    positions, normals, _, faces = cuboid()
    cell = np.arange(24) // 4
    uv = np.stack([(cell % 3 + 0.5) / 3.0, (cell // 3 + 0.5) / 2.0], axis=1)
    made = model.primitive(positions, faces, material=material, NORMAL=normals, TEXCOORD_0=uv)
    model.node(mesh=model.mesh(made))
    return model


PALETTE = [(220, 30, 30), (30, 200, 40), (30, 60, 220), (230, 220, 40), (40, 40, 40), (240, 240, 240)]


def saved(model: Model, path: Path) -> Path:
    """Write the model to `path`."""
    path.write_bytes(model.glb())
    return path
