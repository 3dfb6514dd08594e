"""A server that speaks UnrealCV's frames and breaks them on demand: what clients are tried against.

Every answer tells which question it belongs to: `vget /unrealcv/echo WORD` gives the word, a picture of camera N
shows N in its colour or depth. Nothing here waits for a time: what is late is sent when the next request comes.
"""

from __future__ import annotations

import contextlib
import re
import socket
import struct
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.unrealcv import images, wire

SIZE = (4, 3)
GREETING = b"connected to 127.0.0.1:9000 FakeWorld"
COMMANDS = "vget /unrealcv/commands\nvget /unrealcv/echo [str]\nvget /camera/[uint]/lit [str]"

# What may happen to a reply, and to a greeting. "" is nothing.
REPLY_FAULTS = (
    "hang",
    "late",
    "wrong_id",
    "next_id",
    "no_id",
    "huge_id",
    "close",
    "reset",
    "close_in_header",
    "close_in_payload",
    "bytewise",
    "stall_in_header",
    "stall_in_payload",
    "bad_magic",
    "zero_length",
    "too_long",
    "too_short_announced",
    "truncated",
    "garbage",
    "error",
    "wrong_body",
    "twice",
    "early",
)
GREETING_FAULTS = (
    "no_greeting",
    "bytewise_greeting",
    "stalled_greeting",
    "wrong_greeting",
    "greeting_closed",
    "greeting_bad_magic",
)
# With these the answer still arrives whole.
HARMLESS = frozenset({"", "bytewise", "twice", "early", "bytewise_greeting"})

Plan = Callable[[int, int, str], str]
"""(connection, request on it, command) -> the reply's fault; request -1 is the greeting."""


def no_faults(connection: int, request: int, command: str) -> str:
    """A server that does as it should."""
    return ""


def colour(number: int) -> tuple[int, int, int]:
    """What camera `number` shows."""
    return (number & 255, number >> 8 & 255, number >> 16 & 255)


def picture(number: int) -> NDArray[np.uint8]:
    """The colour picture of camera `number`, (H, W, 3) RGB."""
    return np.full((SIZE[1], SIZE[0], 3), colour(number), np.uint8)


def answer(command: str) -> bytes:
    """The right body."""
    if command == "vget /unrealcv/commands":
        return COMMANDS.encode()
    if match := re.fullmatch(r"vget /unrealcv/echo (\S*)", command):
        return match[1].encode()
    if match := re.fullmatch(r"vget /camera/(\d+)/(\w+) (bmp|png|npy)", command):
        number = int(match[1])
        if match[2] == "depth":
            return images.encode_npy(np.full((SIZE[1], SIZE[0]), number, np.float32))
        return (images.encode_bmp if match[3] == "bmp" else images.encode_png)(picture(number), alpha=0)
    if command.startswith("vbatch "):
        return b"ok"
    return f"error No handler found for URI '{command}'. Can not find a handler".encode()


class FakeServer:
    """Serves in threads of its own until `stop`, over TCP, or over a Unix socket at `path`.

    `requests` and `accepted` count; `asked` is every command in order.
    """

    def __init__(
        self,
        plan: Plan = no_faults,
        *,
        answer: Callable[[str], bytes] = answer,
        path: Path | None = None,
        port: int = 0,
    ) -> None:
        self.plan, self.answer = plan, answer
        self.accepted = 0
        self.asked: list[str] = []
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.socket(socket.AF_UNIX if path else socket.AF_INET)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._listener.bind(str(path) if path else ("127.0.0.1", port))
        self._listener.listen(16)
        self.port = 0 if path else int(self._listener.getsockname()[1])
        self.endpoint = f"unix://{path}" if path else f"tcp://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._accept, name="fake server", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End everything: the listener, the connections."""
        _end(self._listener)
        self._thread.join()
        self.drop()

    def drop(self) -> None:
        """Close every connection there is; new ones are served as before."""
        with self._lock:
            ending = list(self._open)
        for sock in ending:
            _end(sock)

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            number, self.accepted = self.accepted, self.accepted + 1
            with self._lock:
                self._open.add(sock)
            threading.Thread(target=self._connection, args=(sock, number), daemon=True).start()

    def _connection(self, sock: socket.socket, number: int) -> None:
        try:
            if self._greet(sock, self.plan(number, -1, "")):
                self._serve(sock, number)
        except OSError:
            return  # the client left
        finally:
            with self._lock:
                self._open.discard(sock)
            sock.close()

    def _greet(self, sock: socket.socket, fault: str) -> bool:
        if sock.family == socket.AF_INET:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        whole = wire.frame(GREETING)
        if fault == "greeting_closed":
            return False
        if fault == "wrong_greeting":
            whole = wire.frame(b"220 mail.example.org ESMTP")
        elif fault == "greeting_bad_magic":
            whole = b"HTTP/1.1 400 Bad Request\r\n\r\n"
        elif fault == "stalled_greeting":
            whole = whole[:11]
        elif fault == "no_greeting":
            whole = b""
        if fault == "bytewise_greeting":
            _bytewise(sock, whole)
        else:
            sock.sendall(whole)
        if fault not in HARMLESS:
            _until_closed(sock)
        return True

    def _serve(self, sock: socket.socket, connection: int) -> None:
        reader, request, held = wire.FrameReader(sock), 0, b""
        while True:
            whole = self._batch(reader)
            for number, command in whole:
                self.asked.append(command)
                sock.sendall(held)
                fault = self.plan(connection, request, command)
                request += 1
                held = self._reply(sock, number, command, fault, unasked=whole[-1][0] + 1)

    def _batch(self, reader: wire.FrameReader) -> list[tuple[int, str]]:
        """One request, or a `vbatch` and all that it announces."""
        found: list[tuple[int, str]] = []
        wanted = 1
        while len(found) < wanted:
            parsed = wire.parse_request(reader.read())
            assert parsed is not None
            if not found and parsed[1].startswith("vbatch "):
                wanted += int(parsed[1].split()[1])
            found.append(parsed)
        return found

    def _reply(self, sock: socket.socket, number: int, command: str, fault: str, unasked: int) -> bytes:
        """Send what `fault` leaves of the reply; what it holds back until the next request is returned."""
        body = self.answer(command)
        good = wire.reply(number, body)
        if fault == "late":
            return good
        if fault == "bytewise":
            _bytewise(sock, good)
            return b""
        if fault == "reset":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.sendall(damaged(fault, number, body, good, unasked))
        if fault in ("close", "reset", "close_in_header", "close_in_payload"):
            # Not `shutdown`: it would send a FIN where "reset" must send a RST.
            sock.close()
        if fault in ("hang", "stall_in_header", "stall_in_payload", "truncated"):
            _until_closed(sock)
        return b""


