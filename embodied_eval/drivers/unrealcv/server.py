"""An UnrealCV server over any driver: what a client of a UE5 game talks to where there is no such game."""

from __future__ import annotations

import ipaddress
import logging
import queue
import re
import shutil
import socket
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Self

from embodied_eval.drivers.base import Driver
from embodied_eval.drivers.unrealcv.commands import registry
from embodied_eval.drivers.unrealcv.commands.plugin import CONFIG, PROJECT
from embodied_eval.drivers.unrealcv.commands.registry import INVALID, Refusal
from embodied_eval.drivers.unrealcv.connect import socket_files
from embodied_eval.drivers.unrealcv.faults import FaultPlan
from embodied_eval.drivers.unrealcv.game import Game, Mode
from embodied_eval.drivers.unrealcv.session import MAX_WAITING, Session
from embodied_eval.errors import (
    CapabilityMissing,
    EmbodiedEvalError,
    SimulatorError,
    UnknownObject,
    UsageError,
)
from embodied_eval.worlds.model import World

A_TICK = 32
"""Requests that one tick of the game answers at most, as the public server does."""
SECOND_CLIENT_S = 1.0
_BATCH = re.compile(r"vbatch (\d{1,9}) *", re.ASCII)
log = logging.getLogger("embodied_eval")
Request = tuple[Session, int, str]


