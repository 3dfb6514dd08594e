"""Requests to the official UE service: one connection each, a deadline over the whole of it, JSON both ways."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from embodied_eval.drivers.unrealcv.connect import on_this_machine
from embodied_eval.errors import (
    CommandFailed,
    ConfigError,
    LaunchTimeout,
    ProtocolError,
    SimulatorCrashed,
    SimulatorError,
    StepTimeout,
)
from embodied_eval.records import Json

DEFAULT = "127.0.0.1:9100"
REMOTE = "remote:"
MOST_BYTES = 256 * 1024 * 1024
PART_BYTES = 1 << 20
MOST_WORDS = 300
HINTS = {
    403: "The service forbids it.",
    404: "Is this the benchmark's service?",
    409: "An action is still going on, the episode is not the active one, or the build allows one reset: start the "
    "service anew.",
    410: "The service no longer keeps the reply to this request: start it anew.",
}


@dataclass(frozen=True)
class Limits:
    """Seconds to connect, and for a reply to be there whole."""

    connect_s: float = 10.0
    read_s: float = 200.0


LIMITS = Limits()


@dataclass(frozen=True)
class Place:
    """Where the service listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def place_of(address: str, *, remote: bool = False) -> Place:
    """Where `address` is: `HOST:PORT`, `HOST`, or "" for the default. The service has no authentication, so another
    machine is refused unless `remote`, or the address begins with `remote:`.

    Raises `ConfigError`.
    """
    told = address.removeprefix(REMOTE)
    remote = remote or told != address
    host, _, digits = (told or DEFAULT).rpartition(":")
    if not host:
        host, digits = digits, DEFAULT.rpartition(":")[2]
    host = host.removeprefix("[").removesuffix("]")
    if not host or "/" in host or not (digits.isascii() and digits.isdecimal() and 0 < int(digits) < 65536):
        raise ConfigError(f"{address!r} is no address of the UE service.", hint="Legal: HOST:PORT.")
    if not remote and not on_this_machine(host):
        raise ConfigError(
            f"{host!r} is not this machine, and whoever reaches the UE service may use it.",
            hint=f"Tunnel its port to this machine, or name it as {REMOTE}{host}:{digits}.",
        )
    return Place(host, int(digits))


class Service:
    """The service's requests. Each raises `SimulatorError` as `ask` says; `interrupt` may be called from any
    thread and ends the present one, and all later ones."""

    def __init__(self, place: Place, limits: Limits = LIMITS) -> None:
        self.place, self.limits = place, limits
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._interrupted = self._late = False

    def ask(self, path: str, body: Mapping[str, Json] | None = None) -> dict[str, Json]:
        """The reply to `body` (POST; None = GET), a JSON object.

        Where the connection breaks before the reply is whole, it is asked for once more by the very same request:
        the service answers an id that it knows from memory, and does nothing twice. Nothing is repeated after a
        timeout. Raises `SimulatorCrashed` (nothing listens, twice a broken connection, status 5xx),
        `LaunchTimeout` (no connection), `StepTimeout` (no reply in time, or interrupted), `CommandFailed` (any
        other status), `ProtocolError` (no JSON object, or too long).
        """
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        try:
            return self._once(path, data)
        except _ReplyLost:
            pass
        try:
            return self._once(path, data)
        except _ReplyLost as error:
            raise SimulatorCrashed(
                f"The UE service broke the connection twice before its reply was whole: {error}.",
                endpoint=str(self.place),
                command=path,
            ) from error

    def interrupt(self) -> None:
        """End the present request, and let no other begin."""
        with self._lock:
            self._interrupted = True
            self._shut()

    def _expire(self) -> None:
        with self._lock:
            self._late = True
            self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def _once(self, path: str, data: bytes | None) -> dict[str, Json]:
        started = time.monotonic()
        self._late = False
        connection = http.client.HTTPConnection(
            self.place.host, self.place.port, timeout=self.limits.connect_s
        )
        # The deadline is over the whole reply; a socket's own starts again with each byte.
        timer = threading.Timer(self.limits.read_s, self._expire)
        timer.daemon = True
        try:
            self._connect(connection, path, started)
            timer.start()
            headers = {"Content-Type": "application/json", "Connection": "close"}
            connection.request("GET" if data is None else "POST", path, data, headers)
            with connection.getresponse() as response:
                text = self._read(response, path)
            if self._late or self._interrupted:
                raise self._stopped(path, started)
        except (OSError, http.client.HTTPException) as error:
            if self._late or self._interrupted:
                raise self._stopped(path, started) from error
            raise _ReplyLost(f"{type(error).__name__}: {error}".rstrip(": ")) from error
        finally:
            timer.cancel()
            with self._lock:
                self._socket = None
            connection.close()
            if timer.ident is not None:
                timer.join()
        return self._object(response.status, text, path)

    def _connect(self, connection: http.client.HTTPConnection, path: str, started: float) -> None:
        try:
            connection.connect()
        except TimeoutError as error:
            raise LaunchTimeout(
                "The UE service takes no connection.",
                endpoint=str(self.place),
                command=path,
                waited_s=time.monotonic() - started,
            ) from error
        except OSError as error:
            raise SimulatorCrashed(
                f"No UE service listens at {self.place}: {error.strerror or error}.",
                endpoint=str(self.place),
                command=path,
                hint="Start it, or name its address: --driver-address HOST:PORT.",
            ) from error
        assert connection.sock is not None
        connection.sock.settimeout(None)
        with self._lock:
            self._socket = connection.sock
            if self._interrupted:
                self._shut()

    def _read(self, response: http.client.HTTPResponse, path: str) -> bytes:
        parts: list[bytes] = []
        size = 0
        while part := response.read1(PART_BYTES):
            parts.append(part)
            size += len(part)
            if size > MOST_BYTES:
                raise self._wrong(f"more than {MOST_BYTES} bytes", path)
        # `read1` takes the end of the connection for the end of the reply.
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        return b"".join(parts)

    def _object(self, status: int, text: bytes, path: str) -> dict[str, Json]:
        try:
            made = json.loads(text) if text else None
        except (ValueError, RecursionError) as error:
            made = None
            if status == 200:
                raise self._wrong("no JSON", path) from error
        if status != 200:
            raise self._refused(status, made, path)
        if not isinstance(made, dict):
            raise self._wrong("no JSON object", path)
        return made

    def _refused(self, status: int, made: Json, path: str) -> SimulatorError:
        words = made.get("error", made.get("message", "")) if isinstance(made, dict) else made
        told = f": {str(words)[:MOST_WORDS]}" if words else ""
        kind = SimulatorCrashed if status >= 500 else CommandFailed
        return kind(
            f"The UE service answered {path} with status {status}{told}.",
            endpoint=str(self.place),
            command=path,
            hint=HINTS.get(status, ""),
        )

    def _wrong(self, what: str, path: str) -> ProtocolError:
        return ProtocolError(
            f"The UE service's reply to {path} is {what}.", endpoint=str(self.place), command=path
        )

    def _stopped(self, path: str, started: float) -> StepTimeout:
        waited_s = time.monotonic() - started
        if self._interrupted:
            told = "The request to the UE service was interrupted."
        else:
            told = f"The UE service gave no whole reply within {self.limits.read_s:g} s."
        return StepTimeout(told, endpoint=str(self.place), command=path, waited_s=waited_s)


class _ReplyLost(Exception):
    """The connection broke after it was made and before the reply was whole."""
