"""Commands that call the engine: a whitelist of console settings and of functions; nothing else is run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import LightPatch, ObjectPatch, Vec3
from embodied_eval.drivers.unrealcv import formats
from embodied_eval.drivers.unrealcv.cast import Actor
from embodied_eval.drivers.unrealcv.commands import objects
from embodied_eval.drivers.unrealcv.commands.registry import INVALID, Handler, Refusal, Registry, real
from embodied_eval.drivers.unrealcv.sensors import MAX_SIDE_PX

if TYPE_CHECKING:
    from embodied_eval.drivers.unrealcv.game import Game

LEVEL_ID, LEVEL_SCRIPT_ID = "PersistentLevel", "LevelScriptActor"
MAX_TIME_SCALE = 20.0
_VECTOR = re.compile(r"\(X=([^,()]+),Y=([^,()]+),Z=([^,()]+)\)")
_COLOUR = re.compile(r"\(R=([^,()]+),G=([^,()]+),B=([^,()]+)(?:,A=[^,()]+)?\)")
_NUMBER = re.compile(r"[+-]?\d*\.?\d+", re.ASCII)
_SIZE = re.compile(r"(\d{1,5})x(\d{1,5})[wf]?", re.ASCII)
Function = Callable[["Game", Actor, tuple[str, ...]], "str | float | None"]


def register(registry: Registry) -> None:
    """What every server knows. `vrun` with one word is an alias's name, of which there are none."""
    registry.add("vcmd [str]", "Console command without arguments", not_known)
    registry.add("vrun [str]", "Alias", not_known)
    for count in range(2, 7):
        words = " ".join(["[str]"] * count)
        registry.add(f"vrun {words}", "Console command: slomo, t.maxFPS, setres, r.setres", run)
    for count in range(6):
        words = " ".join(["[str]"] * (count + 2))
        registry.add(f"vexec {words}", "Call a function of an actor", call(json_reply=False))
    for count in range(10):
        words = " ".join(["[str]"] * (count + 2))
        registry.add(f"vbp {words}", "Call a function of an actor, get its results", call(json_reply=True))
    registry.add("vget /persistent_level/id", "Name of the level", lambda game, _: LEVEL_ID)
    registry.add(
        "vget /persistent_level/level_script_actor/id", "Name of its script", lambda game, _: LEVEL_SCRIPT_ID
    )


def not_known(game: Game, words: tuple[str, ...]) -> str:
    """The handler of consoles' commands that are not on the list."""
    raise Refusal(f"Not Implemented: {words[0][:100]}")


def run(game: Game, words: tuple[str, ...]) -> str:
    """Time scale, frame cap, resolution of the player's camera."""
    name, value = words[0].lower(), words[1]
    size = _SIZE.fullmatch(value.lower())
    if name == "slomo" and _NUMBER.fullmatch(value):
        game.time_scale = min(max(real(value), 1e-4), MAX_TIME_SCALE)
    elif name == "t.maxfps" and _NUMBER.fullmatch(value):
        cap = real(value)
        game.frame_s = 1.0 / min(cap, 1000.0) if cap >= 1.0 else game.default_frame_s
    elif name in ("setres", "r.setres") and size:
        width, height = int(size[1]), int(size[2])
        if not (1 <= width <= MAX_SIDE_PX and 1 <= height <= MAX_SIDE_PX):
            raise Refusal(INVALID)
        game.cameras[0].size = (width, height)
    else:
        return not_known(game, words)
    return "ok"


def call(*, json_reply: bool) -> Handler:
    """The handler of `vbp` with `json_reply`, otherwise of `vexec`."""

    def handle(game: Game, words: tuple[str, ...]) -> str:
        actor = game.cast.actors.get(words[0])
        if actor is None:
            raise Refusal(f"Can not find actor with id '{words[0][:100]}'")
        function = FUNCTIONS.get(words[1].lower())
        if function is None:
            raise Refusal(INVALID)
        result = function(game, actor, words[2:])
        if not json_reply:
            return "ok"
        # Booleans, vectors and objects come back as empty texts, as from the public server.
        return json.dumps({} if result is None else {"ReturnValue": result})

    return handle


def _flag(words: tuple[str, ...]) -> bool:
    if not words or words[0].lower() not in ("true", "false"):
        raise Refusal(INVALID)
    return words[0].lower() == "true"


def _number(words: tuple[str, ...]) -> float:
    if not words or not _NUMBER.fullmatch(words[0]):
        raise Refusal(INVALID)
    return real(words[0])


def _three(words: tuple[str, ...], form: re.Pattern[str] = _VECTOR) -> Vec3:
    match = form.fullmatch(words[0]) if words else None
    if match is None or not all(_NUMBER.fullmatch(word) for word in match.groups()):
        raise Refusal(INVALID)
    x, y, z = (real(word) for word in match.groups())
    return x, y, z


