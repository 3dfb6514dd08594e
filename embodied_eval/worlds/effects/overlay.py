"""Laying changes over objects and lights, and taking them off again.

What an object shows is always its clean values with the active changes laid over them in the order of the
effects, so undoing one of two changes leaves the other one. A clean value is read just before the first
change of that field. Every write is read back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from embodied_eval.drivers.base import Driver, LightPatch, ObjectPatch, ObjectState, Vec3
from embodied_eval.errors import SimulatorError
from embodied_eval.records import Json
from embodied_eval.worlds.effects.changes import LightChange
from embodied_eval.worlds.effects.standing import Standing
from embodied_eval.worlds.model import World

# How far a value read back may be from the one written: simulators store centimetres, bytes, quaternions.
TOLERANCE: dict[str, float] = {
    "position": 0.005,
    "rotation_deg": 0.5,
    "scale": 0.005,
    "color": 0.01,
    "velocity_m_s": 0.05,
    "shadow_offset_m": 0.005,
}
_GEOMETRY = frozenset({"position", "rotation_deg", "scale"})


def read(driver: Driver, name: str) -> ObjectState:
    """The object as it is now. Raises UnknownObject if it is not loaded."""
    return driver.object(name)


def write(driver: Driver, name: str, values: Mapping[str, Any]) -> ObjectState:
    """Set fields of the object and return the state read back.

    Raises SimulatorError if a field does not hold what was written: a change that does nothing in silence
    would plant nothing.
    """
    fields = dict(values)
    for field in ("color", "material"):
        if field in fields and fields[field] is None:
            fields[f"clear_{field}"] = True
    state = driver.set_object(name, ObjectPatch(**fields))
    for field, value in values.items():
        got = getattr(state, field)
        if not _same(field, value, got):
            raise SimulatorError(
                f"The simulator did not take {field} = {value!r} for {name!r}; it reads {got!r}.",
                command="set_object",
                hint="This driver cannot plant that change; use another driver for the task.",
            )
    return state


def _same(field: str, wanted: Any, got: Any) -> bool:
    if wanted is None or got is None or field not in TOLERANCE:
        return bool(wanted == got)
    if field == "rotation_deg":
        return angle_deg(wanted, got) <= TOLERANCE[field]
    return all(
        math.isclose(a, b, rel_tol=0.005, abs_tol=TOLERANCE[field]) for a, b in zip(wanted, got, strict=True)
    )


def angle_deg(a: Vec3, b: Vec3) -> float:
    """The angle between two orientations given as (roll, pitch, yaw), in degrees."""
    trace = sum(
        x * y
        for row_a, row_b in zip(_matrix(a), _matrix(b), strict=True)
        for x, y in zip(row_a, row_b, strict=True)
    )
    return math.degrees(math.acos(max(-1.0, min(1.0, (trace - 1.0) / 2.0))))


def _matrix(rotation_deg: Vec3) -> tuple[Vec3, Vec3, Vec3]:
    (cx, sx), (cy, sy), (cz, sz) = (
        (math.cos(math.radians(angle)), math.sin(math.radians(angle))) for angle in rotation_deg
    )
    return (
        (cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx),
        (sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx),
        (-sy, cy * sx, cy * cx),
    )


class ObjectOverlay:
    """The standing changes on all objects."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._clean: dict[str, dict[str, Any]] = {}
        self._laid: dict[str, dict[str, Any]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The objects under change now."""
        return tuple(self._clean)

    def twin(self, name: str, now: ObjectState) -> ObjectState:
        """`now`, with every changed field at its clean value."""
        return replace(now, **self._clean.get(name, {}))

    def lay(self, name: str, changes: Sequence[Standing], *, again: Sequence[str] = ()) -> None:
        """Let exactly `changes` lie over the object; fields in `again` are written even if unchanged."""
        clean, laid = self._clean.get(name, {}), self._laid.get(name, {})
        if not changes and not clean:
            return
        now = read(self._driver, name)
        twin = wanted = replace(now, **clean)
        for change in changes:
            wanted = change.over(wanted)
        owned = dict.fromkeys(field for change in changes for field in change.fields)
        patch = {}
        for field in dict.fromkeys((*clean, *owned)):
            if field == "bounds":
                continue
            value = getattr(wanted, field)
            # What moved or was operated since it was changed is left alone until the change itself differs.
            if field in again or value != laid.get(field, getattr(now, field)):
                patch[field] = value
        if patch:
            write(self._driver, name, patch)
        self._clean.pop(name, None)
        self._laid.pop(name, None)
        if owned:
            kept = {field: getattr(twin, field) for field in owned}
            if _GEOMETRY & owned.keys():
                kept["bounds"] = twin.bounds
            self._clean[name] = kept
            self._laid[name] = {field: getattr(wanted, field) for field in owned}

    def snapshot(self) -> dict[str, Json]:
        """The clean values, by object and field, as JSON."""
        return {name: lists(kept) for name, kept in self._clean.items()}

    def adopt(self, snapshot: Mapping[str, Mapping[str, Json]]) -> None:
        """Take over clean values from `snapshot`; call `lay` for each of its objects next."""
        self._clean = {name: tuples(kept) for name, kept in snapshot.items()}
        self._laid = {}


class LightOverlay:
    """The changes on lights. Drivers cannot be asked for a light, so clean values come from the world and
    the state of the device that switches the light, and nothing is read back."""

    def __init__(self, driver: Driver, world: World) -> None:
        self._driver, self._world = driver, world
        self._laid: dict[str, LightPatch] = {}

    def lay(self, name: str, changes: Sequence[LightChange]) -> None:
        """Let exactly `changes` lie over the light."""
        clean = self._clean(name)
        wanted = clean
        for change in changes:
            wanted = change.over(wanted)
        if wanted != self._laid.get(name, clean):
            self._driver.set_light(name, wanted)
        if changes:
            self._laid[name] = wanted
        else:
            self._laid.pop(name, None)

    def _clean(self, name: str) -> LightPatch:
        if name == "sun":
            return LightPatch(True, self._world.sun.intensity, self._world.sun.color)
        light = next(light for light in self._world.lights if light.name == name)
        lit = light.on
        for item in self._world.objects:
            if item.interaction is not None and name in item.interaction.lights:
                lit = read(self._driver, item.name).state == item.interaction.states[1]
        return LightPatch(lit, light.intensity, light.color)


def lists(value: Any) -> Json:
    """`value` with tuples as lists, all the way down."""
    if isinstance(value, Mapping):
        return {key: lists(item) for key, item in value.items()}
    return [lists(item) for item in value] if isinstance(value, (list, tuple)) else value


def tuples(value: Json) -> Any:
    """`value` with lists as tuples, all the way down: the inverse of `lists`."""
    if isinstance(value, Mapping):
        return {key: tuples(item) for key, item in value.items()}
    return tuple(map(tuples, value)) if isinstance(value, (list, tuple)) else value
