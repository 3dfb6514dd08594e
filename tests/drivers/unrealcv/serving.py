"""A server over a small world, and a client of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.connect import Deadlines
from embodied_eval.drivers.unrealcv.server import Server
from embodied_eval.errors import CommandFailed
from embodied_eval.worlds.model import World
from tests.worlds import small

SIZE = (64, 48)


def room() -> World:
    """A wall 1.9 m ahead, a crate to its left, a lamp to its right, a door behind."""
    return small.world(
        small.wall("wall", (0.2, 3.0, 2.0), (2.0, 0.0, 0.0)),
        small.crate("crate", (1.2, 2.0, 0.0)),
        small.lamp("lamp", (1.0, -2.0, 0.0)),
        small.door("door", (-2.0, 0.0, 0.0)),
    )


@contextmanager
def served(world: World | None = None, **options: Any) -> Iterator[tuple[Server, Client]]:
    """A server and a client that is connected by TCP."""
    options.setdefault("size", SIZE)
    with Server(MujocoDriver(), world or room(), port=0, **options) as server:
        client = Client(f"tcp://{server.address}", Deadlines(text_s=20.0))
        try:
            yield server, client
        finally:
            client.close()


def error_of(client: Client, command: str) -> str:
    """The server's words for a command that fails."""
    try:
        answer = client.text(command)
    except CommandFailed as error:
        return error.message.partition(" with: ")[2]
    raise AssertionError(f"{command!r} was answered with {answer!r}")
