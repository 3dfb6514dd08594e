"""The server that the driver starts by itself: there while wanted, gone afterwards however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from embodied_eval.drivers.base import Command
from embodied_eval.drivers.unrealcv.driver import UnrealcvDriver
from embodied_eval.drivers.unrealcv.own_server import OwnServer
from embodied_eval.errors import LaunchTimeout, ProtocolError, SimulatorCrashed, SimulatorError
from tests.worlds.small import crate, world

SMALL = world(crate("crate", (1.0, 0.0, 0.0)))


def lives(pid: int) -> bool:
    """Whether that process runs."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def test_the_driver_starts_it_and_ends_it() -> None:
    driver = UnrealcvDriver()
    try:
        assert driver.load(SMALL).t_s == 0.0
        server = driver._server
        assert server is not None and server.alive and lives(server.pid)
        assert os.getpgid(server.pid) == server.pid
        assert driver.move(0.5).moved_m == pytest.approx(0.5, abs=0.01)
        driver.interrupt()
        with pytest.raises(SimulatorError):
            driver.tick(Command())
        server._process.wait(20.0)
        assert not server.alive
        driver.load(SMALL)
        again = driver._server
        assert again is not None and again is not server
    finally:
        driver.close()
    assert not lives(server.pid) and not lives(again.pid)
    driver.close()


def test_it_ends_when_nobody_holds_it_any_more() -> None:
    server = OwnServer("indoor")
    try:
        assert server.ready().startswith("127.0.0.1:")
        assert server._process.stdin is not None
        server._process.stdin.close()
        assert server._process.wait(20.0) == 0
    finally:
        server.close()
    assert not Path(server._folder.name).exists()
    server.kill()
    server.close()


@pytest.mark.parametrize(
    ("program", "world_name", "ready_s", "error", "says"),
    [
        ("", "no-such-world", 60.0, SimulatorCrashed, "no-such-world"),
        ("", "indoor", 0.0, LaunchTimeout, "not ready"),
        ("/bin/cat", "indoor", 60.0, SimulatorCrashed, "before it was ready"),
        ("/bin/echo", "indoor", 60.0, ProtocolError, "own_server"),
    ],
)
def test_a_server_that_does_not_start(
    monkeypatch: pytest.MonkeyPatch,
    program: str,
    world_name: str,
    ready_s: float,
    error: type[SimulatorError],
    says: str,
) -> None:
    if program:
        monkeypatch.setattr(sys, "executable", program)
    server = OwnServer(world_name)
    try:
        with pytest.raises(error, match=says):
            server.ready(ready_s)
    finally:
        server.close()
    assert not lives(server.pid)