class Server:
    """Serves `world` with `driver`; `port` 0 picks a free one. `on_ready` is called once clients can connect.

    The driver is used, and closed at the end, in one thread: the one that calls `serve_forever`, or one that
    `start` makes. Sockets are read in others. One client at a time; another is served when the first has left, and
    closed if that takes longer than a second. Modes: "compat" (what UnrealCV's own tests and published client ask,
    and our extension), "strict" (what the public server does), "linux-handover" (the same, but only the first
    client comes by TCP, all later ones by a Unix socket file).
    """

    def __init__(
        self,
        driver: Driver,
        world: World,
        *,
        host: str = "127.0.0.1",
        port: int = 9000,
        mode: Mode = "compat",
        size: tuple[int, int] = (640, 480),
        faults: FaultPlan | None = None,
    ) -> None:
        """Take the port; nothing is listened to yet. Raises UsageError if it can't be had."""
        self._driver, self._world, self._size, self._mode = driver, world, size, mode
        self._faults = faults or FaultPlan()
        self._listener = _bound(host, port)
        self.host = host
        self.port = int(self._listener.getsockname()[1])
        self._unix: socket.socket | None = None
        self._inbox: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._waiting: deque[Request] = deque()
        self._stopping = False
        self.on_ready: Callable[[], None] = lambda: None
        self._ready = threading.Event()
        self._failure: BaseException | None = None
        self._session: Session | None = None
        self._thread: threading.Thread | None = None

    @property
    def address(self) -> str:
        """HOST:PORT of what a client connects to."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Serve in threads of its own; returns once clients can connect. Raises what loading the world raises."""
        self._thread = threading.Thread(target=self._serve_quietly, name="unrealcv game", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            self._thread.join()
            raise self._failure

    def stop(self) -> None:
        """Have it end, a call of the driver that is under way too; waits if `start` was used. Callable from
        any thread, in a signal handler, and twice."""
        self._stopping = True
        self._driver.interrupt()
        self._inbox.put(None)
        if self._session is not None:
            # Its client may not be taking an answer that is being sent.
            self._session.leave()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def serve_forever(self) -> None:
        """Load the world and serve in this thread until `stop`."""
        try:
            self._game = Game(
                self._driver, self._world, registry(self._mode), size=self._size, mode=self._mode
            )
        except BaseException:
            self._driver.close()
            self._listener.close()
            raise
        self._game.port, self._game.connected = self.port, self._connected
        (self._game.folder / CONFIG).write_text(_config(self.port, self._size), encoding="utf-8")
        acceptor = threading.Thread(target=self._accept, name="unrealcv listener", daemon=True)
        try:
            self._listener.listen(16)
            acceptor.start()
            self._ready.set()
            self.on_ready()
            self._serve()
        finally:
            self._close()
            acceptor.join()
            self._driver.close()
            shutil.rmtree(self._game.folder, ignore_errors=True)

    def _serve_quietly(self) -> None:
        try:
            self.serve_forever()
        except Exception as error:
            if self._ready.is_set():
                log.exception("The server ended.")
            self._failure = error
        finally:
            self._ready.set()

    def _connected(self) -> bool:
        return self._session is not None and not self._session.ended.is_set()

    # The game: ticks in the driver's thread.

    def _serve(self) -> None:
        while not self._stopping:
            if self._tick():
                self._end_tick()

    def _tick(self) -> bool:
        """Wait for a request, then answer what has come by now, at most `A_TICK` requests or one batch; whether
        there was any."""
        self._waiting.extend(filter(None, [] if self._waiting else [self._inbox.get()]))
        while len(self._waiting) < A_TICK and not self._inbox.empty():
            self._waiting.extend(filter(None, [self._inbox.get()]))
        answered = 0
        while self._waiting and answered < A_TICK and not self._stopping:
            session, number, command = self._waiting.popleft()
            if number < 0:
                continue
            session.taken(command)
            answered += 1
            match = _BATCH.fullmatch(command)
            if match:
                self._batch(session, number, int(match[1]))
                break
            session.reply(number, self.answer(command))
        return answered > 0

    def _batch(self, session: Session, number: int, count: int) -> None:
        """Wait for the next `count` requests and answer them all in this tick."""
        if not 1 <= count <= MAX_WAITING:
            session.reply(number, f"error {INVALID}".encode())
            return
        session.reply(number, b"ok")
        held: list[tuple[int, str]] = []
        while len(held) < count:
            item = self._waiting.popleft() if self._waiting else self._inbox.get()
            if item is None or item[1] < 0:
                # The client left, or the server stops: half a batch is never run.
                return
            session.taken(item[2])
            held.append(item[1:])
        for held_number, command in held:
            session.reply(held_number, self.answer(command))

    def answer(self, command: str) -> bytes:
        """The body of the reply to `command`, errors included. For the driver's thread."""
        found = self._game.commands.find(command)
        if found is None:
            text = f"error No handler found for URI '{command[:200]}'"
            return (text if self._game.strict else f"{text}. Can not find a handler for it").encode()
        handler, words = found
        try:
            body = handler(self._game, words)
        except Refusal as refusal:
            body = f"error {refusal}"
        except UnknownObject:
            body = "error Cannot find object"
        except CapabilityMissing as error:
            body = f"error Not Implemented: {error}"
        except EmbodiedEvalError as error:
            body = f"error {error}"
        except Exception as error:
            log.exception("%r failed.", command[:200])
            body = f"error Internal error: {type(error).__name__}"
        return body if isinstance(body, bytes) else body.encode()

    def _end_tick(self) -> None:
        try:
            self._game.end_tick()
        except SimulatorError:
            if not self._stopping:
                log.exception("Time cannot pass.")
        except EmbodiedEvalError:
            log.exception("A world cannot be loaded.")

    # The sockets.

    def _accept(self) -> None:
        listener, handover = self._listener, self._mode == "linux-handover"
        number = 0
        while not self._stopping:
            try:
                sock, _ = listener.accept()
            except OSError as error:
                if not self._stopping:
                    log.warning("No client can connect any more: %s", error)
                return
            before = self._session
            if before is not None and not before.ended.wait(None if handover else SECOND_CLIENT_S):
                log.info("There is a client already; another one is turned away.")
                sock.close()
                continue
            session = self._session = Session(sock, number, self._inbox, self._faults)
            session.start(f"connected to {PROJECT}".encode())
            if self._stopping:
                session.leave()
            number += 1
            if handover and listener is self._listener:
                session.ended.wait()
                if self._stopping:
                    return
                listener = self._unix = _unix_listener(self.port)

    def _close(self) -> None:
        self._stopping = True
        for listener in (self._listener, self._unix):
            if listener is not None:
                _end(listener)
        if self._unix is not None:
            Path(socket_files(self.port)[0]).unlink(missing_ok=True)
        if self._session is not None:
            self._session.leave()
            self._session.join()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server at `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind)
    except OSError as error:
        raise UsageError(f"{host!r} is no address of this machine: {error}.") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
    except (OSError, OverflowError) as error:
        listener.close()
        hint = "Another program has it, perhaps; port 0 picks a free one."
        raise UsageError(f"Port {port} of {host} cannot be had: {error}.", hint=hint) from error
    return listener


def _unix_listener(port: int) -> socket.socket:
    """The socket file that clients come by after the hand-over; for this user only."""
    path = Path(socket_files(port)[0])
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    path.chmod(0o600)
    listener.listen(16)
    return listener


def _end(listener: socket.socket) -> None:
    try:
        listener.shutdown(socket.SHUT_RDWR)
    except OSError:
        # It was not listening yet, or the system ends waiting accepts by itself.
        log.debug("A listener was shut already.")
    listener.close()


def _config(port: int, size: tuple[int, int]) -> str:
    lines = ("[UnrealCV.Core]", f"Port={port}", f"Width={size[0]}", f"Height={size[1]}")
    return "\n".join((*lines, "FOV=90.000000", "EnableInput=True", "EnableRightEye=False", ""))
