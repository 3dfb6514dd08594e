"""Whether effects fit a world, and the names of what they add to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from embodied_eval.drivers.base import MISSING_MATERIAL
from embodied_eval.errors import DataFileError
from embodied_eval.worlds.effects.adding import Adding, Replace, Spawn
from embodied_eval.worlds.effects.changes import Impulse, LightChange
from embodied_eval.worlds.effects.spec import Effect, nearest
from embodied_eval.worlds.effects.standing import Jitter, Retexture, State
from embodied_eval.worlds.effects.triggers import Contact
from embodied_eval.worlds.model import World


def added_names(world: World, effects: Sequence[Effect]) -> tuple[tuple[str, ...], ...]:
    """The names of what each effect adds: `extra_1`, `extra_2` ..., in the order of the effects whatever
    fires first, leaving out names the world has."""
    taken = {item.name for item in world.objects}
    found, number = [], 0
    for effect in effects:
        names = []
        for _ in range(effect.change.count if isinstance(effect.change, Adding) else 0):
            number += 1
            while f"extra_{number}" in taken:
                number += 1
            names.append(f"extra_{number}")
        found.append(tuple(names))
    return tuple(found)


def check_fit(world: World, effects: Sequence[Effect]) -> None:
    """Raises DataFileError, with the nearest legal name, if an effect names an object, light, library kind,
    material or device state that is not there, an impulse's target is not dynamic or a jitter's is."""
    objects = {item.name: item for item in world.objects}
    lights = {"sun", *(light.name for light in world.lights)}
    added = {name for names in added_names(world, effects) for name in names}
    for index, effect in enumerate(effects):
        where, change, trigger = f"effects[{index}]", effect.change, effect.trigger
        for name in filter(None, (effect.target, effect.watched)):
            _known(where, "object", name, objects)
        if isinstance(trigger, Contact):
            _known(where, "object", trigger.with_, {"agent", *objects, *added})
        if isinstance(change, LightChange):
            _known(where, "light", change.name, lights)
        if isinstance(change, Retexture):
            _known(where, "material", change.material, {*world.materials, MISSING_MATERIAL})
        if isinstance(change, (Spawn, Replace)):
            from embodied_eval.worlds.library import KINDS

            _known(where, "kind in the object library", change.item, KINDS)
        if isinstance(change, State):
            device = objects[effect.target].interaction
            if device is None:
                raise DataFileError(f"{where}: {effect.target!r} is no device; it has no state.")
            _known(where, f"state of {effect.target!r}", change.to, device.states)
        if isinstance(change, Impulse) and not objects[effect.target].dynamic:
            raise DataFileError(f"{where}: {effect.target!r} is not dynamic; an impulse cannot move it.")
        if isinstance(change, Jitter) and objects[effect.target].dynamic:
            raise DataFileError(f"{where}: {effect.target!r} is dynamic; a jitter would hold it in place.")


def _known(where: str, what: str, name: str, legal: Iterable[str]) -> None:
    names = set(legal)
    if name not in names:
        raise DataFileError(f"{where}: there is no {what} {name!r}.", hint=nearest(name, names))
