"""Bakes the procedural patterns into one array texture with mipmaps, so that they do not shimmer.

A pattern is drawn once in a process for each renderer and kept as bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from embodied_eval.drivers.render.context import program, shader_text
from embodied_eval.worlds.model import Material

SIZE_PX = 512
PLAIN = bytes((0, 127, 0, 255)) * SIZE_PX * SIZE_PX
_baked: dict[tuple[str, str], bytes] = {}


def layers(materials: Mapping[str, Material]) -> dict[str, int]:
    """Layer of each texture in use; "plain" is always 0."""
    names = sorted({material.texture for material in materials.values()} - {"plain"})
    return {name: layer for layer, name in enumerate(["plain", *names])}


def bake(context: Any, layer_of: Mapping[str, int]) -> Any:
    """A `moderngl.TextureArray` of `SIZE_PX` squares, RGBA8, one layer a texture."""
    import moderngl

    array = context.texture_array((SIZE_PX, SIZE_PX, len(layer_of)), 4)
    for name, layer in layer_of.items():
        array.write(_pattern(context, name), viewport=(0, 0, layer, SIZE_PX, SIZE_PX, 1))
    array.build_mipmaps()
    array.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
    return array


def _pattern(context: Any, name: str) -> bytes:
    if name == "plain":
        return PLAIN
    key = (context.info["GL_RENDERER"], name)
    if key not in _baked:
        text = shader_text("pattern.frag").replace('#include "PATTERN"', shader_text(f"patterns/{name}.glsl"))
        drawing = program(context, shader_text("screen.vert"), text)
        drawing["inverse_size"] = (1.0 / SIZE_PX, 1.0 / SIZE_PX)
        target = context.texture((SIZE_PX, SIZE_PX), 4)
        frame = context.framebuffer([target])
        frame.use()
        context.disable(context.DEPTH_TEST | context.CULL_FACE | context.BLEND)
        triangle = context.vertex_array(drawing, [])
        triangle.render(vertices=3)
        _baked[key] = frame.read(components=4)
        for item in (triangle, frame, target, drawing):
            item.release()
    return _baked[key]
