"""A page's axes and ours: y up there, z up here.

A page's (x, y, z) is our (x, -z, y), both right-handed, times `scale` metres a unit. A camera that is not
turned looks along the page's -z, which is our +y, yaw 90. Ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from embodied_eval.drivers.base import Vec3
from embodied_eval.records import Pose


def to_ours(point: Sequence[float], scale: float = 1.0) -> Vec3:
    """A page's point (units), or direction with `scale` 1, in our axes (metres)."""
    return (point[0] * scale + 0.0, -point[2] * scale + 0.0, point[1] * scale + 0.0)


def to_page(point: Sequence[float], scale: float = 1.0) -> Vec3:
    """Our point (metres), or direction with `scale` 1, in the page's axes (units)."""
    return (point[0] / scale + 0.0, point[2] / scale + 0.0, -point[1] / scale + 0.0)


def angles_of(forward: Sequence[float]) -> tuple[float, float]:
    """Yaw and pitch in degrees of a view along `forward` (page axes); yaw 0 along our +x, in (-180, 180]."""
    x, y, z = to_ours(forward)
    length = math.sqrt(x * x + y * y + z * z)
    return math.degrees(math.atan2(y, x)), math.degrees(math.asin(max(-1.0, min(1.0, z / length))))


def pose_of(eye: Sequence[float], forward: Sequence[float], eye_height_m: float, scale: float = 1.0) -> Pose:
    """The pose of a camera at `eye` (units) that looks along `forward`, both in page axes."""
    x, y, z = to_ours(eye, scale)
    yaw_deg, pitch_deg = angles_of(forward)
    # Rounded to a nanometre, and -0 to 0, for clean numbers in texts and files.
    return Pose(*(round(value, 9) + 0.0 for value in (x, y, z - eye_height_m, yaw_deg, pitch_deg)))


def page_yaw(yaw_deg: float) -> float:
    """Our yaw in degrees as the page's turn about its y axis in radians, 0 along its -z."""
    return math.radians(yaw_deg - 90.0)


def horizontal_fov_deg(vertical_deg: float, aspect: float) -> float:
    """A horizontal field of view from a vertical one and width / height."""
    return math.degrees(2.0 * math.atan(math.tan(math.radians(vertical_deg) / 2.0) * aspect))


def wrapped(degrees: float) -> float:
    """An angle in (-180, 180]."""
    return 180.0 - (180.0 - degrees) % 360.0
