"""Where the floor is free, from colour in one picture and from parallax in two. All rules are ours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.worldaudit.scripted.explorer_body import Stand, View
from benchmarks.worldaudit.scripted.explorer_camera import Camera
from benchmarks.worldaudit.scripted.explorer_vision import blurred

HALF_WIDTH_M = 0.36
STEP_M = 0.1
FAR_M = 6.0
ACROSS = 7
LAGS = 12
"""With so many of the steps before each step is compared."""
FIRST = 4
"""So many of the nearest visible steps are taken for floor."""
CHROMA = 0.03
"""How far the colour of the floor (its share of red and of green) may wander."""
LIGHT = 0.3
"""How far its brightness may wander (natural logarithm): shadows fall on it."""
KNOWN_CHROMA, KNOWN_LIGHT = 0.022, 0.5
"""How far the nearest floor in view may be from a floor that is known."""
STOOD_M = 0.12
"""Half the side of the piece of floor under one's feet that its colour is taken from."""
ODD_SHARE = 0.34
"""What share of the way's width must look otherwise to end it."""
PATCH_CELL_M = 0.03
LOOK_M, BARE_SHARE = 0.4, 0.5
"""So large a piece of floor is looked at, and so much of it must be of a known colour."""
BASELINE_M = 0.35
"""So far apart along the way two pictures must be taken for their parallax to tell."""

Indices = NDArray[np.intp]
Rows = NDArray[np.float32]


@dataclass
class Floors:
    """The colours of floor that the walker stood on, (3,) each."""

    known: list[Rows] = field(default_factory=list)

    def learn(self, view: View, spot: Stand) -> None:
        """Take the colour of the floor at `spot`, where one stands or stood, from a view that shows it."""
        patch = floor_patch(view, spot.ahead(-STOOD_M), 2 * STOOD_M, 2 * STOOD_M)
        if patch is not None:
            colour = np.median(patch.reshape(-1, 3), axis=0)
            if not self.like(colour[None]).any():
                self.known.append(colour)

    def like(self, colours: Rows) -> NDArray[np.bool_]:
        """Which of `colours` (N, 3) are of a floor that one stood on."""
        alike = np.zeros(len(colours), bool)
        for floor in self.known:
            alike |= ~_unlike(colours, floor, KNOWN_CHROMA, KNOWN_LIGHT)
        return alike


def free_fan(view: View, rights_deg: Sequence[float], floors: Floors) -> list[float]:
    """How far the floor looks free at each of `rights_deg` from the view's heading, in metres: from where a
    strip as wide as a person looks like a floor that is known, up to where it stops looking like what is
    just before it. 0 where none of it is in view."""
    picture, camera = blurred(view.rgb, 2), view.camera
    return [_free(picture, _strip(camera, float(right)), floors) for right in rights_deg]


@lru_cache(maxsize=512)
def _strip(camera: Camera, right_deg: float) -> tuple[Indices, Indices, int, int]:
    """Rows and columns (steps, ACROSS) of the pixels on the way at `right_deg`, and its first and last step
    (exclusive) that are wholly in the picture."""
    turn = math.radians(right_deg)
    ahead = np.arange(0.5, FAR_M, STEP_M)[:, None]
    right = np.linspace(-HALF_WIDTH_M, HALF_WIDTH_M, ACROSS)[None]
    rows, columns, inside = pixels(
        camera,
        ahead * math.cos(turn) - right * math.sin(turn),
        ahead * math.sin(turn) + right * math.cos(turn),
    )
    whole = np.nonzero(inside.all(axis=1))[0]
    if len(whole) == 0:
        return rows, columns, 0, 0
    return rows, columns, int(whole[0]), int(whole[-1]) + 1


def _free(picture: Rows, strip: tuple[Indices, Indices, int, int], floors: Floors) -> float:
    rows, columns, first, last = strip
    if last - first <= FIRST:
        return 0.0
    colours = picture[rows[first:last], columns[first:last]]
    nearest = np.median(colours[:FIRST], axis=1)
    if not floors.like(nearest).all() or _upright(picture, rows[first], columns[last - 1], nearest):
        return 0.0
    light = colours.sum(axis=2) + 1e-3
    chroma = colours[..., :2] / light[..., None]
    likes = np.median(colours, axis=1)
    like_light = likes.sum(axis=1) + 1e-3
    like_chroma = likes[:, :2] / like_light[:, None]
    unlike = np.ones(light.shape, bool)
    for lag in range(1, LAGS + 1):
        far_chroma = np.abs(chroma[lag:] - like_chroma[:-lag, None]).max(axis=2) > CHROMA
        far_light = np.abs(np.log(light[lag:]) - np.log(like_light[:-lag, None])) > LIGHT
        unlike[lag:] &= far_chroma | far_light
    odd = np.nonzero(unlike[FIRST:].mean(axis=1) > ODD_SHARE)[0]
    steps = first + FIRST + int(odd[0]) if len(odd) else last
    return 0.5 + steps * STEP_M


