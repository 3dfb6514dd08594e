"""The renderer: entities in, registered pictures out. See `docs/rendering.md`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.drivers.base import Vec3
from embodied_eval.drivers.render.camera import Camera, camera
from embodied_eval.drivers.render.context import current, open_context, program, shader_text
from embodied_eval.drivers.render.drawlist import view_list
from embodied_eval.drivers.render.models import models
from embodied_eval.drivers.render.patterns import bake
from embodied_eval.drivers.render.shadow import ShadowMap
from embodied_eval.drivers.render.stage import Stage
from embodied_eval.drivers.render.state import RendererState
from embodied_eval.drivers.render.targets import TILE_PX, Targets
from embodied_eval.worlds.meshes import mesh_of

if TYPE_CHECKING:
    from embodied_eval.worlds.model import Light, Material, Mesh, Sky, Sun

Array = NDArray[Any]
TEXTURE_UNITS = ("surface", "place", "facing", "visibility", "shadow", "reached")
KEPT_SIZES = 3
SEARCH_STEPS = 7
PENUMBRA_TAPS = 20


class Renderer(RendererState):
    """Draws entities with one material table, sky, sun and lamps.

    Metres, z up, right-handed; yaw counter-clockwise from above with 0 along +x, pitch up positive; `fov_deg`
    is horizontal; `meshes` are the world's. Use it from the thread that made it. Raises MissingPart, naming
    what to install, without EGL or moderngl, DataFileError for a mesh that cannot be read.
    """

    def __init__(
        self,
        materials: Mapping[str, Material],
        sky: Sky,
        sun: Sun,
        lights: Sequence[Light],
        *,
        fov_deg: float,
        shadow_size: int = 2048,
        meshes: Mapping[str, Mesh] = MappingProxyType({}),
    ) -> None:
        known = models({name: mesh_of(meshes, name) for name in meshes})
        super().__init__(materials, sky, sun, lights, fov_deg=fov_deg, models=known)
        self._targets: dict[tuple[int, int], Targets] = {}
        self._context = context = open_context()
        self.name: str = context.info["GL_RENDERER"]
        with current(context):
            self._patterns = bake(context, self.layer_of)
            self._stage = Stage(context, self.meshes)
            self._shadow = ShadowMap(context, shadow_size)
            screen = shader_text("screen.vert")
            self._screens = {
                name: program(context, screen, shader_text(f"{name}.frag"))
                for name in ("visibility", "reach", "shade", "outline", "smooth")
            }
            for name in ("visibility", "reach", "shade"):
                for unit, sampler in enumerate(TEXTURE_UNITS):
                    if sampler in self._screens[name]:
                        self._screens[name][sampler] = unit
            self._triangles = {name: context.vertex_array(item, []) for name, item in self._screens.items()}
            context.front_face = "cw"

    @property
    def shadow_redraws(self) -> int:
        """How often the shadow map was drawn so far."""
        return self._shadow.redraws

    def render(
        self, eye: Vec3, yaw_deg: float, pitch_deg: float, size: tuple[int, int], modalities: Collection[str]
    ) -> dict[str, Array]:
        """The asked-for arrays of `drivers.base.Frame`, by modality, of the view from `eye` (metres) in
        `size` (width, height) pixels. Raises CapabilityMissing for an unknown modality."""
        self.check(size, modalities)
        view = camera(eye, yaw_deg, pitch_deg, size, self.fov_deg)
        with current(self._context):
            targets = self._target(size)
            self._draw_scene(view, targets)
            pictures: dict[str, Array] = {}
            if "rgb" in modalities:
                self._shade(view, targets)
                pictures["rgb"] = _read(targets.final, size, 3, "f1", 0)
            if "depth" in modalities or "mask" in modalities:
                place = _read(targets.scene, size, 2, "f4", 1)
                if "depth" in modalities:
                    with np.errstate(divide="ignore"):
                        pictures["depth"] = np.reciprocal(place[..., 0])
                if "mask" in modalities:
                    pictures["mask"] = place[..., 1].astype(np.int32) - 1
            if "normals" in modalities:
                facing = _read(targets.scene, size, 3, "i2", 2)
                pictures["normals"] = facing * np.float32(1.0 / 32767.0)
        return pictures

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
        """The instance mask alone, int32 (H, W), -1 background, drawn without light. For this call
        `overrides` puts entities at another (position, rotation, scale, visible), and with `only` nothing
        but these object ids is drawn: their footprint, whatever stands before them."""
        self.check(size)
        view = camera(eye, yaw_deg, pitch_deg, size, self.fov_deg)
        table = self.instances.overridden(overrides or {}, only)
        with current(self._context):
            targets = self._target(size)
            draws = view_list(table, self.meshes, view, size)
            targets.mask.use()
            targets.mask.clear()
            self._context.enable_only(self._context.DEPTH_TEST | self._context.CULL_FACE)
            self._stage.draw("mask", draws, view.to_clip(draws.far_m))
            return _read(targets.mask, size, 1, "f4", 0)[..., 0].astype(np.int32) - 1

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
    ) -> dict[int, tuple[int, tuple[int, int, int, int] | None]]:
        """For each object id of `ids` its pixels in the mask that `ids(...)` gives, and its box (x0, y0, x1,
        y1), x1 and y1 exclusive, None where it has no pixel."""
        mask = self.ids(eye, yaw_deg, pitch_deg, size, overrides=overrides, only=only)
        return {number: _shown(mask, number) for number in ids}

    def close(self) -> None:
        """Free the GL context. Safe to call twice."""
        if self.closed:
            return
        self.closed = True
        with current(self._context):
            for targets in self._targets.values():
                targets.release()
            self._stage.release()
            self._shadow.release()
            for item in (*self._triangles.values(), *self._screens.values(), self._patterns):
                item.release()
        self._context.release()

    def _target(self, size: tuple[int, int]) -> Targets:
        if size not in self._targets:
            while len(self._targets) >= KEPT_SIZES:
                self._targets.pop(next(iter(self._targets))).release()
            self._targets[size] = Targets(self._context, size)
        return self._targets[size]

    def _draw_scene(self, view: Camera, targets: Targets) -> None:
        draws = view_list(self.instances.table(), self.meshes, view, targets.size)
        targets.scene.use()
        targets.scene.clear(depth=1.0)
        self._patterns.use(0)
        self._context.enable_only(self._context.DEPTH_TEST | self._context.CULL_FACE)
        self._stage.draw("scene", draws, view.to_clip(draws.far_m))

    def _shade(self, view: Camera, targets: Targets) -> None:
        context, lighting = self._context, self.lighting
        if lighting.sun_shines:
            self._shadow.refresh(self._stage, self.instances, lighting.sun.direction, view.eye)
        context.enable_only(context.NOTHING)
        axes = {
            "forward": tuple(view.forward),
            "right": tuple(view.right * view.tan_x),
            "up": tuple(view.up * view.tan_y),
        }
        light = lighting.uniforms(view)
        targets.place.use(1)
        targets.facing.use(2)
        self._shadow.texture.use(4)
        targets.half.use()
        reach = self._shadow.uniforms(view.eye, lighting.sun.softness_m)
        self._screen(
            "visibility", {**axes, **reach, "sun_from": light["sun_from"], "penumbra_taps": PENUMBRA_TAPS}
        )
        if light["lamps"]:
            targets.tiles.use()
            lamps = {name: light[name] for name in ("lamps", "lamp_at")}
            self._screen("reach", {**axes, **lamps, "tile": TILE_PX})
        targets.surface.use(0)
        targets.visibility.use(3)
        targets.reached.use(5)
        targets.lit.use()
        self._screen("shade", {**axes, **light, "tile": TILE_PX})
        targets.picture.use(0)
        targets.final.use()
        context.enable_only(context.DEPTH_TEST)
        context.depth_func = "1"
        self._screen("outline", {})
        context.depth_func = "<"
        self._screen("smooth", {"steps": SEARCH_STEPS})

    def _screen(self, name: str, values: Mapping[str, Any]) -> None:
        drawing = self._screens[name]
        for key, value in values.items():
            if isinstance(value, bytes):
                drawing[key].write(value)
            else:
                drawing[key].value = value
        self._triangles[name].render(vertices=3)


def _read(frame: Any, size: tuple[int, int], components: int, dtype: str, attachment: int) -> Array:
    """An attachment as an array (H, W, components), row 0 the top of the picture."""
    picture = np.empty(
        (size[1], size[0], components), {"f1": np.uint8, "f4": np.float32, "i2": np.int16}[dtype]
    )
    frame.read_into(picture, components=components, attachment=attachment, alignment=1, dtype=dtype)
    return picture


def _shown(ids: NDArray[np.int32], number: int) -> tuple[int, tuple[int, int, int, int] | None]:
    """Pixels of an object in a mask and its box."""
    mask = ids == number
    rows = np.nonzero(mask.any(axis=1))[0]
    if not rows.size:
        return 0, None
    columns = np.nonzero(mask.any(axis=0))[0]
    box = (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
    return int(mask.sum()), box
