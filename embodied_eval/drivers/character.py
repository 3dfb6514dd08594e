"""The agent's body: an upright capsule that walks, slides, climbs steps, falls and pushes.

Seen from the side the collided body begins one step above the feet; below that, rays feel for the ground in
the profile of the capsule's round end, so that kerbs and stairs are climbed smoothly. Horizontal motion is
exact for convex solids: each near solid gives the plane that separates it from the body, and the motion
taken is the one nearest to the wish that crosses none of the planes (ours).
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from embodied_eval.drivers.body import (
    AIR_STEP_M,
    CLIMB_M_S,
    FEELERS,
    FREE_PUSH_KG,
    GRAVITY_M_S2,
    HEIGHT_M,
    JUMP_M,
    MAX_PUSH_OUT_M,
    MIN_FLAT,
    PRESS_M,
    RADIUS_M,
    SKIN_M,
    SLOW_PUSH_KG,
    STEP_M,
    TOUCH_M,
    TRIES,
)
from embodied_eval.drivers.mujoco.scene import GROUND, LIGHT_GROUND, Scene
from embodied_eval.worlds.geometry import Array

_DOWN: Array = np.array([0.0, 0.0, -1.0])


class Character:
    """The agent's body in a scene. `feet` is its lowest point (3,), `touched` the names of the things that
    it touched sideways since `begin`."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.feet: Array = np.zeros(3)
        self.fall_m_s = 0.0
        self.grounded = True
        self.touched: set[str] = set()
        self._near: list[int] = []
        self._ahead = (1.0, 0.0)

    def place(self, feet: Array) -> None:
        """Stand at `feet` at once, at rest."""
        self.feet, self.fall_m_s, self.grounded = feet.copy(), 0.0, True
        self.scene.put_agent(self.feet)

    def begin(self, reach_m: float) -> None:
        """Start a tick in which it moves by at most `reach_m`: gather what it could meet."""
        self.touched = set()
        margin = reach_m + 0.25
        side = np.array([RADIUS_M + margin, RADIUS_M + margin, 0.0])
        low = self.feet - side - np.array([0.0, 0.0, margin])
        high = self.feet + side + np.array([0.0, 0.0, HEIGHT_M + margin])
        self._near = self.scene.near(low, high)

    def advance(self, wish: Array, dt_s: float, *, jump: bool = False) -> None:
        """Move by at most `wish` (2,) metres horizontally in `dt_s` seconds, and rise or fall."""
        length = float(np.hypot(wish[0], wish[1]))
        if length > 1e-9:
            self._ahead = (float(wish[0]) / length, float(wish[1]) / length)
        self._slide(wish, length, dt_s)
        if jump and self.grounded:
            self.grounded, self.fall_m_s = False, -math.sqrt(2.0 * GRAVITY_M_S2 * JUMP_M)
        if self.grounded:
            self._follow_ground(dt_s)
        else:
            self._fly(dt_s)
        self.scene.put_agent(self.feet)

    def overlaps(self, geoms: list[int]) -> float:
        """The smallest signed gap (m, at most `TOUCH_M`) between the body and the given geoms."""
        return min(
            (self.scene.gap(self.scene.push_geom, geom, TOUCH_M)[0] for geom in geoms), default=TOUCH_M
        )

    def _slide(self, wish: Array, length: float, dt_s: float) -> None:
        start, left = self.feet[:2].copy(), wish
        for _ in range(TRIES):
            room = float(np.hypot(left[0], left[1]))
            planes = self._planes(room, self.feet[:2] - start, length, dt_s)
            step = _nearest_allowed(left, planes, room + MAX_PUSH_OUT_M)
            if abs(step[0]) + abs(step[1]) < 1e-6:
                return
            self.feet = self.feet + np.array([step[0], step[1], 0.0])
            left = left - step
            if abs(left[0]) + abs(left[1]) < 1e-6:
                return
            self.scene.put_agent(self.feet)

    def _planes(
        self, room_m: float, gone: Array, length: float, dt_s: float
    ) -> list[tuple[float, float, float]]:
        """For each near solid (nx, ny, b): a motion d of at most `room_m` must keep n . d <= b. `gone` is
        what this sub-step of `length` has moved already."""
        scene = self.scene
        body = scene.walk_geom if self.grounded else scene.air_geom
        reach = room_m + TOUCH_M + SKIN_M
        planes: list[tuple[float, float, float]] = []
        for geom in self._near:
            thing = scene.owner[geom]
            if thing is None or not scene.solid[geom]:
                continue
            gap, normal = scene.gap(scene.push_geom if thing.light else body, geom, reach)
            flat = float(np.hypot(normal[0], normal[1]))
            if gap >= reach or flat < MIN_FLAT:
                continue
            if gap <= TOUCH_M:
                self.touched.add(thing.item.name)
            nx, ny = float(normal[0]), float(normal[1])
            if thing.light:
                leaving = float(np.dot(thing.velocity_m_s, normal)) * dt_s
                most = max(0.0, gap + PRESS_M + max(0.0, leaving))
                if gap <= TOUCH_M:
                    slower = max(0.0, thing.item.mass_kg - FREE_PUSH_KG) / SLOW_PUSH_KG
                    done = nx * float(gone[0]) + ny * float(gone[1])
                    most = min(most, max(0.0, length * flat * (1.0 - slower) - done))
            else:
                most = max(gap - SKIN_M, -MAX_PUSH_OUT_M)
            planes.append((nx, ny, most))
        return planes

    def _ground(self, up_m: float, down_m: float) -> float | None:
        """Height of the ground within `up_m` above and `down_m` below the feet."""
        best: float | None = None
        x, y, z = self.feet
        cos, sin = self._ahead
        start = np.zeros(3)
        for ahead, left, drop in FEELERS:
            start[:] = x + cos * ahead - sin * left, y + sin * ahead + cos * left, z + up_m + drop
            gone, _ = self.scene.ray(start, _DOWN, GROUND)
            if gone < 0.0:
                continue
            height = float(start[2]) - gone - drop
            if height >= z - down_m - 1e-6 and (best is None or height > best):
                best = height
        # Things light enough to be pushed bear the agent only from above: it never steps up on them.
        start[:] = x, y, z + 0.02
        gone, _ = self.scene.ray(start, _DOWN, LIGHT_GROUND)
        if gone >= 0.0 and 0.02 - gone >= -down_m:
            top = float(start[2]) - gone
            best = top if best is None else max(best, top)
        return best

    def _follow_ground(self, dt_s: float) -> None:
        ground = self._ground(STEP_M, STEP_M)
        if ground is None:
            self.grounded, self.fall_m_s = False, 0.0
            self._fly(dt_s)
            return
        most = CLIMB_M_S * dt_s
        self.feet[2] += max(-most, min(most, ground - self.feet[2]))

    def _fly(self, dt_s: float) -> None:
        self.fall_m_s += GRAVITY_M_S2 * dt_s
        drop = self.fall_m_s * dt_s
        if drop < 0.0:
            self.feet[2] += self._room_above(-drop)
            return
        ground = self._ground(AIR_STEP_M, drop)
        if ground is None:
            self.feet[2] -= drop
            return
        self.feet[2] = min(ground, self.feet[2])
        self.grounded, self.fall_m_s = True, 0.0

    def _room_above(self, rise_m: float) -> float:
        self.scene.put_agent(self.feet)
        allowed = rise_m
        for geom in self._near:
            if not self.scene.solid[geom]:
                continue
            gap, normal = self.scene.gap(self.scene.air_geom, geom, rise_m + SKIN_M)
            if gap < rise_m + SKIN_M and normal[2] > 0.1:
                allowed = min(allowed, max(0.0, (gap - SKIN_M) / float(normal[2])))
        if allowed < rise_m:
            self.fall_m_s = 0.0
        return allowed


def _nearest_allowed(wish: Array, planes: list[tuple[float, float, float]], longest_m: float) -> Array:
    """The motion d nearest to `wish` with n . d <= b for every plane (nx, ny, b); where no motion meets all
    of them, the one that violates them least."""
    if all(nx * wish[0] + ny * wish[1] <= most + 1e-12 for nx, ny, most in planes):
        return wish
    options: list[Array] = [wish, np.zeros(2)]
    for nx, ny, most in planes:
        over = (nx * wish[0] + ny * wish[1] - most) / (nx * nx + ny * ny)
        options.append(np.array([wish[0] - over * nx, wish[1] - over * ny]))
    for (ax, ay, a), (bx, by, b) in combinations(planes, 2):
        area = ax * by - ay * bx
        if abs(area) > 1e-9:
            options.append(np.array([(a * by - b * ay) / area, (ax * b - bx * a) / area]))
    options = [option for option in options if float(np.hypot(option[0], option[1])) <= longest_m]

    def rank(option: Array) -> tuple[float, float]:
        worst = max(nx * option[0] + ny * option[1] - most for nx, ny, most in planes)
        off = option - wish
        return (max(0.0, round(worst, 9)), float(off @ off))

    return min(options, key=rank)
