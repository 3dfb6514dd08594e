"""Commands of the game: pause, level, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from embodied_eval.drivers.unrealcv.commands.registry import (
    INVALID,
    Handler,
    Refusal,
    Registry,
    not_implemented,
    real,
)
from embodied_eval.errors import UnknownName

if TYPE_CHECKING:
    from embodied_eval.drivers.unrealcv.game import Game


def register(registry: Registry) -> None:
    """What every server knows."""
    registry.add("vset /action/game/pause", "Stop time", pause(True))
    registry.add("vset /action/game/resume", "Let time go on", pause(False))
    registry.add("vget /action/game/is_paused", "true or false", is_paused)
    registry.add("vset /action/game/level [str]", "Open another world", level)
    registry.add("vset /action/input/enable", "Let keys move the player", enable_input(True))
    registry.add("vset /action/input/disable", "Have keys do nothing", enable_input(False))
    registry.add("vset /action/keyboard [str] [float]", "Hold a key for seconds of game time", keyboard)
    registry.add("vset /action/eyes_distance [float]", "Not implemented", not_implemented)


def pause(on: bool) -> Handler:
    """The handler of `pause`, or of `resume`."""

    def handle(game: Game, _: tuple[str, ...]) -> str:
        game.paused = on
        return "ok"

    return handle


def is_paused(game: Game, _: tuple[str, ...]) -> str:
    """`true` or `false`."""
    return "true" if game.paused else "false"


def level(game: Game, words: tuple[str, ...]) -> str:
    """The reply comes before the world is loaded."""
    try:
        game.open_level(words[0])
    except UnknownName as error:
        raise Refusal(str(error)) from None
    return "ok"


def enable_input(on: bool) -> Handler:
    """The handler of `enable`, or of `disable`."""

    def handle(game: Game, _: tuple[str, ...]) -> str:
        game.input_enabled = on
        return "ok"

    return handle


def keyboard(game: Game, words: tuple[str, ...]) -> str:
    """Keys: those of `game.KEYS`."""
    seconds = real(words[1])
    if not 0.0 <= seconds <= 3600.0:
        raise Refusal(INVALID)
    game.press(words[0], seconds)
    return "ok"
