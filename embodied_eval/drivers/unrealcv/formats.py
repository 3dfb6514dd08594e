"""What UnrealCV's replies look like and what they mean, both ways: numbers, axes, colours, error texts.

UnrealCV is left-handed, x forward, y right, z up, in centimetres; yaw turns from +x to +y, pitch looks up, roll
tilts right. The core is right-handed in metres. The one becomes the other by turning y round. Readers of text
raise `ProtocolError` for anything else than what they are for. Pictures: `images`.
"""

from __future__ import annotations

import math
import re
from typing import Literal

from embodied_eval.errors import ProtocolError

Vec3 = tuple[float, float, float]
Box = tuple[Vec3, Vec3]
Colour = tuple[int, int, int]
Reason = Literal[
    "unknown_command",
    "bad_argument",
    "not_supported",
    "no_object",
    "no_camera",
    "empty_frame",
    "not_ready",
    "no_console",
    "other",
]
CM_A_METRE = 100.0
_COLOUR = re.compile(r"\(R=(\d+),G=(\d+),B=(\d+)(?:,A=\d+)?\)")
# What the public server says, and what older ones said; the first that occurs counts.
_REASONS: tuple[tuple[str, Reason], ...] = (
    ("no handler found", "unknown_command"),
    ("can not find a handler", "unknown_command"),
    ("argument invalid", "bad_argument"),
    ("not implemented", "not_supported"),
    ("cannot find object", "no_object"),
    ("can not find object", "no_object"),
    ("can not find actor", "no_object"),
    ("invalid sensor id", "no_camera"),
    ("captured data is empty", "empty_frame"),
    ("no valid world", "not_ready"),
    ("no player controller", "not_ready"),
    ("pawn is invalid", "not_ready"),
    ("no viewport console", "no_console"),
)


def to_cm(position_m: Vec3) -> Vec3:
    """A point in UnrealCV's axes, centimetres."""
    x, y, z = position_m
    return (x * CM_A_METRE, -y * CM_A_METRE, z * CM_A_METRE)


def to_metres(position_cm: Vec3) -> Vec3:
    """A point in the core's axes, metres."""
    x, y, z = position_cm
    return (x / CM_A_METRE, -y / CM_A_METRE, z / CM_A_METRE)


def box_to_cm(box_m: Box) -> Box:
    """(min, max) corners in UnrealCV's axes, centimetres."""
    (x0, y0, z0), (x1, y1, z1) = box_m
    return to_cm((x0, y1, z0)), to_cm((x1, y0, z1))


def box_to_metres(box_cm: Box) -> Box:
    """(min, max) corners in the core's axes, metres."""
    (x0, y0, z0), (x1, y1, z1) = box_cm
    return to_metres((x0, y1, z0)), to_metres((x1, y0, z1))


def mirrored(direction: Vec3) -> Vec3:
    """A direction, or a scaled vector such as a velocity in the same unit, in the other's axes."""
    x, y, z = direction
    return (x, -y, z)


def view_to_unreal(yaw_deg: float, pitch_deg: float) -> Vec3:
    """UnrealCV's (pitch, yaw, roll) of a camera that looks along the core's `yaw_deg` and `pitch_deg` (up
    positive)."""
    return (pitch_deg, -yaw_deg, 0.0)


def view_from_unreal(rotation: Vec3) -> tuple[float, float]:
    """The core's (yaw, pitch) in degrees, yaw in (-180, 180], of a camera with UnrealCV's (pitch, yaw, roll)."""
    pitch, yaw, _ = rotation
    return wrapped(-yaw), wrapped(pitch)


def turn_to_unreal(rotation_deg: Vec3) -> Vec3:
    """UnrealCV's (pitch, yaw, roll) of an object with the core's (roll, pitch, yaw).

    The core turns about the fixed x, y and z axes, so a positive pitch there dips the front (`view_to_unreal` is
    for cameras, whose pitch is up). Ours: both matrices are the same once y is turned round.
    """
    roll, pitch, yaw = rotation_deg
    return (-pitch, -yaw, roll)


