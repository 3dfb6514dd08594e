"""Commands of actors: places, sizes, colours in masks, showing and hiding, spawning."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import LightPatch, ObjectPatch, ObjectState
from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.cast import Actor
from embodied_eval.drivers.unrealcv.commands.registry import (
    INVALID,
    Handler,
    Refusal,
    Registry,
    natural,
    reals,
)
from embodied_eval.worlds.model import Primitive, WorldObject

if TYPE_CHECKING:
    from embodied_eval.drivers.unrealcv.game import Game

_OBJECT = "/object/[str]"
_THREE = "[float] [float] [float]"
MAX_SCALE = 1000.0
CUBE = "Cube"


def register(registry: Registry) -> None:
    """What every server knows."""
    registry.add("vget /objects", "Names of all actors", names)
    registry.add("vset /objects/spawn_cube", "Add a cube of 1 m", spawn_cube)
    registry.add("vset /objects/spawn_cube [str]", "Add a cube of 1 m with that name", spawn_cube)
    registry.add("vset /objects/spawn [str]", "Add an actor of a class", spawn)
    registry.add("vset /objects/spawn [str] [str]", "Add an actor of a class, with a name", spawn)
    registry.add(f"vget {_OBJECT}/location", "Location, cm", on_actor(get_location))
    registry.add(f"vset {_OBJECT}/location {_THREE}", "Set the location", on_actor(set_location))
    registry.add(f"vget {_OBJECT}/rotation", "Pitch, yaw and roll, degrees", on_actor(get_rotation))
    registry.add(f"vset {_OBJECT}/rotation {_THREE}", "Set the rotation", on_actor(set_rotation))
    registry.add(f"vget {_OBJECT}/scale", "Scale factors", on_actor(get_scale))
    registry.add(f"vset {_OBJECT}/scale {_THREE}", "Set the scale factors", on_actor(set_scale))
    registry.add(f"vget {_OBJECT}/bounds", "Bounds, cm", on_actor(get_bounds))
    registry.add(f"vget {_OBJECT}/color", "Colour in masks", on_actor(get_color))
    registry.add(f"vset {_OBJECT}/color [uint] [uint] [uint]", "Set the colour in masks", on_actor(set_color))
    registry.add(f"vget {_OBJECT}/mobility", "Movable or Static", on_actor(get_mobility))
    registry.add(f"vget {_OBJECT}/uclass_name", "Name of the class", on_actor(lambda g, a, w: a.class_name))
    registry.add(f"vget {_OBJECT}/label", "Label", on_actor(lambda game, actor, words: actor.label))
    registry.add(f"vset {_OBJECT}/label [str]", "Set the label", on_actor(set_label))
    registry.add(f"vset {_OBJECT}/name [str]", "Rename", on_actor(rename))
    registry.add(f"vget {_OBJECT}/vertex_location", "Corners, cm", on_actor(vertices))
    registry.add(f"vget {_OBJECT}/material", "Materials, a slot each", on_actor(get_material))
    registry.add(f"vset {_OBJECT}/material [uint] [str]", "Set the material", on_actor(set_material))
    registry.add(f"vset {_OBJECT}/show", "Show", on_actor(show(True)))
    registry.add(f"vset {_OBJECT}/hide", "Hide; it still collides", on_actor(show(False)))
    registry.add(f"vset {_OBJECT}/destroy", "Remove", on_actor(destroy))


ActorHandler = Callable[["Game", Actor, tuple[str, ...]], str]


def on_actor(handle: ActorHandler) -> Handler:
    """A handler whose first word is an actor's name."""

    def found(game: Game, words: tuple[str, ...]) -> str:
        return handle(game, game.cast.find(words[0]), words[1:])

    return found


def names(game: Game, _: tuple[str, ...]) -> str:
    """Every actor's name; a strict server leaves a space after the last."""
    return " ".join(game.cast.actors) + (" " if game.strict else "")


def state_of(game: Game, actor: Actor) -> ObjectState | None:
    """An object's state; None for lamps and the player."""
    return game.driver.object(actor.target) if actor.kind == "object" else None


def change(game: Game, actor: Actor, patch: ObjectPatch) -> str:
    """Patch an object. Raises `Refusal` for a lamp or the player. In a strict server what is static stays where
    it is although the reply is `ok`, as in the engine."""
    if actor.kind != "object":
        raise Refusal("Not Implemented")
    moves = patch.position or patch.rotation_deg or patch.scale
    if actor.movable or not game.strict or not moves:
        game.driver.set_object(actor.target, patch)
    return "ok"


def get_location(game: Game, actor: Actor, _: tuple[str, ...]) -> str:
    """The origin of an object, the place of a lamp, the middle of the player."""
    state = state_of(game, actor)
    place = state.position if state else actor.position
    return formats.numbers(formats.to_cm(game.pawn_origin() if actor.kind == "pawn" else place), 3)


def set_location(game: Game, actor: Actor, words: tuple[str, ...]) -> str:
    """At once, through everything."""
    place = formats.to_metres(reals(words))
    if actor.kind == "pawn":
        game.put_pawn(place)
        return "ok"
    return change(game, actor, ObjectPatch(position=place))


def get_rotation(game: Game, actor: Actor, _: tuple[str, ...]) -> str:
    """Pitch, yaw, roll; the player turns about the vertical axis only."""
    if actor.kind == "pawn":
        return formats.numbers((0.0, -game.driver.state().pose.yaw_deg, 0.0), 3)
    state = state_of(game, actor)
    return formats.numbers(formats.turn_to_unreal(state.rotation_deg) if state else (0.0, 0.0, 0.0), 3)


