"""The contract of a policy that plays by eye and hand: a small picture and a text in, keys and mouse out.

One decision a tick of 50 ms; the world stands still while the policy thinks. What its keys and mouse mean is
said here once, for every driver.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import TICK_S as TICK_S
from embodied_eval.drivers.base import Command
from embodied_eval.errors import ProtocolError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VIEW_PX = 192
"""Side of the square picture, pixels."""
MOUSE_PX_A_RADIAN = 600.0
"""Mouse pixels that turn the view by a radian (spec of WorldAuditBench, section 8.1)."""
MOST_MOUSE_PX = 150.0
"""Mouse pixels that count in one tick, each way (same source)."""

FORWARD, BACK, LEFT, RIGHT, JUMP, INTERACT = "KeyW", "KeyS", "KeyA", "KeyD", "Space", "KeyE"
CLICK = "left"
KEYS = frozenset({FORWARD, BACK, LEFT, RIGHT, JUMP, INTERACT})


@dataclass(frozen=True)
class Act:
    """What is held and moved during one tick: `keys` as KeyboardEvent codes, `buttons` of "left", "right" and
    "middle", `dx` (right positive) and `dy` (down positive) in mouse pixels."""

    keys: frozenset[str] = frozenset()
    buttons: frozenset[str] = frozenset()
    dx: float = 0.0
    dy: float = 0.0

    @property
    def idle(self) -> bool:
        """Whether it does nothing."""
        return not (self.keys or self.buttons or self.dx or self.dy)


STILL = Act()


class Policy(ABC):
    """Plays tick by tick. Class attribute `sees`: whether it looks at the picture at all; one that does not is
    given none. `act` and `reset` are called from one thread; `close` may come from any."""

    sees: bool = True

    @abstractmethod
    def reset(self) -> None:
        """Forget everything that was seen: a new episode, or a new start within one."""

    @abstractmethod
    def act(self, rgb: NDArray[np.uint8] | None, text: str) -> Act:
        """What to do in this tick. `rgb` uint8 (192, 192, 3), None where `sees` is False; `text` is one generic
        request. Raises a SimulatorError where the policy fails: it never counts against an auditing model."""

    @abstractmethod
    def close(self) -> None:
        """Free what it holds; safe to call twice."""


@dataclass
class Hands:
    """From acts to a driver's commands. W and S walk, A and D strafe, Space jumps, E or the left button operates
    once each time it is pressed; every other key, Shift too, does nothing. The mouse turns the view by its pixels
    over 600 radians, at most 150 pixels a tick."""

    _held: bool = field(default=False, init=False)

    def command(self, act: Act) -> Command:
        """`act` as a command in the core's conventions (yaw counter-clockwise, pitch up)."""
        pressed = INTERACT in act.keys or CLICK in act.buttons
        fresh, self._held = pressed and not self._held, pressed
        return Command(
            forward=float(FORWARD in act.keys) - float(BACK in act.keys),
            strafe=float(RIGHT in act.keys) - float(LEFT in act.keys),
            yaw_deg=-_degrees(act.dx),
            pitch_deg=-_degrees(act.dy),
            jump=JUMP in act.keys,
            interact=fresh,
        )


def mouse_px(degrees: float) -> float:
    """The mouse pixels that turn the view by `degrees`, to the right or downwards."""
    return math.radians(degrees) * MOUSE_PX_A_RADIAN


def read_keys(names: Collection[object], where: str) -> frozenset[str]:
    """Key names as codes: "KeyW" and "Space" as they are, "w" as "KeyW", " " as "Space". Raises ProtocolError for
    what is no text."""
    found = set()
    for name in names:
        if not isinstance(name, str) or len(name) > 32:
            raise ProtocolError(f"{where}: {str(name)[:60]!r} is no key.", command="act")
        if len(name) == 1 and name.isalpha():
            found.add(f"Key{name.upper()}")
        else:
            found.add("Space" if name in (" ", "space", "SPACE") else name)
    return frozenset(found)


def _degrees(pixels: float) -> float:
    held = max(-MOST_MOUSE_PX, min(MOST_MOUSE_PX, pixels))
    return math.degrees(held / MOUSE_PX_A_RADIAN)
