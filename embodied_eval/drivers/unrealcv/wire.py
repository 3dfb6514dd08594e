"""Frames of the UnrealCV protocol: magic, length, payload; requests and replies with their ids.

A frame is two unsigned 32-bit little-endian numbers, `MAGIC` and the payload's length (1 to `MAX_BYTES`), then
the payload. A request's payload is `<id>:<command>`, a reply's `<id>:` and the body, text or bytes.
"""

from __future__ import annotations

import socket
import struct
import time

from embodied_eval.errors import ProtocolError

MAGIC = 0x9E2B83C1
MAX_BYTES = 256 * 2**20
MAX_ID = 2**31
GREETING = b"connected"
HEADER = struct.Struct("<II")
ID_DIGITS = 10
"""Digits of the largest id: what comes before a payload's colon is never longer."""
SLACK_S = 0.02
"""How much later than its deadline a read may notice it, to save a system call a read (ours)."""


class Closed(ConnectionError):
    """The other side left. `within` tells whether it did so within a frame."""

    def __init__(self, message: str, *, within: bool) -> None:
        super().__init__(message)
        self.within = within


def frame(payload: bytes) -> bytes:
    """`payload` (1 to `MAX_BYTES` bytes, otherwise ValueError) with its header."""
    return header(len(payload)) + payload


def header(length: int) -> bytes:
    """The 8 bytes before a payload of `length` bytes. Raises ValueError outside 1 to `MAX_BYTES`."""
    if not 1 <= length <= MAX_BYTES:
        raise ValueError(f"A payload has 1 to {MAX_BYTES} bytes, not {length}.")
    return HEADER.pack(MAGIC, length)


def payload_length(head: bytes | bytearray | memoryview) -> int:
    """The length that a header of 8 bytes announces. Raises `ProtocolError` for a wrong magic or length."""
    magic, length = HEADER.unpack(head)
    if magic != MAGIC:
        raise ProtocolError(f"A frame begins with {magic:#010x} instead of {MAGIC:#010x}.")
    if not 1 <= length <= MAX_BYTES:
        raise ProtocolError(f"A frame announces {length} bytes; legal are 1 to {MAX_BYTES}.")
    return int(length)


def request(number: int, command: str) -> bytes:
    """The frame of a request. Raises ValueError for an empty command or one with a line break or NUL, which
    a server would cut off, and for an id outside 0 to `MAX_ID` - 1."""
    if not 0 <= number < MAX_ID:
        raise ValueError(f"A request's id is 0 to {MAX_ID - 1}, not {number}.")
    if not command.strip() or any(mark in command for mark in "\n\r\0"):
        raise ValueError(f"A command is one line with a word at least, not {command!r}.")
    return frame(b"%d:%s" % (number, command.encode()))


def reply(number: int, body: bytes) -> bytes:
    """The frame of a reply. `reply_head` saves a copy of a large body."""
    return reply_head(number, len(body)) + body


def reply_head(number: int, body_length: int) -> bytes:
    """All of a reply's frame that comes before its body."""
    prefix = b"%d:" % number
    return header(len(prefix) + body_length) + prefix


def split(payload: memoryview) -> tuple[int, memoryview] | None:
    """The id and the rest of a payload, not copied; None if it doesn't begin with an id and a colon."""
    digits, colon, _ = bytes(payload[: ID_DIGITS + 1]).partition(b":")
    if not colon or not digits.isdigit() or (number := int(digits)) >= MAX_ID:
        return None
    return number, payload[len(digits) + 1 :]


def parse_request(payload: memoryview) -> tuple[int, str] | None:
    """The id and the command of a request, up to its first line break; None for a malformed one, which
    a server does not answer."""
    parts = split(payload)
    if parts is None:
        return None
    line, _, _ = bytes(parts[1]).partition(b"\n")
    return parts[0], line.decode(errors="replace").rstrip("\r")


def parse_reply(payload: memoryview, expected: int) -> memoryview:
    """The body, not copied, of the reply to request `expected`. Raises `ProtocolError` for any other id."""
    parts = split(payload)
    if parts is None:
        raise ProtocolError(f"A reply begins with {bytes(payload[:16])!r} instead of '{expected}:'.")
    if parts[0] != expected:
        raise ProtocolError(f"A reply has id {parts[0]}; expected is {expected}.")
    return parts[1]


class FrameReader:
    """Whole frames off a blocking socket, each under a deadline.

    Payloads are received straight into one buffer that grows to the largest. It is used again only when
    nobody holds a view of it any more, so what was handed out never changes. Not for several threads.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._head = bytearray(HEADER.size)
        self._head_view = memoryview(self._head)
        self._buffer = bytearray(4096)
        self._limit_s = 0.0
        sock.settimeout(None)
        limit(sock, receive_s=0.0)

    def read(self, deadline: float | None = None) -> memoryview:
        """The payload of the next frame.

        `deadline` is a time of `time.monotonic()`; None waits for ever. Raises TimeoutError (at most
        `SLACK_S` late), `Closed`, ConnectionError for a broken connection, and `ProtocolError`.
        """
        self._fill(self._head_view, deadline, before=0)
        length = payload_length(self._head)
        payload = self._room(length)
        self._fill(payload, deadline, before=HEADER.size)
        return payload

    def _room(self, length: int) -> memoryview:
        try:
            # A bytearray that somebody has a view of refuses to change its length.
            self._buffer.append(self._buffer.pop())
            free = len(self._buffer) >= length
        except BufferError:
            free = False
        if not free:
            self._buffer = bytearray(max(length, 4096))
        return memoryview(self._buffer)[:length]

    def _fill(self, view: memoryview, deadline: float | None, before: int) -> None:
        got, wanted = 0, len(view)
        while got < wanted:
            self._wait_until(deadline)
            try:
                # The kernel waits for all of it, within the socket's limit of time.
                more = self._sock.recv_into(view[got:], 0, socket.MSG_WAITALL)
            except BlockingIOError:
                more = -1
            except OSError as error:
                raise ConnectionError(f"The connection broke: {error}.") from error
            if more == 0:
                where = f"after {before + got} bytes of a frame" if before + got else "between two frames"
                raise Closed(f"The connection was closed {where}.", within=before + got > 0)
            got += max(more, 0)
            if got < wanted and deadline is not None and time.monotonic() >= deadline:
                said = f"{before + got} bytes of a frame" if before + got else "nothing"
                raise TimeoutError(f"{said} came")

    def _wait_until(self, deadline: float | None) -> None:
        """Set the socket's limit of time, unless the present one will do."""
        if deadline is None:
            left_s = 0.0
        else:
            left_s = max(deadline - time.monotonic(), 1e-4)
            if left_s <= self._limit_s <= left_s + SLACK_S:
                return
        if left_s != self._limit_s:
            limit(self._sock, receive_s=left_s)
            self._limit_s = left_s


def limit(sock: socket.socket, *, receive_s: float | None = None, send_s: float | None = None) -> None:
    """Let the kernel end a blocking call on `sock` after so many seconds, 0 = never."""
    for option, seconds in ((socket.SO_RCVTIMEO, receive_s), (socket.SO_SNDTIMEO, send_s)):
        if seconds is None:
            continue
        micros = 0 if seconds == 0 else max(1, int(seconds * 1e6))
        sock.setsockopt(socket.SOL_SOCKET, option, struct.pack("@ll", *divmod(micros, 10**6)))
