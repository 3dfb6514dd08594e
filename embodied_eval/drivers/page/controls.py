"""How a page is walked: what was found by trial, as a record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

FRAME_MS = 1000.0 / 60.0
AHEAD, BACK, LEFT, RIGHT = "ahead", "back", "left", "right"
Look = Literal["mouse", "drag"]


@dataclass(frozen=True)
class Controls:
    """`kind` "keys": the page moves its own camera by keyboard and mouse; "camera": we move it.

    `start` are the actions that begin the game, in order: "click" (the middle of the page) or the name of a
    button. `keys` gives the `KeyboardEvent.code` for `AHEAD`, `BACK`, `LEFT`, `RIGHT` where there is one.
    `yaw_per_px` and `pitch_per_px` are degrees (ours) per pixel of mouse movement to the right and down;
    with `look` "drag" a button is held. `walked_m[n]` is how far one gets from standing while the key is held for
    n frames of `FRAME_MS`, `glide_s` times the speed how far one glides once it is let go. `scale` is metres a unit of the page. `drifts`: its camera moves by itself.
    """

    kind: Literal["keys", "camera"]
    start: tuple[str, ...] = ()
    keys: dict[str, str] = field(default_factory=dict)
    look: Look = "mouse"
    yaw_per_px: float = 0.0
    pitch_per_px: float = 0.0
    walked_m: tuple[float, ...] = ()
    glide_s: float = 0.0
    eye_height_m: float = 1.6
    scale: float = 1.0
    drifts: bool = False
    why: str = ""

    @property
    def speed_m_s(self) -> float:
        """How fast one walks once under way."""
        tail = self.walked_m[-9:]
        return (tail[-1] - tail[0]) / ((len(tail) - 1) * FRAME_MS / 1000.0)

    def distance_m(self, held_ms: float) -> float:
        """How far one gets while the key is held so long, from standing."""
        at = max(0.0, held_ms) / FRAME_MS
        last = len(self.walked_m) - 1
        if at >= last:
            return self.walked_m[-1] + (at - last) * FRAME_MS / 1000.0 * self.speed_m_s
        low = int(at)
        return self.walked_m[low] + (at - low) * (self.walked_m[low + 1] - self.walked_m[low])

    def needed_ms(self, speed_m_s: float, distance_m: float) -> float:
        """How long the key must be held on at that speed to get so far, the gliding afterwards included: 0 for
        nothing, at most a second."""
        held = 0.0
        while held < len(self.walked_m) * FRAME_MS and self._speed(held) < 0.95 * speed_m_s:
            held += FRAME_MS / 4.0
        start = self._reached_m(held)
        low, high = 0.0, 1000.0
        while high - low > 0.02:
            middle = (low + high) / 2.0
            if self._reached_m(held + middle) - start < distance_m:
                low = middle
            else:
                high = middle
        return high

    def _speed(self, held_ms: float) -> float:
        return (self.distance_m(held_ms + FRAME_MS) - self.distance_m(held_ms)) / FRAME_MS * 1000.0

    def _reached_m(self, held_ms: float) -> float:
        """How far one gets from standing when the key is let go after so long."""
        return self.distance_m(held_ms) + self.glide_s * self._speed(held_ms)

    def text(self) -> str:
        """In one line, for the record of a run."""
        drift = "; its camera moves by itself" if self.drifts else ""
        if self.kind == "camera":
            return f"controls: camera ({self.why}){drift}"
        begun = f" after {', '.join(self.start)}" if self.start else ""
        scale = f", {self.scale:.3g} m a unit" if self.scale != 1.0 else ""
        return (
            f"controls: keys {' '.join(self.keys.values())} and {self.look}{begun}, "
            f"{self.speed_m_s:.2f} m/s, eye {self.eye_height_m:.2f} m{scale}{drift}"
        )
