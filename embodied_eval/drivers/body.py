"""The agent's body in numbers: the one home of what both physics engines need to know about it.

An upright cylinder of `RADIUS_M`, whose collided part begins one step above the feet; below that, rays feel for
the ground in the profile of a round end (`FEELERS`).
"""

from __future__ import annotations

import math

RADIUS_M, HEIGHT_M = 0.30, 1.80
STEP_M, AIR_STEP_M = 0.30, 0.10
# Where the three collided bodies begin above the feet: against what can be pushed, walking, in the air.
PUSH_BASE_M, WALK_BASE_M, AIR_BASE_M = 0.02, STEP_M + 0.005, AIR_STEP_M + 0.005
# The heaviest body that it can push; up to the first of these it is not slowed, at the last it stands still.
PUSH_LIMIT_KG = 40.0
FREE_PUSH_KG, SLOW_PUSH_KG = 10.0, 60.0
# How far the body may press into a thing it pushes: the contact force follows from it.
PRESS_M = 0.01
# How fast a thing gains speed when the body runs into it, where the engine has no soft contacts: MuJoCo's, measured.
PUSH_M_S2 = 43.0
GRAVITY_M_S2 = 9.81
JUMP_M = 0.5
CLIMB_M_S = 3.0
SKIN_M = 0.001
TOUCH_M = 0.005
MAX_PUSH_OUT_M = 0.05
# Ground whose normal is flatter than this is no wall.
MIN_FLAT = 0.05
# A plane is only as good as where it was taken: what it held back may be free from the next point.
TRIES = 4


def _feelers() -> tuple[tuple[float, float, float], ...]:
    rays = [(0.0, 0.0, 0.0)]
    for radius, count in ((0.14, 6), (0.27, 6)):
        drop = RADIUS_M - math.sqrt(RADIUS_M**2 - radius**2)
        for index in range(count):
            angle = 2.0 * math.pi * index / count
            rays.append((radius * math.cos(angle), radius * math.sin(angle), drop))
    return tuple(rays)


# (ahead, left, drop) in metres of each ground ray: the round end is `drop` higher there.
FEELERS = _feelers()
