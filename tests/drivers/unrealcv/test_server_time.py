"""Ticks, batches, pause, modes, clients, and what a hostile client may try."""

from __future__ import annotations

import socket
import struct
from pathlib import Path

import pytest

from embodied_eval.drivers.unrealcv import formats, wire
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.connect import Deadlines, socket_files
from embodied_eval.drivers.unrealcv.faults import FaultPlan
from embodied_eval.drivers.unrealcv.server import Server
from embodied_eval.errors import (
    CommandFailed,
    ConfigError,
    LaunchTimeout,
    ProtocolError,
    SimulatorCrashed,
    SimulatorError,
    StepTimeout,
    UsageError,
)
from tests.drivers.unrealcv.serving import error_of, room, served
from tests.worlds import small

PROBE = "vget /embodied_eval/state"


def falling(client: Client) -> float:
    """Height of a crate, cm."""
    return formats.parse_vector(client.text("vget /object/crate/location"))[2]


def test_time_passes_with_ticks_and_not_while_paused() -> None:
    world = small.world(small.crate("crate", (1.5, 0.0, 3.0)))
    with served(world) as (_, client):
        first = falling(client)
        assert falling(client) < first
        assert client.text("vset /action/game/pause") == "ok"
        assert client.text("vget /action/game/is_paused") == "true"
        assert falling(client) == falling(client)
        client.text("vset /action/game/resume")
        heights = client.batch(["vget /object/crate/location"] * 5)
        assert len(set(heights)) == 1
        before = falling(client)
        client.text("vrun slomo 0.1")
        slow = falling(client)
        assert before - slow > 0.0
        client.text("vrun t.maxFPS 60")
        assert falling(client) < slow


def test_the_same_commands_give_the_same_answers() -> None:
    commands = [
        "vset /action/keyboard w 0.5",
        *["vget /camera/0/location"] * 20,
        "vget /object/crate/location",
    ]
    world = small.world(small.crate("crate", (1.0, 0.1, 0.5)))
    runs = []
    for _ in range(2):
        with served(world) as (_, client):
            runs.append([client.text(command) for command in commands])
    assert runs[0] == runs[1]
    x = [formats.parse_vector(text)[0] for text in runs[0][1:-1]]
    assert x[0] < x[5] and x[0] >= 0.0


def test_a_batch_runs_in_one_tick_and_half_a_batch_never() -> None:
    with served() as (server, client):
        client.text("vset /action/game/pause")
        bodies = client.batch(["vset /object/crate/hide", "nonsense", "vget /camera/0/location"])
        assert bodies[0] == b"ok" and bodies[1].startswith(b"error No handler") and len(bodies) == 3
        assert (
            error_of(client, "vbatch 0") == error_of(client, "vbatch 999999999") == "error Argument Invalid"
        )
        client.close()
        half = socket.create_connection(("127.0.0.1", server.port))
        half.sendall(wire.request(0, "vbatch 2") + wire.request(1, "vset /object/crate/color 1 1 1"))
        reader = wire.FrameReader(half)
        assert bytes(reader.read())[:9] == b"connected" and bytes(reader.read()) == b"0:ok"
        half.close()
        again = Client(f"tcp://{server.address}")
        assert again.text("vget /object/crate/color") != "(R=1,G=1,B=1,A=255)"
        again.close()


def test_pipelined_requests_are_answered_in_order_thirty_two_a_tick() -> None:
    world = small.world(small.crate("crate", (1.5, 0.0, 3.0)))
    with served(world) as (server, client):
        client.close()
        sock = socket.create_connection(("127.0.0.1", server.port))
        sock.sendall(b"".join(wire.request(n, "vget /object/crate/location") for n in range(100)))
        reader = wire.FrameReader(sock)
        reader.read()
        replies = [bytes(reader.read()).partition(b":") for _ in range(100)]
        assert [int(head) for head, _, _ in replies] == list(range(100))
        assert len({body for _, _, body in replies}) >= 4
        sock.close()


def test_a_second_client_is_turned_away_and_served_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("embodied_eval.drivers.unrealcv.server.SECOND_CLIENT_S", 0.1)
    with served() as (server, client):
        with pytest.raises(SimulatorError):
            Client(f"tcp://{server.address}", Deadlines(greeting_s=3.0))
        client.close()
        later = Client(f"tcp://{server.address}")
        assert later.text("vget /unrealcv/echo later") == "later"
        later.close()


def test_strict_is_the_public_server() -> None:
    with served(mode="strict") as (_, client):
        assert client.text("vget /unrealcv/version") == "1.0.1"
        assert client.text("vget /objects").endswith(" ")
        assert "Can not find" not in error_of(client, "vget /unrealcv/commands")
        assert error_of(client, "vget /camera/0/pose").startswith("error No handler")
        assert error_of(client, PROBE).startswith("error No handler")
        client.text("vset /action/game/pause")
        # What is static does not move, whatever the reply says.
        assert client.text("vset /object/wall/location 0 0 0") == "ok"
        assert client.text("vget /object/wall/location") == "200.000 0.000 0.000"
        client.text("vexec wall SetMobility Movable")
        client.text("vset /object/wall/location 0 0 0")
        assert client.text("vget /object/wall/location") == "0.000 0.000 0.000"
        # Camera 0 does not follow rotations while paused.
        client.text("vset /camera/0/rotation 0 90 0")
        assert client.text("vget /camera/0/rotation") == "0.000 0.000 0.000"
        client.text("vset /action/game/resume")
        assert client.text("vget /camera/0/rotation") == "0.000 90.000 0.000"


