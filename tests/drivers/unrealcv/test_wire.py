"""Frames, and reading them off a socket."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from embodied_eval.drivers.unrealcv import wire
from embodied_eval.errors import ProtocolError

Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    left, right = socket.socketpair()
    with left, right:
        yield left, right


def test_a_frame_is_magic_length_payload() -> None:
    assert wire.frame(b"connected") == b"\xc1\x83\x2b\x9e\x09\x00\x00\x00connected"
    assert wire.request(7, "vget /unrealcv/status") == wire.frame(b"7:vget /unrealcv/status")
    assert wire.reply(7, b"ok") == wire.frame(b"7:ok") == wire.reply_head(7, 2) + b"ok"


@pytest.mark.parametrize("command", ["", "  ", "vget /a\nvget /b", "vget /a\r", "vget /a\0"])
def test_a_command_that_a_server_would_cut_off_is_not_sent(command: str) -> None:
    with pytest.raises(ValueError, match="one line"):
        wire.request(0, command)


@pytest.mark.parametrize("number", [-1, 2**31])
def test_ids_have_31_bits(number: int) -> None:
    with pytest.raises(ValueError, match="id"):
        wire.request(number, "vget /cameras")


def test_lengths_are_limited() -> None:
    with pytest.raises(ValueError, match="bytes"):
        wire.frame(b"")
    with pytest.raises(ValueError, match="bytes"):
        wire.header(wire.MAX_BYTES + 1)
    assert wire.payload_length(wire.header(wire.MAX_BYTES)) == wire.MAX_BYTES
    for length in (0, wire.MAX_BYTES + 1, 2**32 - 1):
        with pytest.raises(ProtocolError, match=str(length)):
            wire.payload_length(wire.HEADER.pack(wire.MAGIC, length))
    with pytest.raises(ProtocolError, match="0x9e2b83c2"):
        wire.payload_length(wire.HEADER.pack(wire.MAGIC + 1, 1))


@given(st.integers(0, 2**31 - 1), st.binary(max_size=40))
def test_replies_round_trip(number: int, body: bytes) -> None:
    payload = memoryview(wire.reply(number, body))[wire.HEADER.size :]
    assert wire.parse_reply(payload, number) == body
    with pytest.raises(ProtocolError, match=f"id {number}; expected is {number + 1}"):
        wire.parse_reply(payload, number + 1)


@given(st.binary(min_size=1, max_size=30))
def test_any_payload_is_parsed_or_refused(payload: bytes) -> None:
    parts = wire.split(memoryview(payload))
    if parts is not None:
        digits, colon, rest = payload.partition(b":")
        assert (parts[0], bytes(parts[1])) == (int(digits), rest)
        assert colon


def test_requests_are_cut_at_a_line_break_and_malformed_ones_are_none() -> None:
    assert wire.parse_request(memoryview(b"3:vget /a b\r\nrest")) == (3, "vget /a b")
    assert wire.parse_request(memoryview(b"3:")) == (3, "")
    for wrong in (
        b"vget /a",
        b":vget /a",
        b"-1:vget /a",
        b"1 :x",
        b"2147483648:x",
        b"12345678901:x",
        b" 1:x",
    ):
        assert wire.parse_request(memoryview(wrong)) is None


def test_bytes_are_those_of_the_published_package(pair: Pair) -> None:
    package = pytest.importorskip("unrealcv")
    ours, theirs = pair
    assert package.SocketMessage.magic == wire.MAGIC
    for payload in (b"0:vget /unrealcv/status", bytes(range(256)) * 20):
        assert package.SocketMessage.WrapAndSendPayload(theirs, payload)
        assert ours.recv(65536) == wire.frame(payload)
        ours.sendall(wire.frame(payload))
        assert package.SocketMessage.ReceivePayload(theirs) == payload


def test_frames_arrive_whole_however_they_are_cut(pair: Pair) -> None:
    left, right = pair
    dice = random.Random(3)
    payloads = [dice.randbytes(dice.choice((1, 7, 8, 9, 300, 200_000))) for _ in range(40)]
    stream = b"".join(map(wire.frame, payloads))

    def send() -> None:
        at = 0
        while at < len(stream):
            size = dice.choice((1, 2, 7, 9, 5000, 100_000))
            left.sendall(stream[at : at + size])
            at += size

    sender = threading.Thread(target=send)
    sender.start()
    reader = wire.FrameReader(right)
    assert [bytes(reader.read()) for _ in payloads] == payloads
    sender.join()


def test_what_was_handed_out_never_changes_and_free_memory_is_used_again(pair: Pair) -> None:
    left, right = pair
    reader = wire.FrameReader(right)
    for letter in b"abcd":
        left.sendall(wire.frame(bytes([letter]) * 50_000))
    first = reader.read()
    second = reader.read()[10:20]
    third = reader.read()
    assert (bytes(first), bytes(second), bytes(third)) == (b"a" * 50_000, b"b" * 10, b"c" * 50_000)
    memory = third.obj
    third.release()
    assert reader.read().obj is memory


def test_an_illegal_length_is_refused_before_memory_is_taken(pair: Pair) -> None:
    left, right = pair
    reader = wire.FrameReader(right)
    left.sendall(wire.HEADER.pack(wire.MAGIC, 2**32 - 1))
    with pytest.raises(ProtocolError, match="4294967295"):
        reader.read()
    assert len(reader._buffer) < 10_000


@pytest.mark.parametrize(("sent", "said"), [(0, "nothing"), (5, "5 bytes"), (8, "8 bytes"), (11, "11 bytes")])
def test_the_deadline_holds_for_all_of_a_frame(pair: Pair, sent: int, said: str) -> None:
    left, right = pair
    left.sendall(wire.frame(b"connected")[:sent])
    with pytest.raises(TimeoutError, match=said):
        wire.FrameReader(right).read(time.monotonic() + 0.02)


def test_a_trickle_does_not_move_the_deadline(pair: Pair) -> None:
    left, right = pair
    over = threading.Event()

    def trickle() -> None:
        left.sendall(wire.header(10**6))
        while not over.wait(0.005):
            left.sendall(b"x")

    sender = threading.Thread(target=trickle)
    sender.start()
    with pytest.raises(TimeoutError, match="of a frame"):
        wire.FrameReader(right).read(time.monotonic() + 0.1)
    over.set()
    sender.join()


@pytest.mark.parametrize(("sent", "within"), [(0, False), (1, True), (8, True), (16, True)])
def test_an_end_is_told_at_once(pair: Pair, sent: int, within: bool) -> None:
    left, right = pair
    left.sendall(wire.frame(b"connected")[:sent])
    left.close()
    with pytest.raises(wire.Closed) as caught:
        wire.FrameReader(right).read(time.monotonic() + 60)
    assert caught.value.within is within
