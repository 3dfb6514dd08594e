"""What jumps as one walks on: parts of a picture that no distance explains in the next one. Ours."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.worldaudit.scripted.explorer_body import Body, Call, Stand, View
from benchmarks.worldaudit.scripted.explorer_vision import CHANGE, Picture, Region, difference, regions
from benchmarks.worldaudit.scripted.explorer_walks import new_way
from embodied_eval.models.types import Message

WATCH_GAZE_DEG = 10.0
DEPTHS_M = (0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.45, 1.7, 2.0, 2.4, 2.9, 3.5, 4.3, 5.3, 6.5, 8.5, 12.0, 20.0, 1e4)
"""Depths, measured in the later picture, at which a thing may stand."""
NEAR_M = 1.8
"""What stands nearer than this to the nearer eye changes too much between two pictures."""
SURE_SHARE = 0.006
LEAST_SHARE = 0.002
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


def unexplained(near: View, far: View) -> list[Region]:
    """Regions of the view `near`, taken straight ahead of `far` with the same gaze, that look like no part
    of `far` from which they could have come, whatever their distance."""
    return _regions(_residual(near, far, far.stand.along(near.stand)))


def unmatched(far: View, near: View) -> list[Region]:
    """Regions of the view `far` that look like nothing that the nearer view shows in their place."""
    return _regions(_residual(far, near, -far.stand.along(near.stand)))


def _residual(one: View, two: View, moved_m: float) -> Picture:
    """How badly each pixel of `one`, `moved_m` ahead of `two`, is explained by `two`, at the best depth."""
    a, b = one.rgb, two.rgb
    height, width = a.shape[:2]
    camera = one.camera
    gaze = math.radians(camera.gaze_deg)
    columns, rows = np.arange(width) - width / 2 + 0.5, np.arange(height) - height / 2 + 0.5
    best = np.full((height, width), np.inf, np.float32)
    for depth in DEPTHS_M:
        there = depth + moved_m * math.cos(gaze)
        if there < 0.3:
            continue
        u = columns * depth / there
        v = (rows * depth - camera.focal_px * moved_m * math.sin(gaze)) / there
        at_u, at_v = np.round(u + width / 2 - 0.5).astype(int), np.round(v + height / 2 - 0.5).astype(int)
        seen = ((at_v >= 0) & (at_v < height))[:, None] & ((at_u >= 0) & (at_u < width))[None]
        warped = b[at_v.clip(0, height - 1)[:, None], at_u.clip(0, width - 1)[None]]
        # What lies outside the other picture cannot be called unexplained.
        gap = np.where(seen, difference(a, warped), 0.0)
        np.minimum(best, gap, out=best)
    near = camera.floor_row(NEAR_M + max(0.0, -moved_m))
    best[max(0, round(near)) :] = 0.0
    edge = round(MARGIN * width)
    best[:, :edge] = best[:, -edge:] = 0.0
    best[: edge // 2] = best[-edge // 2 :] = 0.0
    return best


def _regions(residual: Picture) -> list[Region]:
    return regions(residual > CHANGE, LEAST_SHARE, join_px=12)


def pops_of(views: Sequence[View]) -> list[Pop]:
    """What came up or went between the views of a walk straight on, the largest first."""
    found = []
    for one, two in zip(views, views[1:], strict=False):
        step = one.stand.along(two.stand)
        if abs(step) < 0.1 or one.stand.gaze_deg != two.stand.gaze_deg:
            continue
        far, near = (one, two) if step > 0 else (two, one)
        for region in unexplained(near, far)[:2]:
            found.append(Pop(near, far, region, near is two))
        for region in unmatched(far, near)[:2]:
            found.append(Pop(far, near, region, far is two))
    return sorted(found, key=lambda pop: -pop.region.share)


def walk_watching(body: Body) -> Generator[Call, Message, list[Pop]]:
    """Walk to and fro with open eyes until something jumps."""
    yield from body.look(WATCH_GAZE_DEG)
    found: list[Pop] = []
    stood: list[Stand] = []
    while body.left > 3:
        stood.append(body.stand)
        seen = [body.last, *(yield from body.circle())]
        heading, far = new_way(seen, stood)
        yield from body.head(heading)
        if body.left <= 0:
            break
        leg = yield from body.walk(far)
        new = pops_of(leg.views)
        for p in new: print("POP", p.at.ref, p.other.ref, p.region, p.later)
        found += new
        if new and new[0].region.share > SURE_SHARE:
            break
    return sorted(found, key=lambda pop: -pop.region.share)
