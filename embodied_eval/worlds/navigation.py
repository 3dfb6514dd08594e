"""Where a capsule can walk in a `World`: a floor grid, paths and distances, with no simulator.

A cell is free where there is ground and no colliding solid between step height and head height comes within
`radius_m + clearance_m` of its middle; what can be pushed is in the way however low it is. Ground is followed from the spawns outwards, up and down by at most
one step from cell to cell; solids count with the outline of their convex hull seen from above and their
whole height, so the grid errs on the side of "blocked" (ours).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embodied_eval.worlds.geometry import Array, Solid, world_solids
from embodied_eval.worlds.model import Mesh, World, WorldObject

CELL_M = 0.05
STEP_M, HEIGHT_M, FOOT_RADIUS_M = 0.30, 1.80, 0.30
_LOOSE_M = 0.02
_DOORS = ("door", "gate")
Point = tuple[float, float]
Mask = NDArray[np.bool_]
_NEIGHBOURS = [(dx, dy, math.hypot(dx, dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class NavGrid:
    """The walkable floor of `world`.

    `ignore` names objects to leave out. With `open_doors` hinged objects whose kind says "door" or "gate"
    stand wide open, their leaves in the way where they then are; otherwise, as everything else that can be
    operated, they are as their initial state has them. Arrays are indexed [ix, iy]; the middle of cell
    (0, 0) is `origin`.
    """

    def __init__(
        self,
        world: World,
        radius_m: float = 0.3,
        clearance_m: float = 0.05,
        ignore: Collection[str] = (),
        *,
        open_doors: bool = True,
        cell_m: float = CELL_M,
    ) -> None:
        self.cell_m = cell_m
        low, high = world.bounds.low, world.bounds.high
        self.origin = (low[0] + cell_m / 2, low[1] + cell_m / 2)
        self.shape = (
            max(1, math.ceil((high[0] - low[0]) / cell_m - 1e-9)),
            max(1, math.ceil((high[1] - low[1]) / cell_m - 1e-9)),
        )
        items = [item for item in world.objects if item.collides and item.name not in ignore]
        outlines = [
            _Outline(_outline(solid), *solid.height(), loose=item.dynamic)
            for item in items
            for solid in _obstacles(item, open_doors, world.meshes)
        ]
        self.ground = self._follow_ground(world, outlines)
        self._free = self._find_free(outlines, radius_m + clearance_m)
        self._labels: NDArray[np.int32] | None = None

    def _window(self, outline: Array, margin_m: float) -> tuple[slice, slice, Array]:
        """The cells that could be within `margin_m` of an outline, and their middles (nx, ny, 2)."""
        low = (outline.min(axis=0) - margin_m - self.origin) / self.cell_m
        high = (outline.max(axis=0) + margin_m - self.origin) / self.cell_m
        x0, y0 = (max(0, math.ceil(value - 1e-9)) for value in low)
        x1, y1 = (
            max(start, min(count, math.floor(value + 1e-9) + 1))
            for start, count, value in zip((x0, y0), self.shape, high, strict=True)
        )
        xs = self.origin[0] + np.arange(x0, x1) * self.cell_m
        ys = self.origin[1] + np.arange(y0, y1) * self.cell_m
        return slice(x0, x1), slice(y0, y1), np.stack(np.meshgrid(xs, ys, indexing="ij"), axis=-1)

    def _follow_ground(self, world: World, outlines: list[_Outline]) -> Array:
        """Height of the ground at each cell (nan where there is none or none can be reached)."""
        tops: list[Array] = []
        used = np.zeros(self.shape, dtype=np.int32)
        for outline in outlines:
            if outline.loose:
                continue
            xs, ys, middles = self._window(outline.corners, 0.0)
            inside = _distance(outline.corners, middles) <= 0.0
            if not inside.any():
                continue
            depth = used[xs, ys]
            while len(tops) <= int(depth[inside].max()):
                tops.append(np.full(self.shape, -np.inf))
            for level in np.unique(depth[inside]):
                tops[level][xs, ys][inside & (depth == level)] = outline.top_m
            used[xs, ys] += inside
        ground = np.full(self.shape, np.nan)
        if not tops:
            return ground
        stack = np.stack(tops)
        for spawn in world.spawns:
            ix, iy = self.cell(spawn.position[0], spawn.position[1])
            if self._inside(ix, iy) and math.isnan(ground[ix, iy]):
                _flood_ground(ground, stack, (ix, iy), spawn.position[2])
        return ground

    def _find_free(self, outlines: list[_Outline], reach_m: float) -> Mask:
        free = ~np.isnan(self.ground)
        # The capsule is not to stand on the very edge of a hole.
        edge = ~free
        for dx, dy, _ in _NEIGHBOURS:
            free &= ~_shifted(edge, dx, dy, True)
        standing = self._standing()
        for outline in outlines:
            xs, ys, middles = self._window(outline.corners, reach_m)
            feet = standing[xs, ys]
            # What could be pushed is walked round, however low: it gives way underfoot.
            lowest = _LOOSE_M if outline.loose else STEP_M + 1e-6
            in_the_way = (outline.top_m > feet + lowest) & (outline.bottom_m < feet + HEIGHT_M)
            if in_the_way.any():
                free[xs, ys] &= ~(in_the_way & (_distance(outline.corners, middles) < reach_m))
        return free

    def _standing(self) -> Array:
        """Height of the feet at each cell: a round end beside a step is lifted by it, so that it is over the
        first step of a flight before its side meets the second."""
        feet = self.ground.copy()
        for radius in (0.14, 0.27):
            drop = FOOT_RADIUS_M - math.sqrt(FOOT_RADIUS_M**2 - radius**2)
            reach = round(radius / self.cell_m)
            diagonal = round(radius * math.sqrt(0.5) / self.cell_m)
            for dx, dy, length in _NEIGHBOURS:
                away = reach if length == 1.0 else diagonal
                feet = np.fmax(feet, _shifted(self.ground, dx * away, dy * away, np.nan) - drop)
        feet[np.isnan(self.ground)] = np.nan
        return feet

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Index of the cell whose middle is nearest to (x, y); it may lie outside the grid."""
        return (round((x - self.origin[0]) / self.cell_m), round((y - self.origin[1]) / self.cell_m))

    def _inside(self, ix: int, iy: int) -> bool:
        return 0 <= ix < self.shape[0] and 0 <= iy < self.shape[1]

    def _middle(self, cell: tuple[int, int]) -> Point:
        return (self.origin[0] + cell[0] * self.cell_m, self.origin[1] + cell[1] * self.cell_m)

    def free(self, x: float, y: float) -> bool:
        """Whether the capsule can stand at (x, y)."""
        ix, iy = self.cell(x, y)
        return self._inside(ix, iy) and bool(self._free[ix, iy])

    def nearest_free(self, x: float, y: float, *, reachable_from: Point | None = None) -> Point | None:
        """The free point nearest to (x, y), that point itself if it is free; None if nothing is free.

        With `reachable_from` only points that can be walked to from there count.
        """
        allowed = self._free if reachable_from is None else self.reachable_from(reachable_from)
        ix, iy = self.cell(x, y)
        if self._inside(ix, iy) and allowed[ix, iy]:
            return (x, y)
        cells = np.argwhere(allowed)
        if not len(cells):
            return None
        off = cells * self.cell_m + np.array(self.origin) - np.array((x, y))
        best = cells[int(np.argmin((off**2).sum(axis=1)))]
        return self._middle((int(best[0]), int(best[1])))

    def reachable_from(self, start: Point) -> Mask:
        """The cells (nx, ny) that can be walked to from the free cell nearest to `start`."""
        cell = self._snap(start)
        if cell is None:
            return np.zeros(self.shape, dtype=bool)
        labels = self._areas()
        reached: Mask = labels == labels[cell]
        return reached

    def path(self, start: Point, goal: Point) -> list[Point] | None:
        """Corner points of a short path from `start` to `goal`, both included; None if there is none.

        Each leg keeps the grid's clearance. A start or goal that is not free is joined to the nearest free
        cell within 0.5 m (start) or one cell (goal). A* over eight neighbours, then string-pulled.
        """
        if self.free(*start) and self.free(*goal) and self.line_clear(start, goal):
            return [start, goal]
        first, last = self._snap(start, 0.5), self._snap(goal, 1.5 * self.cell_m)
        if first is None or last is None or self._areas()[first] != self._areas()[last]:
            return None
        cells = self._search(first, last)
        points = [self._middle(cell) for cell in cells]
        if self.free(*start):
            points[0] = start
        if self.free(*goal):
            points[-1] = goal
        pulled = self._pull(points)
        if pulled[0] != start:
            pulled.insert(0, start)
        return pulled

    def distance(self, start: Point, goal: Point) -> float | None:
        """Metres along `path`; None where there is none."""
        points = self.path(start, goal)
        return None if points is None else sum(math.dist(a, b) for a, b in pairwise(points))

    def line_clear(self, a: Point, b: Point) -> bool:
        """Whether the capsule can walk straight from `a` to `b`."""
        count = max(2, math.ceil(math.dist(a, b) / (self.cell_m / 4)) + 1)
        share = np.linspace(0.0, 1.0, count)
        ix = np.rint((a[0] + share * (b[0] - a[0]) - self.origin[0]) / self.cell_m).astype(int)
        iy = np.rint((a[1] + share * (b[1] - a[1]) - self.origin[1]) / self.cell_m).astype(int)
        if min(ix.min(), iy.min()) < 0 or ix.max() >= self.shape[0] or iy.max() >= self.shape[1]:
            return False
        return bool(self._free[ix, iy].all()) and bool((np.abs(np.diff(self.ground[ix, iy])) <= STEP_M).all())

    def _snap(self, point: Point, within_m: float = math.inf) -> tuple[int, int] | None:
        near = self.nearest_free(*point)
        return None if near is None or math.dist(near, point) > within_m else self.cell(*near)

    def _areas(self) -> NDArray[np.int32]:
        """Connected areas of free cells, numbered from 1; 0 = not free."""
        if self._labels is None:
            self._labels = _label(self._free, self.ground)
        return self._labels

    def _search(self, first: tuple[int, int], last: tuple[int, int]) -> list[tuple[int, int]]:
        nx, ny = self.shape
        free, ground = self._free.ravel().tolist(), self.ground.ravel().tolist()
        start, goal = first[0] * ny + first[1], last[0] * ny + last[1]
        cost, came = {start: 0.0}, {start: start}
        done: set[int] = set()
        queue = [(0.0, start)]
        while queue:
            _, here = heapq.heappop(queue)
            if here == goal:
                break
            if here in done:
                continue
            done.add(here)
            x, y = divmod(here, ny)
            for dx, dy, step in _NEIGHBOURS:
                if not (0 <= x + dx < nx and 0 <= y + dy < ny):
                    continue
                there = here + dx * ny + dy
                if not free[there] or there in done or abs(ground[there] - ground[here]) > STEP_M:
                    continue
                if dx and dy and not (free[here + dx * ny] and free[here + dy]):
                    continue
                reached = cost[here] + step
                if reached < cost.get(there, math.inf):
                    cost[there], came[there] = reached, here
                    ax, ay = abs(x + dx - last[0]), abs(y + dy - last[1])
                    heapq.heappush(queue, (reached + max(ax, ay) + 0.41421356 * min(ax, ay), there))
        trail = [goal]
        while trail[-1] != start:
            trail.append(came[trail[-1]])
        return [divmod(cell, ny) for cell in reversed(trail)]

    def _pull(self, points: list[Point]) -> list[Point]:
        pulled, at = [points[0]], 0
        while at < len(points) - 1:
            # The furthest point in sight: gallop first, then close in from the far end.
            ahead = len(points) - 1
            while ahead > at + 1 and not self.line_clear(points[at], points[ahead]):
                ahead -= max(1, (ahead - at) // 12)
            pulled.append(points[ahead])
            at = ahead
        return pulled


@dataclass(frozen=True)
class _Outline:
    """A solid seen from above: counter-clockwise `corners` (n, 2) and its height."""

    corners: Array
    bottom_m: float
    top_m: float
    loose: bool


def _obstacles(item: WorldObject, open_doors: bool, meshes: Mapping[str, Mesh]) -> Iterable[Solid]:
    hinge = item.interaction
    is_door = hinge is not None and hinge.kind == "hinge" and any(word in item.kind for word in _DOORS)
    amount = hinge.travel if hinge is not None and is_door and open_doors else None
    parts = world_solids(item, amount=amount, meshes=meshes)
    return (solid for solid in parts if solid.primitive.collides)


def _outline(solid: Solid) -> Array:
    """Counter-clockwise convex outline (n, 2) seen from above (Andrew's monotone chain)."""
    points = sorted({(round(float(x), 9), round(float(y), 9)) for x, y in solid.vertices(outer=True)[:, :2]})
    if len(points) < 3:
        return np.array(points)

    def half(ordered: Iterable[Point]) -> list[Point]:
        chain: list[Point] = []
        for x, y in ordered:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2], chain[-1]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 1e-12:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return np.array(half(points) + half(reversed(points)))