def stands_at(view: View, right_deg: float, far_m: float, floors: Floors) -> bool:
    """Whether what ends the free floor at `far_m` is no floor that is known."""
    rows, columns, _first, last = _strip(view.camera, float(right_deg))
    step = round((far_m - 0.5) / STEP_M)
    if step + 3 > last:
        return False
    beyond = blurred(view.rgb, 2)[rows[step + 1 : step + 3], columns[step + 1 : step + 3]]
    return bool(floors.like(beyond.reshape(-1, 3)).mean() < 0.35)


def _upright(picture: Rows, rows: Indices, columns: Indices, nearest: Rows) -> bool:
    """Whether what looks like floor goes on in the same colour up to the upper edge: then it is a wall."""
    above = picture[: max(1, int(rows[ACROSS // 2]) - 1), int(columns[ACROSS // 2])]
    return bool(_unlike(above, np.median(nearest, axis=0), CHROMA, LIGHT).mean() < 0.1)


def _unlike(colours: Rows, floor: Rows, most_chroma: float, most_light: float) -> NDArray[np.bool_]:
    light, floor_light = colours.sum(axis=-1) + 1e-3, float(floor.sum()) + 1e-3
    chroma = np.abs(colours[..., :2] / light[..., None] - floor[:2] / floor_light).max(axis=-1)
    unlike: NDArray[np.bool_] = (chroma > most_chroma) | (np.abs(np.log(light / floor_light)) > most_light)
    return unlike


def pixels(
    camera: Camera, ahead_m: NDArray[np.float64], right_m: NDArray[np.float64]
) -> tuple[Indices, Indices, NDArray[np.bool_]]:
    """Rows and columns of points on the floor, and whether they are in the picture."""
    ahead_m, right_m = np.broadcast_arrays(ahead_m, right_m)
    across, down, depth = camera.project(ahead_m, right_m)
    inside = (depth > 0.05) & (across >= 0) & (across < camera.width) & (down >= 0) & (down < camera.height)
    return (
        np.where(inside, down, 0).astype(np.intp),
        np.where(inside, across, 0).astype(np.intp),
        inside,
    )


def floor_patch(view: View, corner: Stand, ahead_m: float, wide_m: float) -> Rows | None:
    """The floor before `corner` as seen from above if nothing stood there: `ahead_m` x `wide_m` metres in
    cells of 3 cm, (rows, columns, 3). None where less than nine tenths of it are in the picture."""
    heading = math.radians(view.stand.heading_deg)
    turn = math.radians(corner.heading_deg - view.stand.heading_deg)
    dx, dy = corner.x - view.stand.x, corner.y - view.stand.y
    start = (
        dx * math.cos(heading) + dy * math.sin(heading),
        -dx * math.sin(heading) + dy * math.cos(heading),
    )
    ahead = (np.arange(round(ahead_m / PATCH_CELL_M)) + 0.5)[:, None] * PATCH_CELL_M
    right = (np.arange(round(wide_m / PATCH_CELL_M)) + 0.5)[None] * PATCH_CELL_M - wide_m / 2
    rows, columns, inside = pixels(
        view.camera,
        start[0] + ahead * math.cos(turn) - right * math.sin(turn),
        start[1] + ahead * math.sin(turn) + right * math.cos(turn),
    )
    if float(inside.mean()) < 0.9:
        return None
    patch = view.rgb[rows, columns]
    return np.where(inside[..., None], patch, patch[inside].mean(axis=0)).astype(np.float32)


def looks_bare(views: Sequence[View], corner: Stand, floors: Floors) -> bool:
    """Whether every picture that shows the floor before `corner` shows a floor that is known there."""
    patches = [floor_patch(view, corner, LOOK_M, LOOK_M) for view in views]
    shares = [float(floors.like(patch.reshape(-1, 3)).mean()) for patch in patches if patch is not None]
    return bool(shares) and min(shares) > BARE_SHARE


def parallax(views: Sequence[View], corner: Stand, ahead_m: float, wide_m: float = 0.5) -> float | None:
    """How badly pictures from different places agree that the floor before `corner` is bare: the nine
    tenths quantile of their colour differences, for the pair that agrees best. None where no two pictures
    far enough apart show it."""
    patches = [
        (view.stand, blurred(patch, 2))
        for view in views
        if (patch := floor_patch(view, corner, ahead_m, wide_m)) is not None
    ]
    scores = [
        float(np.quantile(np.abs(a - b).max(axis=2), 0.9))
        for at, (one, a) in enumerate(patches)
        for two, b in patches[at + 1 :]
        if abs(corner.along(one) - corner.along(two)) >= BASELINE_M
    ]
    return min(scores) if scores else None
