"""The client against a server that does as it should."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from embodied_eval.drivers.unrealcv import wire
from embodied_eval.drivers.unrealcv.client import Client, Deadlines
from embodied_eval.errors import CommandFailed, ProtocolError, SimulatorCrashed
from tests.drivers.unrealcv.fake_server import SIZE, FakeServer, answer, colour, scripted


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with FakeServer() as made:
        yield made


@pytest.fixture
def client(server: FakeServer) -> Iterator[Client]:
    made = Client(server.endpoint)
    yield made
    made.close()


def test_text_pictures_and_depth_in_the_cores_terms(client: Client) -> None:
    assert client.greeting.startswith("connected") and not client.broken
    assert client.text("vget /unrealcv/echo hello") == "hello"
    for command in ("vget /camera/70000/lit bmp", "vget /camera/70000/object_mask png"):
        picture = client.image(command)
        assert picture.dtype == np.uint8 and picture.shape == (SIZE[1], SIZE[0], 3)
        assert (picture == colour(70000)).all()
    depth = client.image("vget /camera/250/depth npy")
    assert depth.dtype == np.float32 and depth.shape == (SIZE[1], SIZE[0])
    assert depth[0, 0] == 2.5
    client.metres_a_unit = 1.0
    assert client.image("vget /camera/250/depth npy")[0, 0] == 250.0


def test_an_error_is_an_answer_and_breaks_nothing(client: Client, server: FakeServer) -> None:
    with pytest.raises(CommandFailed, match="No handler found for URI 'vget /nothing'") as caught:
        client.text("vget /nothing")
    assert (caught.value.endpoint, caught.value.command) == (server.endpoint, "vget /nothing")
    assert caught.value.waited_s is not None and not caught.value.retriable
    assert client.raw("vget /nothing").startswith(b"error No handler")
    assert not client.broken and server.accepted == 1


def test_an_error_in_place_of_a_picture_is_the_servers_own_text() -> None:
    with FakeServer(scripted(["error"] * 2)) as server:
        client = Client(server.endpoint)
        for command in ("vget /camera/1/lit png", "vget /camera/1/depth npy"):
            with pytest.raises(CommandFailed, match="error Argument Invalid"):
                client.image(command)
        assert not client.broken
        client.close()


def test_a_batch_keeps_its_order_and_its_errors(client: Client, server: FakeServer) -> None:
    commands = ["vget /unrealcv/echo a", "vget /nothing", "vget /camera/9/lit bmp", "vget /unrealcv/echo b"]
    bodies = client.batch(commands)
    assert bodies == [answer(command) for command in commands]
    assert server.asked == ["vbatch 4", *commands]
    assert client.read_text(commands[0], bodies[0]) == "a"
    with pytest.raises(CommandFailed, match="No handler"):
        client.read_text(commands[1], bodies[1])
    assert (client.read_image(commands[2], bodies[2]) == colour(9)).all()
    assert client.batch([]) == []


def test_a_batch_is_sent_at_once_with_consecutive_ids() -> None:
    ours, theirs = socket.socketpair()
    received: list[bytes] = []

    def serve() -> None:
        received.append(theirs.recv(65536))
        theirs.sendall(b"".join(wire.reply(41 + n, body) for n, body in enumerate((b"ok", b"1", b"2"))))

    with theirs:
        thread = threading.Thread(target=serve)
        thread.start()
        client = Client.adopt(ours, "unix:///pair", greeting="connected", next_id=41)
        assert client.batch(["vget /a", "vget /b"]) == [b"1", b"2"]
        thread.join()
        client.close()
    assert received == [
        wire.request(41, "vbatch 2") + wire.request(42, "vget /a") + wire.request(43, "vget /b")
    ]


def test_a_server_without_batches_is_told_and_stays_in_step() -> None:
    def old(command: str) -> bytes:
        return b"error No handler found for URI 'vbatch'" if command.startswith("vbatch") else answer(command)

    with FakeServer(answer=old) as server:
        client = Client(server.endpoint)
        with pytest.raises(CommandFailed, match="vbatch"):
            client.batch(["vget /unrealcv/echo a", "vget /unrealcv/echo b"])
        assert client.text("vget /unrealcv/echo c") == "c"
        client.close()


def test_no_later_reply_changes_what_was_handed_out(client: Client) -> None:
    commands = [f"vget /camera/{number}/lit bmp" for number in range(1, 6)]
    views = [client.view(command) for command in commands]
    pictures = [client.image(command) for command in commands]
    assert [bytes(view) for view in views] == [answer(command) for command in commands]
    assert all((picture == colour(number)).all() for number, picture in enumerate(pictures, 1))


@pytest.mark.parametrize("command", ["", "vget /a\nvget /b"])
def test_a_command_that_cannot_be_sent_leaves_the_connection_as_it_was(client: Client, command: str) -> None:
    with pytest.raises(ValueError, match="one line"):
        client.text(command)
    with pytest.raises(ValueError, match="no picture"):
        client.image("vget /camera/0/lit nowhere.png")
    assert client.text("vget /unrealcv/echo on") == "on"


def test_empty_text_is_text_and_no_picture() -> None:
    with FakeServer(answer=lambda command: b"") as server:
        client = Client(server.endpoint)
        assert client.text("vget /objects") == ""
        with pytest.raises(ProtocolError):
            client.image("vget /camera/0/lit bmp")
        assert client.broken


def test_a_reconnect_is_asked_for_and_counted(client: Client, server: FakeServer) -> None:
    client.text("vget /unrealcv/echo a")
    server.drop()
    with pytest.raises(SimulatorCrashed, match=r"closed|broke") as caught:
        client.text("vget /unrealcv/echo b")
    assert caught.value.command == "vget /unrealcv/echo b"
    with pytest.raises(SimulatorCrashed, match=r"echo b.*Reconnect first"):
        client.text("vget /unrealcv/echo c")
    assert client.broken and client.reconnects == 0 and server.accepted == 1
    client.reconnect()
    assert not client.broken and client.reconnects == 1
    assert client.text("vget /unrealcv/echo d") == "d"
    assert server.asked[-1] == "vget /unrealcv/echo d"


def test_a_server_that_starts_again_on_its_port(server: FakeServer) -> None:
    client = Client(server.endpoint)
    server.stop()
    with pytest.raises(SimulatorCrashed):
        client.text("vget /unrealcv/echo a")
    with pytest.raises(SimulatorCrashed, match="cannot be connected to"):
        client.reconnect()
    assert client.broken
    with FakeServer(port=server.port):
        client.reconnect()
        assert client.text("vget /unrealcv/echo a") == "a"
        client.close()


def test_closing_twice_and_asking_after_it(client: Client) -> None:
    client.close()
    client.close()
    assert client.broken
    with pytest.raises(SimulatorCrashed, match="was closed"):
        client.text("vget /unrealcv/echo a")


def test_interrupt_ends_a_wait_from_another_thread() -> None:
    asked = threading.Event()

    def hearing(command: str) -> bytes:
        asked.set()
        return b"ok"

    with FakeServer(scripted(["hang"]), answer=hearing) as server:
        client = Client(server.endpoint, Deadlines(text_s=300.0))
        failed: list[Exception] = []

        def ask() -> None:
            try:
                client.text("vget /unrealcv/echo a")
            except SimulatorCrashed as error:
                failed.append(error)

        thread = threading.Thread(target=ask)
        thread.start()
        asked.wait()
        client.interrupt()
        thread.join()
        assert "interrupted" in str(failed[0]) and client.broken
        client.reconnect()
        assert client.text("vget /unrealcv/echo b") == "ok"
        client.close()


def test_a_wait_that_is_given_up_leaves_no_reply_behind(
    client: Client, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(deadline: float | None = None) -> memoryview:
        raise KeyboardInterrupt

    monkeypatch.setattr(client._reader, "read", stop)
    with pytest.raises(KeyboardInterrupt):
        client.text("vget /unrealcv/echo a")
    with pytest.raises(SimulatorCrashed, match="given up"):
        client.text("vget /unrealcv/echo b")
    client.reconnect()
    assert client.text("vget /unrealcv/echo c") == "c"


def test_the_published_client_is_served_by_the_same_frames(server: FakeServer) -> None:
    package = pytest.importorskip("unrealcv")
    client = package.Client(("127.0.0.1", server.port))
    assert client.connect() is True
    assert client.request("vget /unrealcv/echo hello") == "hello"
    assert client.request("vget /camera/3/lit bmp") == answer("vget /camera/3/lit bmp")
    client.disconnect()
