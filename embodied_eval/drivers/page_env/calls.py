"""Calls of a page's `window.__env`, and what it answers, checked once here."""

from __future__ import annotations

import base64
import binascii
import io
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from embodied_eval.drivers.base import Vec3
from embodied_eval.drivers.whole.film import Shot
from embodied_eval.errors import PageFailed, ProtocolError, SimulatorCrashed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embodied_eval.drivers.browser.session import PageSession
    from embodied_eval.records import Json

ENDPOINT = "window.__env"
PICTURE_MOST_PX = 4096
ACTION_MOST_MS = 30_000.0
ACTION_MOST_S = 120.0
# Of what a page offers, these alone are ever called: `targets`, `flags` and `probe` know the truth.
Name = Literal["enable", "state", "act", "tick"]


@dataclass(frozen=True)
class Place:
    """Where the page says the agent is: `pos` (x, y up, z) in metres, angles in degrees, all in its own sense."""

    pos: Vec3
    yaw_deg: float
    pitch_deg: float


@dataclass(frozen=True)
class Answer:
    """What a call answered. `moved_m` and `elapsed_s` are None and `last` is b"" where the page does not say;
    `interacted` is "" where nothing was operated; `thrown` says "respawned" or "teleported"."""

    place: Place
    moved_m: float | None
    elapsed_s: float | None
    interacted: str
    thrown: tuple[str, ...]
    film: tuple[Shot, ...]
    last: bytes


class EnvCalls:
    """The interface of the open page. Each call raises `PageFailed` when the page throws or answers with what
    its interface does not allow, `SimulatorCrashed` when its WebGL context is lost, and what
    `PageSession.call` raises."""

    def __init__(self, session: PageSession) -> None:
        self._session = session
        self._lost = session.status().webgl_lost

    def call(self, name: Name, *parts: Mapping[str, Json] | float) -> Answer:
        """`__env.<name>(...parts)`, with the page's time passing until it is done."""
        try:
            row = self._session.call(source(), [name, list(parts)], limit_ms=ACTION_MOST_MS)
        except ProtocolError as error:
            self._check_context(name)
            first = error.message.partition("\n")[0]
            raise PageFailed(
                f"`__env.{name}` failed: {first}", outcome="action_failed", endpoint=ENDPOINT, command=name
            ) from error
        self._check_context(name)
        return answer_of(row, name)

    def _check_context(self, name: str) -> None:
        if self._session.status().webgl_lost > self._lost:
            raise SimulatorCrashed("The page lost its WebGL context.", endpoint=ENDPOINT, command=name)


@cache
def source() -> str:
    """The function that runs in the page."""
    return files(__package__).joinpath("env.js").read_text("utf-8")


def answer_of(row: Mapping[str, Any], name: str) -> Answer:
    """The answer from what `env.js` sends. Raises `PageFailed`: "bad_answer" for a field that is not what
    it should be, "wrong_clock" for a time that no clock can show."""
    elapsed = row["elapsed"]
    if elapsed != "" and (not _finite(elapsed) or not 0.0 <= elapsed <= ACTION_MOST_S):
        raise wrong_clock(f"an action took {elapsed} s", name)
    moved = row["moved"]
    pos = row["pos"]
    places = {
        "pos": pos,
        "yaw": [row["yaw"]],
        "pitch": [row["pitch"]],
        "moved": [0.0 if moved == "" else moved],
    }
    for field, values in places.items():
        if len(values) != (3 if field == "pos" else 1) or not all(_finite(value) for value in values):
            raise _bad(f"{field} is {values if field == 'pos' else values[0]}", name)
    film = tuple(Shot(_time(t, name), _image(url, name)) for t, url in row["film"])
    if any(later.t_s < before.t_s for before, later in pairwise(film)):
        raise wrong_clock("its film runs backwards", name)
    return Answer(
        Place((float(pos[0]), float(pos[1]), float(pos[2])), float(row["yaw"]), float(row["pitch"])),
        None if moved == "" else abs(float(moved)),
        None if elapsed == "" else float(elapsed),
        row["interacted"],
        tuple(word for word in ("respawned", "teleported") if row[word]),
        film,
        b"" if row["last"] == "" else _image(row["last"], name),
    )


def pixels(data: bytes) -> NDArray[np.uint8]:
    """An encoded picture as uint8 (H, W, 3). Raises `PageFailed` for what is none, or too large."""
    import numpy as np
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=("JPEG", "PNG", "WEBP")) as image:
            if max(image.size) > PICTURE_MOST_PX:
                raise _bad(f"a picture of {image.width}x{image.height} pixels", "act")
            return np.asarray(image.convert("RGB"), dtype=np.uint8)
    except (OSError, ValueError, SyntaxError) as error:
        raise _bad("a picture that cannot be decoded", "act") from error


def wrong_clock(what: str, name: str) -> PageFailed:
    """The error for a page whose clock cannot be right."""
    return PageFailed(
        f"The page's clock is wrong: {what}.",
        outcome="wrong_clock",
        endpoint=ENDPOINT,
        command=name,
        hint="`simElapsed` and the times of the film are simulated seconds.",
    )


def _bad(what: str, name: str) -> PageFailed:
    return PageFailed(
        f"The page's `__env` answered wrongly: {what}.",
        outcome="bad_answer",
        endpoint=ENDPOINT,
        command=name,
    )


def _finite(value: Any) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value)


def _time(value: Any, name: str) -> float:
    if not _finite(value):
        raise wrong_clock(f"a picture of its film was taken at {value}", name)
    return float(value)


def _image(url: Any, name: str) -> bytes:
    head, comma, body = url.partition(",") if isinstance(url, str) else ("", "", "")
    if not (head.startswith("data:image/") and head.endswith(";base64") and comma):
        raise _bad("a picture that is no data URL, or longer than allowed", name)
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error as error:
        raise _bad("a picture whose base64 is broken", name) from error