def _distance(outline: Array, middles: Array) -> Array:
    """Distance (nx, ny) in metres of points (nx, ny, 2) to a convex outline; 0 inside it."""
    nearest = np.full(middles.shape[:2], np.inf)
    inside = np.ones(middles.shape[:2], dtype=bool)
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        edge, off = end - start, middles - start
        along = np.clip(off @ edge / max(float(edge @ edge), 1e-18), 0.0, 1.0)
        gap = off - along[..., None] * edge
        nearest = np.minimum(nearest, (gap**2).sum(axis=-1))
        inside &= edge[0] * off[..., 1] - edge[1] * off[..., 0] >= -1e-12
    found: Array = np.where(inside & (len(outline) > 2), 0.0, np.sqrt(nearest))
    return found


def _shifted(grid: NDArray[Any], dx: int, dy: int, outside: float) -> NDArray[Any]:
    """`grid` moved by (dx, dy) cells, filled up with `outside`."""
    moved = np.full_like(grid, outside)
    nx, ny = grid.shape
    to_x, to_y = slice(max(0, dx), nx + min(0, dx)), slice(max(0, dy), ny + min(0, dy))
    from_x, from_y = slice(max(0, -dx), nx + min(0, -dx)), slice(max(0, -dy), ny + min(0, -dy))
    moved[to_x, to_y] = grid[from_x, from_y]
    return moved


