"""One sealed browser for all tests of this folder, replaced when a test has killed it, and listening sockets."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.processes import PROC
from embodied_eval.drivers.browser.settings import BrowserSettings, Deadlines

HOSTILE = Path(__file__).parent / "hostile"
SECRETS = {"SOME_API_KEY": "sk-mark-1", "HTTPS_PROXY": "http://mark-2:1", "MY_WORD": "mark-3"}
QUICK = Deadlines(load_s=20.0, call_s=20.0)
TIGHT = BrowserSettings(
    size=(320, 240),
    gl="swiftshader",
    script_heap_mb=64,
    memory_mb=800,
    max_threads=200 + 20 * (os.cpu_count() or 1),
    disk_mb=200,
    deadlines=QUICK,
)
ROUTE_ONLY = replace(TIGHT, netns=False)


class Browsers:
    """Gives out a living browser for each setting, the same one as long as it lives."""

    def __init__(self) -> None:
        self._made: dict[BrowserSettings, Browser] = {}

    def __call__(self, settings: BrowserSettings) -> Browser:
        browser = self._made.get(settings)
        if browser is None or not browser.alive:
            if browser is not None:
                browser.close()
            browser = self._made[settings] = Browser(settings)
        return browser

    def close(self) -> None:
        for browser in self._made.values():
            browser.close()


@pytest.fixture(scope="package")
def browsers() -> Iterator[Browsers]:
    """Living browsers by their settings, closed at the end of this folder; started from an environment
    that holds what no browser may see."""
    made = Browsers()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SECRETS.items():
            patch.setenv(name, value)
        yield made
        made.close()


@pytest.fixture
def sealed(browsers: Browsers) -> Browser:
    """A living sealed browser with short deadlines and tight limits."""
    return browsers(TIGHT)


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


def living(mark: str) -> list[str]:
    """Command lines of living processes that contain `mark`."""
    found = []
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if mark in line:
                found.append(line)
    return found
