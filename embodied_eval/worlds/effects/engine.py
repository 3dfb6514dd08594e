"""The effects engine: a driver's listener that evaluates triggers and carries out changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from embodied_eval.drivers.base import Driver, ObjectState, TickState
from embodied_eval.errors import CapabilityMissing, DataFileError
from embodied_eval.records import Json, content_hash, to_json
from embodied_eval.worlds.effects import overlay
from embodied_eval.worlds.effects.adding import Adding
from embodied_eval.worlds.effects.changes import Impulse, LightChange
from embodied_eval.worlds.effects.fit import added_names, check_fit
from embodied_eval.worlds.effects.scene import CleanGeometry, Look
from embodied_eval.worlds.effects.spec import Effect, required_capabilities
from embodied_eval.worlds.effects.standing import Standing, State
from embodied_eval.worlds.effects.triggers import Memory
from embodied_eval.worlds.model import World

OnEvent = Callable[[str, float, dict[str, Json]], None]

# A change can bring another trigger's object into or out of sight; this many rounds settle any sane task.
_ROUNDS = 4


class EffectsEngine:
    """Plants `effects` in the world that `driver` has loaded. A `drivers.base.Listener`.

    Use: `driver.load(...)`, `driver.attach(engine)`, `engine.plant()`. One engine serves one load; after
    another `load` make a new one. `on_event(kind, t_s, data)` hears "plant" once (the number of effects,
    whether sight is checked for occlusion, the names that may be added), then "trigger" at every firing
    and end: `{"effect": index, "target": name, "change": kind, "active": bool}`.

    Raises DataFileError if an effect does not fit `world` (unknown object, light or state ...) and
    CapabilityMissing if the driver cannot do what the effects need.
    """

    def __init__(self, driver: Driver, world: World, effects: Sequence[Effect], on_event: OnEvent) -> None:
        missing = required_capabilities(effects) - driver.capabilities
        if missing:
            raise CapabilityMissing(
                f"Driver {driver.name!r} cannot plant these effects: it lacks {', '.join(sorted(missing))}.",
                command="plant",
            )
        self._driver, self._world, self._on_event = driver, world, on_event
        self._effects = tuple(effects)
        check_fit(world, self._effects)
        self._identity = content_hash([repr(effect) for effect in self._effects])
        self._names = added_names(world, self._effects)
        self._memories = [Memory() for _ in self._effects]
        self._objects = overlay.ObjectOverlay(driver)
        self._lights = overlay.LightOverlay(driver, world)
        self._added: list[str] = []
        self._struck: dict[str, ObjectState] = {}
        stand_ins = {
            name: effect.target
            for effect, names in zip(self._effects, self._names, strict=True)
            for name in names
            if isinstance(effect.change, Standing)
        }
        self._geometry = CleanGeometry(driver, world, self._objects, stand_ins)

    def plant(self) -> None:
        """Evaluate the triggers at the present moment, right after the load: `always` acts now."""
        self._on_event(
            "plant",
            self._driver.state().t_s,
            {
                "effects": len(self._effects),
                "occlusion": self._geometry.casts_rays,
                "names": [name for names in self._names for name in names],
            },
        )
        self._evaluate(self._driver.state())

    def on_tick(self, state: TickState) -> None:
        """Evaluate the triggers after a tick."""
        self._evaluate(state)

    def before_capture(self, state: TickState) -> None:
        """Evaluate the triggers once more; without motion in between nothing changes."""
        self._evaluate(state)

    def twin(self) -> dict[str, ObjectState]:
        """For each object of the world that is changed now or was ever struck by an impulse: its state in
        the clean world. Changed fields hold what was read before the change, the others what they are now;
        a struck object is where it was before the first impulse. Added objects are not in it."""
        names = tuple(dict.fromkeys((*self._objects.names, *self._struck)))
        if not names:
            return {}
        now = {**self._driver.objects(), **self._struck}
        return {name: self._objects.twin(name, now[name]) for name in names}

    def spawned(self) -> tuple[str, ...]:
        """Names of the objects that effects have put into the world and not taken out again."""
        return tuple(self._added)

    def touched(self) -> tuple[str, ...]:
        """Names of all objects under change, added ones included."""
        return tuple(dict.fromkeys((*self._objects.names, *self._struck, *self._added)))

    def clean(self, name: str) -> ObjectState:
        """The state of one object of the world in the clean world."""
        now = self._struck.get(name) or overlay.read(self._driver, name)
        return self._objects.twin(name, now)

    def snapshot(self) -> Json:
        """Everything the engine remembers, as JSON: memories, clean values, struck objects."""
        return {
            "effects": self._identity,
            "memories": [to_json(memory) for memory in self._memories],
            "clean": self._objects.snapshot(),
            "struck": {name: to_json(state) for name, state in self._struck.items()},
        }

    def restore(self, snapshot: Json) -> None:
        """Go back to a `snapshot` of an engine with the same effects, and bring the world's changes in line.
        Where movable bodies and the agent are is the driver's business. Raises DataFileError for a snapshot
        of other effects."""
        if snapshot["effects"] != self._identity:
            raise DataFileError("The snapshot belongs to other effects than this engine's.")
        self._undo()
        self._memories = [Memory(**memory) for memory in snapshot["memories"]]
        self._struck = {name: _object_state(state) for name, state in snapshot["struck"].items()}
        self._objects.adopt(snapshot["clean"])
        for index, effect in enumerate(self._effects):
            if self._memories[index].active:
                self._bring_about(effect, index)

    def reset(self) -> None:
        """Undo every change and forget everything, as before `plant`. What an impulse moved stays there."""
        self._undo()
        self._struck.clear()

    def _undo(self) -> None:
        self._memories = [Memory() for _ in self._effects]
        for index, effect in enumerate(self._effects):
            self._bring_about(effect, index)

    def _evaluate(self, state: TickState) -> None:
        self._settle(state)
        moving = [
            effect.target
            for effect in self._active()
            if isinstance(effect.change, Standing) and effect.change.moves
        ]
        for name in dict.fromkeys(moving):
            self._lay(name)

    def _settle(self, state: TickState) -> None:
        for _ in range(_ROUNDS):
            look = Look(self._geometry, state)
            before = self._memories
            after = [
                memory if effect.once and memory.fires else effect.trigger.step(look, effect.watched, memory)
                for effect, memory in zip(self._effects, before, strict=True)
            ]
            self._memories = after
            changed = [
                index
                for index, (old, new) in enumerate(zip(before, after, strict=True))
                if (old.active, old.fires) != (new.active, new.fires)
            ]
            if not changed:
                return
            for index in changed:
                effect, memory = self._effects[index], after[index]
                self._bring_about(effect, index, state if memory.fires > before[index].fires else None)
                self._on_event(
                    "trigger",
                    state.t_s,
                    {
                        "effect": index,
                        "target": effect.target or ", ".join(self._names[index]) or _light(effect),
                        "change": effect.change.kind,
                        "active": memory.active,
                    },
                )

    def _bring_about(self, effect: Effect, index: int, fired: TickState | None = None) -> None:
        """Make the world agree with the memories as far as `effect` goes; `fired` = it fires now, then."""
        change = effect.change
        if isinstance(change, Standing):
            again = change.fields if isinstance(change, State) and fired is not None else ()
            self._lay(effect.target, again)
        if isinstance(change, LightChange):
            lit = [
                other.change
                for other in self._active()
                if isinstance(other.change, LightChange) and other.change.name == change.name
            ]
            self._lights.lay(change.name, lit)
        elif isinstance(change, Adding):
            self._add_or_remove(change, effect.target, index)
        elif isinstance(change, Impulse) and fired is not None:
            now = overlay.read(self._driver, effect.target)
            self._struck.setdefault(effect.target, self._objects.twin(effect.target, now))
            velocity = change.velocity(now, fired.pose)
            overlay.write(self._driver, effect.target, {"velocity_m_s": velocity})

    def _lay(self, target: str, again: Sequence[str] = ()) -> None:
        now_s = self._driver.state().t_s
        laid = [
            effect.change.at(now_s)
            for effect in self._active()
            if effect.target == target and isinstance(effect.change, Standing)
        ]
        self._objects.lay(target, laid, again=again)

    def _active(self) -> list[Effect]:
        pairs = zip(self._effects, self._memories, strict=True)
        return [effect for effect, memory in pairs if memory.active]

    def _add_or_remove(self, change: Adding, target: str, index: int) -> None:
        names = self._names[index]
        present = names[0] in self._added
        if self._memories[index].active and not present:
            original = (self._world.object(target), self.clean(target)) if change.on_target else None
            for item in change.items(names, self._world, original):
                self._driver.spawn(item)
                self._added.append(item.name)
        elif present and not self._memories[index].active:
            for name in names:
                self._driver.destroy(name)
                self._added.remove(name)


def _light(effect: Effect) -> str:
    return effect.change.name if isinstance(effect.change, LightChange) else ""


def _object_state(data: Mapping[str, Json]) -> ObjectState:
    return ObjectState(**overlay.tuples(data))
