"""The textures that a picture of one size is drawn into."""

from __future__ import annotations

from typing import Any

TILE_PX = 8
"""Side of the squares in which `glsl/reach.frag` tells which lamps matter."""


class Targets:
    """`scene` holds surface, place and facing (see `glsl/scene.frag`), `half` what light reaches a point, at
    half size, `tiles` which lamps reach a tile of `TILE_PX` squared, `lit` the shaded picture, `final` the
    smoothed one, `mask` ids alone."""

    def __init__(self, context: Any, size: tuple[int, int]) -> None:
        import moderngl

        half = ((size[0] + 1) // 2, (size[1] + 1) // 2)
        nearest, linear = (moderngl.NEAREST, moderngl.NEAREST), (moderngl.LINEAR, moderngl.LINEAR)
        self.size = size
        self.surface = _texture(context, size, 4, "f1", nearest)
        self.place = _texture(context, size, 2, "f4", nearest)
        self.facing = _texture(context, size, 4, "i2", nearest)
        tiles = ((size[0] + TILE_PX - 1) // TILE_PX, (size[1] + TILE_PX - 1) // TILE_PX)
        self.visibility = _texture(context, half, 4, "f4", nearest)
        self.reached = _texture(context, tiles, 1, "u4", nearest)
        self.picture = _texture(context, size, 4, "f1", linear)
        self._smooth = _texture(context, size, 4, "f1", nearest)
        self._ids = _texture(context, size, 1, "f4", nearest)
        self._depth = context.depth_renderbuffer(size)
        self.scene = context.framebuffer([self.surface, self.place, self.facing], self._depth)
        self.half = context.framebuffer([self.visibility])
        self.tiles = context.framebuffer([self.reached])
        self.lit = context.framebuffer([self.picture])
        self.final = context.framebuffer([self._smooth], self._depth)
        self.mask = context.framebuffer([self._ids], self._depth)

    def release(self) -> None:
        """Free everything."""
        for value in vars(self).values():
            if hasattr(value, "release"):
                value.release()


def _texture(context: Any, size: tuple[int, int], components: int, dtype: str, filtering: Any) -> Any:
    texture = context.texture(size, components, dtype=dtype)
    texture.filter = filtering
    texture.repeat_x = texture.repeat_y = False
    return texture
