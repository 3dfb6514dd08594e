"""When the sun's shadow map must be drawn again, with what, and how it is read; whatever draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.base import Vec3
from embodied_eval.drivers.render.camera import SunView, sun_basis, sun_view
from embodied_eval.drivers.render.drawlist import DrawList, shadow_list
from embodied_eval.drivers.render.instances import Instances
from embodied_eval.drivers.render.meshes import MeshSet

Array = NDArray[Any]


@dataclass(frozen=True)
class ShadowDraw:
    """What to draw into a cleared map: `draws` (None: nothing casts) through the 4x4 `to_clip`."""

    draws: DrawList | None
    to_clip: Array


class ShadowPlan:
    """Of a map of `size_px` squared. `redraws` counts how often it was due."""

    def __init__(self, size_px: int) -> None:
        self._size_px = size_px
        self._drawn: Any = None
        self._view: SunView | None = None
        self.redraws = 0

    def due(
        self, instances: Instances, known: MeshSet, direction: Vec3, eye: NDArray[np.float64]
    ) -> ShadowDraw | None:
        """What to draw now, if the casters, the sun or the covered region differ from the last time; `known`
        holds their meshes."""
        basis = sun_basis(direction)
        table = instances.table()
        casts = table.casts
        view = sun_view(basis, table.caster[casts], table.extent[casts], eye)
        corners = None if view is None else (view.low.tobytes(), view.high.tobytes())
        wanted = (instances.shadow_changes, direction, corners)
        if wanted == self._drawn:
            return None
        self._drawn, self._view = wanted, view
        self.redraws += 1
        if view is None:
            return ShadowDraw(None, np.eye(4))
        # Relative to the map's own middle, so that the map does not depend on where the eye is.
        middle = 0.5 * (view.low + view.high) @ basis
        return ShadowDraw(shadow_list(table, known, view, middle, self._size_px), view.to_clip(middle))

    def uniforms(self, eye: NDArray[np.float64], softness_m: float) -> dict[str, Any]:
        """`to_shadow` and `bias` of `glsl/visibility.frag` for positions relative to `eye`."""
        if self._view is None:
            return {"to_shadow": np.zeros((4, 4), "f4").tobytes(), "bias": (0.0, 0.0, 0.0)}
        to_unit = np.diag([0.5, 0.5, 0.5, 1.0])
        to_unit[:3, 3] = 0.5
        matrix = to_unit @ self._view.to_clip(eye)
        texel_m = self._view.width_m / self._size_px
        spread = max(softness_m, 1.8 * texel_m) / self._view.width_m
        depth_m = float(self._view.high[2] - self._view.low[2])
        slack = (0.5 * texel_m + 0.5 * softness_m * 0.3) / depth_m
        return {
            "to_shadow": matrix.T.astype("f4").tobytes(),
            "bias": (1.5 * texel_m + 0.15 * softness_m, spread, slack),
        }
