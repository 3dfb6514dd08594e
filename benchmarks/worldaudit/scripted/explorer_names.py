"""What a region of a picture might be called: the nouns of the description, weighed by size and place."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from benchmarks.worldaudit.scripted.explorer_camera import EYE_M, Camera

SIZE_SIGMA = 0.35
"""How far (natural logarithm) a thing's width may be from what is usual."""
BASE_SIGMA_M = 0.25
TOLD = 2.0
"""What it counts that the description names a thing, in log-likelihood; a thing one would expect counts 0."""
STRANGE = -4.0
"""... and a thing that is neither told of nor expected."""


@dataclass(frozen=True)
class Noun:
    """A thing as anybody knows it: metres; `weight` is how likely it is in this place."""

    name: str
    width_m: float
    height_m: float
    base_m: float
    device: bool
    loose: bool
    weight: float


@dataclass(frozen=True)
class Shape:
    """What a picture tells of a thing: the slopes (rise per metre) under which its lower and upper edges
    are seen, and the angle that it covers across in radians."""

    low: float
    high: float
    across_rad: float

    @classmethod
    def of(cls, box: tuple[float, float, float, float], camera: Camera) -> Shape:
        """The shape of what fills `box` (x0, y0, x1, y1 in pixels)."""
        x0, y0, x1, y1 = box
        middle = (x0 + x1) / 2
        across = camera.ray(x1, (y0 + y1) / 2).right_deg - camera.ray(x0, (y0 + y1) / 2).right_deg
        return cls(camera.ray(middle, y1).slope, camera.ray(middle, y0).slope, math.radians(across))


@cache
def _table() -> Mapping[str, Any]:
    text = files("benchmarks.worldaudit.scripted").joinpath("explorer_nouns.toml").read_text("utf-8")
    return tomllib.loads(text)


def nouns_of(description: str) -> tuple[Noun, ...]:
    """The things that a place may hold, each with its weight, given what is told of it."""
    text = f" {' '.join(re.findall(r'[a-z]+', description.lower()))} "
    table = _table()
    kinds = {kind for kind, words in table["places"].items() if any(f" {word} " in text for word in words)}
    made = []
    for name, row in table["nouns"].items():
        words = (name, f"{name}s", *row.get("also", ()))
        told = any(f" {word} " in text for word in words)
        expected = not kinds or bool(kinds & set(row.get("in", ())))
        weight = TOLD if told else 0.0 if expected else STRANGE
        width, height = row["size"]
        base = float(row.get("base", 0.0))
        made.append(Noun(name, width, height, base, bool(row.get("device")), bool(row.get("loose")), weight))
    return tuple(made)


def ranked(nouns: Sequence[Noun], shape: Shape, *, whole: bool = True) -> list[tuple[float, Noun]]:
    """`nouns` by how well they fit `shape`, best first, with their log-likelihoods. Each noun is taken at
    its usual height, which gives its distance; that gives its width and how high it begins, which are
    compared with what is usual. `whole` = no part of it is beyond the picture."""
    rated = [(_fit(noun, shape, 1.0 if whole else 2.0) + noun.weight, noun) for noun in nouns]
    return sorted(rated, key=lambda pair: (-pair[0], pair[1].name))


def _fit(noun: Noun, shape: Shape, doubt: float) -> float:
    distance = noun.height_m / max(1e-3, shape.high - shape.low)
    width = max(1e-3, distance * 2 * math.tan(min(shape.across_rad, 2.5) / 2))
    base = EYE_M + shape.low * distance
    fit = -((math.log(width / noun.width_m) / (SIZE_SIGMA * doubt)) ** 2) / 2
    fit -= ((base - noun.base_m) / (BASE_SIGMA_M * doubt)) ** 2 / 2
    far = max(0.0, math.log(distance / 8.0)) + max(0.0, math.log(0.6 / distance))
    return fit - 4.0 * far * far
