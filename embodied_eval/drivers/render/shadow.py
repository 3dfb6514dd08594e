"""The sun's shadow map, redrawn only when what it shows has changed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.base import Vec3
from embodied_eval.drivers.render.instances import Instances
from embodied_eval.drivers.render.shadow_plan import ShadowPlan
from embodied_eval.drivers.render.stage import Stage


class ShadowMap(ShadowPlan):
    """`texture` holds depth along the light, 0..1."""

    def __init__(self, context: Any, size_px: int) -> None:
        super().__init__(size_px)
        self._context = context
        self.texture = context.depth_texture((size_px, size_px))
        self.texture.compare_func = ""
        self.texture.filter = (context.NEAREST, context.NEAREST)
        self.texture.repeat_x = self.texture.repeat_y = False
        self._frame = context.framebuffer(depth_attachment=self.texture)

    def refresh(self, stage: Stage, instances: Instances, direction: Vec3, eye: NDArray[np.float64]) -> None:
        """Draw the map again if the casters, the sun or the covered region differ from the last time."""
        due = self.due(instances, stage.meshes, direction, eye)
        if due is None:
            return
        self._frame.use()
        self._frame.clear(depth=1.0)
        if due.draws is not None:
            self._context.enable_only(self._context.DEPTH_TEST)
            stage.draw("shadow", due.draws, due.to_clip)

    def release(self) -> None:
        """Free the map."""
        self._frame.release()
        self.texture.release()