def damaged(fault: str, number: int, body: bytes, good: bytes, unasked: int) -> bytes:
    """The bytes that are sent at once in place of the reply `good`. `unasked` is the id that the client will use
    next."""
    length = len(good) - wire.HEADER.size
    payload = good[wire.HEADER.size :]
    made: dict[str, Callable[[], bytes]] = {
        "hang": lambda: b"",
        "close": lambda: b"",
        "reset": lambda: b"",
        "wrong_id": lambda: wire.reply(max(0, number - 1) if number else 7, body),
        "next_id": lambda: wire.reply(number + 1, body),
        "no_id": lambda: wire.frame(b"ok and no id"),
        "huge_id": lambda: wire.frame(b"99999999999999999999:" + body),
        "close_in_header": lambda: good[:5],
        "close_in_payload": lambda: good[:-1],
        "stall_in_header": lambda: good[:3],
        "stall_in_payload": lambda: good[:-1],
        "bad_magic": lambda: b"\0" + good[1:],
        "zero_length": lambda: wire.HEADER.pack(wire.MAGIC, 0),
        "too_long": lambda: wire.HEADER.pack(wire.MAGIC, wire.MAX_BYTES + 1) + payload,
        "too_short_announced": lambda: wire.HEADER.pack(wire.MAGIC, 1) + payload,
        "truncated": lambda: wire.HEADER.pack(wire.MAGIC, length + 10) + payload,
        "garbage": lambda: bytes((number * 37 + n * 101) % 251 for n in range(64)),
        "error": lambda: wire.reply(number, b"error Argument Invalid"),
        "wrong_body": lambda: wire.reply(number, b"12.0 3.0" if _is_picture(body) else answer(PICTURE)),
        "twice": lambda: good + good,
        "early": lambda: good + wire.reply(unasked, body),
    }
    return made[fault]() if fault else good


NOBODY = 2**24 - 1
PICTURE = f"vget /camera/{NOBODY}/lit png"
"""What nobody asks: the picture that comes in place of a text."""


def _is_picture(body: bytes) -> bool:
    return any(body.startswith(magic) for magic in images.MAGICS.values())


def _bytewise(sock: socket.socket, data: bytes) -> None:
    for n in range(len(data)):
        sock.sendall(data[n : n + 1])


def _until_closed(sock: socket.socket) -> None:
    """Read and forget until the client leaves."""
    while sock.recv(65536):
        pass
    raise ConnectionError("the client left")


def _end(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):  # never connected, or gone
        sock.shutdown(socket.SHUT_RDWR)
    sock.close()


def scripted(faults: Iterable[str], greetings: Iterable[str] = ()) -> Plan:
    """A plan that deals out `faults` to requests and `greetings` to connections in order, then none."""
    replies, hellos, lock = iter(faults), iter(greetings), threading.Lock()

    def plan(connection: int, request: int, command: str) -> str:
        with lock:
            return next(hellos if request < 0 else replies, "")

    return plan


def judge(command: str, found: Any) -> str:
    """What a client returned for `command`: `right`, `stale` (the answer to another question), `reported` (the
    server's error as text), or `wrong` (anything else). `found` is a text, or a picture in the core's terms."""
    asked, shown = _number(command), _shown(found)
    if shown == asked and isinstance(found, str) == ("/echo " in command):
        return "right"
    if shown is not None and shown != asked and shown != NOBODY:
        return "stale"
    return "reported" if isinstance(found, str) and found.startswith("error") else "wrong"


def _number(command: str) -> int:
    match = re.search(r"/echo w(\d+)|/camera/(\d+)/", command)
    assert match is not None
    return int(match[1] or match[2])


def _shown(found: Any) -> int | None:
    """The number of the question that a text or a picture answers."""
    if isinstance(found, str):
        match = re.fullmatch(r"w(\d+)", found)
        return int(match[1]) if match else None
    if not isinstance(found, np.ndarray) or found.shape[:2] != SIZE[::-1] or (found != found[0, 0]).any():
        return None
    if found.ndim == 2:
        return round(float(found[0, 0]) * 100)
    red, green, blue = (int(value) for value in found[0, 0])
    return red | green << 8 | blue << 16
