"""What the official UE service answers, checked, and in our conventions.

The service's are UE's: centimetres, z up, left-handed (y to the right), yaw clockwise seen from above, and a look that
is positive downwards.
"""

from __future__ import annotations

import base64
import binascii
import io
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from embodied_eval.drivers.page.axes import wrapped
from embodied_eval.drivers.whole.film import Shot
from embodied_eval.errors import ProtocolError
from embodied_eval.records import Json, Pose

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CM = 0.01
HALF_HEIGHT_M = 0.9
"""A UE character's place is the middle of its capsule (1.8 m high): its feet are this much lower."""
CLOCK_EPSILON_S = 1e-6
PICTURE_MOST_PX = 4096
PNG = b"\x89PNG\r\n\x1a\n"
IDS = ("observation_id", "id")
NOT_OPERATED = frozenset(
    {"", "none", "no_target", "no_hit", "nothing", "miss", "ignored", "failed", "blocked"}
)


@dataclass(frozen=True)
class Observation:
    """One observation. `t_s` and the film's times are seconds of the service's own clock; `id` is "" and the others
    None where it does not say; `result` is as it came."""

    id: str
    t_s: float
    pose: Pose
    moved_m: float | None
    clearance_m: float | None
    result: Json
    film: tuple[Shot, ...]
    last: bytes

    @property
    def operated(self) -> str | None:
        """What an `interact` operated. The form of a result is not published: whatever does not say that there was
        nothing counts, by its own words."""
        told = self.result
        if isinstance(told, Mapping):
            told = next((told[key] for key in ("actor", "target", "name", "status") if key in told), None)
        if told is True:
            return "thing"
        text = told.strip() if isinstance(told, str) else ""
        return None if text.lower().replace(" ", "_") in NOT_OPERATED else text[:200]


def observation_of(row: Mapping[str, Any], endpoint: str, command: str) -> Observation:
    """The observation in a reply, by itself or under the key "observation".

    Raises `ProtocolError`: for a world that is not paused, a clock that runs backwards, a number that is none, a
    picture that is none.
    """
    inner = row.get("observation", row)
    if not isinstance(inner, Mapping):
        raise _wrong("its observation is no object", endpoint, command)
    reader = _Reader(inner, endpoint, command)
    if inner.get("paused") is not True:
        raise reader.wrong("the world is not paused, so it goes on while nobody acts")
    t_s = reader.number("simulation_time")
    place = inner.get("position_cm")
    if not isinstance(place, (list, tuple)) or len(place) != 3 or not all(map(_finite, place)):
        raise reader.wrong(f"position_cm is {str(place)[:100]}")
    film = tuple(reader.shot(frame) for frame in reader.frames())
    if any(later.t_s < before.t_s for before, later in pairwise(film)):
        raise reader.wrong("the clock of its frames runs backwards")
    if film and film[-1].t_s > t_s + CLOCK_EPSILON_S:
        raise reader.wrong("a frame is of a time that is still to come")
    return Observation(
        id=next((str(inner[key]) for key in IDS if inner.get(key) is not None), ""),
        t_s=t_s,
        pose=Pose(
            _clean(place[0] * CM),
            _clean(-place[1] * CM),
            _clean(place[2] * CM - HALF_HEIGHT_M),
            wrapped(-reader.number("yaw_degree")) + 0.0,
            _clean(-reader.number("look_degree")),
        ),
        moved_m=reader.centimetres("actual_distance_cm"),
        clearance_m=reader.centimetres("boundary_clearance_cm"),
        result=inner.get("result"),
        film=film,
        last=reader.picture(inner.get("rgb")),
    )


@dataclass(frozen=True)
class _Reader:
    row: Mapping[str, Any]
    endpoint: str
    command: str

    def wrong(self, what: str) -> ProtocolError:
        return _wrong(what, self.endpoint, self.command)

    def number(self, key: str) -> float:
        value = self.row.get(key)
        if not _finite(value):
            raise self.wrong(f"{key} is {str(value)[:100]}")
        return float(value)  # type: ignore[arg-type]

    def centimetres(self, key: str) -> float | None:
        """A distance in metres; None where it is not told."""
        return None if self.row.get(key) is None else self.number(key) * CM

    def frames(self) -> list[Any]:
        frames = self.row.get("frames", [])
        if not isinstance(frames, list):
            raise self.wrong("its frames are no list")
        return frames

    def shot(self, frame: Any) -> Shot:
        if not isinstance(frame, Mapping) or not _finite(frame.get("simulation_time")):
            raise self.wrong("a frame without its simulation_time")
        return Shot(float(frame["simulation_time"]), self.picture(frame.get("rgb")))

    def picture(self, rgb: Any) -> bytes:
        """The PNG in `rgb`, as far as its header tells."""
        text = rgb.get("base64") if isinstance(rgb, Mapping) else None
        try:
            data = base64.b64decode(text, validate=True) if isinstance(text, str) else b""
        except (binascii.Error, ValueError) as error:
            raise self.wrong("a picture whose base64 is broken") from error
        if not data.startswith(PNG) or len(data) < 24:
            raise self.wrong("a picture that is no PNG")
        size = struct.unpack(">II", data[16:24])
        if not all(0 < side <= PICTURE_MOST_PX for side in size):
            raise self.wrong(f"a picture of {size[0]}x{size[1]} pixels")
        return data


def pixels(data: bytes, endpoint: str) -> NDArray[np.uint8]:
    """A picture of the service as uint8 (H, W, 3). Raises `ProtocolError` for one that cannot be decoded."""
    import numpy as np
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("PNG",)) as image:
            return np.asarray(image.convert("RGB"), dtype=np.uint8)
    except (OSError, ValueError, SyntaxError) as error:
        raise _wrong("a picture that cannot be decoded", endpoint, "capture") from error


def _wrong(what: str, endpoint: str, command: str) -> ProtocolError:
    return ProtocolError(
        f"The UE service answered wrongly: {what}.", endpoint=endpoint, command=command, hint="Start it anew."
    )


def _finite(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _clean(value: float) -> float:
    """Rounded to a nanometre, and -0 to 0."""
    return round(value, 9) + 0.0
