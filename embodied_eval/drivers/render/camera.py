"""Views: what a pinhole camera and the sun's parallel light see of a world.

Everything a view draws is relative to its eye, so that float32 keeps its precision far from the origin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.base import Vec3

Array = NDArray[np.float64]
NEAR_M = 0.04


@dataclass(frozen=True)
class Camera:
    """A view from `eye`. `forward`, `right`, `up` are unit vectors; `tan_x`, `tan_y` the tangents of half
    the horizontal and vertical field of view."""

    eye: Array
    forward: Array
    right: Array
    up: Array
    tan_x: float
    tan_y: float

    def to_clip(self, far_m: float) -> Array:
        """4x4 clip-from-relative matrix. The picture is drawn upside down: row 0 read back is the top."""
        depth = (far_m + NEAR_M) / (far_m - NEAR_M)
        return np.array(
            [
                [*(self.right / self.tan_x), 0.0],
                [*(-self.up / self.tan_y), 0.0],
                [*(self.forward * depth), -2.0 * far_m * NEAR_M / (far_m - NEAR_M)],
                [*self.forward, 0.0],
            ]
        )

    def sees(self, centers: Array, radii: Array) -> NDArray[np.bool_]:
        """Which spheres, relative to the eye, reach into the view."""
        ahead, aside, above = centers @ self.forward, centers @ self.right, centers @ self.up
        slant_x, slant_y = math.hypot(1.0, self.tan_x), math.hypot(1.0, self.tan_y)
        inside: NDArray[np.bool_] = (
            (ahead > NEAR_M - radii)
            & (np.abs(aside) < ahead * self.tan_x + radii * slant_x)
            & (np.abs(above) < ahead * self.tan_y + radii * slant_y)
        )
        return inside


def camera(eye: Vec3, yaw_deg: float, pitch_deg: float, size: tuple[int, int], fov_deg: float) -> Camera:
    """The camera at `eye` (metres) for a picture of `size` (width, height) pixels."""
    yaw, pitch = math.radians(yaw_deg), math.radians(pitch_deg)
    forward = np.array([math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), math.sin(pitch)])
    right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    tan_x = math.tan(math.radians(fov_deg) / 2)
    width, height = size
    return Camera(
        np.asarray(eye, float), forward, right, np.cross(right, forward), tan_x, tan_x * height / width
    )


@dataclass(frozen=True)
class SunView:
    """The box that the shadow map covers. `basis` rows are the map's x, y and depth axis (the way the
    light goes); `low` and `high` its corners along them, metres."""

    basis: Array
    low: Array
    high: Array

    def to_clip(self, eye: Array) -> Array:
        """4x4 clip-from-relative matrix for positions relative to `eye`."""
        scale = 2.0 / (self.high - self.low)
        matrix = np.eye(4)
        matrix[:3, :3] = self.basis * scale[:, None]
        matrix[:3, 3] = (self.basis @ eye - self.low) * scale - 1.0
        return matrix

    @property
    def width_m(self) -> float:
        """The map's longer side."""
        return float(max(self.high[:2] - self.low[:2]))


REGION_M = 48.0
"""A larger world gets a shadow map of the region around the eye only."""
STEP_M = 12.0
"""The region moves in steps, so that the map depends on the eye's place and not on its path."""


def sun_basis(direction: Vec3) -> Array:
    """Rows: the shadow map's x, y and depth axis for light going along `direction`."""
    along = np.asarray(direction, float)
    along = along / np.linalg.norm(along)
    aside = np.array([1.0, 0.0, 0.0]) if abs(along[2]) > 0.99 else np.array([0.0, 0.0, 1.0])
    x = np.cross(aside, along)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(along, x), along])


def sun_view(basis: Array, centers: Array, extents: Array, eye: Array) -> SunView | None:
    """A view that holds the casters' boxes (`centers`, half `extents` along the world's axes), or as much
    of them as lies around the eye; None without casters."""
    if not len(centers):
        return None
    at, reach = centers @ basis.T, extents @ np.abs(basis).T
    low, high = (at - reach).min(axis=0), (at + reach).max(axis=0)
    around = np.round(basis[:2] @ eye / STEP_M) * STEP_M
    for axis in range(2):
        if high[axis] - low[axis] > REGION_M:
            half = REGION_M / 2
            middle = min(max(around[axis], low[axis] + half), high[axis] - half)
            low[axis], high[axis] = middle - half, middle + half
    pad = np.array([0.3, 0.3, 0.1])
    return SunView(basis, low - pad, high + pad)
