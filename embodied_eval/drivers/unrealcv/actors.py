"""A game's actors as the objects of the driver contract: read, changed by generic commands, read back.

The game is paused, so an actor stays as it is until it is changed from here: each is read once a load, and after
its own changes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from embodied_eval.drivers.base import ObjectPatch, ObjectState, Vec3
from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.asking import texts, tried, unplanted, works
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.errors import CapabilityMissing, SimulatorError, UnknownObject
from embodied_eval.worlds.model import World, WorldObject

# What a server may round in its replies (specification of the protocol, ground rules of planting).
READ_CM, READ_DEG, READ_SCALE = 0.1, 0.1, 0.001
# Flatter than this in two directions is no thing that can be seen.
_THIN_CM = 0.1
CUBE_CM = 100.0
_ABOUT = ("location", "rotation", "scale", "bounds")
_UNSEEN = ("Camera", "Pawn", "Character", "Controller", "Light", "Volume", "PlayerStart", "Sensor")


@dataclass(frozen=True)
class Actor:
    """An actor: its name in the game, its class, and what is known of it as an object."""

    actor: str
    kind: str
    state: ObjectState
    spawned: bool = False


class Actors:
    """The actors of a loaded level that can be seen, by object name.

    An object of `world` is the actor that `mapping` names for it, otherwise the actor of its own name; all other
    actors with a body are objects too. `missing` are the world's objects that the level has no actor for; `unseen`
    holds the classes of all other actors.
    """

    def __init__(self, client: Client, world: World, mapping: Mapping[str, str]) -> None:
        self._client = client
        self.names = formats.parse_names(client.text("vget /objects"))
        kinds = tried(client, [f"vget /object/{name}/uclass_name" for name in self.names])
        self.kinds = {name: kind or "" for name, kind in zip(self.names, kinds, strict=True)}
        wanted = {mapping.get(item.name, item.name): item for item in world.objects}
        self.missing = tuple(item.name for actor, item in wanted.items() if actor not in self.kinds)
        ids = {item.name: number for number, item in enumerate(world.objects)}
        self._next_id = len(ids)
        self.by_name: dict[str, Actor] = {}
        self.unseen: dict[str, str] = {}
        self._before: dict[str, ObjectState] = {}
        self._collides: dict[str, bool] = {}
        for actor, state in self._read_all().items():
            item = wanted.get(actor)
            if item is None and (state is None or not _is_seen(self.kinds[actor], state)):
                self.unseen[actor] = self.kinds[actor]
            elif state is not None:
                self._take(actor, state, item, ids)

    def _take(self, actor: str, state: ObjectState, item: WorldObject | None, ids: Mapping[str, int]) -> None:
        name = item.name if item is not None else actor
        if item is None:
            number, self._next_id = self._next_id, self._next_id + 1
        else:
            number = ids[name]
            state = replace(state, visible=item.visible, collides=item.collides)
        self.by_name[name] = Actor(actor, self.kinds[actor], replace(state, id=number, name=name))

    def of(self, name: str) -> Actor:
        """The actor that is the object `name`. Raises UnknownObject."""
        if name not in self.by_name:
            hint = "Map it to one of the level's actors." if name in self.missing else ""
            raise UnknownObject(f"The level has no actor for {name!r}.", command="object", hint=hint)
        return self.by_name[name]

    def change(self, name: str, patch: ObjectPatch) -> ObjectState:
        """Apply what generic commands can, read back; `CapabilityMissing` for the rest, `CommandFailed` if the game
        refuses or ignores it."""
        actor = self.of(name)
        given = [key for key in _NOT_GENERIC if getattr(patch, key) != getattr(_NOTHING, key)]
        if given:
            raise CapabilityMissing(
                f"Generic commands cannot change {', '.join(given)} of {name!r}.", command="set_object"
            )
        if patch.scale is not None and min(patch.scale) <= 0.0:
            raise SimulatorError(
                f"Scale {patch.scale} of {name!r}; every factor must be above 0.", command="set_object"
            )
        self._before.setdefault(name, actor.state)
        if {patch.position, patch.rotation_deg, patch.scale} != {None}:
            self._make_movable(actor.actor)
        path, commands = f"/object/{actor.actor}", []
        if patch.position is not None:
            commands.append(f"vset {path}/location {formats.numbers(formats.to_cm(patch.position))}")
        if patch.rotation_deg is not None:
            turn = formats.turn_to_unreal(patch.rotation_deg)
            commands.append(f"vset {path}/rotation {formats.numbers(turn)}")
        if patch.scale is not None:
            commands.append(f"vset {path}/scale {formats.numbers(patch.scale)}")
        if patch.visible is not None:
            commands.append(f"vset {path}/{'show' if patch.visible else 'hide'}")
        if patch.collides is not None:
            commands.append(collision_command(actor.actor, patch.collides))
        texts(self._client, commands)
        state = replace(
            _read(self._client, [actor.actor])[0] or actor.state,
            id=actor.state.id,
            name=name,
            visible=actor.state.visible if patch.visible is None else patch.visible,
            collides=actor.state.collides if patch.collides is None else patch.collides,
        )
        self._check(patch, state, commands)
        self.by_name[name] = replace(actor, state=state)
        return state

    def restore(self) -> None:
        """Undo every change, and remove what was spawned. Raises `CommandFailed` if something stays changed."""
        for name in [name for name, actor in self.by_name.items() if actor.spawned]:
            self.destroy(name)
        for name, state in list(self._before.items()):
            patch = ObjectPatch(
                position=state.position,
                rotation_deg=state.rotation_deg,
                scale=state.scale,
                visible=state.visible,
                collides=None if self.by_name[name].state.collides == state.collides else state.collides,
            )
            self.change(name, patch)
        self._before.clear()

    def spawn(self, item: WorldObject) -> ObjectState:
        """A cube of the game's as `item`, which must be one box. Its mask has no colour yet."""
        solid = item.primitives[0]
        if len(item.primitives) != 1 or solid.shape != "box" or solid.rotation_deg != (0.0, 0.0, 0.0):
            raise CapabilityMissing(
                f"Generic commands can add a box, not {item.kind!r}.",
                command="spawn",
                hint="Only a server of ours adds other objects.",
            )
        if item.name in self.by_name or item.name in self.kinds:
            raise SimulatorError(f"There is an object {item.name!r} already.", command="spawn")
        actor = self._client.text(f"vset /objects/spawn_cube {item.name}").strip()
        number, self._next_id = self._next_id, self._next_id + 1
        found = _read(self._client, [actor])[0]
        if found is None:
            raise unplanted("the new cube", "a place", "nothing", self._client, "vset /objects/spawn_cube")
        self.by_name[item.name] = Actor(actor, "cube", replace(found, id=number, name=item.name), True)
        try:
            return self._shape(item, found)
        except SimulatorError:
            if not self._client.broken:
                self.destroy(item.name)
            raise

    def _shape(self, item: WorldObject, cube: ObjectState) -> ObjectState:
        """Give the new cube its size, its turn and its place: its middle where the box's is."""
        from embodied_eval.worlds.geometry import rotation_matrix, vec3

        solid = item.primitives[0]
        low, high = cube.bounds
        edges = [(b - a) / factor for a, b, factor in zip(low, high, cube.scale, strict=True)]
        x, y, z = (
            size * factor / edge for size, factor, edge in zip(solid.size, item.scale, edges, strict=True)
        )
        scaled = [at * factor for at, factor in zip(solid.position, item.scale, strict=True)]
        middle = rotation_matrix(item.rotation_deg) @ scaled + item.position
        # Where the cube's own origin is within it is the game's business.
        off = [(a + b) / 2 - at for a, b, at in zip(low, high, cube.position, strict=True)]
        grown = [value * factor for value, factor in zip(off, (x, y, z), strict=True)]
        place = middle - rotation_matrix(item.rotation_deg) @ grown
        return self.change(
            item.name,
            ObjectPatch(
                position=vec3(place),
                rotation_deg=item.rotation_deg,
                scale=(x, y, z),
                visible=item.visible,
                collides=None if item.collides else False,
            ),
        )

    def destroy(self, name: str) -> None:
        """Remove what `spawn` added."""
        actor = self.of(name)
        if not actor.spawned:
            raise SimulatorError(
                f"{name!r} belongs to the level; only spawned objects can be removed.",
                command="destroy",
                hint="Hide it and switch its collision off instead.",
            )
        self._client.text(f"vset /object/{actor.actor}/destroy")
        del self.by_name[name]
        self._before.pop(name, None)

    def _make_movable(self, actor: str) -> None:
        if self._client.text(f"vget /object/{actor}/mobility").strip() == "Static":
            # Without effect on an actor that is no mesh; the read-back of the change itself tells.
            works(self._client, f"vexec {actor} SetMobility Movable")

    def _check(self, patch: ObjectPatch, state: ObjectState, commands: Sequence[str]) -> None:
        for command in commands:
            what = command.split()[1].rpartition("/")[2]
            if what == "location" and patch.position is not None:
                off = math.dist(patch.position, state.position) * formats.CM_A_METRE
                if off > READ_CM:
                    raise unplanted("location", patch.position, state.position, self._client, command)
            elif what == "rotation" and patch.rotation_deg is not None:
                if _angle_deg(patch.rotation_deg, state.rotation_deg) > READ_DEG:
                    raise unplanted("rotation", patch.rotation_deg, state.rotation_deg, self._client, command)
            elif what == "scale" and patch.scale is not None:
                pairs = zip(patch.scale, state.scale, strict=True)
                if any(abs(a - b) > READ_SCALE for a, b in pairs):
                    raise unplanted("scale", patch.scale, state.scale, self._client, command)

    def _read_all(self) -> dict[str, ObjectState | None]:
        return dict(zip(self.names, _read(self._client, self.names), strict=True))


