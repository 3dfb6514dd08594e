"""Sun, lamps, sky and air as the shading program's uniforms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.base import Vec3
from embodied_eval.drivers.render.camera import Camera
from embodied_eval.errors import UnknownName
from embodied_eval.worlds.model import Light, Sky, Sun

MAX_LAMPS = 32
"""As many as the shaders have bits for."""
SUN_POWER = 2.4
LAMP_POWER = 2.0
AMBIENT_POWER = 3.0


class Lighting:
    """What shines now. `sun_on` is the sun's switch; `sun` and lamps change by `set`."""

    def __init__(self, sky: Sky, sun: Sun, lights: Sequence[Light]) -> None:
        self.sky, self.sun, self.sun_on = sky, sun, True
        self.lamps = {light.name: light for light in lights}

    def set(self, name: str, on: bool | None, intensity: float | None, color: Vec3 | None) -> None:
        """Change a lamp or, as "sun", the sun; UnknownName if there is no such light."""
        fields: dict[str, Any] = {}
        if intensity is not None:
            fields["intensity"] = float(intensity)
        if color is not None:
            fields["color"] = color
        if name == "sun":
            self.sun = replace(self.sun, **fields)
            self.sun_on = self.sun_on if on is None else on
            return
        if name not in self.lamps:
            raise UnknownName("light", name, {*self.lamps, "sun"})
        if on is not None:
            fields["on"] = on
        self.lamps[name] = replace(self.lamps[name], **fields)

    @property
    def sun_shines(self) -> bool:
        """Whether there is any sunlight to cast shadows."""
        return self.sun_on and self.sun.intensity > 0.0

    def uniforms(self, view: Camera) -> dict[str, Any]:
        """Values by uniform name; the lamps are those that light anything in `view`, the `MAX_LAMPS` whose
        reach is nearest to its eye."""
        sky = self.sky
        sun = -np.asarray(self.sun.direction, float)
        white = np.full(3, 1.0)
        strength = AMBIENT_POWER * sky.ambient
        top = _linear(0.1 * np.asarray(sky.zenith) + 0.3 * np.asarray(sky.horizon) + 0.6 * white)
        low = _linear(0.3 * np.asarray(sky.ground) + 0.7 * white * 0.93)
        lamps = [
            light
            for light in self.lamps.values()
            if light.on
            and light.intensity > 0.0
            and view.sees(np.array([light.position]) - view.eye, np.array([light.range_m]))[0]
        ]
        lamps.sort(key=lambda light: (np.linalg.norm(light.position - view.eye) - light.range_m, light.name))
        lamps = lamps[:MAX_LAMPS]
        at = np.zeros((MAX_LAMPS, 4), np.float32)
        color = np.zeros((MAX_LAMPS, 3), np.float32)
        for index, light in enumerate(lamps):
            at[index] = (*(np.asarray(light.position) - view.eye), 1.0 / max(light.range_m, 1e-3))
            color[index] = LAMP_POWER * light.intensity * _linear(np.asarray(light.color))
        return {
            "sun_from": tuple(sun / np.linalg.norm(sun)),
            "sun_color": tuple(
                SUN_POWER * self.sun.intensity * _linear(np.asarray(self.sun.color)) * self.sun_shines
            ),
            "zenith": sky.zenith,
            "horizon": sky.horizon,
            "ground": sky.ground,
            "ambient_up": tuple(strength * top),
            "ambient_down": tuple(strength * low),
            "fog": (*sky.fog_color, sky.fog_per_m),
            "lamps": len(lamps),
            "lamp_at": at.tobytes(),
            "lamp_color": color.tobytes(),
        }


def _linear(color: NDArray[np.float64]) -> NDArray[np.float64]:
    """Display colour to light, by the gamma of 2 that the shaders use."""
    return color * color
