"""What jumps as one walks on: parts of a picture that no distance explains in the next one. Ours."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from benchmarks.worldaudit.scripted.explorer_body import Body, Call, Stand, View
from benchmarks.worldaudit.scripted.explorer_camera import Camera
from benchmarks.worldaudit.scripted.explorer_floor import Floors
from benchmarks.worldaudit.scripted.explorer_vision import CHANGE, Picture, Region, difference, regions
from benchmarks.worldaudit.scripted.explorer_walks import learn, look_at_feet, new_way
from embodied_eval.models.types import Message

WATCH_GAZE_DEG = 18.0
SHARES = tuple(0.24 + 0.02 * step for step in range(38))
"""By how much a thing may be nearer in the nearer picture: the depths there as shares of those before."""
OUT = 0.5
"""What is nearer than this share says goes out of the picture without telling anything."""
NEAR_M = 1.8
"""What stands nearer than this to the nearer eye changes too much between two pictures."""
SURE_SHARE = 0.02
LEAST_SHARE = 0.004
FEET_PX, ASIDE_PX = 8, 8
STRAIGHT_M = 0.03
"""A walk that was pushed aside farther than this went past something, one does not know when."""
MARGIN = 0.06
"""This share of the picture along its border is left out: things go out of view there."""


@dataclass(frozen=True)
class Pop:
    """A `region` of the view `at` that the view `other`, taken a step away, has nothing to match with;
    `later` = `at` is the later one, so that the thing came up."""

    at: View
    other: View
    region: Region
    later: bool


def unmatched(far: View, near: View, floors: Floors) -> list[Region]:
    """Regions of the view `far` that look like nothing that the nearer view shows in their place. Where no
    floor is to be seen at the walker's feet something stands close by, and nothing is said."""
    residual = _residual(far, near, -far.stand.along(near.stand))
    feet = np.median(far.rgb[-FEET_PX:], axis=0)
    close = np.convolve(~floors.like(feet), np.ones(2 * ASIDE_PX + 1), "same") > ASIDE_PX / 2
    residual[:, close[: 2 * residual.shape[1] : 2]] = 0.0
    return _regions(residual)


