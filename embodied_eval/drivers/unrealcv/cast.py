"""The actors of a served world: objects, lamps, the sun and the player, by the names that clients use."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from embodied_eval.drivers.base import LightPatch, ObjectState, Vec3
from embodied_eval.drivers.unrealcv.commands.registry import Refusal
from embodied_eval.drivers.unrealcv.formats import Colour
from embodied_eval.worlds.model import World, WorldObject

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAWN = "agent"
SUN = "sun"
MAX_SPAWNED = 2000
_NAME = re.compile(r"[A-Za-z0-9_.\-]{1,100}", re.ASCII)


@dataclass
class Actor:
    """An actor: the name clients use, the driver's own, what it is, its colour in masks.

    `movable` is what the real engine calls mobility; `item` is an object as it was made, `position` where a lamp
    is, `light` how it is now.
    """

    name: str
    target: str
    kind: Literal["object", "light", "pawn"]
    class_name: str
    label: str
    colour: Colour
    movable: bool = True
    spawned: bool = False
    item: WorldObject | None = None
    position: Vec3 = (0.0, 0.0, 0.0)
    light: LightPatch = field(default_factory=LightPatch)
    hidden: bool = False


def colour_of(number: int) -> Colour:
    """The mask's colour number `number`, from 1: the bits of the number dealt to red, green and blue in turn, from
    each one's highest bit down, so that near numbers differ much (the PASCAL VOC colour map)."""
    red = green = blue = 0
    for bit in range(8):
        red |= (number >> 3 * bit & 1) << 7 - bit
        green |= (number >> 3 * bit + 1 & 1) << 7 - bit
        blue |= (number >> 3 * bit + 2 & 1) << 7 - bit
    return red, green, blue


class Cast:
    """Who is there. Names are unique; a colour is given to one actor only, unless a client sets it."""

    def __init__(self, world: World) -> None:
        self.actors: dict[str, Actor] = {}
        self._next_colour = 1
        for item in world.objects:
            self.add(item)
        for light in world.lights:
            if light.name not in self.actors:
                self._put(light.name, "light", "PointLight", light.name, position=light.position)
        if SUN not in self.actors:
            self._put(SUN, "light", "DirectionalLight", SUN)
        self._put(PAWN, "pawn", "Character", "player")

    def add(self, item: WorldObject, *, spawned: bool = False) -> Actor:
        """Take in an object."""
        actor = self._put(item.name, "object", "StaticMeshActor", item.label, item=item)
        actor.spawned = spawned
        actor.movable = spawned or item.dynamic or item.supports != "fixed"
        return actor

    def _put(
        self,
        name: str,
        kind: Literal["object", "light", "pawn"],
        class_name: str,
        label: str,
        *,
        item: WorldObject | None = None,
        position: Vec3 = (0.0, 0.0, 0.0),
    ) -> Actor:
        actor = Actor(name, name, kind, class_name, label, self._colour(), item=item, position=position)
        self.actors[name] = actor
        return actor

    def _colour(self) -> Colour:
        number, self._next_colour = self._next_colour, self._next_colour + 1
        return colour_of(number)

    def find(self, name: str) -> Actor:
        """The actor called `name`. Raises `Refusal`."""
        actor = self.actors.get(name)
        if actor is None:
            raise Refusal("Cannot find object")
        return actor

    def new_name(self, wanted: str, stem: str) -> str:
        """`wanted` if it is free and harmless, or a free name that begins with `stem`. Raises `Refusal`."""
        if sum(actor.spawned for actor in self.actors.values()) >= MAX_SPAWNED:
            raise Refusal(f"Failed to spawn: there are {MAX_SPAWNED} spawned actors already")
        if wanted:
            self.check_free(wanted)
            return wanted
        number = 0
        while self.taken(f"{stem}_{number}"):
            number += 1
        return f"{stem}_{number}"

    def check_free(self, name: str) -> None:
        """Raises `Refusal` for a name that is taken or that no actor may have."""
        if not _NAME.fullmatch(name):
            raise Refusal(f"The name {name[:100]} is not allowed: letters, digits, '_', '.' and '-' only")
        if self.taken(name):
            raise Refusal(f"An actor called {name} exists already")

    def taken(self, name: str) -> bool:
        """Whether clients, or the driver, call an actor so."""
        return name in self.actors or any(actor.target == name for actor in self.actors.values())

    def rename(self, actor: Actor, name: str) -> None:
        """Give an actor another name, in its place in the list. Raises `Refusal`."""
        if name == actor.name:
            return
        self.check_free(name)
        renamed = {name if key == actor.name else key: value for key, value in self.actors.items()}
        actor.name, self.actors = name, renamed

    def remove(self, target: str) -> None:
        """Forget the actor that is the driver's `target`."""
        self.actors = {name: actor for name, actor in self.actors.items() if actor.target != target}

    def change_light(self, actor: Actor, patch: LightPatch) -> None:
        """Note a patch of a light."""
        was = actor.light
        actor.light = replace(
            was,
            on=was.on if patch.on is None else patch.on,
            intensity=was.intensity if patch.intensity is None else patch.intensity,
            color=patch.color or was.color,
        )

    def palette(self, states: dict[str, ObjectState]) -> NDArray[np.uint8]:
        """(n, 3) RGB by object id + 1; row 0, the background, is black."""
        import numpy as np

        table = np.zeros((max((state.id for state in states.values()), default=-1) + 2, 3), np.uint8)
        for actor in self.actors.values():
            state = states.get(actor.target) if actor.kind == "object" else None
            if state is not None:
                table[state.id + 1] = actor.colour
        return table
