"""What `embodied-eval sim serve` offers beyond UnrealCV: the driver contract itself, one JSON document a command.

Both sides use this module. A request is `TEMPLATE` with its one word replaced by `pack(...)`; a reply is compact
JSON (`unpack_reply`), a frame's is that and a block of bytes after it. The core's units and axes hold throughout.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from embodied_eval.drivers.base import (
    TICK_S,
    Command,
    Frame,
    LightPatch,
    ObjectPatch,
    ObjectState,
    RayHit,
    TickState,
    Vec3,
)
from embodied_eval.errors import ProtocolError
from embodied_eval.records import Json, Pose, VisibilityRow, to_json
from embodied_eval.worlds.model import WorldObject

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")
SCHEMA = "embodied-eval/unrealcv-extension/1"
PREFIX = "/embodied_eval/"
ABOUT = "vget /embodied_eval/about"
WORLD = "vset /embodied_eval/world [str]"
LOAD = "vset /embodied_eval/load [str]"
RENDERER = "vget /embodied_eval/renderer"
STATE = "vget /embodied_eval/state"
TICK = "vset /embodied_eval/tick [str]"
TELEPORT = "vset /embodied_eval/teleport [str]"
FRAME = "vget /embodied_eval/frame [str]"
OBJECTS = "vget /embodied_eval/objects"
OBJECT = "vget /embodied_eval/object [str]"
SET_OBJECT = "vset /embodied_eval/object [str]"
SET_LIGHT = "vset /embodied_eval/light [str]"
SPAWN = "vset /embodied_eval/spawn [str]"
DESTROY = "vset /embodied_eval/destroy [str]"
RAYCAST = "vget /embodied_eval/raycast [str]"
VISIBILITY = "vget /embodied_eval/visibility [str]"
DTYPES: Mapping[str, str] = {"rgb": "|u1", "depth": "<f4", "normals": "<f4", "mask": "<i4"}


@dataclass(frozen=True)
class LoadRequest:
    """Load the world with that hash, which the server has already: a bundled one, or one that `WORLD` sent."""

    world: str
    sha256: str
    seed: int = 0
    spawn: str = ""


@dataclass(frozen=True)
class TickRequest:
    """One tick of the driver contract."""

    command: Command
    dt_s: float = TICK_S


@dataclass(frozen=True)
class FrameRequest:
    """The agent's own view; `size` is (width, height)."""

    modalities: tuple[str, ...]
    size: tuple[int, int]


@dataclass(frozen=True)
class Named:
    """An object's name."""

    name: str


@dataclass(frozen=True)
class ObjectRequest:
    """A patch of an object."""

    name: str
    patch: ObjectPatch


@dataclass(frozen=True)
class LightRequest:
    """A patch of a light."""

    name: str
    patch: LightPatch


@dataclass(frozen=True)
class SpawnRequest:
    """A new object."""

    item: WorldObject


@dataclass(frozen=True)
class RayRequest:
    """A ray in metres."""

    origin: Vec3
    direction: Vec3
    max_m: float


@dataclass(frozen=True)
class VisibilityRequest:
    """As `Driver.visibility`."""

    ref: str
    names: tuple[str, ...]
    twin: dict[str, ObjectState]
    size: tuple[int, int]


@dataclass(frozen=True)
class About:
    """What serves: the driver behind it, what it can do, the loaded world, its camera."""

    schema: str
    driver: str
    capabilities: tuple[str, ...]
    world: str
    sha256: str
    eye_height_m: float
    fov_deg: float


@dataclass(frozen=True)
class _FrameHead:
    t_s: float
    pose: Pose
    arrays: dict[str, tuple[int, ...]]


def pack(value: Any) -> str:
    """A record, or plain JSON, as one word: compact JSON in base64url without padding."""
    plain = to_json(value) if hasattr(value, "__dataclass_fields__") else value
    text = json.dumps(plain, separators=(",", ":"), allow_nan=False)
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def request(template: str, value: Any = None) -> str:
    """The command of `template`, with `value` packed into its word if it has one."""
    return template.replace("[str]", pack(value)) if template.endswith("[str]") else template