def set_rotation(game: Game, actor: Actor, words: tuple[str, ...]) -> str:
    """Pitch, yaw, roll."""
    rotation = reals(words)
    if actor.kind == "pawn":
        game.turn_pawn(rotation)
        return "ok"
    return change(game, actor, ObjectPatch(rotation_deg=formats.turn_from_unreal(rotation)))


def get_scale(game: Game, actor: Actor, _: tuple[str, ...]) -> str:
    """Three factors along the object's own axes."""
    state = state_of(game, actor)
    return formats.numbers(state.scale if state else (1.0, 1.0, 1.0), 3)


def set_scale(game: Game, actor: Actor, words: tuple[str, ...]) -> str:
    """Above 0 and at most 1000."""
    scale = reals(words)
    if not all(0.0 < factor <= MAX_SCALE for factor in scale):
        raise Refusal(INVALID)
    return change(game, actor, ObjectPatch(scale=scale))


def get_bounds(game: Game, actor: Actor, _: tuple[str, ...]) -> str:
    """The world's box around it; a lamp's has no size."""
    if actor.kind == "pawn":
        return formats.box_text(formats.box_to_cm(game.pawn_box()))
    state = state_of(game, actor)
    return formats.box_text(formats.box_to_cm(state.bounds if state else (actor.position, actor.position)))


def get_color(game: Game, actor: Actor, _: tuple[str, ...]) -> str:
    """Its colour in masks."""
    return formats.colour_text(actor.colour)


def set_color(game: Game, actor: Actor, words: tuple[str, ...]) -> str:
    """Its colour in masks; nothing else changes."""
    red, green, blue = (natural(word) for word in words)
    if max(red, green, blue) > 255:
        raise Refusal(INVALID)
    actor.colour = (red, green, blue)
    return "ok"


def get_mobility(game: Game, actor: Actor, _: tuple[str, ...]) -> str:
    """Static is what belongs to the building."""
    return "Movable" if actor.movable else "Static"


def set_label(game: Game, actor: Actor, words: tuple[str, ...]) -> str:
    """One word of at most 100 characters."""
    if not 1 <= len(words[0]) <= 100:
        raise Refusal(INVALID)
    actor.label = words[0]
    return "ok"


def rename(game: Game, actor: Actor, words: tuple[str, ...]) -> str:
    """Refused if the name is taken; the player keeps its own."""
    if actor.kind == "pawn":
        raise Refusal("Not Implemented")
    game.cast.rename(actor, words[0])
    return "ok"


def vertices(game: Game, actor: Actor, _: tuple[str, ...]) -> str:
    """A line for each corner of each of its solids."""
    state = state_of(game, actor)
    if state is None:
        raise Refusal("The actor has no mesh")
    points = (point for part in game.corners(actor, state, drawn=True) for point in part)
    return "\n".join(formats.numbers(formats.to_cm((p[0], p[1], p[2])), 5) for p in points)


def get_material(game: Game, actor: Actor, _: tuple[str, ...]) -> str:
    """A line for each of its materials, or the one that is shown instead of all."""
    state = state_of(game, actor)
    if state is None or actor.item is None:
        raise Refusal("The actor has no mesh")
    own = dict.fromkeys(primitive.material for primitive in actor.item.primitives)
    shown = [state.material] if state.material else list(own)
    return "\n".join(f"{slot}: {name}" for slot, name in enumerate(shown))


def set_material(game: Game, actor: Actor, words: tuple[str, ...]) -> str:
    """One of the world's materials for all of it, whichever slot is named."""
    natural(words[0])
    return change(game, actor, ObjectPatch(material=words[1]))


def show(on: bool) -> ActorHandler:
    """The handler of `show`, or of `hide`; a hidden lamp gives no light."""

    def handle(game: Game, actor: Actor, _: tuple[str, ...]) -> str:
        if actor.kind == "pawn":
            actor.hidden = not on
            return "ok"
        if actor.kind == "light":
            switch(game, actor, LightPatch(on=on))
            return "ok"
        return change(game, actor, ObjectPatch(visible=on))

    return handle


def switch(game: Game, actor: Actor, patch: LightPatch) -> None:
    """Change a lamp. Raises `Refusal` for another actor."""
    if actor.kind != "light":
        raise Refusal(INVALID)
    game.driver.set_light(actor.target, patch)
    game.cast.change_light(actor, patch)


def destroy(game: Game, actor: Actor, _: tuple[str, ...]) -> str:
    """What belongs to the world is hidden and stops nothing any more, and its name is forgotten."""
    if actor.kind != "object":
        raise Refusal("Not Implemented")
    if actor.spawned:
        game.driver.destroy(actor.target)
    else:
        game.driver.set_object(actor.target, ObjectPatch(visible=False, collides=False))
    game.cast.remove(actor.target)
    return "ok"


def spawn_cube(game: Game, words: tuple[str, ...]) -> str:
    """At the world's origin, its own in its middle."""
    name = game.cast.new_name(words[0] if words else "", CUBE)
    cube = Primitive("box", (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
    return _spawned(game, WorldObject(name, "cube", name, (cube,), supports="fixed"))


def spawn(game: Game, words: tuple[str, ...]) -> str:
    """A class is `Cube` or a kind of the object library whose materials the world has."""
    from embodied_eval.worlds import library

    kind = words[0]
    if kind == CUBE:
        return spawn_cube(game, words[1:])
    if kind not in library.KINDS:
        raise Refusal(f"Can not find a class called {kind[:100]}")
    name = game.cast.new_name(words[1] if len(words) > 1 else "", kind)
    return _spawned(game, library.make(kind, name, (0.0, 0.0, 0.0)))


def _spawned(game: Game, item: WorldObject) -> str:
    game.driver.spawn(item)
    return game.cast.add(item, spawned=True).name
