"""A game's lamps by the functions that the engine's light actors have: on or off, brightness, colour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from embodied_eval.drivers.base import LightPatch
from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.asking import texts, works
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.errors import CapabilityMissing, UnknownObject
from embodied_eval.worlds.model import World


class Lights:
    """The lights of `world` that are actors of their names in the level. `kinds`: actors and their classes.

    A game cannot be asked how a light is, so it is taken to be as the world and its devices say. `names` are those that can be
    changed: none where the game lets no function be called.
    """

    def __init__(self, client: Client, world: World, kinds: Mapping[str, str]) -> None:
        self._client = client
        own = {light.name: LightPatch(light.on, light.intensity, light.color) for light in world.lights}
        for device in (item.interaction for item in world.objects if item.interaction):
            for name in device.lights:
                own[name] = replace(own[name], on=device.initial == device.states[1])
        own["sun"] = LightPatch(True, world.sun.intensity, world.sun.color)
        found = {name: patch for name, patch in own.items() if "Light" in kinds.get(name, "")}
        first = next(iter(found), "")
        allowed = bool(first) and works(client, _commands(first, LightPatch(on=found[first].on))[0])
        self._own = found if allowed else {}
        self._changed: set[str] = set()

    @property
    def names(self) -> tuple[str, ...]:
        """The lights that can be changed."""
        return tuple(self._own)

    def change(self, name: str, patch: LightPatch) -> None:
        """Apply `patch`. Raises `CommandFailed` if the game refuses."""
        if not self._own:
            raise CapabilityMissing("This game lets no light be changed.", command="set_light")
        if name not in self._own:
            raise UnknownObject(
                f"The level has no light {name!r}.",
                command="set_light",
                hint=f"Lights: {', '.join(self._own)}.",
            )
        self._changed.add(name)
        texts(self._client, _commands(name, patch))

    def restore(self) -> None:
        """Put every changed light back to what the world says."""
        for name in sorted(self._changed):
            texts(self._client, _commands(name, self._own[name]))
        self._changed.clear()


def _commands(name: str, patch: LightPatch) -> list[str]:
    made = []
    if patch.on is not None:
        made.append(f"vexec {name} SetEnabled {'true' if patch.on else 'false'}")
    if patch.intensity is not None:
        made.append(f"vexec {name} SetBrightness {formats.number(patch.intensity)}")
    if patch.color is not None:
        red, green, blue = (formats.number(value) for value in patch.color)
        made.append(f"vexec {name} SetLightColor (R={red},G={green},B={blue},A=1.0)")
    return made
