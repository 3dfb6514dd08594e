"""Stores the frames of a capture and measures each of them on the way."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

from benchmarks.worldbench.capture import measure
from benchmarks.worldbench.capture.manifest import Camera, Shot
from embodied_eval.models.types import Image
from embodied_eval.records import Json, Step

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embodied_eval.benchmark import Episode

PNG_LEVEL = 4
TURN_WIDTH = 640
JPEG_QUALITY = 85


class Album:
    """The frames of one episode, in the order they were taken; `shots` tells of each."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode
        self.shots: list[Shot] = []

    async def save(
        self,
        view: str,
        rgb: NDArray[np.uint8],
        *,
        biome: str = "",
        t_s: float = 0.0,
        camera: Camera | None = None,
        note: str = "",
    ) -> Shot:
        """Store a frame losslessly under the name of its view, with its measurements."""
        data, measured = await asyncio.to_thread(_developed, rgb)
        size = (rgb.shape[1], rgb.shape[0])
        frame = self._episode.store_frame(view, data, "image/png", size)
        filled, luma_all, luma_lit, chroma = measured
        shot = Shot(
            view, view, frame.sha256, size, biome, t_s, camera, filled, luma_all, luma_lit, chroma, note
        )
        self.shots.append(shot)
        return shot

    async def show(
        self, view: str, rgb: NDArray[np.uint8], *, biome: str = "", t_s: float = 0.0, width: int = TURN_WIDTH
    ) -> Image:
        """Store a small JPEG that only shows something (what a navigator saw, an overlay); the encoded image."""
        data, size = await asyncio.to_thread(small, rgb, width)
        frame = self._episode.store_frame(view, data, "image/jpeg", size)
        self.shots.append(Shot(view, view, frame.sha256, size, biome, t_s, note="for looking only"))
        return Image(data, "image/jpeg", view)

    async def commit(self, action: str, arguments: Mapping[str, Json], result: str, t_s: float = 0.0) -> None:
        """Record a step to which the frames since the last one belong."""
        await self._episode.step(Step(0, action, arguments, result, t_s))


def _developed(
    rgb: NDArray[np.uint8],
) -> tuple[bytes, tuple[float, float, float, tuple[float, float]]]:
    measured = (measure.filled(rgb), measure.luma_all(rgb), measure.luma_lit(rgb), measure.chroma(rgb))
    return png(rgb), measured


def png(rgb: NDArray[np.uint8]) -> bytes:
    """A frame as PNG."""
    from PIL import Image as Picture

    out = io.BytesIO()
    Picture.fromarray(rgb).save(out, "PNG", compress_level=PNG_LEVEL)
    return out.getvalue()


def small(rgb: NDArray[np.uint8], width: int) -> tuple[bytes, tuple[int, int]]:
    """A frame as JPEG at most `width` pixels wide, and its size."""
    from PIL import Image as Picture

    picture = Picture.fromarray(rgb)
    if picture.width > width:
        picture = picture.resize(
            (width, round(picture.height * width / picture.width)), Picture.Resampling.BOX
        )
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=JPEG_QUALITY)
    return out.getvalue(), picture.size
