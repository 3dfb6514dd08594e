"""Games whose unit of length is not a centimetre: what passes is changed so that it looks as if it were."""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence

from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.connect import DEADLINES, Deadlines
from embodied_eval.drivers.unrealcv.spec import GameSpec

_SET = re.compile(r"(vset /\S+/(?:location|moveto|ortho_width)) (.+)")
_GET = re.compile(r"vget /\S+/(?:location|bounds|vertex_location|ortho_width)\s*")


class ScaledClient(Client):
    """A client that speaks of centimetres to a game whose unit is worth `metres_a_unit`.

    Locations, sweeps and bounds are changed both ways in `text` and `batch`; arguments of functions (`vexec`, `vbp`)
    are the game's own. A cube that the game spawns keeps its 100 units; whoever wants a size asks its bounds.
    """

    factor: float = 1.0
    """Centimetres that one of the game's units is worth."""

    def text(self, command: str, *, deadline_s: float | None = None) -> str:
        """As `Client.text`, in centimetres."""
        return self._told(command, super().text(self._asked(command), deadline_s=deadline_s))

    def batch(self, commands: Sequence[str], *, deadline_s: float | None = None) -> list[bytes]:
        """As `Client.batch`, in centimetres."""
        bodies = super().batch([self._asked(command) for command in commands], deadline_s=deadline_s)
        return [
            self._told(command, body.decode()).encode()
            if _GET.fullmatch(command) and not formats.is_error(body)
            else body
            for command, body in zip(commands, bodies, strict=True)
        ]

    def _asked(self, command: str) -> str:
        match = _SET.fullmatch(command)
        return f"{match[1]} {self._times(match[2], 1.0 / self.factor)}" if match else command

    def _told(self, command: str, text: str) -> str:
        if not _GET.fullmatch(command):
            return text
        return "\n".join(self._times(line, self.factor) for line in text.splitlines())

    @staticmethod
    def _times(words: str, factor: float) -> str:
        values = formats.parse_numbers(words, len(words.split()))
        return formats.numbers(tuple(value * factor for value in values))


def client_of(
    spec: GameSpec, sock: socket.socket, endpoint: str, greeting: str, deadlines: Deadlines = DEADLINES
) -> Client:
    """The client of a game of that kind, over a socket that was greeted."""
    kind = Client if spec.metres_a_unit == 1.0 / formats.CM_A_METRE else ScaledClient
    made = kind.adopt(sock, endpoint, deadlines, greeting=greeting)
    if isinstance(made, ScaledClient):
        made.factor = spec.metres_a_unit * formats.CM_A_METRE
    made.address = f"tcp://{endpoint}"
    made.metres_a_unit = spec.depth_metres_a_unit
    return made
