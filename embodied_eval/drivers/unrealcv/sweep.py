"""A capsule swept straight through convex solids until it meets one: what `moveto` does.

Distances are those of the capsule's axis to a solid's corners (round shapes have 24 sides), found with Wolfe's
algorithm for the point of a polytope nearest to the origin (P. Wolfe, Finding the nearest point in a polytope,
1976). A sweep goes as far as the plane between both allows, and again (conservative advancement).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from embodied_eval.drivers.body import HEIGHT_M, RADIUS_M, SKIN_M
from embodied_eval.worlds.geometry import Array

# A capsule that rests on something still slides along it: it may sink so far, and only at so flat an angle.
SLACK_M, FLAT = 0.002, 0.02
_ROUNDS = 40


def swept(corners: Iterable[Array], feet: Array, motion: Array) -> float:
    """The part (0 to 1) of `motion` (3,) metres that the capsule with its lowest point at `feet` (3,) can go.

    Each of `corners` (n, 3) spans one solid. A solid that it touches or is in already stops it only if it
    would go deeper; one that holds its axis stops it altogether.
    """
    length = float(np.linalg.norm(motion))
    if length < 1e-9:
        return 1.0
    along = motion / length
    axis = feet + np.array([[0.0, 0.0, RADIUS_M], [0.0, 0.0, HEIGHT_M - RADIUS_M]])
    ends = np.concatenate([axis, axis + motion])
    low, high = ends.min(axis=0) - RADIUS_M - SKIN_M, ends.max(axis=0) + RADIUS_M + SKIN_M
    free = length
    for points in corners:
        if np.all(points.min(axis=0) <= high) and np.all(points.max(axis=0) >= low):
            free = min(free, _free(points, axis, along, free))
    return max(0.0, min(1.0, free / length))


def _free(points: Array, axis: Array, along: Array, wanted: float) -> float:
    """Metres along `along` before the capsule meets one solid, at most `wanted`."""
    between = (points[:, None, :] - axis[None, :, :]).reshape(-1, 3)
    gone = 0.0
    for _ in range(_ROUNDS):
        nearest = nearest_to_origin(between - gone * along)
        distance = float(np.linalg.norm(nearest))
        if distance < 1e-7:
            return gone
        towards = float(nearest @ along) / distance
        if towards <= 1e-9:
            return wanted
        room = distance - RADIUS_M - (SKIN_M if towards > FLAT else -SLACK_M)
        if room <= 1e-6:
            return gone
        gone += room / towards
        if gone >= wanted:
            return wanted
    return gone


def nearest_to_origin(points: Array) -> Array:
    """(3,) the point of the convex hull of `points` (n, 3) that is nearest to the origin."""
    squares = np.einsum("ij,ij->i", points, points)
    chosen = [int(np.argmin(squares))]
    weights: Array = np.ones(1)
    found: Array = points[chosen[0]]
    scale = max(float(squares.max()), 1e-12)
    for _ in range(100):
        ahead = points @ found
        best = int(np.argmin(ahead))
        if best in chosen or ahead[best] > found @ found - 1e-12 * scale:
            return found
        chosen.append(best)
        weights = np.append(weights, 0.0)
        while True:
            flat = _nearest_on_plane(points[chosen])
            if flat.min() > -1e-12:
                weights = flat
                break
            falling = flat < 0.0
            share = float(np.min(weights[falling] / (weights[falling] - flat[falling])))
            weights = (1.0 - share) * weights + share * flat
            kept = weights > 1e-12
            kept[np.argmax(weights)] = True
            chosen = [number for number, keep in zip(chosen, kept, strict=True) if keep]
            weights = weights[kept] / weights[kept].sum()
        found = weights @ points[chosen]
    return found


def _nearest_on_plane(points: Array) -> Array:
    """Weights, summing to 1, of the point nearest to the origin on the plane (line, point) through `points`."""
    count = len(points)
    system = np.ones((count + 1, count + 1))
    system[0, 0] = 0.0
    system[1:, 1:] = points @ points.T
    right = np.zeros(count + 1)
    right[0] = 1.0
    solved: Array = np.asarray(np.linalg.lstsq(system, right, rcond=None)[0][1:], dtype=np.float64)
    return solved
