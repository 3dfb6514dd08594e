"""What the explorer makes out in its pictures: rgb float32 arrays (H, W, 3) in 0..1. All rules are ours."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
Mask = NDArray[np.bool_]
WIDTH_PX = 320
CELL_PX = 4
CHANGE = 0.10
"""How far a colour channel must move to count as changed: well above what JPEG does."""
SHADE = 0.12
"""How far the channels' brightness ratios (natural logarithm) may lie apart where only the light changed."""


@dataclass(frozen=True)
class Region:
    """A connected part of a picture: its box in pixels [x0, x1) x [y0, y1), and how many of the picture's
    pixels it covers, as a share."""

    x0: int
    y0: int
    x1: int
    y1: int
    share: float

    def cut(self, width: int, height: int) -> bool:
        """Whether it touches the border of a picture of this size."""
        return self.x0 <= 1 or self.y0 <= 1 or self.x1 >= width - 1 or self.y1 >= height - 1


def decode(data: bytes, width_px: int = WIDTH_PX) -> Picture:
    """An encoded picture, scaled to `width_px` across."""
    from PIL import Image

    with Image.open(io.BytesIO(data)) as opened:
        height = max(1, round(opened.height * width_px / opened.width))
        small = opened.convert("RGB").resize((width_px, height), Image.Resampling.BOX)
        return np.asarray(small, np.float32) / 255.0


def blurred(picture: Picture, radius: int = 1) -> Picture:
    """The mean over a square of side 2 * radius + 1, edges repeated."""
    for axis in (0, 1):
        pad = [(0, 0)] * picture.ndim
        pad[axis] = (radius + 1, radius)
        total = np.cumsum(np.pad(picture, pad, mode="edge"), axis=axis, dtype=np.float64)
        size = picture.shape[axis]
        upper = np.take(total, range(2 * radius + 1, 2 * radius + 1 + size), axis)
        picture = ((upper - np.take(total, range(size), axis)) / (2 * radius + 1)).astype(np.float32)
    return picture


def difference(one: Picture, two: Picture, slack_px: int = 1) -> NDArray[np.float32]:
    """How much the colours differ pixel by pixel, (H, W), forgiving shifts of `slack_px` at the edges of
    things: each pixel is compared with the range of its neighbours in the other picture."""
    a, b = blurred(one), blurred(two)
    return np.minimum(_outside(a, b, slack_px), _outside(b, a, slack_px))


def _outside(one: Picture, two: Picture, slack_px: int) -> NDArray[np.float32]:
    low, high = two.copy(), two.copy()
    pad = [(slack_px, slack_px)] * 2 + [(0, 0)]
    padded = np.pad(two, pad, mode="edge")
    height, width = one.shape[:2]
    for dy in range(2 * slack_px + 1):
        for dx in range(2 * slack_px + 1):
            part = padded[dy : dy + height, dx : dx + width]
            np.minimum(low, part, out=low)
            np.maximum(high, part, out=high)
    beyond: NDArray[np.float32] = np.maximum(np.maximum(low - one, one - high), 0.0).max(axis=2)
    return beyond


def regions(mask: Mask, min_share: float = 0.0006, join_px: int = CELL_PX) -> list[Region]:
    """The connected parts of `mask`, largest first; parts closer than about `join_px` count as one."""
    height, width = mask.shape
    rows, columns = -(-height // CELL_PX), -(-width // CELL_PX)
    padded = np.zeros((rows * CELL_PX, columns * CELL_PX), bool)
    padded[:height, :width] = mask
    counts = padded.reshape(rows, CELL_PX, columns, CELL_PX).sum(axis=(1, 3))
    live = counts >= 3
    seen = np.zeros_like(live)
    reach = 1 + join_px // (2 * CELL_PX)
    found = []
    for start in zip(*np.nonzero(live), strict=True):
        if seen[start]:
            continue
        stack, cells = [start], []
        seen[start] = True
        while stack:
            row, column = stack.pop()
            cells.append((row, column))
            block = (
                slice(max(0, row - reach), row + reach + 1),
                slice(max(0, column - reach), column + reach + 1),
            )
            for dr, dc in zip(*np.nonzero(live[block] & ~seen[block]), strict=True):
                near = (block[0].start + dr, block[1].start + dc)
                seen[near] = True
                stack.append(near)
        found.append(_region(cells, padded, (height, width)))
    kept = [region for region in found if region.share >= min_share]
    return sorted(kept, key=lambda region: (-region.share, region.x0, region.y0))


def _region(cells: Sequence[tuple[int, int]], mask: Mask, size: tuple[int, int]) -> Region:
    inside = np.zeros_like(mask)
    for row, column in cells:
        part = (
            slice(row * CELL_PX, (row + 1) * CELL_PX),
            slice(column * CELL_PX, (column + 1) * CELL_PX),
        )
        inside[part] = mask[part]
    across, down = np.nonzero(inside.any(axis=0))[0], np.nonzero(inside.any(axis=1))[0]
    return Region(
        int(across[0]),
        int(down[0]),
        int(across[-1]) + 1,
        int(down[-1]) + 1,
        float(inside.sum()) / (size[0] * size[1]),
    )


def changes(
    before: Picture, after: Picture, *, light: bool = False, min_share: float = 0.0008
) -> list[Region]:
    """Where two pictures from the same pose differ: by more than a shadow if anything does, or, if `light`
    matters, by whatever."""
    differs = difference(before, after) > CHANGE
    solid = differs if light else differs & ~shaded(before, after)
    return regions(solid, min_share, join_px=3 * CELL_PX) or regions(differs, min_share)


def shaded(before: Picture, after: Picture) -> Mask:
    """Which pixels are the same colour in another light: a shadow that came or went."""
    one, two = blurred(before) + 0.02, blurred(after) + 0.02
    ratio = np.log(two / one)
    even: Mask = np.ptp(ratio, axis=2) < SHADE
    shade: Mask = even & (np.abs(ratio.mean(axis=2)) < 1.2)
    return shade


def placeholder(picture: Picture) -> list[Region]:
    """Where the picture is of the loud magenta that stands for a missing material."""
    red, green, blue = (picture[..., channel] for channel in range(3))
    loud = (np.minimum(red, blue) > 0.22) & (np.minimum(red, blue) > 1.8 * green + 0.05)
    return regions(loud & (np.abs(red - blue) < 0.5 * np.maximum(red, blue)), 0.001)


def body_at(picture: Picture, column: int, row: int) -> Region:
    """What is of one colour with the place (column, row) and joined to it: the body of a thing."""
    height, width = picture.shape[:2]
    row, column = min(max(row, 2), height - 3), min(max(column, 2), width - 3)
    calm = blurred(picture)
    seed = np.median(calm[row - 2 : row + 3, column - 2 : column + 3].reshape(-1, 3), axis=0)
    light, seed_light = calm.sum(axis=2) + 0.02, float(seed.sum()) + 0.02
    chroma = np.abs(calm / light[..., None] - seed / seed_light).max(axis=2)
    like = (chroma < 0.05) & (np.abs(np.log(light / seed_light)) < 0.6)
    for region in regions(like, 0.0, join_px=0):
        if region.x0 <= column < region.x1 and region.y0 <= row < region.y1:
            return region
    return Region(column - 2, row - 2, column + 3, row + 3, 25 / (width * height))