def _flood_ground(ground: Array, tops: Array, start: tuple[int, int], height_m: float) -> None:
    """Spread from `start`: a cell's ground is its highest top within one step of its neighbour's."""
    wave_x, wave_y = np.array([start[0]]), np.array([start[1]])
    reference = np.array([height_m])
    nx, ny = ground.shape
    while len(wave_x):
        column = tops[:, wave_x, wave_y]
        good = np.abs(column - reference) <= STEP_M + 1e-6
        found = np.where(good, column, -np.inf).max(axis=0)
        fresh = np.isfinite(found) & np.isnan(ground[wave_x, wave_y])
        wave_x, wave_y, found = wave_x[fresh], wave_y[fresh], found[fresh]
        ground[wave_x, wave_y] = found
        heights = ground[wave_x, wave_y]
        next_x = np.concatenate([wave_x + dx for dx, dy, step in _NEIGHBOURS if step == 1.0])
        next_y = np.concatenate([wave_y + dy for dx, dy, step in _NEIGHBOURS if step == 1.0])
        reference = np.tile(heights, 4)
        inside = (next_x >= 0) & (next_x < nx) & (next_y >= 0) & (next_y < ny)
        next_x, next_y, reference = next_x[inside], next_y[inside], reference[inside]
        new = np.isnan(ground[next_x, next_y])
        next_x, next_y, reference = next_x[new], next_y[new], reference[new]
        # One arrival a cell, the highest: the order of the wave then does not matter.
        order = np.lexsort((-reference, next_y, next_x))
        next_x, next_y, reference = next_x[order], next_y[order], reference[order]
        first = np.ones(len(next_x), dtype=bool)
        first[1:] = (np.diff(next_x) != 0) | (np.diff(next_y) != 0)
        wave_x, wave_y, reference = next_x[first], next_y[first], reference[first]