_NOTHING = ObjectPatch()
_NOT_GENERIC = (
    "casts_shadow",
    "color",
    "material",
    "clear_material",
    "shadow_offset_m",
    "state",
    "velocity_m_s",
    "spin_deg_s",
)


def collision_command(actor: str, collides: bool) -> str:
    """Has an actor stop what runs into it, or let it through."""
    return f"vexec {actor} SetActorEnableCollision {'true' if collides else 'false'}"


def _read(client: Client, actors: Collection[str]) -> list[ObjectState | None]:
    """Each actor as it is, under its own name and without an id; None for one that has no place or body."""
    answers = tried(client, [f"vget /object/{actor}/{what}" for actor in actors for what in _ABOUT])
    found: list[ObjectState | None] = []
    for number, actor in enumerate(actors):
        place, turn, scale, box = answers[4 * number : 4 * number + 4]
        if place is None or turn is None or scale is None or box is None:
            found.append(None)
            continue
        found.append(
            ObjectState(
                -1,
                actor,
                formats.to_metres(formats.parse_vector(place)),
                formats.turn_from_unreal(formats.parse_vector(turn)),
                formats.parse_vector(scale),
                True,
                True,
                True,
                None,
                "",
                formats.box_to_metres(formats.parse_box(box)),
            )
        )
    return found


def _is_seen(kind: str, state: ObjectState) -> bool:
    low, high = state.bounds
    wide = sum((b - a) * formats.CM_A_METRE > _THIN_CM for a, b in zip(low, high, strict=True))
    return wide >= 2 and not any(word in kind for word in _UNSEEN)


def _angle_deg(a: Vec3, b: Vec3) -> float:
    import numpy as np

    from embodied_eval.worlds.geometry import rotation_matrix

    trace = float(np.trace(rotation_matrix(a).T @ rotation_matrix(b)))
    return math.degrees(math.acos(max(-1.0, min(1.0, (trace - 1.0) / 2.0))))