def turn_from_unreal(rotation: Vec3) -> Vec3:
    """The core's (roll, pitch, yaw) of an object with UnrealCV's (pitch, yaw, roll)."""
    pitch, yaw, roll = rotation
    return (roll, -pitch, -yaw)


def wrapped(angle_deg: float) -> float:
    """The same angle in (-180, 180]."""
    return 180.0 - (180.0 - angle_deg) % 360.0


def number(value: float, decimals: int = 6) -> str:
    """A number as every server reads it: fixed decimals, no exponent, no minus before nought. Raises
    ValueError for what is not finite."""
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be sent as a number.")
    text = f"{value:.{decimals}f}"
    return text.lstrip("-") if not text.strip("-0.") else text


def numbers(values: Vec3 | tuple[float, ...], decimals: int = 6) -> str:
    """Numbers with spaces between them, for a command (6 decimals) or a reply (locations, rotations and
    scales 3, bounds 2)."""
    return " ".join(number(value, decimals) for value in values)


def parse_numbers(text: str, count: int) -> tuple[float, ...]:
    """Exactly `count` finite numbers."""
    try:
        found = tuple(float(word) for word in text.split())
    except ValueError:
        found = ()
    if len(found) != count or not all(map(math.isfinite, found)):
        raise ProtocolError(f"{count} numbers were expected, not {_short(text)}.")
    return found


def parse_vector(text: str) -> Vec3:
    """Three numbers: a location, rotation or scale."""
    x, y, z = parse_numbers(text, 3)
    return (x, y, z)


def parse_box(text: str) -> Box:
    """Six numbers: an object's bounds as (min, max) corners."""
    x0, y0, z0, x1, y1, z1 = parse_numbers(text, 6)
    return (x0, y0, z0), (x1, y1, z1)


def box_text(box: Box) -> str:
    """Bounds as the server writes them."""
    return numbers((*box[0], *box[1]), 2)


def parse_size(text: str) -> tuple[int, int]:
    """A camera's (width, height)."""
    words = text.split()
    if len(words) != 2 or not all(word.isdecimal() for word in words):
        raise ProtocolError(f"A width and a height were expected, not {_short(text)}.")
    return int(words[0]), int(words[1])


def colour_text(colour: Colour) -> str:
    """A mask's colour as the server writes it."""
    return "(R={},G={},B={},A=255)".format(*colour)


def parse_colour(text: str) -> Colour:
    """A mask's colour (red, green, blue), 0 to 255 each."""
    match = _COLOUR.fullmatch(text.strip())
    found = tuple(int(value) for value in match.groups()) if match else ()
    if len(found) != 3 or max(found) > 255:
        raise ProtocolError(f"A colour like (R=1,G=2,B=3,A=255) was expected, not {_short(text)}.")
    return (found[0], found[1], found[2])


def parse_bool(text: str) -> bool:
    """`true` or `false`."""
    if text not in ("true", "false"):
        raise ProtocolError(f"true or false was expected, not {_short(text)}.")
    return text == "true"


def parse_names(text: str) -> list[str]:
    """A list of names; the real server leaves a space after the last."""
    return text.split()


def vector_argument(vector: Vec3) -> str:
    """A vector as an argument of `vexec` and `vbp`: one word."""
    return "(X={},Y={},Z={})".format(*(number(value) for value in vector))


def is_error(body: bytes | memoryview) -> bool:
    """Whether a text body is the server's error: `error` as its first word."""
    start = bytes(body[:6])
    return start[:5] == b"error" and not start[5:].strip(b" \t\r\n:")


def reason(words: str) -> Reason:
    """What kind of failure the server's error text, or a message that quotes it, speaks of."""
    low = words.lower()
    return next((kind for text, kind in _REASONS if text in low), "other")


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
