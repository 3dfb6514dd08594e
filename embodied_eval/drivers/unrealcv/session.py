"""One client's connection: requests in by a thread of its own, replies out in order."""

from __future__ import annotations

import logging
import queue
import socket
import threading

from embodied_eval.drivers.unrealcv import wire
from embodied_eval.drivers.unrealcv.faults import FaultPlan
from embodied_eval.errors import ProtocolError

MAX_REQUEST_BYTES = 64 * 2**20
MAX_WAITING_BYTES = 2 * MAX_REQUEST_BYTES
MAX_WAITING = 1024
SEND_S = 30.0
log = logging.getLogger("embodied_eval")


class Requests(wire.FrameReader):
    """Frames of requests, which are shorter than replies may be."""

    def _room(self, length: int) -> memoryview:
        if length > MAX_REQUEST_BYTES:
            raise ProtocolError(f"A request announces {length} bytes; legal are 1 to {MAX_REQUEST_BYTES}.")
        return super()._room(length)


class Session:
    """A connection from its greeting to its end.

    Its thread puts `(session, id, command)` into the inbox, and at the end `(session, -1, "")`; replies are sent by
    whoever answers, in one thread. `ended` is set once nothing more will come. A client that sends what is no frame
    is left; one that sends a frame without an id gets no reply, as from the public server.
    """

    def __init__(
        self,
        sock: socket.socket,
        number: int,
        inbox: queue.SimpleQueue[tuple[Session, int, str] | None],
        faults: FaultPlan,
    ) -> None:
        self.number = number
        self.ended = threading.Event()
        self._sock, self._inbox, self._faults = sock, inbox, faults
        self._sent = 0
        self._late: list[bytes] = []
        self._slots = threading.Semaphore(MAX_WAITING)
        self._lock = threading.Lock()
        self._waiting_bytes = 0
        self._left = False
        if sock.family != socket.AF_UNIX:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        wire.limit(sock, send_s=SEND_S)
        self._thread = threading.Thread(target=self._read, name=f"unrealcv client {number}", daemon=True)

    def start(self, greeting: bytes) -> None:
        """Greet, and read from now on."""
        if not self._faults.of_greeting(self.number):
            self._send(wire.frame(greeting))
        self._thread.start()

    def taken(self, command: str) -> None:
        """A request was taken out of the inbox: another may come."""
        with self._lock:
            self._waiting_bytes -= len(command)
        self._slots.release()

    def reply(self, number: int, body: bytes) -> None:
        """Answer request `number`. A client that does not take it within `SEND_S` is left."""
        if self.ended.is_set():
            return
        fault = self._faults.of_reply(self.number, self._sent) if self._faults.planned else ""
        self._sent += 1
        head = wire.reply_head(number + (fault == "wrong-id"), len(body))
        if fault == "hang":
            return
        if fault == "late":
            self._late.append(head + body)
            return
        if fault == "close":
            self.leave()
            return
        for late in self._late:
            self._send(late)
        self._late.clear()
        if fault == "pieces":
            for byte in head + body:
                self._send(bytes([byte]))
            return
        self._send(head, body)

    def leave(self) -> None:
        """End the connection; its thread notices and closes it. Callable from any thread."""
        self._left = True
        self._slots.release()
        try:
            self._sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            # The client was faster: as wanted.
            return

    def join(self) -> None:
        """Wait for its thread."""
        if self._thread.is_alive():
            self._thread.join()

    def _send(self, *parts: bytes) -> None:
        try:
            sent = self._sock.sendmsg(parts)
            for part in parts:
                if sent < len(part):
                    self._sock.sendall(memoryview(part)[sent:])
                sent = max(0, sent - len(part))
        except OSError as error:
            log.info("Client %d cannot be answered (%s); it is left.", self.number, error)
            self.leave()

    def _read(self) -> None:
        try:
            requests = Requests(self._sock)
            while True:
                payload = requests.read()
                length, parsed = len(payload), wire.parse_request(payload)
                del payload
                if parsed is None:
                    log.warning("Client %d sent %d bytes that are no request.", self.number, length)
                    continue
                with self._lock:
                    self._waiting_bytes += len(parsed[1])
                    if self._waiting_bytes > MAX_WAITING_BYTES:
                        raise ProtocolError(f"More than {MAX_WAITING_BYTES} bytes of requests wait.")
                self._slots.acquire()
                if self._left:
                    raise wire.Closed("It was left.", within=False)
                self._inbox.put((self, *parsed))
        except OSError as error:
            log.debug("Client %d: %s", self.number, error)
        except ProtocolError as error:
            log.warning("Client %d is left: %s", self.number, error)
        finally:
            self.ended.set()
            self._inbox.put((self, -1, ""))
            self._sock.close()
