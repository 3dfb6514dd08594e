"""Commands of our own: the driver contract itself. `drivers.unrealcv.extension` describes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from embodied_eval.drivers.base import MODALITIES
from embodied_eval.drivers.unrealcv import extension as ext
from embodied_eval.drivers.unrealcv.commands.registry import INVALID, Handler, Refusal, Registry
from embodied_eval.drivers.unrealcv.sensors import MAX_SIDE_PX
from embodied_eval.errors import EmbodiedEvalError
from embodied_eval.worlds.files import world_from_json

if TYPE_CHECKING:
    from embodied_eval.drivers.unrealcv.game import Game

MAX_TICK_S = 10.0


def register(registry: Registry) -> None:
    """What only this server knows, and not in its strict modes."""
    registry.add(ext.ABOUT, "What serves, and what it can do", about)
    registry.add(ext.WORLD, "Send a world", without_record(world))
    for template, handle, what in (
        (ext.LOAD, load, "Load a world"),
        (ext.TICK, tick, "Let one tick pass"),
        (ext.TELEPORT, lambda game, pose: game.driver.teleport(pose), "Put the agent somewhere"),
        (ext.FRAME, frame, "The agent's view"),
        (ext.OBJECT, lambda game, asked: game.driver.object(asked.name), "An object's state"),
        (ext.SET_OBJECT, set_object, "Patch an object"),
        (ext.SET_LIGHT, set_light, "Patch a light"),
        (ext.SPAWN, spawn, "Add an object"),
        (ext.DESTROY, destroy, "Remove a spawned object"),
        (ext.RAYCAST, raycast, "Cast a ray"),
        (ext.VISIBILITY, visibility, "How objects show"),
    ):
        registry.add(template, what, with_record(ext.REQUESTS[template], handle))
    registry.add(ext.STATE, "State after the last tick", lambda game, _: ext.reply(game.driver.state()))
    registry.add(ext.RENDERER, "What draws the pictures", lambda game, _: game.driver.renderer())
    registry.add(ext.OBJECTS, "Every object's state", lambda game, _: ext.reply(game.driver.objects()))


def with_record(kind: Any, handle: Callable[[Game, Any], Any]) -> Handler:
    """A handler whose one word is a record of `kind`; bytes are sent as they are, all else as JSON."""
    return _handler(lambda word: ext.unpack(kind, word), handle)


def without_record(handle: Callable[[Game, Any], Any]) -> Handler:
    """A handler whose one word is plain JSON."""
    return _handler(ext.unpack_word, handle)


def _handler(read: Callable[[str], Any], handle: Callable[[Game, Any], Any]) -> Handler:
    def handler(game: Game, words: tuple[str, ...]) -> str | bytes:
        try:
            asked = read(words[0])
        except ValueError as error:
            raise Refusal(f"{INVALID}: {' '.join(str(error).split())[:500]}") from None
        try:
            answer = handle(game, asked)
        except EmbodiedEvalError as error:
            raise Refusal(f"{error.kind}: {error}") from error
        return answer if isinstance(answer, bytes) else ext.reply(answer)

    return handler


def about(game: Game, _: tuple[str, ...]) -> str:
    """As `About`."""
    driver = game.driver
    return ext.reply(
        ext.About(
            ext.SCHEMA,
            driver.name,
            tuple(sorted(driver.capabilities)),
            game.world.name,
            game.world.sha256,
            driver.eye_height_m,
            driver.fov_deg,
        )
    )


def world(game: Game, data: Any) -> Any:
    """Keep the world; it is loaded by its name and hash."""
    made = world_from_json(data, "The world that was sent")
    game.keep(made)
    return {"name": made.name, "sha256": made.sha256}


def load(game: Game, asked: ext.LoadRequest) -> Any:
    """Load it, paused."""
    state = game.load(game.known_world(asked.world, asked.sha256), seed=asked.seed, spawn=asked.spawn)
    game.paused = True
    return state


def tick(game: Game, asked: ext.TickRequest) -> Any:
    """Exactly so much time passes."""
    if not 0.0 < asked.dt_s <= MAX_TICK_S:
        raise Refusal(f"{INVALID}: a tick takes above 0 and up to {MAX_TICK_S:g} s")
    return game.driver.tick(asked.command, asked.dt_s)


def frame(game: Game, asked: ext.FrameRequest) -> bytes:
    """What the agent sees."""
    if not MODALITIES.issuperset(asked.modalities) or not asked.modalities:
        raise Refusal(f"{INVALID}: modalities are {' '.join(sorted(MODALITIES))}")
    return ext.frame_reply(game.driver.render(asked.modalities, _size(asked.size)))


def set_object(game: Game, asked: ext.ObjectRequest) -> Any:
    """The state read back."""
    return game.driver.set_object(asked.name, asked.patch)


def set_light(game: Game, asked: ext.LightRequest) -> Any:
    """Nothing."""
    game.driver.set_light(asked.name, asked.patch)
    for actor in game.cast.actors.values():
        if actor.kind == "light" and actor.target == asked.name:
            game.cast.change_light(actor, asked.patch)
    return {}


def spawn(game: Game, asked: ext.SpawnRequest) -> Any:
    """The new object's state."""
    if game.cast.taken(asked.item.name):
        raise Refusal(f"SimulatorError: There is an actor {asked.item.name!r} already.")
    state = game.driver.spawn(asked.item)
    game.cast.add(asked.item, spawned=True)
    return state


def destroy(game: Game, asked: ext.Named) -> Any:
    """Nothing."""
    game.driver.destroy(asked.name)
    game.cast.remove(asked.name)
    return {}


def raycast(game: Game, asked: ext.RayRequest) -> Any:
    """The first hit, or null."""
    return game.driver.raycast(asked.origin, asked.direction, asked.max_m)


def visibility(game: Game, asked: ext.VisibilityRequest) -> Any:
    """A row for each name."""
    return game.driver.visibility(asked.ref, asked.names, asked.twin, _size(asked.size))


def _size(size: tuple[int, int]) -> tuple[int, int]:
    if not all(1 <= side <= MAX_SIDE_PX for side in size):
        raise Refusal(f"{INVALID}: a picture has 1 to {MAX_SIDE_PX} pixels a side")
    return size
