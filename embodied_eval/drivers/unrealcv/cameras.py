"""A camera of our own in the game: camera 0 follows the pawn late, and not at all while the game is paused."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass

from embodied_eval.drivers.base import Vec3
from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.errors import CommandFailed, StaleFrame

# How far a camera may be from where it was put when its picture is taken.
_OFF_CM, _OFF_DEG = 0.1, 0.1
# Two views this far apart in yaw or pitch do not give the same bytes, unless nothing is in them.
_OTHER_VIEW_DEG = 1.0


@dataclass(frozen=True)
class View:
    """Where a camera stands and looks: metres and degrees of the core, `size` (width, height) in pixels."""

    eye: Vec3
    yaw_deg: float
    pitch_deg: float
    size: tuple[int, int]
    fov_deg: float


class Camera:
    """A spawned camera. `others` are the names of those before it, `number` is its own; `picture_format` is that of colour pictures: bmp on one machine, png across a network."""

    def __init__(self, client: Client, picture_format: str = "bmp") -> None:
        """Spawn one. Raises `CommandFailed` if the game has none to give."""
        self._client, self.picture_format = client, picture_format
        before = formats.parse_names(client.text("vget /cameras"))
        name = client.text("vset /cameras/spawn").strip()
        after = formats.parse_names(client.text("vget /cameras"))
        if len(after) != len(before) + 1 or after[: len(before)] != before:
            raise CommandFailed(
                f"The game answered {name!r} to the wish for a camera, but lists {len(after)} instead of "
                f"{len(before) + 1}.",
                endpoint=client.endpoint,
                command="vset /cameras/spawn",
            )
        self.others = tuple(before)
        self.number = len(before)
        self._size: tuple[int, int] | None = None
        self._fov_deg: float | None = None
        self._last: tuple[View, str] | None = None

    def ask(self, view: str) -> str:
        """The command for a picture: `lit`, `depth`, `normal` or `object_mask`."""
        return f"vget /camera/{self.number}/{view} {'npy' if view == 'depth' else self.picture_format}"

    def put(self, view: View) -> list[str]:
        """Commands that put the camera there, read back as the last two."""
        path = f"/camera/{self.number}"
        commands = []
        if view.size != self._size:
            commands.append(f"vset {path}/size {view.size[0]} {view.size[1]}")
        if view.fov_deg != self._fov_deg:
            commands.append(f"vset {path}/fov {formats.number(view.fov_deg)}")
        turn = formats.view_to_unreal(view.yaw_deg, view.pitch_deg)
        return [
            *commands,
            f"vset {path}/location {formats.numbers(formats.to_cm(view.eye))}",
            f"vset {path}/rotation {formats.numbers(turn)}",
            f"vget {path}/location",
            f"vget {path}/rotation",
        ]

    def shoot(
        self, view: View, pictures: Sequence[str], *, before: Sequence[str] = (), after: Sequence[str] = ()
    ) -> list[bytes]:
        """In one frame of the game: `before`, the camera put at `view`, `pictures` (see `ask`), `after`; the
        pictures' bodies. Raises `CommandFailed` for an error, `StaleFrame` if the camera was elsewhere."""
        placed = self.put(view)
        commands = [*before, *placed, *(self.ask(name) for name in pictures), *after]
        bodies = self._client.batch(commands)
        first = len(before) + len(placed)
        for number, (command, body) in enumerate(zip(commands, bodies, strict=True)):
            if not first <= number < first + len(pictures):
                said = self._client.read_text(command, body)
                if number == first - 2:
                    self._check(math.dist(formats.parse_vector(said), formats.to_cm(view.eye)), _OFF_CM, view)
                elif number == first - 1:
                    yaw, pitch = formats.view_from_unreal(formats.parse_vector(said))
                    off = max(
                        abs(formats.wrapped(yaw - view.yaw_deg)), abs(formats.wrapped(pitch - view.pitch_deg))
                    )
                    self._check(off, _OFF_DEG, view)
        self._size, self._fov_deg = view.size, view.fov_deg
        return bodies[first : first + len(pictures)]

    def check_fresh(self, view: View, body: bytes, flat: bool) -> None:
        """Raise `StaleFrame` if `body`, the colour picture from `view`, is the last one's although the camera
        turned. `flat` = it shows one colour and nothing else."""
        sha256 = hashlib.sha256(body).hexdigest()
        last, self._last = self._last, (view, sha256)
        if last is None or flat or last[1] != sha256:
            return
        turned = max(
            abs(formats.wrapped(view.yaw_deg - last[0].yaw_deg)), abs(view.pitch_deg - last[0].pitch_deg)
        )
        if turned > _OTHER_VIEW_DEG:
            raise StaleFrame(
                f"Two pictures are the same although the camera turned by {turned:.1f} degrees.",
                endpoint=self._client.endpoint,
                command=self.ask("lit"),
                hint="The game draws no new frames; `embodied-eval doctor` tries it.",
            )

    def _check(self, off: float, most: float, view: View) -> None:
        if off > most:
            raise StaleFrame(
                f"Camera {self.number} is {off:.2f} off {view} when its picture is taken.",
                endpoint=self._client.endpoint,
                command=self.ask("lit"),
            )
