"""When a started game can be used: asked, not waited for, over the one connection that is then kept.

On Linux the plugin serves its first TCP client only, so what proves that a game is ready is also what is driven
(specification of the protocol, life cycle).
"""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from embodied_eval.drivers.unrealcv import formats, wire
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.process import GameProcess
from embodied_eval.drivers.unrealcv.scaled import client_of
from embodied_eval.drivers.unrealcv.spec import GameSpec
from embodied_eval.errors import (
    CommandFailed,
    FrameTimeout,
    LaunchTimeout,
    LoadTimeout,
    ProtocolError,
    SimulatorCrashed,
    SimulatorError,
    StepTimeout,
)

POLL_S = 0.15
CONNECT_S = 2.0
# A game that goes on showing another map than it was told to is told again, by the plugin.
MAP_GRACE_S = 10.0


class PortTaken(SimulatorError):
    """The game could not get its port; another one may do."""


@dataclass(frozen=True)
class Ready:
    """A game's kept connection, the plugin's version and status, what its settings commands were answered."""

    client: Client
    version: str
    status: str
    settings: dict[str, str]


@dataclass(frozen=True)
class Start:
    """A start that is waited for: which game, on which port, until when (`time.monotonic()`), and whether it is to be
    given up."""

    process: GameProcess
    spec: GameSpec
    port: int
    deadline: float
    stopping: threading.Event

    def check(self, doing: str) -> None:
        """Raise if the game is of no use any more or time is up."""
        if self.stopping.is_set():
            raise SimulatorCrashed(f"The launch was given up {doing}.", command="launch")
        self.process.check(doing)
        if time.monotonic() >= self.deadline:
            raise self.late(LaunchTimeout, f"The game was not ready in time {doing}.")

    def late(self, kind: type[SimulatorError], what: str) -> SimulatorError:
        """The error that says so, with the log's end."""
        return kind(
            what,
            endpoint=f"127.0.0.1:{self.port}",
            command="launch",
            waited_s=self.spec.ready_s,
            hint=self.process.says(),
        )

    def pause(self) -> None:
        """A moment, less if the launch is given up."""
        self.stopping.wait(POLL_S)


def wait_ready(start: Start) -> Ready:
    """Wait until the game greets, has its map open and draws. Raises `SimulatorCrashed` if it ends, `LaunchTimeout`
    or, with another map open, `LoadTimeout` if it takes too long, `PortTaken`, and `ProtocolError` for what is no
    such game; all with the log's end."""
    sock, greeting = _greeted_socket(start)
    client = client_of(start.spec, sock, f"127.0.0.1:{start.port}", greeting)
    try:
        return _asked(start, client)
    except BaseException:
        client.close()
        raise


def _greeted_socket(start: Start) -> tuple[socket.socket, str]:
    """The first connection that is greeted. One that is accepted is never given up for another one."""
    while True:
        if start.process.cannot_listen():
            raise PortTaken(f"The game could not listen on port {start.port}.", hint=start.process.says())
        start.check("before it let anybody connect")
        try:
            sock = socket.create_connection(("127.0.0.1", start.port), CONNECT_S)
        except OSError:
            start.pause()
            continue
        try:
            while not select.select([sock], [], [], POLL_S)[0]:
                start.check("before it greeted")
            payload = bytes(wire.FrameReader(sock).read(start.deadline))
            if not payload.startswith(wire.GREETING):
                raise ProtocolError(f"Port {start.port} greets with {payload[:40]!r}.")
            return sock, payload.decode(errors="replace")
        except TimeoutError:
            sock.close()
            raise start.late(LaunchTimeout, "The game did not finish its greeting in time.") from None
        except OSError:
            # It let go: ended, which `check` tells, or busy with another client of an older kind.
            sock.close()
            start.pause()
        except BaseException:
            sock.close()
            raise


def _asked(start: Start, client: Client) -> Ready:
    ask = _asker(start, client)
    version = ask("vget /unrealcv/version")
    status = ask("vget /unrealcv/status")
    port = _port_of(status)
    if port not in (None, start.port):
        raise PortTaken(
            f"What listens on port {start.port} says that its port is {port}.", hint=start.process.says()
        )
    _wait_map(start, ask)
    while not formats.parse_names(ask("vget /cameras")):
        start.check("before it had a camera")
        start.pause()
    settings = _steadied(start, client)
    _draw(start, client)
    return Ready(client, version, status, settings)


def _asker(start: Start, client: Client) -> Callable[[str], str]:
    """Asks for texts within the time that is left; a game that loads a map answers nothing meanwhile."""

    def ask(command: str) -> str:
        try:
            return client.text(command, deadline_s=_left_s(start)).strip()
        except CommandFailed:
            raise
        except SimulatorError as error:
            raise _explained(start, error) from error

    return ask


def _wait_map(start: Start, ask: Callable[[str], str]) -> None:
    wanted = start.spec.level
    began, told = time.monotonic(), False
    while wanted:
        try:
            shown = ask("vget /level/name")
        except CommandFailed as error:
            shown = error.message
        if shown == wanted:
            return
        if time.monotonic() + POLL_S >= start.deadline:
            raise start.late(LoadTimeout, f"The game shows {shown!r} and not the map {wanted!r}.")
        if not told and time.monotonic() - began > min(MAP_GRACE_S, start.spec.ready_s / 4):
            told = True
            try:
                ask(f"vset /action/game/level {wanted}")
            except CommandFailed as error:
                raise start.late(LoadTimeout, f"The game cannot open {wanted!r}: {error.message}") from error
        start.check(f"before it had opened {wanted}")
        start.pause()


def _steadied(start: Start, client: Client) -> dict[str, str]:
    """Settings for pictures that repeat, each with the game's answer; one that is refused stands in the record."""
    answers = {}
    for command in (f"vrun t.maxFPS {start.spec.max_fps}", *start.spec.steady(0)):
        try:
            answers[command] = client.text(command, deadline_s=_left_s(start)).strip()
        except CommandFailed as error:
            answers[command] = error.message
        except SimulatorError as error:
            raise _explained(start, error) from error
    return answers


def _draw(start: Start, client: Client) -> None:
    """Draw frames until one is not empty, then those that warm up."""
    command, left = "vget /camera/0/lit bmp", start.spec.warm_up_frames + 1
    while left:
        start.check("before its first picture" if left > start.spec.warm_up_frames else "while it warmed up")
        try:
            client.image(command, deadline_s=_left_s(start))
            left -= 1
        except CommandFailed as error:
            if formats.reason(error.message) not in ("empty_frame", "not_ready"):
                raise
            start.pause()
        except SimulatorError as error:
            raise _explained(start, error) from error


def _left_s(start: Start) -> float:
    return max(start.deadline - time.monotonic(), 0.01)


def _explained(start: Start, error: SimulatorError) -> SimulatorError:
    """The same failure with the log's end; a game that has ended is that first."""
    if start.process.exit_code is not None:
        start.process.check("before it was ready")
    kind = LaunchTimeout if isinstance(error, (StepTimeout, FrameTimeout)) else type(error)
    return start.late(kind, f"The game stopped answering before it was ready: {error.message}")


def _port_of(status: str) -> int | None:
    for line in status.splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "Port" and value.strip().isdecimal():
            return int(value)
    return None
