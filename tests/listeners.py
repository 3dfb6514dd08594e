"""Sockets that hear whatever leaves a browser that is meant to be sealed."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest


class Listeners:
    """A TCP and a UDP socket on one port, on every address of this machine."""

    def __init__(self) -> None:
        six = socket.has_dualstack_ipv6()
        family = socket.AF_INET6 if six else socket.AF_INET
        self._tcp = socket.create_server(
            ("::" if six else "0.0.0.0", 0), family=family, dualstack_ipv6=six, backlog=200
        )
        self.port = int(self._tcp.getsockname()[1])
        self._udp = socket.socket(family, socket.SOCK_DGRAM)
        if six:
            self._udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        self._udp.bind(("::" if six else "0.0.0.0", self.port))
        self._tcp.setblocking(False)
        self._udp.setblocking(False)

    def heard(self) -> list[str]:
        """Everything that came since the last call; the kernel has queued it, so nothing is missed."""
        came = []
        while True:
            try:
                connection, _ = self._tcp.accept()
            except BlockingIOError:
                break
            connection.close()
            came.append("tcp")
        while True:
            try:
                self._udp.recv(2048)
            except BlockingIOError:
                break
            came.append("udp")
        return came

    def close(self) -> None:
        self._tcp.close()
        self._udp.close()


@pytest.fixture
def listeners() -> Iterator[Listeners]:
    """Sockets that hear whatever a page sends, proved to hear on every address before they are handed out."""
    made = Listeners()
    for address in addresses():
        socket.create_connection((address, made.port)).close()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"x", (address, made.port))
    assert sorted(made.heard()) == sorted(["tcp", "udp"] * len(addresses()))
    yield made
    made.close()


def addresses() -> list[str]:
    """Loopback, and this machine's own address where it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ["127.0.0.1"]
        own = str(probe.getsockname()[0])
    return ["127.0.0.1"] if own.startswith("127.") else ["127.0.0.1", own]