def unpack_word(word: str) -> Json:
    """The JSON in a word that `pack` made. Raises ValueError for anything else, NaN and infinity included."""
    try:
        raw = base64.b64decode(word + "=" * (-len(word) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(f"no base64url: {error}") from None
    return _plain_json(raw.decode())


def unpack(kind: type[T], word: str) -> T:
    """The record of `kind` in a word. Raises ValueError for anything else."""
    asked: Any = kind
    made: T = _adapter(asked).validate_python(unpack_word(word))
    return made


def reply(value: Any) -> str:
    """A record, a list or mapping of records, or None, as a reply's text."""
    return json.dumps(_json(value), separators=(",", ":"), allow_nan=False)


def unpack_reply(kind: Any, text: str) -> Any:
    """What `reply` was given, as `kind` (a type, `list[...]`, `... | None`). Raises `ProtocolError`."""
    try:
        return _adapter(kind).validate_python(_plain_json(text))
    except ValueError as error:
        raise ProtocolError(f"A reply of the extension cannot be read: {error}.") from error


def frame_reply(frame: Frame) -> bytes:
    """A frame: a line of JSON with `t_s`, `pose` and each array's shape, then the arrays' bytes (`DTYPES`, C
    order) one after the other."""
    import numpy as np

    arrays = {name: getattr(frame, name) for name in DTYPES if getattr(frame, name) is not None}
    head = {"t_s": frame.t_s, "pose": to_json(frame.pose)}
    head["arrays"] = {name: list(array.shape) for name, array in arrays.items()}
    parts: Iterable[bytes] = (
        np.ascontiguousarray(array, dtype=DTYPES[name]).tobytes() for name, array in arrays.items()
    )
    return b"".join((json.dumps(head, separators=(",", ":")).encode(), b"\n", *parts))


def unpack_frame(body: bytes | memoryview) -> Frame:
    """The frame in a reply's body; its arrays show `body`'s memory. Raises `ProtocolError`."""
    import numpy as np

    line, found, _ = bytes(body[:4096]).partition(b"\n")
    if not found:
        raise ProtocolError(f"A frame was expected, not {line[:60]!r}.")
    head: _FrameHead = unpack_reply(_FrameHead, line.decode(errors="replace"))
    at, arrays = len(line) + 1, {}
    for name, shape in head.arrays.items():
        if name not in DTYPES or min(shape, default=0) < 1:
            raise ProtocolError(f"A frame holds {name!r} of shape {shape}.")
        count = math.prod(shape)
        size = count * np.dtype(DTYPES[name]).itemsize
        if at + size > len(body):
            raise ProtocolError(f"A frame's {name!r} of shape {shape} is not all there.")
        array: NDArray[Any] = np.frombuffer(body, DTYPES[name], count, at)
        arrays[name] = array.reshape(shape)
        at += size
    if at != len(body):
        raise ProtocolError(f"A frame has {len(body) - at} bytes too many.")
    return Frame(head.t_s, head.pose, **arrays)


def _json(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        return to_json(value)
    if isinstance(value, Mapping):
        return {key: _json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json(item) for item in value]
    return value


@cache
def _adapter(kind: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def _plain_json(text: str) -> Json:
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is out of range")
    return value


# What the replies are, by template; FRAME's is `unpack_frame`'s.
REPLIES: Mapping[str, Any] = {
    ABOUT: About,
    WORLD: dict[str, str],
    LOAD: TickState,
    STATE: TickState,
    TICK: TickState,
    TELEPORT: TickState,
    OBJECTS: dict[str, ObjectState],
    OBJECT: ObjectState,
    SET_OBJECT: ObjectState,
    SET_LIGHT: dict[str, str],
    SPAWN: ObjectState,
    DESTROY: dict[str, str],
    RAYCAST: RayHit | None,
    VISIBILITY: list[VisibilityRow],
}
REQUESTS: Mapping[str, Any] = {
    LOAD: LoadRequest,
    TICK: TickRequest,
    TELEPORT: Pose,
    FRAME: FrameRequest,
    OBJECT: Named,
    SET_OBJECT: ObjectRequest,
    SET_LIGHT: LightRequest,
    SPAWN: SpawnRequest,
    DESTROY: Named,
    RAYCAST: RayRequest,
    VISIBILITY: VisibilityRequest,
}
