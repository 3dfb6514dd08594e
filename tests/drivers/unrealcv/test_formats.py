"""Text of replies and the two sets of axes."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from embodied_eval.drivers.base import view_direction
from embodied_eval.drivers.unrealcv import formats
from embodied_eval.errors import ProtocolError
from embodied_eval.records import Pose

metres = st.floats(-500.0, 500.0)
degrees = st.floats(-179.0, 179.0)
vectors = st.tuples(metres, metres, metres)
turns = st.tuples(degrees, degrees, degrees)


def unreal_axes(pitch: float, yaw: float, roll: float) -> NDArray[np.float64]:
    """Columns = where the left-handed axes forward, right, up point: turned by roll, then pitch, then yaw, each in
    the sense that UnrealCV documents."""
    p, y, r = map(math.radians, (pitch, yaw, roll))
    tilt_right = np.array([[1, 0, 0], [0, math.cos(r), math.sin(r)], [0, -math.sin(r), math.cos(r)]])
    look_up = np.array([[math.cos(p), 0, -math.sin(p)], [0, 1, 0], [math.sin(p), 0, math.cos(p)]])
    turn_right = np.array([[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0], [0, 0, 1]])
    made: NDArray[np.float64] = turn_right @ look_up @ tilt_right
    return made


def core_axes(roll: float, pitch: float, yaw: float) -> NDArray[np.float64]:
    """Right-handed turns about the fixed x, then y, then z axis."""
    made = np.eye(3)
    for axis, angle in ((0, roll), (1, pitch), (2, yaw)):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn = np.eye(3)
        turn[i, i] = turn[j, j] = math.cos(math.radians(angle))
        turn[j, i] = math.sin(math.radians(angle))
        turn[i, j] = -turn[j, i]
        made = turn @ made
    return made


FLIP = np.diag([1.0, -1.0, 1.0])


@given(turns)
def test_an_object_looks_the_same_on_both_sides(rotation_deg: tuple[float, float, float]) -> None:
    theirs = unreal_axes(*formats.turn_to_unreal(rotation_deg))
    assert np.allclose(FLIP @ core_axes(*rotation_deg) @ FLIP, theirs)
    assert formats.turn_from_unreal(formats.turn_to_unreal(rotation_deg)) == rotation_deg


@given(st.floats(-179.9, 180.0), st.floats(-80.0, 80.0))
def test_a_camera_looks_the_same_way_on_both_sides(yaw_deg: float, pitch_deg: float) -> None:
    rotation = formats.view_to_unreal(yaw_deg, pitch_deg)
    forward = unreal_axes(*rotation)[:, 0]
    assert np.allclose(formats.mirrored(tuple(forward)), view_direction(Pose(0, 0, 0, yaw_deg, pitch_deg)))
    assert formats.view_from_unreal(rotation) == pytest.approx((yaw_deg, pitch_deg))


def test_axes_by_example() -> None:
    assert formats.to_cm((1.0, 2.0, 3.0)) == (100.0, -200.0, 300.0)
    assert formats.box_to_metres(((0.0, 100.0, 0.0), (50.0, 300.0, 10.0))) == (
        (0.0, -3.0, 0.0),
        (0.5, -1.0, 0.1),
    )
    assert formats.view_from_unreal((350.0, 270.0, 0.0)) == (90.0, -10.0)
    assert formats.wrapped(-180.0) == 180.0


@given(vectors)
def test_points_and_boxes_round_trip_as_text(point: tuple[float, float, float]) -> None:
    there = formats.parse_vector(formats.numbers(formats.to_cm(point), 3))
    assert formats.to_metres(there) == pytest.approx(point, abs=1e-5)
    exact = formats.parse_vector(formats.numbers(formats.to_cm(point)))
    assert formats.to_metres(exact) == pytest.approx(point, abs=1e-8)
    box = (point, (point[0] + 1, point[1] + 2, point[2] + 3))
    back = formats.box_to_metres(formats.parse_box(formats.box_text(formats.box_to_cm(box))))
    assert np.allclose(back, box, atol=1e-4)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e-5, "0.000010"),
        (-1e-9, "0.000000"),
        (-0.0, "0.000000"),
        (1e15, "1000000000000000.000000"),
        (-5, "-5.000000"),
    ],
)
def test_numbers_are_what_every_server_reads(value: float, text: str) -> None:
    assert formats.number(value) == text


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_only_finite_numbers_are_sent(value: float) -> None:
    with pytest.raises(ValueError, match="cannot be sent"):
        formats.numbers((0.0, value, 0.0))


def test_other_texts_round_trip() -> None:
    assert formats.parse_colour(formats.colour_text((1, 22, 255))) == (1, 22, 255)
    assert formats.parse_size("640 480") == (640, 480)
    assert [formats.parse_bool(text) for text in ("true", "false")] == [True, False]
    assert formats.parse_names("Chair_1 Table_2 ") == ["Chair_1", "Table_2"]
    assert formats.vector_argument((1.0, -2.5, 0.0)) == "(X=1.000000,Y=-2.500000,Z=0.000000)"


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (formats.parse_vector, "1 2"),
        (formats.parse_vector, "1 2 3 4"),
        (formats.parse_vector, "1 2 nan"),
        (formats.parse_vector, "ok"),
        (formats.parse_vector, ""),
        (formats.parse_box, "1 2 3"),
        (formats.parse_size, "640"),
        (formats.parse_size, "640 -1"),
        (formats.parse_colour, "(R=1,G=2,B=256,A=255)"),
        (formats.parse_colour, "1 2 3"),
        (formats.parse_bool, "True"),
    ],
)
def test_another_text_is_a_protocol_error(parse: Callable[[str], object], text: str) -> None:
    with pytest.raises(ProtocolError):
        parse(text)


def test_errors_are_told_from_words_that_begin_alike() -> None:
    assert all(map(formats.is_error, (b"error", b"error Argument Invalid", b"error: no", b"error\n")))
    assert not any(map(formats.is_error, (b"errors_1 Lamp_2", b"ok", b"", b"Error_Box", b"error_box_3")))


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("error No handler found for URI 'x'. Can not find a handler", "unknown_command"),
        ("error Can not find a handler for URI 'x'", "unknown_command"),
        ("error Argument Invalid", "bad_argument"),
        ("error Not Implemented", "not_supported"),
        ("The simulator answered 'vget /object/x/location' with: error Cannot find object", "no_object"),
        ("error Can not find actor with id 'x'", "no_object"),
        ("error Invalid sensor id", "no_camera"),
        ("error Captured data is empty", "empty_frame"),
        ("error The pawn is invalid", "not_ready"),
        ("error No viewport console available", "no_console"),
        ("error Something else", "other"),
    ],
)
def test_error_texts_have_reasons(words: str, reason: str) -> None:
    assert formats.reason(words) == reason
