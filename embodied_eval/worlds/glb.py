"""Binary glTF files of unknown origin: their outer form and header, checked before anything is decoded.

What is refused would be shown wrongly, or differently by different programs, or would cost too much; the
error says which. glTF 2.0 is specified by Khronos: https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any, NoReturn

from embodied_eval.errors import DataFileError

MAX_BYTES = 16 * 2**20
MAX_VERTICES, MAX_TRIANGLES = 200_000, 100_000
MAX_NODES, MAX_PRIMITIVES = 5_000, 1_000
MAX_ACCESSOR_ITEMS, MAX_IMAGES = 2_000_000, 128
_MAGIC, _JSON, _BIN = 0x46546C67, 0x4E4F534A, 0x004E4942
_FLOAT = 5126
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
# They change geometry. Whoever must ignore them shows something else than whoever knows them.
_SHAPING = frozenset(
    {
        "KHR_draco_mesh_compression",
        "EXT_meshopt_compression",
        "KHR_meshopt_compression",
        "KHR_mesh_quantization",
        "EXT_mesh_gpu_instancing",
    }
)
_LOOKS = ("KHR_materials_", "KHR_texture_transform", "EXT_texture_webp")
_EXPORT = "Export it again as glTF Binary (.glb) without compression, skins or shape keys, images included."
Header = dict[str, Any]


def checked_header(data: bytes, what: str) -> tuple[Header, bytes]:
    """The JSON header of the `.glb` in `data` and its binary chunk (empty if it has none).

    Raises DataFileError, naming `what`, for anything that is no glTF 2.0 binary, refers to other files, needs
    an extension that changes geometry, is animated by skins or shape keys, or exceeds the limits above.
    """
    if len(data) > MAX_BYTES:
        refuse(what, f"has {len(data) / 2**20:.1f} MiB; at most {MAX_BYTES / 2**20:.0f} MiB are read")
    header, binary = _chunks(data, what)
    try:
        _check_extensions(header, what)
        _check_sources(header, what)
        _check_accessors(header, what)
        _check_meshes(header, what)
        _check_scene(header, what)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise DataFileError(f"{what} has a broken header ({error!r}).", hint=_EXPORT) from error
    return header, binary


def packed(header: Header, binary: bytes) -> bytes:
    """A `.glb` of these two."""
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    parts = struct.pack("<II", len(text), _JSON) + text
    if binary:
        binary += b"\0" * (-len(binary) % 4)
        parts += struct.pack("<II", len(binary), _BIN) + binary
    return struct.pack("<III", _MAGIC, 2, 12 + len(parts)) + parts


def shown(primitive: Header) -> bool:
    """Whether a primitive has faces; lines and points are left out."""
    return bool(primitive.get("mode", _TRIANGLES) in (_TRIANGLES, _STRIP))


def refuse(what: str, why: str) -> NoReturn:
    """Raise DataFileError that `what` (its name) `why`."""
    raise DataFileError(f"{what} {why}.", hint=_EXPORT)


def _chunks(data: bytes, what: str) -> tuple[Header, bytes]:
    if len(data) < 20 or struct.unpack_from("<I", data)[0] != _MAGIC:
        refuse(what, "is no binary glTF (.glb) file")
    _, version, length, size, kind = struct.unpack_from("<IIIII", data)
    if version != 2:
        refuse(what, f"is glTF {version}; only glTF 2.0 is read")
    if kind != _JSON or length > len(data) or 20 + size > length:
        refuse(what, "is cut off or has no header")
    try:
        header = json.loads(data[20 : 20 + size])
    except (ValueError, RecursionError) as error:
        raise DataFileError(f"{what} has a header that is not JSON: {error}.", hint=_EXPORT) from error
    if not isinstance(header, dict):
        refuse(what, "has a header that is no JSON object")
    at, binary = 20 + size, b""
    while at + 8 <= length:
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > length:
            refuse(what, "is cut off")
        if kind == _BIN and not binary:
            binary = data[at + 8 : at + 8 + size]
        at += 8 + size
    return header, binary


def _check_extensions(header: Header, what: str) -> None:
    used, required = header.get("extensionsUsed", []), header.get("extensionsRequired", [])
    shaping = sorted(_SHAPING & {*used, *required})
    unknown = sorted(name for name in required if not str(name).startswith(_LOOKS))
    for name in (*shaping, *unknown):
        refuse(what, f"needs the extension {name}, which is not read")
    if header.get("skins"):
        refuse(what, "has a skin (an armature that bends it)")


def _check_sources(header: Header, what: str) -> None:
    for kind in ("buffers", "images"):
        for item in header.get(kind, []):
            if not str(item.get("uri", "data:")).startswith("data:"):
                refuse(what, f"refers to another file, {item['uri']!r:.80}")
    if len(header.get("images", [])) > MAX_IMAGES:
        refuse(what, f"has {len(header['images']):,} images; at most {MAX_IMAGES} are read")


def _check_accessors(header: Header, what: str) -> None:
    # Views may overlap, and each is copied.
    viewed = sum(_whole(view["byteLength"]) for view in header.get("bufferViews", []))
    if viewed > 2 * MAX_BYTES:
        refuse(what, f"has overlapping buffer views of {viewed / 2**20:,.0f} MiB in all")
    total = 0
    for accessor in header.get("accessors", []):
        count = _whole(accessor["count"], 1)
        total += count
        if "sparse" in accessor or "bufferView" not in accessor:
            refuse(what, "has data in sparse form")
    if total > MAX_ACCESSOR_ITEMS:
        refuse(what, f"holds {total:,} data items; at most {MAX_ACCESSOR_ITEMS:,} are read")


def _check_meshes(header: Header, what: str) -> None:
    accessors = header.get("accessors", [])
    primitives = [item for mesh in header.get("meshes", []) for item in mesh["primitives"]]
    if len(primitives) > MAX_PRIMITIVES:
        refuse(what, f"has {len(primitives):,} mesh primitives; at most {MAX_PRIMITIVES:,} are read")
    for primitive in primitives:
        if primitive.get("mode", _TRIANGLES) == _FAN:
            refuse(what, "has triangle fans")
        for name in ("POSITION", "TEXCOORD_0"):
            number = primitive["attributes"].get(name)
            if number is not None and accessors[_whole(number)]["componentType"] != _FLOAT:
                refuse(what, f"has {name} data that are no floats")
    for item in (*header.get("meshes", []), *header.get("nodes", [])):
        if any(item.get("weights", ())):
            refuse(what, "has shape keys (morph targets) in use")


def _check_scene(header: Header, what: str) -> None:
    nodes = header.get("nodes", [])
    if len(nodes) > MAX_NODES:
        refuse(what, f"has {len(nodes):,} nodes; at most {MAX_NODES:,} are read")
    parents = [0] * len(nodes)
    for node in nodes:
        for child in node.get("children", []):
            parents[_whole(child)] += 1
    roots = [_whole(root) for root in _roots(header, what)]
    if len(set(roots)) < len(roots) or max(parents, default=0) > 1 or any(parents[root] for root in roots):
        refuse(what, "has a node with two parents, or one that is its own ancestor")
    vertices = triangles = 0
    for node in _below(nodes, roots):
        if "mesh" not in node:
            continue
        for primitive in header["meshes"][_whole(node["mesh"])]["primitives"]:
            if not shown(primitive):
                continue
            corners = header["accessors"][_whole(primitive["attributes"]["POSITION"])]["count"]
            indices = (
                header["accessors"][_whole(primitive["indices"])]["count"]
                if "indices" in primitive
                else corners
            )
            vertices += corners
            triangles += indices // 3 if primitive.get("mode", _TRIANGLES) == _TRIANGLES else indices - 2
    if vertices > MAX_VERTICES or triangles > MAX_TRIANGLES:
        refuse(
            what,
            f"shows {triangles:,} triangles with {vertices:,} vertices; "
            f"at most {MAX_TRIANGLES:,} and {MAX_VERTICES:,} are read",
        )
    if triangles < 1:
        refuse(what, "shows no triangles")


def _roots(header: Header, what: str) -> list[int]:
    scenes = header.get("scenes", [])
    if not scenes:
        refuse(what, "has no scene")
    roots: list[int] = scenes[_whole(header.get("scene", 0))].get("nodes", [])
    return roots


def _below(nodes: list[Header], roots: list[int]) -> Iterator[Header]:
    waiting = list(roots)
    while waiting:
        node = nodes[waiting.pop()]
        waiting.extend(node.get("children", []))
        yield node


def _whole(value: Any, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ValueError(f"{value!r} where a whole number from {least} must be")
    return value
