"""The client: commands out, replies in, each with a deadline, never the answer to another question.

One connection is asked by one thread at a time and nobody reads beside it. Any failure of transport or protocol
breaks the connection for good: the socket is closed, so a late reply has nowhere to arrive, and `reconnect` is
the caller's decision. An error that the server reports is an answer and breaks nothing.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from embodied_eval.drivers.unrealcv import formats, images, wire
from embodied_eval.drivers.unrealcv.connect import DEADLINES, Deadlines, greeted
from embodied_eval.errors import (
    CommandFailed,
    FrameTimeout,
    ProtocolError,
    SimulatorCrashed,
    SimulatorError,
    StepTimeout,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Client", "Deadlines"]
log = logging.getLogger("embodied_eval")


class Client:
    """A connection to an UnrealCV server.

    `broken` tells that the connection failed and every call but `reconnect` and `close` raises
    `SimulatorCrashed`; `reconnects` counts how often it was made anew; `greeting` and `address` are the present
    one's. `metres_a_unit` is what a unit of depth is worth (the public server: a centimetre).

    Each call raises: `CommandFailed` with the server's own words where it answers with an error; `StepTimeout`
    (text, batches) or `FrameTimeout` (pictures) where the reply is not there in time; `SimulatorCrashed` where
    the connection breaks or was broken or interrupted; `ProtocolError` for bytes that the protocol does not
    allow, also for some that come unasked. ValueError for a command that cannot be sent; nothing is sent then.
    """

    def __init__(self, endpoint: str, deadlines: Deadlines = DEADLINES) -> None:
        """Connect and be greeted; `endpoint` and what is raised: see `connect`."""
        self._start(endpoint, deadlines)
        self.reconnect()
        self.reconnects = 0

    @classmethod
    def adopt(
        cls,
        sock: socket.socket,
        endpoint: str,
        deadlines: Deadlines = DEADLINES,
        *,
        greeting: str = "",
        next_id: int = 0,
    ) -> Client:
        """Go on with a socket that was greeted already and on which no reply is outstanding."""
        made = cls.__new__(cls)
        made._start(endpoint, deadlines)
        made.greeting = greeting
        made._use(sock, next_id)
        return made

    def _start(self, endpoint: str, deadlines: Deadlines) -> None:
        self.endpoint, self.deadlines = endpoint, deadlines
        self.metres_a_unit = 0.01
        self.reconnects = 0
        self.greeting, self.address = "", endpoint
        self._lock = threading.Lock()
        self._sock: socket.socket | None = None
        self._interrupted = False
        self._failure = "It was never connected."

    def _use(self, sock: socket.socket, next_id: int = 0) -> None:
        if sock.family != socket.AF_UNIX:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sock, self._reader = sock, wire.FrameReader(sock)
        self._next, self._awaited, self._send_limit_s = next_id, 0, -1.0

    @property
    def broken(self) -> bool:
        """Whether the connection is of no further use."""
        return self._sock is None or self._interrupted

    def reconnect(self) -> None:
        """Leave the connection, if there is one, and make a new one. What the simulator did meanwhile is
        unknown: read it anew before trusting it. Raises what `connect.greeted` does."""
        with self._lock:
            self._interrupted = False
            self._break("It is being made anew.")
            try:
                found = greeted(self.endpoint, self.deadlines, self._during_connect)
                self._during_connect(found.sock)
            except SimulatorError as error:
                self._break(error.message)
                raise
            self.greeting, self.address = found.greeting, str(found.address)
            self._use(found.sock)
            self.reconnects += 1
            log.info("Connected to %s at %s (connection %d).", self.endpoint, self.address, self.reconnects)

    def _during_connect(self, sock: socket.socket) -> None:
        if self._interrupted:
            raise SimulatorCrashed(f"Connecting to {self.endpoint} was interrupted.", endpoint=self.endpoint)
        self._sock = sock

    def text(self, command: str, *, deadline_s: float | None = None) -> str:
        """The text that answers `command`, `text_s` by default."""
        with self._asking(command, deadline_s or self.deadlines.text_s, StepTimeout) as deadline:
            return self.read_text(command, self._ask(command, deadline))

    def image(self, command: str, *, deadline_s: float | None = None) -> NDArray[Any]:
        """The picture that answers `command`, `image_s` by default: uint8 (H, W, 3) RGB of `lit`, `normal`,
        `object_mask` and `seg`, float32 (H, W) metres (inf = beyond the server's range) of `depth`. Its memory
        is its own. ValueError for a command that asks for no picture in the reply."""
        images.asked(command)
        with self._asking(command, deadline_s or self.deadlines.image_s, FrameTimeout) as deadline:
            return self.read_image(command, self._ask(command, deadline))

    def raw(self, command: str, *, deadline_s: float | None = None) -> bytes:
        """The reply's body as it came, an error's text included, `image_s` by default."""
        return bytes(self.view(command, deadline_s=deadline_s))

    def view(self, command: str, *, deadline_s: float | None = None) -> memoryview:
        """As `raw`, not copied. What it shows never changes: its memory is used again only once nobody holds
        it."""
        with self._asking(command, deadline_s or self.deadlines.image_s, FrameTimeout) as deadline:
            return self._ask(command, deadline)

    def batch(self, commands: Sequence[str], *, deadline_s: float | None = None) -> list[bytes]:
        """Have the server run all `commands` in one frame of the game and return their bodies in order, errors'
        texts included (`read_text`, `read_image` tell them apart).

        Everything is sent at once, and one deadline, `image_s` by default, holds for all replies. Raises
        `CommandFailed` if the server knows no batches; the commands have then run one by one.
        """
        if not commands:
            return []
        head = f"vbatch {len(commands)}"
        with self._asking(head, deadline_s or self.deadlines.image_s, StepTimeout) as deadline:
            first = self._send([head, *commands], deadline)
            opened = bytes(self._receive(first, deadline))
            bodies = [bytes(self._receive(first + 1 + n, deadline)) for n in range(len(commands))]
            if self.read_text(head, opened) != "ok":
                raise ProtocolError(f"{head!r} was answered with {opened[:40]!r} instead of 'ok'.")
            return bodies

    def read_text(self, command: str, body: bytes | memoryview) -> str:
        """The text in a reply to `command`. Raises `CommandFailed` if it is an error, `ProtocolError` if it is
        no text."""
        raw = bytes(body)
        try:
            found = raw.decode()
        except UnicodeDecodeError:
            found = "\0"
        if "\0" in found:
            raise self._at(ProtocolError(f"{command!r} was answered with {raw[:24]!r} and no text."), command)
        if formats.is_error(raw):
            raise self._refused(command, found)
        return found

    def read_image(self, command: str, body: bytes | memoryview) -> NDArray[Any]:
        """The picture in a reply to `command`, as `image` returns it. Raises `CommandFailed` if it is an
        error's text, `ProtocolError` if it is no such picture."""
        view, form = images.asked(command)
        magic = images.MAGICS[form]
        if bytes(body[: len(magic)]) != magic and formats.is_error(body):
            raise self._refused(command, bytes(body).decode(errors="replace"))
        try:
            found = images.decode(body, form)
        except ProtocolError as error:
            raise self._at(error, command) from None
        return images.depth_to_metres(found, self.metres_a_unit) if view == "depth" else found

    def interrupt(self) -> None:
        """Break the connection from any thread; a call that waits ends at once with `SimulatorCrashed`."""
        self._interrupted = True
        sock = self._sock
        if sock is not None:
            _shut(sock)

    def close(self) -> None:
        """Leave. Safe to call twice; not while another thread's call waits (`interrupt` first)."""
        with self._lock:
            self._break("It was closed.")

    @contextmanager
    def _asking(self, command: str, seconds: float, late: type[SimulatorError]) -> Iterator[float]:
        """Around all that talks: yields the deadline and turns what goes wrong into the tree's errors."""
        with self._lock:
            began = time.monotonic()
            try:
                if self._sock is None or self._interrupted:
                    why = "It was interrupted." if self._interrupted else self._failure
                    raise SimulatorCrashed(f"The connection is broken. {why}", hint="Reconnect first.")
                yield began + seconds
            except CommandFailed as error:
                error.waited_s = time.monotonic() - began
                raise
            except (SimulatorError, OSError) as error:
                waited_s = time.monotonic() - began
                failed = self._failed(error, seconds, late)
                failed.endpoint, failed.command, failed.waited_s = self.endpoint, command, waited_s
                if self._sock is not None:
                    self._break(f"{failed.kind} at {command!r}: {failed.message}")
                raise failed from (None if failed is error else error)
            except BaseException:
                if self._awaited:  # Ctrl-C, say: the reply must not be left to a later question
                    self._break(f"The wait for the reply to {command!r} was given up.")
                raise

    def _failed(self, error: Exception, seconds: float, late: type[SimulatorError]) -> SimulatorError:
        if self._interrupted:
            return SimulatorCrashed("The connection was interrupted.", hint="Reconnect first.")
        if isinstance(error, SimulatorError):
            return error
        if isinstance(error, TimeoutError):
            hint = "The simulator hangs or is busy; a longer deadline helps only in the second case."
            return late(f"No whole reply came within {seconds:g} s: {error}.", hint=hint)
        return SimulatorCrashed(str(error), hint="The simulator ended or left; its log says why.")

    def _ask(self, command: str, deadline: float) -> memoryview:
        return self._receive(self._send([command], deadline), deadline)

    def _send(self, commands: Sequence[str], deadline: float) -> int:
        """Send all of them at once; the first one's id."""
        sock = self._sock
        assert sock is not None
        first = self._next
        data = b"".join(wire.request(first + n, command) for n, command in enumerate(commands))
        self._must_be_silent(sock)
        self._next += len(commands)
        self._awaited = len(commands)
        left_s = max(deadline - time.monotonic(), 1e-4)
        if not left_s <= self._send_limit_s <= left_s + wire.SLACK_S:
            wire.limit(sock, send_s=left_s)
            self._send_limit_s = left_s
        try:
            sock.sendall(data)
        except BlockingIOError as error:
            raise TimeoutError(f"the {len(data)} bytes of the request were not taken") from error
        return first

    def _must_be_silent(self, sock: socket.socket) -> None:
        """Nothing may have come before we ask: it could carry the id that we are about to use."""
        try:
            early = sock.recv(16, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        if early:
            raise ProtocolError(f"The simulator sent {early!r} ... without having been asked.")
        raise wire.Closed("The simulator closed the connection.", within=False)

    def _receive(self, number: int, deadline: float) -> memoryview:
        body = wire.parse_reply(self._reader.read(deadline), number)
        self._awaited -= 1
        return body

    def _refused(self, command: str, words: str) -> CommandFailed:
        said = words.strip()
        failed = CommandFailed(f"The simulator answered {command!r} with: {said}")
        failed.endpoint, failed.command = self.endpoint, command
        return failed

    def _at(self, error: SimulatorError, command: str) -> SimulatorError:
        error.endpoint, error.command = self.endpoint, command
        return error

    def _break(self, why: str) -> None:
        sock, self._sock, self._failure = self._sock, None, why
        if sock is not None:
            _shut(sock)
            sock.close()


def _shut(sock: socket.socket) -> None:
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        # It was not connected, or not any more: as wanted.
        return
