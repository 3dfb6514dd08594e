"""The sun's shadow map, redrawn only when what it shows has changed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.base import Vec3
from embodied_eval.drivers.render.camera import SunView, sun_basis, sun_view
from embodied_eval.drivers.render.drawlist import shadow_list
from embodied_eval.drivers.render.instances import Instances
from embodied_eval.drivers.render.stage import Stage


class ShadowMap:
    """`redraws` counts how often the map was drawn. `texture` holds depth along the light, 0..1."""

    def __init__(self, context: Any, size_px: int) -> None:
        self._context, self._size_px = context, size_px
        self.texture = context.depth_texture((size_px, size_px))
        self.texture.compare_func = ""
        self.texture.filter = (context.NEAREST, context.NEAREST)
        self.texture.repeat_x = self.texture.repeat_y = False
        self._frame = context.framebuffer(depth_attachment=self.texture)
        self._drawn: Any = None
        self._view: SunView | None = None
        self.redraws = 0

    def refresh(self, stage: Stage, instances: Instances, direction: Vec3, eye: NDArray[np.float64]) -> None:
        """Draw the map again if the casters, the sun or the covered region differ from the last time."""
        basis = sun_basis(direction)
        table = instances.table()
        casts = table.casts
        view = sun_view(basis, table.caster[casts], table.extent[casts], eye)
        corners = None if view is None else (view.low.tobytes(), view.high.tobytes())
        wanted = (instances.shadow_changes, direction, corners)
        if wanted == self._drawn:
            return
        self._drawn, self._view = wanted, view
        self.redraws += 1
        self._frame.use()
        self._frame.clear(depth=1.0)
        if view is None:
            return
        # Relative to the map's own middle, so that the map does not depend on where the eye is.
        middle = 0.5 * (view.low + view.high) @ basis
        self._context.enable_only(self._context.DEPTH_TEST)
        stage.draw("shadow", shadow_list(table, view, middle, self._size_px), view.to_clip(middle))

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

    def release(self) -> None:
        """Free the map."""
        self._frame.release()
        self.texture.release()
