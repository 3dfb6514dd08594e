"""The server's commands: one module for each of UnrealCV's families, one for our extension."""

from __future__ import annotations

from embodied_eval.drivers.unrealcv.commands.registry import Registry


def registry(mode: str) -> Registry:
    """All commands that a server in `mode` ("compat", "strict", "linux-handover") knows."""
    # Imported here: the modules below import `registry` from this package.
    from embodied_eval.drivers.unrealcv.commands import cameras, console, extension, game, objects, plugin

    made = Registry()
    for module in (plugin, cameras, objects, game, console):
        module.register(made)
    if mode == "compat":
        plugin.register_commands(made)
        cameras.register_pose(made)
        extension.register(made)
    return made
