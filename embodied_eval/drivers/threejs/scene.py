"""The scene of the page runtime: things are kept here, their bodies live in the page (`runtime/physics.js`).

Edits wait in a list until the next call, and a tick is one call: the page walks the agent and lets physics pass in
sub-steps, and says what moved. Devices stay with `worlds.devices`: their next poses are sent ahead, and the page
says how far each got.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable
from typing import Any

import numpy as np

from embodied_eval.drivers import body
from embodied_eval.drivers.things import Thing, pair_of
from embodied_eval.drivers.threejs.solids import parts_told, pose_told, thing_told
from embodied_eval.drivers.world_driver import Passed
from embodied_eval.errors import DataFileError
from embodied_eval.worlds.geometry import Array, matrix_of, part_pose, vec3
from embodied_eval.worlds.mjcf import FRICTION, ROLLING_FRICTION, parts_of
from embodied_eval.worlds.model import Vec3

TIMESTEP_S = 0.005
Call = Callable[[str, Any], Any]
_NUMBERS = {name: getattr(body, name) for name in dir(body) if name.isupper()}


class PageScene:
    """The things of a world whose bodies a page holds; `call(what, request)` asks the page's runtime.

    `fresh` = the page holds no world yet; otherwise it holds this one and puts it back as it was.
    """

    def __init__(self, things: Iterable[Thing], call: Call, *, fresh: bool) -> None:
        self.things = {thing.item.name: thing for thing in things}
        self.feet: Array = np.zeros(3)
        self._call = call
        self._names = {thing.id: name for name, thing in self.things.items()}
        self._edits: list[list[Any]] = []
        self._sent = {name: _told(thing) for name, thing in self.things.items()}
        self._rest: list[tuple[int, int]] = call("load", self._setup()) if fresh else call("reset", None)

    def _setup(self) -> dict[str, Any]:
        hulls: dict[str, list[float]] = {}
        return {
            "things": [thing_told(thing, hulls) for thing in self.things.values()],
            "hulls": hulls,
            "numbers": _NUMBERS,
            "friction": FRICTION[0],
            "rolling_m": ROLLING_FRICTION[2],
            "timestep_s": TIMESTEP_S,
        }

    def stand(self, feet: Array) -> None:
        """As `world_driver.Scene.stand`."""
        self.feet = feet
        self._edits.append(["stand", feet.tolist()])

    def add(self, thing: Thing) -> None:
        """As `world_driver.Scene.add`."""
        hulls: dict[str, list[float]] = {}
        self._edits.append(["add", thing_told(thing, hulls), hulls])
        self._sent[thing.item.name] = _told(thing)
        self.things[thing.item.name] = thing
        self._names[thing.id] = thing.item.name

    def remove(self, name: str) -> None:
        """As `world_driver.Scene.remove`."""
        thing = self.things.pop(name)
        del self._sent[name], self._names[thing.id]
        self._edits.append(["remove", thing.id])

    def resize(self, thing: Thing, scale: Vec3) -> None:
        """As `world_driver.Scene.resize`."""
        before, thing.scale = thing.scale, scale
        hulls: dict[str, list[float]] = {}
        try:
            told = thing_told(thing, hulls)
        except DataFileError:
            thing.scale = before
            raise
        self._edits.append(["resize", told, hulls])
        self._sent[thing.item.name] = _told(thing)

    def flag(self, thing: Thing) -> None:
        """As `world_driver.Scene.flag`."""
        self._tell(thing)

    def place(self, thing: Thing) -> None:
        """As `world_driver.Scene.place`."""
        thing.stamp += 1
        self._tell(thing)

    def _tell(self, thing: Thing) -> None:
        """Send what the page does not know yet: an edit wakes what rests on the thing."""
        (flags, where), told = self._sent[thing.item.name], _told(thing)
        if told[0] != flags:
            self._edits.append(["flag", thing.id, thing.visible, thing.collides])
        if told[1] != where:
            self._edits.append(["put", thing.id, pose_told(thing), parts_told(thing)])
        self._sent[thing.item.name] = told

    def set_velocity(self, thing: Thing, linear_m_s: Vec3 | None, spin_deg_s: Vec3 | None) -> None:
        """As `world_driver.Scene.set_velocity`."""
        if linear_m_s is not None:
            thing.velocity_m_s = vec3(linear_m_s)
        if linear_m_s is not None or spin_deg_s is not None:
            spin = None if spin_deg_s is None else np.radians(spin_deg_s).tolist()
            self._edits.append(["velocity", thing.id, linear_m_s, spin])

    def sight(self, origin: Array, direction: Array) -> tuple[float, Thing | None]:
        """As `world_driver.Scene.sight`."""
        found = self._ask("sight", {"from": origin.tolist(), "along": direction.tolist()})
        return (float(found[0]), self.things[self._names[found[1]]]) if found else (-1.0, None)

    def resting(self) -> Collection[tuple[str, str]]:
        """As `world_driver.Scene.resting`."""
        return self._pairs(self._rest)

    def tick(self, wish_m: Array, dt_s: float, count: int, jump: bool, ready: Callable[[], None]) -> Passed:
        """As `world_driver.Scene.tick`."""
        moving = [thing for thing in self.things.values() if thing.device is not None and thing.device.moving]
        request = {
            "wish": wish_m.tolist(),
            "seconds": dt_s,
            "count": count,
            "jump": jump,
            "devices": [_ahead(thing, dt_s / count, count) for thing in moving],
        }
        told = self._ask("tick", request)
        ready()
        self.feet = np.array(told["feet"])
        for thing, gone in zip(moving, told["devices"], strict=True):
            self._operated(thing, dt_s / count, gone)
        for number, pose, velocity in told["bodies"]:
            self._moved(self.things[self._names[number]], pose, velocity)
        return Passed([self._names[number] for number in told["touched"]], self._pairs(told["pairs"]))

    def _operated(self, thing: Thing, dt_s: float, count: int) -> None:
        assert thing.device is not None
        for _ in range(count):
            thing.device.advance(dt_s)
        if count:
            thing.stamp += 1
            self._sent[thing.item.name] = _told(thing)

    def _moved(self, thing: Thing, pose: list[float], velocity: list[float]) -> None:
        thing.position, thing.rotation = vec3(pose[:3]), matrix_of(np.array(pose[3:]))
        thing.velocity_m_s, thing.angles_deg = vec3(velocity), None
        thing.stamp += 1
        self._sent[thing.item.name] = _told(thing)

    def _pairs(self, numbers: Iterable[tuple[int, int]]) -> set[tuple[str, str]]:
        return {pair_of(self._names[first], self._names[second]) for first, second in numbers}

    def _ask(self, what: str, request: dict[str, Any]) -> Any:
        edits, self._edits = self._edits, []
        return self._call(what, {"edits": edits, **request})


def _told(thing: Thing) -> tuple[object, object]:
    """What the page knows of a thing: equal values need no edit."""
    amount = thing.device.amount if thing.device else None
    return (thing.visible, thing.collides), (thing.position, thing.rotation.tobytes(), amount)


def _ahead(thing: Thing, dt_s: float, count: int) -> list[Any]:
    """[id, part, poses]: where a device's part goes in the next sub-steps if nothing is in its way."""
    device, interaction = copy.copy(thing.device), thing.item.interaction
    assert device is not None and interaction is not None
    poses: list[list[float]] = []
    while len(poses) < count and device.advance(dt_s):
        poses.append(pose_told(thing, part_pose(interaction, device.amount, thing.scale)))
    return [thing.id, parts_of(thing.item).index(interaction.part), poses]
