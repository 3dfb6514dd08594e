"""Where a pixel looks, for an eye at a person's height with a quarter circle of view.

The explorer is told neither; it takes them for granted as a person would (ours).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

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

    def project(self, ahead_m: Floats, right_m: Floats) -> tuple[Floats, Floats, Floats]:
        """Column, row and depth (metres along the gaze; not positive = behind the eye) of floor points."""
        gaze = math.radians(self.gaze_deg)
        depth = ahead_m * math.cos(gaze) + EYE_M * math.sin(gaze)
        down = EYE_M * math.cos(gaze) - ahead_m * math.sin(gaze)
        scale = self.focal_px / depth.clip(min=1e-6)
        return self.width / 2 + right_m * scale, self.height / 2 + down * scale, depth

    def floor_row(self, ahead_m: float) -> float:
        """The row in which the floor `ahead_m` straight on is seen."""
        gaze = math.radians(self.gaze_deg)
        depth = ahead_m * math.cos(gaze) + EYE_M * math.sin(gaze)
        down = EYE_M * math.cos(gaze) - ahead_m * math.sin(gaze)
        return self.height / 2 + down * self.focal_px / depth
