"""What the explorer saw, and the words it puts it in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.worldaudit.scripted.explorer_body import View
from benchmarks.worldaudit.scripted.explorer_names import Shape
from benchmarks.worldaudit.scripted.explorer_vision import Picture, Region

CATEGORIES = {"G": "geometry", "C": "collision", "V": "visual", "T": "state", "S": "semantic"}
CLAIMS = {
    "C3": "The {name} flew off violently when I touched it.",
    "G1": "The {name} floats in the air; nothing holds it up.",
    "G2": "The {name} is stuck inside the wall.",
    "G3": "The {name} is far too large.",
    "V3": "The {name} casts no shadow.",
    "S2": "The {name} is turned the wrong way round.",
    "S3": "The {name} is an anachronism in this place.",
    "V1": "The {name} can be seen from one side only: it disappears when seen from the other side.",
    "V2": "The {name} changes its size in a jump when I come closer.",
    "T1": "",
    "T3": "",
    "C1": "The {name} is not solid: I walked right through it.",
    "C2": "Something invisible blocks the way: I was stopped although the floor ahead is bare.",
    "T2": "The {name} has moved: it was in another place before I looked away.",
    "V4": "The {name} is plain magenta all over: its texture is missing.",
}
LAMPS = ("lamp", "television", "laptop", "radio", "fan", "machine", "stove", "microwave", "board")


@dataclass(frozen=True)
class Sighting:
    """Something odd: the kind it speaks for, its shape, share of the picture, whether all of it is in the
    picture, whether it is there (and brighter) in the later picture, and the pictures that show it."""

    kind: str
    shape: Shape
    share: float
    whole: bool
    refs: tuple[str, ...]
    there_now: bool = True
    brighter: bool = False

    @classmethod
    def of(cls, kind: str, region: Region, view: View, refs: tuple[str, ...]) -> Sighting:
        """What `region` of a view shows."""
        height, width = view.rgb.shape[:2]
        shape = Shape.of((region.x0, region.y0, region.x1, region.y1), view.camera)
        return cls(kind, shape, region.share, not region.cut(width, height), refs)

    @classmethod
    def between(cls, kind: str, region: Region, before: View, after: View) -> Sighting:
        """What differs in `region` of two views from the same stand."""
        made = cls.of(kind, region, after, (before.ref, after.ref))
        there_now = stands_out(after.rgb, region) > stands_out(before.rgb, region)
        part = (slice(region.y0, region.y1), slice(region.x0, region.x1))
        brighter = bool(after.rgb[part].mean() > before.rgb[part].mean())
        return cls(made.kind, made.shape, made.share, made.whole, made.refs, there_now, brighter)


def stands_out(picture: Picture, region: Region) -> float:
    """How far the colours in a region are from those in the frame around it."""
    around = (
        slice(max(0, region.y0 - 4), region.y1 + 4),
        slice(max(0, region.x0 - 4), region.x1 + 4),
    )
    inside = picture[region.y0 : region.y1, region.x0 : region.x1]
    area, part = picture[around], inside.reshape(-1, 3)
    ring = (area.sum(axis=(0, 1)) - part.sum(axis=0)) / max(1, area.shape[0] * area.shape[1] - len(part))
    return float(np.abs(part - ring).mean())


def category_of(code: str) -> str:
    """The category under which a fault of this kind is filed."""
    return CATEGORIES.get(code[:1], "other")


def sentence(code: str, name: str, sighting: Sighting) -> str:
    """The report of `sighting` as a fault of kind `code` of the thing called `name`."""
    if code == "T1":
        if sighting.there_now:
            return f"The {name} was not there when I first looked; it has appeared out of nowhere."
        return f"The {name} was there when I first looked and has vanished while I looked away."
    if code == "T3":
        if any(word in name for word in LAMPS):
            was, now = ("off", "on") if sighting.brighter else ("on", "off")
            return f"The {name} was {was} before and is {now} now; nobody switched it."
        return f"The {name} was closed before and is open now; it opened by itself."
    return CLAIMS.get(code, "The {name} looks wrong.").format(name=name)


NOTHING = Sighting("", Shape(0.0, 0.1, 0.1), 0.0, True, ())
"""No sighting: what a guess rests on."""
