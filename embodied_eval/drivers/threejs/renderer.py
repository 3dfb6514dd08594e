"""The renderer whose pictures a page draws with Three.js: `runtime/stage.js`, told from here what to draw.

State, culling, levels of detail and the GLSL are those of `drivers.render`, so both drivers show one look; the
page holds no state that a picture depends on but the sun's shadow map.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.base import Vec3
from embodied_eval.drivers.render.camera import Camera, camera
from embodied_eval.drivers.render.context import shader_text
from embodied_eval.drivers.render.drawlist import DrawList, view_list
from embodied_eval.drivers.render.patterns import SIZE_PX
from embodied_eval.drivers.render.renderer import PENUMBRA_TAPS, SEARCH_STEPS
from embodied_eval.drivers.render.shadow_plan import ShadowPlan
from embodied_eval.drivers.render.state import RendererState
from embodied_eval.drivers.render.targets import TILE_PX
from embodied_eval.drivers.threejs.models import own_models

if TYPE_CHECKING:
    from embodied_eval.worlds.model import Light, Material, Mesh, Sky, Sun

Array = NDArray[Any]
Shown = dict[int, tuple[int, tuple[int, int, int, int] | None]]
TEXTS = (
    "scene.vert",
    "scene.frag",
    "shadow.frag",
    "screen.vert",
    "visibility.frag",
    "reach.frag",
    "shade.frag",
    "outline.frag",
    "smooth.frag",
)
PLAIN = "vec4 pattern(vec2 p) { return vec4(0.0, 127.0 / 255.0, 0.0, 1.0); }"
SENT = {"rgb": ("u1", 3), "depth": ("<f4", 1), "mask": ("<u4", 2), "normals": ("<i2", 3)}
"""What the page sends of a modality: type, values a pixel (of a mask: a run)."""
STAGE = "window.runtime.stage"


class Evaluate(Protocol):
    """Runs a JavaScript function with one argument in the page and returns what it returns."""

    def __call__(self, function: str, arg: Any = None) -> Any:
        """Raises a typed SimulatorError where the page fails."""


class PageRenderer(RendererState):
    """`drivers.render.Renderer` in a page that holds a `Stage` as `window.runtime.stage`. `name` is the
    unmasked renderer string of its WebGL."""

    def __init__(
        self,
        evaluate: Evaluate,
        materials: Mapping[str, Material],
        sky: Sky,
        sun: Sun,
        lights: Sequence[Light],
        *,
        fov_deg: float,
        meshes: Mapping[str, Mesh] = MappingProxyType({}),
        shadow_size: int = 2048,
    ) -> None:
        whole = own_models(meshes)
        super().__init__(materials, sky, sun, lights, fov_deg=fov_deg, models=whole)
        self._evaluate = evaluate
        self._shadow = ShadowPlan(shadow_size)
        known = self.meshes
        self.name: str = evaluate(
            f"(setup) => {STAGE}.setUp(setup)",
            {
                "texts": {name: shader_text(name) for name in TEXTS},
                "patterns": [_pattern(name) for name in self.layer_of],
                "pattern_px": SIZE_PX,
                "vertices": _text(known.vertices.astype("<f4")),
                "indices": _text(known.indices.astype("<u4")),
                "models": [
                    [int(known.first[group.number]), meshes[name].glb]
                    for name, (group,) in whole.groups.items()
                ],
                "shadow_px": shadow_size,
                "uniforms": {"tile": TILE_PX, "penumbra_taps": PENUMBRA_TAPS, "steps": SEARCH_STEPS},
            },
        )

    @property
    def shadow_redraws(self) -> int:
        """How often the shadow map was drawn so far."""
        return self._shadow.redraws

    def render(
        self, eye: Vec3, yaw_deg: float, pitch_deg: float, size: tuple[int, int], modalities: Collection[str]
    ) -> dict[str, Array]:
        """As `Renderer.render`."""
        self.check(size, modalities)
        view = camera(eye, yaw_deg, pitch_deg, size, self.fov_deg)
        request = self._request(view, size, self.instances.table())
        light, shadow = self._light(view) if "rgb" in modalities else (None, None)
        found = self._ask("render", {**request, "light": light, "shadow": shadow, "want": sorted(modalities)})
        return {name: _picture(name, text, size) for name, text in found.items()}

    def ids(
        self,
        eye: Vec3,
        yaw_deg: float,
        pitch_deg: float,
        size: tuple[int, int],
        *,
        overrides: Mapping[str, tuple[Any, Any, Any, bool]] | None = None,
        only: Collection[int] | None = None,
    ) -> NDArray[np.int32]:
        """As `Renderer.ids`."""
        request = self._mask(eye, yaw_deg, pitch_deg, size, overrides, only)
        return _picture("mask", self._ask("ids", request), size)

    def shown(
        self,
        eye: Vec3,
        yaw_deg: float,
        pitch_deg: float,
        size: tuple[int, int],
        *,
        overrides: Mapping[str, tuple[Any, Any, Any, bool]] | None = None,
        only: Collection[int] | None = None,
        ids: Collection[int] = (),
    ) -> Shown:
        """As `Renderer.shown`, counted in the page."""
        request = self._mask(eye, yaw_deg, pitch_deg, size, overrides, only)
        found = self._ask("shown", {**request, "ids": sorted(ids)})
        shown: Shown = dict.fromkeys(ids, (0, None))
        for number, pixels, *box in found:
            shown[number] = (pixels, tuple(box))
        return shown

    def close(self) -> None:
        """Draw nothing more; the page belongs to whoever opened it. Safe to call twice."""
        self.closed = True

    def _ask(self, what: str, request: Mapping[str, Any]) -> Any:
        return self._evaluate(f"(request) => {STAGE}.{what}(request)", request)

    def _mask(
        self,
        eye: Vec3,
        yaw_deg: float,
        pitch_deg: float,
        size: tuple[int, int],
        overrides: Mapping[str, tuple[Any, Any, Any, bool]] | None,
        only: Collection[int] | None,
    ) -> dict[str, Any]:
        self.check(size)
        view = camera(eye, yaw_deg, pitch_deg, size, self.fov_deg)
        return self._request(view, size, self.instances.overridden(overrides or {}, only))

    def _request(self, view: Camera, size: tuple[int, int], table: Any) -> dict[str, Any]:
        draws = view_list(table, self.meshes, view, size)
        return {"size": list(size), "scene": _listed(draws, view.to_clip(draws.far_m))}

    def _light(self, view: Camera) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """Uniforms of the passes that light a picture, and the shadow map's list where it must be redrawn."""
        sun = self.lighting.sun
        due = None
        if self.lighting.sun_shines:
            due = self._shadow.due(self.instances, self.meshes, sun.direction, view.eye)
        uniforms = {
            **self.lighting.uniforms(view),
            **self._shadow.uniforms(view.eye, sun.softness_m),
            "forward": view.forward,
            "right": view.right * view.tan_x,
            "up": view.up * view.tan_y,
        }
        shadow = None if due is None else _listed(due.draws, due.to_clip)
        return {name: _uniform(value) for name, value in uniforms.items()}, shadow


