"""A recording's frames made so small that all of them fit into one answer."""

from __future__ import annotations

import io
from collections.abc import Sequence

from embodied_eval.models.types import Image

MOST_BYTES = 4_000_000
"""All JPEGs together (spec of the benchmark, section 8.3)."""
LONGEST_PX = (480, 384, 320, 256, 192, 160, 128, 96)
QUALITY = 85


def small(images: Sequence[Image], width_px: int) -> list[tuple[Image, tuple[int, int]]]:
    """`images`, all `width_px` wide, and their sizes: as they are where they are small enough, else scaled to the
    largest of `LONGEST_PX` at which all together stay below 4 MB. A scaled one is named after its own with "#small"."""
    if width_px <= LONGEST_PX[0] and sum(len(image.data) for image in images) <= MOST_BYTES:
        return [(image, (0, 0)) for image in images]
    made: list[tuple[Image, tuple[int, int]]] = []
    for longest_px in (px for px in LONGEST_PX if px <= width_px):
        made = []
        left = MOST_BYTES
        for image in images:
            made.append(_scaled(image, longest_px))
            left -= len(made[-1][0].data)
            if left < 0:
                break
        if left >= 0:
            break
    made += [_scaled(image, LONGEST_PX[-1]) for image in images[len(made) :]]
    return made


def _scaled(image: Image, longest_px: int) -> tuple[Image, tuple[int, int]]:
    """Its longer side at `longest_px`; both sides are multiples of 32, so that no provider rescales it once more."""
    from PIL import Image as Picture

    with Picture.open(io.BytesIO(image.data)) as picture:
        scale = longest_px / max(picture.size) / 32.0
        size = (max(32, round(picture.width * scale) * 32), max(32, round(picture.height * scale) * 32))
        picture.draft("RGB", size)
        out = io.BytesIO()
        picture.resize(size, Picture.Resampling.BILINEAR).save(out, "JPEG", quality=QUALITY)
    return Image(out.getvalue(), "image/jpeg", f"{image.ref}#small"), size
