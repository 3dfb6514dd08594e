"""Commands about the server itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from embodied_eval.drivers.unrealcv.commands.registry import Registry

if TYPE_CHECKING:
    from embodied_eval.drivers.unrealcv.game import Game

PROJECT = "EmbodiedEval"
# The published client asks for a list of commands from 1.1.0 on; the public server says 1.0.1.
VERSIONS = {True: "1.0.1", False: "1.1.0"}
CONFIG = "unrealcv.ini"


def register(registry: Registry) -> None:
    """What every server knows."""
    registry.add("vget /unrealcv/status", "State of the server and its configuration", status)
    registry.add("vget /unrealcv/help", "Every command with its description", lambda game, _: registry.help())
    registry.add("vget /unrealcv/version", "Version of the server", lambda game, _: VERSIONS[game.strict])
    registry.add("vget /unrealcv/echo [str]", "The same word", lambda game, words: words[0])
    registry.add("vget /scene/name", "Name of the project", lambda game, _: PROJECT)
    registry.add("vget /level/name", "Name of the world", lambda game, _: game.world.name)


def register_commands(registry: Registry) -> None:
    """What newer servers know."""
    registry.add("vget /unrealcv/commands", "Every command", lambda game, _: registry.templates())


def status(game: Game, _: tuple[str, ...]) -> str:
    """The server's state and configuration, a line each, then the names of the levels."""
    from embodied_eval.worlds.bundled import BUNDLED

    width, height = game.size
    lines = (
        "Is Listening",
        "Client Connected" if game.connected() else "No Client Connected",
        f"{game.port}",
        "Configuration",
        f"Config file: {game.folder / CONFIG}",
        f"Port: {game.port}",
        f"Width: {width}",
        f"Height: {height}",
        f"FOV: {game.driver.fov_deg:f}",
        "EnableInput: true",
        "EnableRightEye: false",
        f"Levels: {' '.join(dict.fromkeys((game.world.name, *BUNDLED)))}",
    )
    return "\n".join(lines) + "\n"