def test_linux_handover_serves_tcp_once() -> None:
    with served(mode="linux-handover") as (server, client):
        assert client.text("vget /unrealcv/echo tcp") == "tcp"
        path = Path(socket_files(server.port)[0])
        assert not path.exists()
        client.close()
        with pytest.raises(LaunchTimeout):
            Client(f"tcp://{server.address}", Deadlines(greeting_s=0.3))
        for word in ("first", "second"):
            by_file = Client(server.address)
            assert by_file.address.startswith("unix://")
            assert by_file.text(f"vget /unrealcv/echo {word}") == word
            by_file.close()
    assert not path.exists()


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("hang@0", StepTimeout),
        ("late@0", StepTimeout),
        ("wrong-id@0", ProtocolError),
        ("close@0", SimulatorCrashed),
        ("pieces@0", None),
    ],
)
def test_faults_are_shown_on_demand(fault: str, expected: type[SimulatorError] | None) -> None:
    with served(faults=FaultPlan.parse(fault + "/0")) as (_, client):
        if expected is None:
            assert client.text("vget /unrealcv/echo whole") == "whole"
            return
        with pytest.raises(expected):
            client.text("vget /unrealcv/echo no", deadline_s=0.2)
        client.reconnect()
        assert client.text("vget /unrealcv/echo yes") == "yes"


def test_a_fault_plan_is_checked() -> None:
    with pytest.raises(ConfigError, match="explode"):
        FaultPlan.parse("hang@1,explode")
    assert FaultPlan.parse("no-greeting/0").of_greeting(0)
    assert not FaultPlan.parse("no-greeting/0").of_greeting(1)


@pytest.mark.parametrize(
    "nonsense",
    [
        struct.pack("<II", 0xDEADBEEF, 4) + b"0:hi",
        struct.pack("<II", wire.MAGIC, 0),
        struct.pack("<II", wire.MAGIC, 2**31),
        struct.pack("<II", wire.MAGIC, 200 * 2**20),
    ],
)
def test_what_is_no_frame_ends_the_connection_only(nonsense: bytes) -> None:
    with served() as (server, client):
        client.close()
        sock = socket.create_connection(("127.0.0.1", server.port))
        reader = wire.FrameReader(sock)
        reader.read()
        sock.sendall(nonsense)
        with pytest.raises(ConnectionError):
            reader.read()
        sock.close()
        later = Client(f"tcp://{server.address}")
        assert later.text("vget /unrealcv/echo here") == "here"
        later.close()


def test_malformed_requests_are_never_answered() -> None:
    with served() as (server, client):
        client.close()
        sock = socket.create_connection(("127.0.0.1", server.port))
        reader = wire.FrameReader(sock)
        reader.read()
        bad = [b"no id", b":x", b"-1:vget /cameras", b"99999999999:vget /cameras", b"\xff\xfe\x00"]
        for payload in (*bad, b"5:vget /unrealcv/echo a\nvset /object/wall/destroy", b"6:\xff\xfe"):
            sock.sendall(wire.frame(payload))
        assert bytes(reader.read()) == b"5:a"
        assert bytes(reader.read()).startswith(b"6:error No handler found")
        sock.close()


def test_a_taken_port_is_an_error_that_says_so() -> None:
    from embodied_eval.drivers.mujoco.driver import MujocoDriver

    with served() as (server, _), pytest.raises(UsageError, match=str(server.port)):
        Server(MujocoDriver(), room(), port=server.port)


def test_a_world_that_cannot_be_loaded_fails_the_start() -> None:
    from embodied_eval.drivers.mujoco.driver import MujocoDriver
    from embodied_eval.errors import DataFileError

    twice = small.world(small.crate("crate", (1.0, 0.0, 0.0)), small.crate("crate", (2.0, 0.0, 0.0)))
    with pytest.raises(DataFileError):
        Server(MujocoDriver(), twice, port=0).start()


def test_the_client_sees_errors_as_answers() -> None:
    with served() as (_, client):
        with pytest.raises(CommandFailed):
            client.text("vget /object/nobody/location")
        assert not client.broken


def test_a_client_that_asks_and_never_listens_does_not_hold_up_the_end() -> None:
    with served() as (server, client):
        client.close()
        sock = socket.create_connection(("127.0.0.1", server.port))
        sock.settimeout(0.2)
        asked = b"".join(wire.request(n, "vget /unrealcv/help") for n in range(1000))
        with pytest.raises(TimeoutError):
            while True:
                sock.sendall(asked)
        server.stop()
        sock.close()
