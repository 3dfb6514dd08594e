"""Every fault of a server ends in a typed error or the right answer, never in another question's answer."""

from __future__ import annotations

import pytest

from embodied_eval.drivers.unrealcv.client import Client, Deadlines
from embodied_eval.errors import (
    CommandFailed,
    FrameTimeout,
    LaunchTimeout,
    ProtocolError,
    SimulatorCrashed,
    SimulatorError,
    StepTimeout,
)
from tests.drivers.unrealcv.fake_server import (
    GREETING_FAULTS,
    HARMLESS,
    REPLY_FAULTS,
    FakeServer,
    colour,
    scripted,
)
from tests.perf import unrealcv_faults

LATE = frozenset({"hang", "late", "stall_in_header", "stall_in_payload", "truncated"})
GONE = frozenset({"close", "reset", "close_in_header", "close_in_payload"})
# A fault that is noticed at once must not wait for this; one that is not, waits for SHORT_S.
LONG_S, SHORT_S = 300.0, 0.05


def expected(fault: str, late: type[SimulatorError]) -> type[SimulatorError]:
    if fault in LATE:
        return late
    if fault in GONE:
        return SimulatorCrashed
    return CommandFailed if fault == "error" else ProtocolError


def deadline_s(fault: str) -> float:
    return SHORT_S if fault in LATE else LONG_S


def stays_in_step(client: Client, server: FakeServer, before: int) -> None:
    """After a fault the client either goes on in step, or stays broken until it is told to reconnect."""
    if client.broken:
        with pytest.raises(SimulatorCrashed, match="Reconnect first"):
            client.text("vget /unrealcv/echo w2")
        assert server.accepted == before and client.reconnects == 0
        client.reconnect()
    assert client.text("vget /unrealcv/echo w3") == "w3"
    client.close()


@pytest.mark.parametrize("fault", [fault for fault in REPLY_FAULTS if fault not in HARMLESS])
def test_text(fault: str) -> None:
    with FakeServer(scripted([fault])) as server:
        client = Client(server.endpoint)
        with pytest.raises(expected(fault, StepTimeout)) as caught:
            client.text("vget /unrealcv/echo w1", deadline_s=deadline_s(fault))
        error = caught.value
        assert (error.endpoint, error.command) == (server.endpoint, "vget /unrealcv/echo w1")
        assert error.waited_s is not None and client.broken is (fault != "error")
        stays_in_step(client, server, 1)


@pytest.mark.parametrize("fault", [fault for fault in REPLY_FAULTS if fault not in HARMLESS])
@pytest.mark.parametrize(
    "command", ["vget /camera/5/lit bmp", "vget /camera/5/seg png", "vget /camera/5/depth npy"]
)
def test_pictures(fault: str, command: str) -> None:
    with FakeServer(scripted([fault])) as server:
        client = Client(server.endpoint)
        with pytest.raises(expected(fault, FrameTimeout)):
            client.image(command, deadline_s=deadline_s(fault))
        stays_in_step(client, server, 1)


IN_A_BATCH = LATE - {"late"} | GONE | {"wrong_id", "next_id", "no_id", "bad_magic", "early"}


@pytest.mark.parametrize("fault", sorted(IN_A_BATCH))
def test_half_a_batch(fault: str) -> None:
    # The header's reply and two more are good.
    with FakeServer(scripted(["", "", "", fault])) as server:
        client = Client(server.endpoint)
        with pytest.raises(expected(fault, StepTimeout)) as caught:
            client.batch([f"vget /unrealcv/echo w{n}" for n in range(4)], deadline_s=deadline_s(fault))
        assert caught.value.command == "vbatch 4"
        stays_in_step(client, server, 1)


def test_a_batch_whose_last_reply_never_comes() -> None:
    with FakeServer(scripted(["", "", "late"])) as server:
        client = Client(server.endpoint)
        with pytest.raises(StepTimeout):
            client.batch(["vget /unrealcv/echo w0", "vget /unrealcv/echo w1"], deadline_s=SHORT_S)
        stays_in_step(client, server, 1)


def test_a_reply_that_trickles_in_time_is_whole() -> None:
    with FakeServer(scripted(["bytewise"] * 2, ["bytewise_greeting"])) as server:
        client = Client(server.endpoint)
        assert client.text("vget /unrealcv/echo w1") == "w1"
        assert (client.image("vget /camera/300/lit png") == colour(300)).all()
        client.close()


@pytest.mark.parametrize("fault", ["twice", "early"])
def test_what_comes_unasked_is_no_answer(fault: str) -> None:
    # "early" carries the very id that the next question will have.
    with FakeServer(scripted([fault])) as server:
        client = Client(server.endpoint)
        assert client.text("vget /unrealcv/echo w1") == "w1"
        with pytest.raises(ProtocolError, match="without having been asked"):
            client.text("vget /unrealcv/echo w2")
        assert server.asked == ["vget /unrealcv/echo w1"]
        stays_in_step(client, server, 1)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("no_greeting", LaunchTimeout),
        ("stalled_greeting", LaunchTimeout),
        ("wrong_greeting", ProtocolError),
        ("greeting_bad_magic", ProtocolError),
        ("greeting_closed", SimulatorCrashed),
    ],
)
def test_greetings(fault: str, error: type[SimulatorError]) -> None:
    assert fault in GREETING_FAULTS
    with FakeServer(scripted([], [fault])) as server:
        deadlines = Deadlines(greeting_s=SHORT_S if error is LaunchTimeout else LONG_S)
        with pytest.raises(error) as caught:
            Client(server.endpoint, deadlines)
        assert caught.value.command == "greeting" and caught.value.hint
        client = Client(server.endpoint)
        assert client.text("vget /unrealcv/echo w1") == "w1"
        client.close()


def test_a_greeting_that_fails_at_a_reconnect_leaves_the_client_broken() -> None:
    with FakeServer(scripted(["close"], ["", "wrong_greeting"])) as server:
        client = Client(server.endpoint)
        with pytest.raises(SimulatorCrashed):
            client.text("vget /unrealcv/echo w1")
        with pytest.raises(ProtocolError):
            client.reconnect()
        assert client.broken and client.reconnects == 0
        with pytest.raises(SimulatorCrashed, match="220 mail"):
            client.text("vget /unrealcv/echo w2")
        stays_in_step(client, server, 2)


@pytest.mark.parametrize("seed", [1, 2])
def test_random_faults(seed: int) -> None:
    counts = unrealcv_faults.ours(150, seed)
    assert (counts["stale"], counts["wrong"], counts["untyped"]) == (0, 0, 0)
    assert counts["faults"] == 150 and counts["typed"] > 0 and counts["right"] > 0


@pytest.mark.full
def test_ten_thousand_random_faults() -> None:
    counts = unrealcv_faults.ours(10_000, 3)
    assert (counts["stale"], counts["wrong"], counts["untyped"]) == (0, 0, 0)
