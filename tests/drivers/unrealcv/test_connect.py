"""Endpoints, Unix sockets and the hand-over of the Linux server."""

from __future__ import annotations

import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from embodied_eval.drivers.unrealcv.client import Client, Deadlines
from embodied_eval.drivers.unrealcv.connect import Address, addresses, on_this_machine, socket_files
from embodied_eval.errors import LaunchTimeout, SimulatorCrashed, UsageError
from tests.drivers.unrealcv.fake_server import FakeServer

SOON = Deadlines(connect_s=5.0, greeting_s=0.05)


def silent(connection: int, request: int, command: str) -> str:
    return "no_greeting" if request < 0 else ""


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The temporary directory of this machine's servers, as far as the client knows."""
    with tempfile.TemporaryDirectory(prefix="ucv") as made:
        monkeypatch.setattr(tempfile, "tempdir", made)
        yield Path(made)


@pytest.mark.parametrize(
    ("endpoint", "found"),
    [
        ("game.example.org:9000", Address(host="game.example.org", port=9000)),
        ("tcp://127.0.0.1:9001", Address(host="127.0.0.1", port=9001)),
        ("[::1]:9002", Address(host="::1", port=9002)),
        ("unix:///run/a.socket", Address(path="/run/a.socket")),
    ],
)
def test_endpoints(folder: Path, endpoint: str, found: Address) -> None:
    assert addresses(endpoint) == (found,)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "9000",
        "localhost",
        ":9000",
        "host:",
        "host:0",
        "host:65536",
        "host:９０",
        "http://h:80",
        "unix://",
        "unix://x",
    ],
)
def test_what_is_no_endpoint(endpoint: str) -> None:
    with pytest.raises(UsageError, match="HOST:PORT"):
        addresses(endpoint)


def test_which_hosts_are_this_machine() -> None:
    assert all(map(on_this_machine, ("localhost", "127.0.0.1", "127.3.2.1", "::1")))
    assert not any(map(on_this_machine, ("10.0.0.1", "localhost.example.org", "0.0.0.0")))


def test_unix_sockets(folder: Path) -> None:
    with FakeServer(path=folder / "a.socket") as server:
        client = Client(server.endpoint)
        assert client.text("vget /unrealcv/echo hello") == "hello"
        assert client.batch(["vget /unrealcv/echo b"]) == [b"b"]
        client.close()


def test_after_the_hand_over_the_socket_file_is_tried_first(folder: Path) -> None:
    # As the Linux server is once its first TCP client has left: TCP is accepted and never greeted.
    with FakeServer(silent) as tcp:
        endpoint = f"127.0.0.1:{tcp.port}"
        with FakeServer(path=folder / f"unrealcv_{tcp.port}.socket"):
            client = Client(endpoint)
            assert client.address == f"unix://{folder}/unrealcv_{tcp.port}.socket"
            client.reconnect()
            assert client.text("vget /unrealcv/echo a") == "a"
            client.close()
            by_port = Client(f"unix://{tcp.port}")
            by_port.close()
            assert tcp.accepted == 0
            with pytest.raises(LaunchTimeout, match="no greeting"):
                Client(f"tcp://{endpoint}", SOON)


def test_a_left_over_socket_file_is_passed_over(folder: Path) -> None:
    with FakeServer() as tcp:
        left = socket.socket(socket.AF_UNIX)
        left.bind(str(folder / f"unrealcv_{tcp.port}.socket"))
        left.close()
        client = Client(f"localhost:{tcp.port}")
        assert client.address == f"tcp://localhost:{tcp.port}"
        client.close()


def test_all_addresses_are_told_when_none_greets(folder: Path) -> None:
    with (
        FakeServer(silent) as tcp,
        FakeServer(silent, path=folder / f"unrealcv_{tcp.port}.socket"),
        pytest.raises(LaunchTimeout, match=r"unix://.*no greeting.*tcp://.*no greeting") as caught,
    ):
        Client(f"127.0.0.1:{tcp.port}", SOON)
    assert caught.value.command == "greeting"
    assert "start the game again" in caught.value.hint


def test_nothing_there(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    with pytest.raises(SimulatorCrashed, match="refused") as caught:
        Client(f"127.0.0.1:{port}")
    assert (caught.value.command, caught.value.endpoint) == ("connect", f"127.0.0.1:{port}")
    with pytest.raises(SimulatorCrashed, match="No such file"):
        Client(f"unix://{port}")
    assert socket_files(port)[0] == str(folder / f"unrealcv_{port}.socket")
