"""World files: canonical JSON, schema `embodied-eval/world/1`, checked field by field when read.

A mesh may be given as `{"file": "chair.glb"}`, a file in the world file's folder or below; it is taken in
when read.
"""

from __future__ import annotations

import base64
import json
import math
import os
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NoReturn

from embodied_eval.errors import DataFileError, SchemaMismatch
from embodied_eval.records import Json
from embodied_eval.worlds.glb import MAX_BYTES, checked_header
from embodied_eval.worlds.model import SCHEMA, World


def read_world(path: Path | str) -> World:
    """The world in the file at `path`.

    Raises SchemaMismatch naming the file and both versions, DataFileError naming the file and the field.
    """
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(f"World file {file} cannot be read: {error}.") from error
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise DataFileError(f"World file {file} is not JSON: {error}.") from error
    return world_from_json(_with_meshes(data, file), str(file))


def _with_meshes(data: Json, world_file: Path) -> Json:
    """`data` with the mesh files that it names put in."""
    meshes = data.get("meshes") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(meshes, dict):
        return data
    taken: dict[str, Json] = {}
    for name, entry in meshes.items():
        named = entry.get("file") if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or len(entry) != 1 or not isinstance(named, str):
            taken[name] = entry
            continue
        taken[name] = {"glb": base64.b64encode(_mesh_file(world_file, name, named)).decode("ascii")}
    return {**data, "meshes": taken}


def _mesh_file(world_file: Path, name: str, named: str) -> bytes:
    what = f"{world_file}: mesh {name!r}"
    folder = world_file.parent.resolve()
    try:
        path = (folder / named).resolve()
        if not path.is_relative_to(folder):
            raise DataFileError(
                f"{what} names {named!r}, outside its folder.", hint="Put the file beside the world."
            )
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise DataFileError(f"{what}: file {named!r} cannot be read: {error}.") from error
    checked_header(content, f"{what}: file {named!r}")
    return content


def write_world(world: World, path: Path | str) -> None:
    """Write `world` to `path` in canonical form, replacing a file that is there in one go."""
    file = Path(path)
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        beside.write_text(world.canonical() + "\n", encoding="utf-8")
        beside.replace(file)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise DataFileError(f"World file {file} cannot be written: {error}.") from error


def world_from_json(data: Json, source: str) -> World:
    """The world that `World.to_json` made `data` of; `source` names it in errors."""
    if not isinstance(data, dict):
        raise DataFileError(f"{source} is no world file: it holds no JSON object.")
    schema = data.get("schema")
    if schema != SCHEMA:
        raise SchemaMismatch(
            f"{source} has schema {schema!r}; this version reads {SCHEMA!r}.",
            hint="Write it again with a matching version of embodied-eval.",
        )
    body = {key: value for key, value in data.items() if key != "schema"}
    world = _read(World, body, source, "")
    assert isinstance(world, World)
    return world


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _wrong(source: str, where: str, value: Json, wanted: str) -> NoReturn:
    shown = json.dumps(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    raise DataFileError(f"{source}: {where or 'the world'} is {shown}; it must be {wanted}.")


def _read(wanted: Any, value: Json, source: str, where: str) -> Any:
    """`value` as the type `wanted`, one of those that the world model is made of."""
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if is_dataclass(wanted) and isinstance(wanted, type):
        return _read_record(wanted, value, source, where)
    if origin in (types.UnionType, typing.Union):
        inner = [kind for kind in arguments if kind is not type(None)]
        return None if value is None else _read(inner[0], value, source, where)
    if origin is Literal:
        if value not in arguments:
            _wrong(source, where, value, "one of " + ", ".join(str(legal) for legal in arguments))
        return value
    if origin is tuple:
        if not isinstance(value, list):
            _wrong(source, where, value, "a list")
        kinds = [arguments[0]] * len(value) if arguments[-1] is Ellipsis else list(arguments)
        if len(kinds) != len(value):
            _wrong(source, where, value, f"a list of {len(kinds)}")
        pairs = enumerate(zip(kinds, value, strict=True))
        return tuple(_read(kind, item, source, f"{where}[{index}]") for index, (kind, item) in pairs)
    if origin is dict:
        if not isinstance(value, dict):
            _wrong(source, where, value, "an object")
        return {key: _read(arguments[1], item, source, f"{where}.{key}") for key, item in value.items()}
    return _read_plain(wanted, value, source, where)


def _read_plain(wanted: Any, value: Json, source: str, where: str) -> Any:
    if wanted is float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            _wrong(source, where, value, "a number")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise DataFileError(f"{source}: {where} is out of range.")
        return number
    if wanted is int and (isinstance(value, bool) or not isinstance(value, int)):
        _wrong(source, where, value, "a whole number")
    if wanted is bool and not isinstance(value, bool):
        _wrong(source, where, value, "true or false")
    if wanted is str and not isinstance(value, str):
        _wrong(source, where, value, "a text")
    return value


def _read_record(wanted: type, value: Json, source: str, where: str) -> Any:
    if not isinstance(value, Mapping):
        _wrong(source, where, value, f"an object with the fields of a {wanted.__name__}")
    kinds = _kinds(wanted)
    unknown = sorted(set(value) - set(kinds))
    dot = f"{where}." if where else ""
    if unknown:
        raise DataFileError(
            f"{source}: {dot}{unknown[0]} is not a field of a {wanted.__name__}.",
            hint=f"Legal: {', '.join(kinds)}.",
        )
    for item in fields(wanted):
        if item.name not in value and item.default is MISSING and item.default_factory is MISSING:
            raise DataFileError(f"{source}: {dot}{item.name} is missing.")
    return wanted(**{key: _read(kinds[key], item, source, dot + key) for key, item in value.items()})


@lru_cache(maxsize=64)
def _kinds(wanted: type) -> dict[str, Any]:
    hints = typing.get_type_hints(wanted)
    return {item.name: hints[item.name] for item in fields(wanted)}
