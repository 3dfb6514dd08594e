"""From an endpoint to a greeted socket: where to try, in which order, for how long.

On Linux the server serves its first TCP client only and later ones over a Unix socket file, so an address on this
machine means that file first, if it is there, and TCP otherwise (specification of the protocol, life cycle).
"""

from __future__ import annotations

import ipaddress
import socket
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from embodied_eval.drivers.unrealcv import wire
from embodied_eval.errors import LaunchTimeout, ProtocolError, SimulatorCrashed, SimulatorError, UsageError

LEGAL = "HOST:PORT, tcp://HOST:PORT, unix://PORT or unix:///PATH"


@dataclass(frozen=True)
class Deadlines:
    """Seconds that each phase may take: to connect, to be greeted, a text reply, a picture, a level's load."""

    connect_s: float = 5.0
    greeting_s: float = 5.0
    text_s: float = 5.0
    image_s: float = 20.0
    level_s: float = 120.0


DEADLINES = Deadlines()


@dataclass(frozen=True)
class Address:
    """One place to try: a Unix socket file, or a host and a port."""

    path: str = ""
    host: str = ""
    port: int = 0

    def __str__(self) -> str:
        return f"unix://{self.path}" if self.path else f"tcp://{self.host}:{self.port}"


@dataclass(frozen=True)
class Greeted:
    """A socket that the server has greeted, where it leads, and the greeting's text."""

    sock: socket.socket
    address: Address
    greeting: str


def socket_files(port: int) -> tuple[str, ...]:
    """Where a server on this machine may have its Unix socket, most likely first."""
    folders = dict.fromkeys((tempfile.gettempdir(), "/tmp"))
    return tuple(str(Path(folder) / f"unrealcv_{port}.socket") for folder in folders)


def addresses(endpoint: str) -> tuple[Address, ...]:
    """Where to try `endpoint`, in order. `HOST:PORT` on this machine includes the socket files that exist now;
    `tcp://HOST:PORT` does not; `unix://PORT` is nothing but them. Raises `UsageError` for another form."""
    scheme, mark, rest = endpoint.rpartition("://")
    if mark and scheme not in ("tcp", "unix"):
        raise _illegal(endpoint)
    if scheme == "unix" and rest.startswith("/"):
        return (Address(path=rest),)
    if scheme == "unix":
        files = socket_files(_port(rest, endpoint))
        return tuple(Address(path=file) for file in files if Path(file).exists()) or (Address(files[0]),)
    host, colon, digits = rest.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or "/" in host:
        raise _illegal(endpoint)
    tcp = Address(host=host, port=_port(digits, endpoint))
    if scheme == "tcp" or not on_this_machine(host):
        return (tcp,)
    return (*(Address(path=file) for file in socket_files(tcp.port) if Path(file).exists()), tcp)


def on_this_machine(host: str) -> bool:
    """Whether `host` is a loopback address or its usual name."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def greeted(
    endpoint: str,
    deadlines: Deadlines = DEADLINES,
    on_socket: Callable[[socket.socket], None] = lambda sock: None,
) -> Greeted:
    """Connect to the first of the endpoint's addresses that greets. `on_socket` is told each socket before it is
    connected, so that another thread can end the waiting.

    Raises `SimulatorCrashed` if nothing listens or the connection breaks, `LaunchTimeout` if there is no
    connection or no greeting within its deadline, `ProtocolError` for another greeting; where several addresses
    fail, the last one's error with the others' in its message.
    """
    failures: list[SimulatorError] = []
    for address in addresses(endpoint):
        try:
            return _greeted(endpoint, address, deadlines, on_socket)
        except SimulatorError as error:
            failures.append(error)
    last = failures[-1]
    if len(failures) > 1:
        last.message = " ".join(dict.fromkeys(error.message for error in failures))
    raise last


def _greeted(
    endpoint: str, address: Address, deadlines: Deadlines, on_socket: Callable[[socket.socket], None]
) -> Greeted:
    began = time.monotonic()
    kind: type[SimulatorError]
    try:
        sock = _connected(address, deadlines.connect_s, on_socket)
    except OSError as error:
        kind = LaunchTimeout if isinstance(error, TimeoutError) else SimulatorCrashed
        what = "accepts no connection" if kind is LaunchTimeout else f"cannot be connected to ({error})"
        hint = "Start the game, or `embodied-eval sim serve`, and check the address."
        failed = kind(f"{address} {what}.", hint=hint)
        raise _at(failed, endpoint, "connect", began) from error
    began = time.monotonic()
    try:
        payload = wire.FrameReader(sock).read(began + deadlines.greeting_s)
        if bytes(payload[: len(wire.GREETING)]) != wire.GREETING:
            raise ProtocolError(f"{address} greets with {bytes(payload[:40])!r} instead of 'connected ...'.")
        return Greeted(sock, address, bytes(payload).decode(errors="replace"))
    except ProtocolError as error:
        sock.close()
        error.hint = "What listens there is no UnrealCV server; check the address."
        raise _at(error, endpoint, "greeting", began) from None
    except OSError as error:
        sock.close()
        if isinstance(error, TimeoutError):
            kind, what = LaunchTimeout, f"accepts connections but sends no greeting ({error})"
        else:
            kind, what = SimulatorCrashed, f"closed the connection before its greeting ({error})"
        hint = (
            "A server takes one client at a time, and on Linux a first one over TCP only once: end the other "
            "client, or start the game again."
        )
        raise _at(kind(f"{address} {what}.", hint=hint), endpoint, "greeting", began) from error


def _connected(
    address: Address, connect_s: float, on_socket: Callable[[socket.socket], None]
) -> socket.socket:
    """A connected socket. OSError from the last of the host's numeric addresses."""
    if address.path:
        targets = [(socket.AF_UNIX, address.path)]
    else:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
        targets = [(family, where) for family, _, _, _, where in found]  # type: ignore[misc]
    deadline = time.monotonic() + connect_s
    failed: OSError = TimeoutError("no time left")
    for family, where in targets:
        sock = socket.socket(family, socket.SOCK_STREAM)
        on_socket(sock)
        try:
            sock.settimeout(max(deadline - time.monotonic(), 1e-3))
            sock.connect(where)
            return sock
        except OSError as error:
            sock.close()
            failed = error
    raise failed


def _at(error: SimulatorError, endpoint: str, phase: str, began: float) -> SimulatorError:
    error.endpoint, error.command = endpoint, phase
    error.waited_s = time.monotonic() - began
    return error


def _port(text: str, endpoint: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise _illegal(endpoint)
    return int(text)


def _illegal(endpoint: str) -> UsageError:
    return UsageError(f"{endpoint!r} is no address of a simulator.", hint=f"Legal: {LEGAL}.")