def _colour(words: tuple[str, ...]) -> Vec3:
    if words and words[0].startswith("(R="):
        red, green, blue = _three(words, _COLOUR)
    else:
        red, green, blue = _three(words)
    if not all(0.0 <= part <= 1.0 for part in (red, green, blue)):
        raise Refusal(INVALID)
    return red, green, blue


def _patch(make: Callable[[tuple[str, ...]], ObjectPatch]) -> Function:
    def function(game: Game, actor: Actor, words: tuple[str, ...]) -> None:
        objects.change(game, actor, make(words))

    return function


def _light(make: Callable[[tuple[str, ...]], LightPatch]) -> Function:
    def function(game: Game, actor: Actor, words: tuple[str, ...]) -> None:
        objects.switch(game, actor, make(words))

    return function


def _set_mobility(game: Game, actor: Actor, words: tuple[str, ...]) -> None:
    if not words or words[0] not in ("Movable", "Static", "Stationary"):
        raise Refusal(INVALID)
    actor.movable = words[0] == "Movable"


def _set_hidden(game: Game, actor: Actor, words: tuple[str, ...]) -> None:
    objects.show(not _flag(words))(game, actor, ())


def _cast_shadows(game: Game, actor: Actor, words: tuple[str, ...]) -> None:
    if actor.kind != "object":
        raise Refusal("Not Implemented")
    game.driver.set_object(actor.target, ObjectPatch(casts_shadow=_flag(words)))


def _set_parameter(game: Game, actor: Actor, words: tuple[str, ...]) -> None:
    if not words or words[0].lower() not in ("color", "basecolor"):
        raise Refusal(INVALID)
    objects.change(game, actor, ObjectPatch(color=_colour(words[1:])))


def _set_material(game: Game, actor: Actor, words: tuple[str, ...]) -> None:
    if len(words) < 2 or not words[0].isascii() or not words[0].isdecimal():
        raise Refusal(INVALID)
    objects.set_material(game, actor, words)


def _add_impulse(game: Game, actor: Actor, words: tuple[str, ...]) -> None:
    state = objects.state_of(game, actor)
    if state is None or actor.item is None or not actor.item.dynamic:
        raise Refusal("Not Implemented")
    # kg cm/s; a velocity is that over the mass.
    x, y, z = formats.to_metres(_three(words))
    mass_kg, was = actor.item.mass_kg, state.velocity_m_s
    velocity = (was[0] + x / mass_kg, was[1] + y / mass_kg, was[2] + z / mass_kg)
    game.driver.set_object(actor.target, ObjectPatch(velocity_m_s=velocity))


def _set_state(game: Game, actor: Actor, words: tuple[str, ...]) -> None:
    device = actor.item.interaction if actor.item else None
    if device is None or not words or words[0] not in device.states:
        raise Refusal(INVALID)
    objects.change(game, actor, ObjectPatch(state=words[0]))


def _get_state(game: Game, actor: Actor, words: tuple[str, ...]) -> str:
    state = objects.state_of(game, actor)
    return state.state if state else ""


def _get_mass(game: Game, actor: Actor, words: tuple[str, ...]) -> float:
    return actor.item.mass_kg if actor.item else 0.0


def _get_brightness(game: Game, actor: Actor, words: tuple[str, ...]) -> float:
    if actor.kind != "light":
        raise Refusal(INVALID)
    own = {light.name: light.intensity for light in game.world.lights}
    now = actor.light.intensity
    return own.get(actor.target, game.world.sun.intensity) if now is None else now


def _get_unprinted(game: Game, actor: Actor, words: tuple[str, ...]) -> str:
    return ""


FUNCTIONS: dict[str, Function] = {
    "setactorenablecollision": _patch(lambda words: ObjectPatch(collides=_flag(words))),
    "setactorhiddeningame": _set_hidden,
    "setactorscale3d": _patch(lambda words: ObjectPatch(scale=_three(words))),
    "setmobility": _set_mobility,
    "setcastshadow": _cast_shadows,
    "setmaterial": _set_material,
    "setvectorparametervalueonmaterials": _set_parameter,
    "addimpulse": _add_impulse,
    "setenabled": _light(lambda words: LightPatch(on=_flag(words))),
    "setbrightness": _light(lambda words: LightPatch(intensity=_number(words))),
    "setlightcolor": _light(lambda words: LightPatch(color=_colour(words))),
    "setdevicestate": _set_state,
    "getdevicestate": _get_state,
    "getmass": _get_mass,
    "getbrightness": _get_brightness,
    "getactorenablecollision": _get_unprinted,
    "k2_getactorlocation": _get_unprinted,
    "k2_getactorrotation": _get_unprinted,
    "getactorscale3d": _get_unprinted,
}
