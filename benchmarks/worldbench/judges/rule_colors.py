"""What shares of colours tell of a frame without names: the region, and a few items. A baseline; numbers ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.worldbench.capture.identify import NONE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]

LEAST_LIT = 0.02
LEAST_SCORE = 0.18
LIT_VALUE = 0.06

RELIEF: Mapping[str, str] = {
    "C.mountains.1": "the massif is in view",
    "P.mountains.1": "the massif is in view",
    "C.forest.4": "the shelf is in view",
    "P.forest.5": "the shelf is in view",
    "C.highlands.1": "the upland is in view",
    "C.highlands.7": "the slope is in view",
    "C.grove.3": "the basin is in view",
    "P.grove.5": "the basin is in view",
    "C.volcano.1": "the cone is in view",
    "P.volcano.1": "the cone is in view",
}
"""Items that are a shape of the land and no thing in it."""


def hues(picture: Picture) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Hue in degrees, saturation and value (0..1) of every third pixel, each (N,)."""
    rgb = picture[::3, ::3].reshape(-1, 3).astype(np.float64) / 255.0
    high, low = rgb.max(axis=1), rgb.min(axis=1)
    span = np.maximum(high - low, 1e-9)
    red, green, blue = rgb[:, 0], rgb[:, 1], rgb[:, 2]
    hue = np.where(
        high == red,
        (green - blue) / span % 6,
        np.where(high == green, (blue - red) / span + 2, (red - green) / span + 4),
    )
    return hue * 60.0, np.where(high > 0, (high - low) / np.maximum(high, 1e-9), 0.0), high


def shares(picture: Picture) -> dict[str, float]:
    """The share of lit pixels of each named colour, 0..1; "lit" is the share of the frame that is lit."""
    hue, saturation, value = hues(picture)
    lit = value > LIT_VALUE
    count = max(int(lit.sum()), 1)

    def share(mask: NDArray[np.bool_]) -> float:
        return float((mask & lit).sum()) / count

    grey = saturation < 0.16
    return {
        "lit": float(lit.mean()),
        "white": share(grey & (value > 0.68)),
        "grey": share(grey & (value > 0.28) & (value <= 0.68)),
        "dark": share((saturation < 0.35) & (value <= 0.28)),
        "pink": share((hue >= 300) & (hue < 352) & (saturation > 0.14) & (value > 0.45)),
        "lava": share(((hue < 32) | (hue > 350)) & (saturation > 0.75) & (value > 0.6)),
        "sand": share((hue >= 22) & (hue < 52) & (saturation >= 0.16) & (saturation < 0.68) & (value > 0.5)),
        "mud": share((hue >= 18) & (hue < 58) & (saturation >= 0.2) & (value > 0.1) & (value <= 0.5)),
        "olive": share((hue >= 52) & (hue < 78) & (saturation >= 0.22) & (value <= 0.62)),
        "green": share((hue >= 78) & (hue < 155) & (saturation >= 0.22) & (value > 0.42)),
        "deep_green": share((hue >= 78) & (hue < 165) & (saturation >= 0.22) & (value <= 0.42)),
        "cool_green": share((hue >= 140) & (hue < 178) & (saturation >= 0.15) & (value <= 0.5)),
        "turquoise": share((hue >= 165) & (hue < 198) & (saturation >= 0.25) & (value > 0.45)),
        "blue": share((hue >= 198) & (hue < 255) & (saturation >= 0.35)),
    }


PROTOTYPES: Mapping[str, Mapping[str, float]] = {
    "mountains": {"white": 1.0, "grey": 0.9, "green": -1.0, "pink": -1.0, "cool_green": -0.8},
    "forest": {"white": 0.5, "cool_green": 1.6, "deep_green": 0.8, "pink": -1.0, "sand": -0.8},
    "highlands": {"grey": 0.8, "olive": 0.8, "green": 0.35, "white": -0.3, "turquoise": -1.0},
    "jungle": {"deep_green": 1.1, "green": 0.45, "white": -1.0, "sand": -1.0},
    "swamp": {"mud": 1.0, "olive": 0.9, "deep_green": 0.2, "turquoise": -1.0, "white": -1.0},
    "grassland": {"green": 1.1, "deep_green": -0.4, "white": -0.8, "grey": -0.4},
    "grove": {"pink": 2.5},
    "delta": {"turquoise": 1.4, "blue": 1.1, "sand": 0.3},
    "desert": {"sand": 1.1, "mud": 0.3, "green": -1.0, "blue": -1.2, "turquoise": -1.2},
    "volcano": {"lava": 3.0, "dark": 1.0, "green": -1.0, "blue": -0.6},
}
"""How each colour's share speaks for a region."""


def told_by_color(picture: Picture) -> str:
    """The region whose colours a frame has most of; "none" where it is nearly empty or nothing stands out."""
    found = shares(picture)
    if found["lit"] < LEAST_LIT:
        return NONE
    scores = {
        biome: sum(weight * found[color] for color, weight in weights.items())
        for biome, weights in PROTOTYPES.items()
    }
    best = max(scores, key=lambda one: scores[one])
    return best if scores[best] >= LEAST_SCORE else NONE


def _at_least(color: str, share: float) -> Callable[[Picture], bool]:
    def holds(picture: Picture) -> bool:
        return shares(picture)[color] >= share

    return holds


SHARES: Mapping[str, Callable[[Picture], bool]] = {
    "C.mountains.2": _at_least("white", 0.06),
    "P.mountains.2": _at_least("white", 0.06),
    "C.mountains.3": _at_least("grey", 0.08),
    "P.mountains.7": _at_least("grey", 0.08),
    "C.forest.1": _at_least("cool_green", 0.08),
    "P.forest.6": _at_least("cool_green", 0.08),
    "C.forest.2": _at_least("white", 0.08),
    "P.forest.3": _at_least("white", 0.08),
    "C.highlands.2": _at_least("grey", 0.06),
    "P.highlands.3": _at_least("grey", 0.06),
    "C.jungle.1": _at_least("deep_green", 0.15),
    "P.jungle.4": _at_least("deep_green", 0.15),
    "C.swamp.7": _at_least("mud", 0.1),
    "P.swamp.8": _at_least("mud", 0.1),
    "P.swamp.6": _at_least("olive", 0.08),
    "C.grove.1": _at_least("pink", 0.06),
    "C.grove.2": _at_least("pink", 0.06),
    "P.grove.1": _at_least("pink", 0.06),
    "P.grove.4": _at_least("pink", 0.06),
    "C.grassland.1": _at_least("green", 0.25),
    "P.grassland.1": _at_least("green", 0.25),
    "C.delta.1": _at_least("turquoise", 0.05),
    "P.delta.1": _at_least("turquoise", 0.05),
    "P.delta.2": _at_least("blue", 0.08),
    "C.delta.2": _at_least("sand", 0.05),
    "P.delta.3": _at_least("sand", 0.05),
    "C.desert.1": _at_least("sand", 0.25),
    "P.desert.1": _at_least("sand", 0.25),
    "P.desert.7": _at_least("sand", 0.15),
    "C.volcano.2": _at_least("lava", 0.01),
    "C.volcano.3": _at_least("lava", 0.02),
    "P.volcano.3": _at_least("lava", 0.02),
    "C.volcano.4": _at_least("dark", 0.15),
    "P.volcano.2": _at_least("dark", 0.15),
    "P.volcano.6": _at_least("lava", 0.02),
}
"""The items that a share of colour can tell."""