def _residual(one: View, two: View, moved_m: float) -> Picture:
    """How badly each pixel of `one`, `moved_m` ahead of `two`, is explained by `two`, at the best depth: at
    half the resolution, (H / 2, W / 2)."""
    a, b = _half(one.rgb), _half(two.rgb)
    height, width = a.shape[:2]
    camera = Camera(width, height, one.stand.gaze_deg)
    gaze = math.radians(camera.gaze_deg)
    onward, rise = moved_m * math.cos(gaze), moved_m * math.sin(gaze)
    columns, rows = np.arange(width) - width / 2 + 0.5, np.arange(height) - height / 2 + 0.5
    best = np.full((height, width), np.inf, np.float32)
    for share in SHARES:
        # Depths along the gaze: `depth` in `one` and `there` in `two`; the smaller is `share` of the other.
        depth = abs(onward) * (share if onward > 0 else 1.0) / (1.0 - share)
        there = depth + onward
        at_u = np.round(columns * depth / there + width / 2 - 0.5).astype(int)
        at_v = np.round((rows * depth - camera.focal_px * rise) / there + height / 2 - 0.5).astype(int)
        seen = ((at_v >= 0) & (at_v < height))[:, None] & ((at_u >= 0) & (at_u < width))[None]
        warped = b[at_v.clip(0, height - 1)[:, None], at_u.clip(0, width - 1)[None]]
        # What may have gone out of the picture cannot be called unexplained.
        np.minimum(best, np.where(seen, difference(a, warped), 0.0 if share >= OUT else np.inf), out=best)
    edge = round(MARGIN * width)
    best[:, :edge] = best[:, -edge:] = 0.0
    best[: edge // 2] = 0.0
    best[max(0, round(camera.floor_row(NEAR_M + max(0.0, -moved_m)))) :] = 0.0
    return best


def _half(picture: Picture) -> Picture:
    height, width = picture.shape[0] // 2, picture.shape[1] // 2
    part = picture[: 2 * height, : 2 * width].reshape(height, 2, width, 2, 3)
    half: Picture = part.mean(axis=(1, 3), dtype=np.float32)
    return half


def _regions(residual: Picture) -> list[Region]:
    found = regions(residual > CHANGE, LEAST_SHARE, join_px=8)
    return [Region(2 * r.x0, 2 * r.y0, 2 * r.x1, 2 * r.y1, r.share) for r in found]


def pops_of(views: Sequence[View], floors: Floors) -> list[Pop]:
    """What came up or went between the views of a walk straight on, the largest first."""
    found = []
    for one, two in pairwise(views):
        step = one.stand.along(two.stand)
        if abs(step) < 0.1 or one.stand.gaze_deg != two.stand.gaze_deg:
            continue
        far, near = (one, two) if step > 0 else (two, one)
        for region in unmatched(far, near, floors)[:2]:
            found.append(Pop(far, near, region, far is two))
    return sorted(found, key=lambda pop: -pop.region.share)


def turned_away(views: Sequence[View]) -> list[Pop]:
    """What came up or went as one turned on the spot, the smallest first: where two views overlap, each
    pixel of the one has its place in the other whatever the distance."""
    found = []
    for one, two in pairwise(views):
        turn = (two.stand.heading_deg - one.stand.heading_deg + 180.0) % 360.0 - 180.0
        if not 5.0 < abs(turn) < 70.0 or one.stand.gaze_deg != two.stand.gaze_deg:
            continue
        for region in _regions(_turned_residual(one, two, turn))[:2]:
            found.append(Pop(one, two, region, False))
    return sorted(found, key=lambda pop: pop.region.share)


def _turned_residual(one: View, two: View, right_deg: float) -> Picture:
    """How badly each pixel of `one` is matched by the view `right_deg` to the right of it, (H / 2, W / 2)."""
    a, b = _half(one.rgb), _half(two.rgb)
    height, width = a.shape[:2]
    camera = Camera(width, height, one.stand.gaze_deg)
    gaze, turn = math.radians(camera.gaze_deg), math.radians(right_deg)
    right = (np.arange(width) - width / 2 + 0.5)[None] / camera.focal_px
    down = (np.arange(height) - height / 2 + 0.5)[:, None] / camera.focal_px
    ahead, up = math.cos(gaze) - down * math.sin(gaze), -math.sin(gaze) - down * math.cos(gaze)
    ahead, right = (
        ahead * math.cos(turn) + right * math.sin(turn),
        right * math.cos(turn) - ahead * math.sin(turn),
    )
    depth = ahead * math.cos(gaze) - up * math.sin(gaze)
    below = -(ahead * math.sin(gaze) + up * math.cos(gaze))
    scale = camera.focal_px / np.maximum(depth, 1e-6)
    at_u = np.round(right * scale + width / 2 - 0.5).astype(int)
    at_v = np.round(below * scale + height / 2 - 0.5).astype(int)
    seen = (depth > 0.1) & (at_u >= 1) & (at_u < width - 1) & (at_v >= 1) & (at_v < height - 1)
    warped = b[at_v.clip(0, height - 1), at_u.clip(0, width - 1)]
    gap: Picture = np.where(seen, difference(a, warped, 2), 0.0).astype(np.float32)
    return gap


def walk_watching(body: Body) -> Generator[Call, Message, list[Pop]]:
    """Walk to and fro with open eyes until something jumps."""
    floors = yield from look_at_feet(body)
    yield from body.look(WATCH_GAZE_DEG)
    found: list[Pop] = []
    stood: list[Stand] = []
    while body.left > 3:
        stood.append(body.stand)
        seen = [body.last, *(yield from body.circle())]
        found += turned_away(seen)
        if found and found[-1].region.share > SURE_SHARE:
            break
        heading, far = new_way(seen, floors, stood, body.stops)
        yield from body.head(heading)
        if body.left <= 0:
            break
        leg = yield from body.walk(far)
        learn(floors, leg)
        new = pops_of(leg.views, floors) if leg.aside_m < STRAIGHT_M else []
        found += new
        if new and new[0].region.share > SURE_SHARE:
            break
    return sorted(found, key=lambda pop: -pop.region.share)
