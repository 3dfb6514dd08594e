"""A game that works: our server over a driver of the tests, laid out and started as a packaged UE5 game is."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from embodied_eval.drivers.base import Driver
from embodied_eval.drivers.unrealcv import ini
from embodied_eval.drivers.unrealcv.server import Server
from embodied_eval.worlds.model import World


def settings() -> dict[str, str]:
    """What the settings file beside the binary says, and what `-KEY=VALUE` and `-KEY VALUE` override."""
    found = ini.values(ini.read(Path(sys.argv[0]).parent / ini.FILE))
    names = {
        "-unrealcvport": "Port",
        "-cvport": "Port",
        "-unrealcvwidth": "Width",
        "-unrealcvheight": "Height",
    }
    for argument in sys.argv[1:]:
        key, mark, value = argument.partition("=")
        # As far as anybody knows the engine takes one of the two forms; this game takes this one.
        if mark and key.lower() in names:
            found[names[key.lower()]] = value
    return found


def made(driver: Driver, world: World) -> Server:
    """The server that the settings ask for."""
    found = settings()
    size = (int(found["Width"]), int(found["Height"]))
    return Server(driver, world, port=int(found["Port"]), mode="linux-handover", size=size)


def server() -> Server:
    """A server over the quick driver."""
    from tests.testing_driver import PlaneDriver
    from tests.testing_world import box, plane_world

    return made(PlaneDriver(), plane_world(box("crate", (2.0, 0.0, 0.0))))


def serve(game: Server) -> None:
    """Serve until SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: game.stop())
    print("LogUnrealCV: started with", *sys.argv[1:], "cache", os.environ.get("XDG_CACHE_HOME"), flush=True)
    game.serve_forever()


if __name__ == "__main__":
    serve(server())