def _listed(draws: DrawList | None, to_clip: Array) -> dict[str, Any]:
    """A list as `runtime/meshes.js` draws it: batches of (indices, instances, first index, first row)."""
    return {
        "rows": _text(draws.rows) if draws else "",
        "batches": draws.commands[:, [0, 1, 2, 4]].ravel().tolist() if draws else [],
        "to_clip": _uniform(to_clip.T),
    }


def _pattern(name: str) -> str:
    """The fragment shader that bakes a texture's pattern."""
    pattern = PLAIN if name == "plain" else shader_text(f"patterns/{name}.glsl")
    return shader_text("pattern.frag").replace('#include "PATTERN"', pattern)


def _picture(name: str, text: str, size: tuple[int, int]) -> Array:
    """A modality as `runtime/stage.js` sends it, as the array of `drivers.base.Frame`."""
    kind, parts = SENT[name]
    sent = np.frombuffer(b64decode(text), kind)
    if name == "mask":
        values, lengths = sent.reshape(-1, 2).T
        return np.repeat(values.astype(np.int32) - 1, lengths).reshape(size[1], size[0])
    pixels: Array = sent.reshape(size[1], size[0], parts)
    if name == "depth":
        with np.errstate(divide="ignore"):
            pixels = np.reciprocal(pixels[..., 0])
    elif name == "normals":
        pixels = pixels * np.float32(1.0 / 32767.0)
    else:
        pixels = pixels.copy()
    return pixels


def _text(array: Array) -> str:
    return b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")


def _uniform(value: Any) -> Any:
    """A number or a list of numbers; float32 arrays come as their bytes."""
    if isinstance(value, bytes):
        return np.frombuffer(value, np.float32).tolist()
    return value if isinstance(value, int) else np.asarray(value, float).ravel().tolist()
