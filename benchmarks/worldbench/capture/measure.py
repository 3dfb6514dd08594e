"""Measurements on pixels, in numpy alone. Images are uint8 (H, W, 3)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Image = NDArray[np.uint8]

LEGEND_SHARE = 0.2
LUMA_SIZE = (320, 250)
CHROMA_SIZE = (256, 200)
LIT_GREY = 12.0
LIT_SUM = 30.0
CHANGED_GREY = 24.0
BACKGROUND_STEP = 8
RIM_PX = 2
DIM = 0.35
# Rec. ITU-R BT.601, what "grey" means everywhere here.
GREY = (0.299, 0.587, 0.114)


def grey(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Luma 0..255 of each pixel, float32 (H, W)."""
    red, green, blue = (np.float32(weight) for weight in GREY)
    return np.asarray(image[..., 0] * red + image[..., 1] * green + image[..., 2] * blue)


def cropped(image: Image) -> Image:
    """Without the left fifth, where legends stand."""
    return image[:, int(image.shape[1] * LEGEND_SHARE) :]


def resized(image: NDArray[np.generic], size: tuple[int, int]) -> NDArray[np.float64]:
    """`image` (H, W) or (H, W, n) at `size` (width, height), each new pixel the mean of the area it covers."""
    return _means(_means(image.astype(np.float64), 0, size[1]), 1, size[0])


def _means(image: NDArray[np.float64], axis: int, count: int) -> NDArray[np.float64]:
    """Means over `count` equal parts of an axis, from its running sum."""
    old = image.shape[axis]
    zero = np.zeros_like(image.take([0], axis))
    total = np.concatenate([zero, image.cumsum(axis)], axis)
    edges = np.linspace(0.0, old, count + 1)
    whole = np.minimum(edges.astype(np.int64), old - 1)
    shape = [1] * image.ndim
    shape[axis] = count + 1
    rest = (edges - whole).reshape(shape)
    at = total.take(whole, axis)
    sums = at + rest * (total.take(whole + 1, axis) - at)
    return np.asarray(np.diff(sums, axis=axis) / (old / count))


def luma_all(image: Image) -> float:
    """Mean luma (0..255) over the frame at 320x250 without the legend's fifth (`worldbench.md` 5.5)."""
    return round(float(resized(grey(cropped(image)), LUMA_SIZE).mean()), 4)


def luma_lit(image: Image) -> float:
    """As `luma_all`, over pixels with a grey above 12 alone; 0 where there are none."""
    values = resized(grey(cropped(image)), LUMA_SIZE)
    lit = values > LIT_GREY
    return round(float(values[lit].mean()), 4) if lit.any() else 0.0


def chroma(image: Image) -> tuple[float, float]:
    """Chromaticity (sum R / sum RGB, sum B / sum RGB) over pixels with R + G + B > 30 of the frame at 256x200
    without the legend's fifth (`worldbench.md` 5.5); that of grey, (1/3, 1/3), where there are none."""
    small = resized(cropped(image), CHROMA_SIZE)
    sums = small[small.sum(axis=2) > LIT_SUM].sum(axis=0)
    if not sums.size or not sums.sum():
        return (round(1 / 3, 6), round(1 / 3, 6))
    return (round(float(sums[0] / sums.sum()), 6), round(float(sums[2] / sums.sum()), 6))


def shift(a: tuple[float, float], b: tuple[float, float]) -> float:
    """The larger of the two differences of chromaticity."""
    return round(max(abs(a[0] - b[0]), abs(a[1] - b[1])), 6)


def diff(a: Image, b: Image) -> float:
    """Mean |a - b| (0..255) over pixels and channels, without the legend's fifth."""
    return round(float(np.abs(cropped(a).astype(np.int16) - cropped(b).astype(np.int16)).mean()), 4)


def changed(frames: list[Image]) -> NDArray[np.bool_]:
    """Which pixels' grey moved by more than 24 between any two consecutive frames, bool (H, W)."""
    greys = [grey(frame) for frame in frames]
    found = np.zeros(greys[0].shape, dtype=bool)
    for before, after in itertools.pairwise(greys):
        found |= np.abs(after - before) > CHANGED_GREY
    return found


def share(mask: NDArray[np.bool_]) -> float:
    """How much of the frame `mask` covers, 0..1."""
    return round(float(mask.mean()), 6)


def filled(image: Image) -> float:
    """Share of pixels that differ from the background by more than 8 in some channel. The background (ours)
    is the commonest colour of the frame's rim, the void around an island."""
    rim = np.concatenate(
        [
            image[:RIM_PX].reshape(-1, 3),
            image[-RIM_PX:].reshape(-1, 3),
            image[:, :RIM_PX].reshape(-1, 3),
            image[:, -RIM_PX:].reshape(-1, 3),
        ]
    )
    packed = rim.astype(np.uint32) @ np.asarray([65536, 256, 1], dtype=np.uint32)
    colors, counts = np.unique(packed, return_counts=True)
    commonest = int(colors[counts.argmax()])
    ground = np.asarray([commonest >> 16, commonest >> 8 & 255, commonest & 255], dtype=np.int16)
    apart = np.abs(image.astype(np.int16) - ground).max(axis=2) > BACKGROUND_STEP
    return round(float(apart.mean()), 6)


def overlay(first: Image, mask: NDArray[np.bool_]) -> Image:
    """`first` dimmed, with the pixels of `mask` in red."""
    made = (first * DIM).astype(np.uint8)
    made[mask] = (255, 40, 40)
    return made
