"""Ports lent to games: a locked file for each as long as the lease is held, so that no two of ours get the same."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Self

from embodied_eval.drivers.unrealcv.connect import socket_files
from embodied_eval.errors import SimulatorError

PORTS = range(9100, 9500)
"""Where ports are taken from: not the plugin's own 9000, which a user's game may have, and below those that the
system gives to outgoing connections."""
_TRY_S = 0.5


class PortLease:
    """A port that is ours until `release`; the system releases it too if this process dies."""

    def __init__(self, port: int, lock: int) -> None:
        self.port, self._lock = port, lock

    def release(self) -> None:
        """Give the port back. Safe to call twice."""
        if self._lock >= 0:
            lock, self._lock = self._lock, -1
            os.close(lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def lease(ports: Iterable[int] = PORTS, *, but_not: Collection[int] = ()) -> PortLease:
    """A lease of the first of `ports` that nobody holds and nothing listens on. Raises `SimulatorError` if there is
    none."""
    folder = _folder()
    tried = 0
    for port in ports:
        if port in but_not:
            continue
        tried += 1
        lock = _locked(folder / f"{port}.lock")
        if lock is None:
            continue
        if is_free(port):
            return PortLease(port, lock)
        os.close(lock)
    raise SimulatorError(
        f"None of {tried} ports is free.",
        command="lease a port",
        hint=f"End games that are not needed any more; {folder} holds a locked file for each port lent.",
    )


def is_free(port: int) -> bool:
    """Whether nothing listens on `port`, on any interface or at the plugin's socket file."""
    for family, host in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::")):
        if not _binds(family, host, port):
            return False
    return not any(_is_answered(path) for path in socket_files(port))


def remove_dead_socket_files(port: int) -> None:
    """Remove the socket files that a game on `port` left, unless somebody answers there."""
    for path in socket_files(port):
        if Path(path).is_socket() and not _is_answered(path):
            Path(path).unlink(missing_ok=True)


def _binds(family: int, host: str, port: int) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as sock:
            # Connections that have ended must not count; whoever listens does all the same.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sock.bind((host, port))
    except OSError as error:
        # A system without IPv6 has nobody listening there.
        return error.errno in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
    return True


def _is_answered(path: str) -> bool:
    if not Path(path).exists():
        return False
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(_TRY_S)
        try:
            sock.connect(path)
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:
            # Busy, or not ours to ask: somebody is there.
            return True
        return True


def _locked(path: Path) -> int | None:
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock


def _folder() -> Path:
    """Where the locks lie: for this user only, and refused if somebody else made it."""
    path = Path(tempfile.gettempdir()) / f"embodied-eval-ports-{os.getuid()}"
    path.mkdir(mode=0o700, exist_ok=True)
    if path.is_symlink() or path.stat().st_uid != os.getuid():
        raise SimulatorError(
            f"{path} belongs to somebody else.", command="lease a port", hint="Remove it, or set TMPDIR."
        )
    return path
