"""The state machine of an object that can be operated; no simulator in sight.

A hinge or slide goes from 0 to `travel` and back at a constant rate and stands still while something is in
its way; a toggle switches at once; a spin turns for as long as it is on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from embodied_eval.errors import DataFileError, UnknownName
from embodied_eval.worlds.model import Interaction


class Device:
    """One object's device. `state` is the state it is in or on its way to; `amount` how far its part has
    gone: degrees (hinge, spin) or metres (slide) from rest."""

    def __init__(self, name: str, interaction: Interaction) -> None:
        self.name, self.interaction = name, interaction
        self.state, self.amount = interaction.initial, 0.0
        if interaction.initial not in interaction.states:
            raise DataFileError(
                f"Object {name!r}: initial state {interaction.initial!r} is not among {interaction.states}."
            )
        self.put(interaction.initial)

    @property
    def on(self) -> bool:
        """Whether it is in (or on its way to) its operated state: lights on, emissive materials glow."""
        return self.state == self.interaction.states[1]

    @property
    def target(self) -> float:
        """The amount at which it comes to rest in its present state (a spin has none: its amount)."""
        if self.interaction.kind in ("hinge", "slide"):
            return self.interaction.travel if self.on else 0.0
        return self.amount

    @property
    def moving(self) -> bool:
        """Whether time changes its part's pose."""
        return self.amount != self.target or (self.interaction.kind == "spin" and self.on)

    def operate(self) -> None:
        """Switch to the other state; a hinge or slide under way turns back."""
        first, second = self.interaction.states
        self.state = first if self.on else second

    def put(self, state: str) -> None:
        """Be in `state` at once, its part where that state leaves it. Raises UnknownName."""
        if state not in self.interaction.states:
            raise UnknownName(f"state of {self.name}", state, self.interaction.states)
        self.state = state
        self.amount = self.target

    def advance(self, dt_s: float, fits: Callable[[float], bool] | None = None) -> bool:
        """Let `dt_s` seconds pass; whether the part moved.

        `fits(amount)` says whether there is room for the part at that amount; where there is not, it
        waits and tries again at the next call.
        """
        if not self.moving:
            return False
        wanted = self._after(dt_s)
        if fits is not None and not fits(wanted):
            return False
        self.amount = wanted
        return True

    def _after(self, dt_s: float) -> float:
        if self.interaction.kind == "spin":
            return (self.amount + self.interaction.travel * dt_s) % 360.0
        step = abs(self.interaction.travel) * dt_s / max(self.interaction.seconds, 1e-6)
        left = self.target - self.amount
        # The last sliver is taken at once: rounding would leave a step of nothing.
        if abs(left) <= step * (1.0 + 1e-9):
            return self.target
        return self.amount + (step if left > 0 else -step)


def lights_on(devices: Iterable[Device]) -> dict[str, bool]:
    """For each light that some device switches, whether one of them has it on."""
    found: dict[str, bool] = {}
    for device in devices:
        for light in device.interaction.lights:
            found[light] = found.get(light, False) or device.on
    return found
