"""Meshes and instances on the GPU, and the draws over them."""

from __future__ import annotations

from typing import Any

from embodied_eval.drivers.render.context import program, shader_text
from embodied_eval.drivers.render.drawlist import DrawList
from embodied_eval.drivers.render.instances import ROW
from embodied_eval.drivers.render.meshes import MeshSet

MESH_FORMAT = "3f 3f 3f"
MESH_NAMES = ("in_corner", "in_normal", "in_map")
ROW_NAMES = ("i_row0", "i_row1", "i_row2", "i_half")
# What scene.vert reads of a row in each of its three forms: layout, attributes, defines.
FORMS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "scene": ("4f 4f 4f 4f 4f 4f 4u4/i", (*ROW_NAMES, "i_repeat", "i_offset", "i_look"), ("GEOMETRY",)),
    "mask": ("4f 4f 4f 4f 12x 1f 16x 4u4/i", (*ROW_NAMES, "i_taper", "i_look"), ("MASK",)),
    "shadow": ("4f 4f 4f 4f 12x 1f 32x/i", (*ROW_NAMES, "i_taper"), ("SHADOW",)),
}


class Stage:
    """Draws lists of instances with one of three programs: "scene", "mask" or "shadow"."""

    def __init__(self, context: Any, meshes: MeshSet) -> None:
        self._context, self.meshes = context, meshes
        self._vertices = context.buffer(meshes.vertices.tobytes())
        self._indices = context.buffer(meshes.indices.tobytes())
        self.programs = {
            form: program(context, shader_text("scene.vert"), shader_text(f"{form}.frag"), defines=defines)
            for form, (_, _, defines) in FORMS.items()
        }
        self._commands = context.buffer(reserve=20 * 64)
        self._instances: Any = None
        self._arrays: dict[str, Any] = {}
        self._reserve(256)

    def draw(self, form: str, draws: DrawList, to_clip: Any) -> None:
        """Draw into the framebuffer in use."""
        if not len(draws.rows):
            return
        if draws.rows.nbytes > self._instances.size:
            self._reserve(2 * len(draws.rows))
        self._instances.orphan()
        self._instances.write(draws.rows.tobytes())
        self._commands.orphan(max(20 * 64, draws.commands.nbytes))
        self._commands.write(draws.commands.tobytes())
        self.programs[form]["to_clip"].write(to_clip.T.astype("f4").tobytes())
        self._arrays[form].render_indirect(self._commands, count=len(draws.commands))

    def release(self) -> None:
        """Free everything."""
        for item in (
            *self._arrays.values(),
            *self.programs.values(),
            self._instances,
            self._commands,
            self._indices,
            self._vertices,
        ):
            item.release()

    def _reserve(self, rows: int) -> None:
        for item in (*self._arrays.values(), self._instances):
            if item is not None:
                item.release()
        self._instances = self._context.buffer(reserve=rows * ROW.itemsize)
        for form, (layout, names, _) in FORMS.items():
            self._arrays[form] = self._context.vertex_array(
                self.programs[form],
                [
                    (self._vertices, MESH_FORMAT, *MESH_NAMES),
                    (self._instances, layout, *names),
                ],
                index_buffer=self._indices,
                index_element_size=4,
            )