def _label(free: Mask, ground: Array) -> NDArray[np.int32]:
    """Number the areas of free cells joined side by side without a step higher than the capsule's."""
    labels = np.zeros(free.shape, dtype=np.int32)
    joined = {}
    for axis in (0, 1):
        near, far = (slice(None, -1), slice(1, None))
        a, b = (
            ((near, slice(None)), (far, slice(None)))
            if axis == 0
            else ((slice(None), near), (slice(None), far))
        )
        joined[axis] = free[a] & free[b] & (np.abs(ground[a] - ground[b]) <= STEP_M)
    number = 0
    for x, y in np.argwhere(free):
        if labels[x, y]:
            continue
        number += 1
        labels[x, y] = number
        todo = [(int(x), int(y))]
        while todo:
            cx, cy = todo.pop()
            steps = (
                (cx + 1, cy, cx < free.shape[0] - 1 and joined[0][cx, cy]),
                (cx - 1, cy, cx > 0 and joined[0][cx - 1, cy]),
                (cx, cy + 1, cy < free.shape[1] - 1 and joined[1][cx, cy]),
                (cx, cy - 1, cy > 0 and joined[1][cx, cy - 1]),
            )
            for tx, ty, open_way in steps:
                if open_way and not labels[tx, ty]:
                    labels[tx, ty] = number
                    todo.append((tx, ty))
    return labels
