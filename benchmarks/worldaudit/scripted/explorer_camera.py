"""Where a pixel looks, for an eye at a person's height with a quarter circle of view.

The explorer is told neither; it takes them for granted as a person would (ours).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

EYE_M = 1.6
FOV_DEG = 90.0


@dataclass(frozen=True)
class Ray:
    """A direction from the eye: `right_deg` of the heading, and rise per metre along the floor."""

    right_deg: float
    slope: float


@dataclass(frozen=True)
class Camera:
    """A picture of `width` x `height` pixels, `gaze_deg` downwards."""

    width: int
    height: int
    gaze_deg: float

    @cached_property
    def focal_px(self) -> float:
        """Focal length in pixels."""
        return self.width / 2 / math.tan(math.radians(FOV_DEG / 2))

    def ray(self, column: float, row: float) -> Ray:
        """The direction of a pixel (0, 0 = upper left corner)."""
        gaze = math.radians(self.gaze_deg)
        right = (column - self.width / 2) / self.focal_px
        down = (row - self.height / 2) / self.focal_px
        ahead = math.cos(gaze) - down * math.sin(gaze)
        up = -math.sin(gaze) - down * math.cos(gaze)
        return Ray(math.degrees(math.atan2(right, ahead)), up / max(1e-6, math.hypot(right, ahead)))

    def pixel(self, ahead_m: float, right_m: float, height_m: float = 0.0) -> tuple[float, float] | None:
        """The column and row of a point, or None if it is behind the eye."""
        gaze = math.radians(self.gaze_deg)
        up = height_m - EYE_M
        depth = ahead_m * math.cos(gaze) - up * math.sin(gaze)
        if depth < 0.05:
            return None
        down = -(ahead_m * math.sin(gaze) + up * math.cos(gaze))
        return (
            self.width / 2 + self.focal_px * right_m / depth,
            self.height / 2 + self.focal_px * down / depth,
        )

    def floor_m(self, column: float, row: float) -> float:
        """How far along the floor a pixel meets it; infinite at and above the horizon."""
        slope = self.ray(column, row).slope
        return EYE_M / -slope if slope < -1e-3 else math.inf
