"""Which way an official page turns, and where its angles begin: found by a small turn and a small look.

A page's `pos` is in Three.js axes, right-handed with y up; ours are (x, -z, y), right-handed with z up (see
`page.axes`). Exchanging y and z alone, as the official tools do for what an agent reads, would mirror the world;
that mirror image (y to the right, turns to the right positive) is made where an agent's text is. Formulas ours.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from embodied_eval.drivers.page.axes import angles_of, horizontal_fov_deg, to_ours, wrapped
from embodied_eval.drivers.page_env.calls import ENDPOINT, EnvCalls, Place
from embodied_eval.errors import PageFailed
from embodied_eval.records import Pose

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.session import PageSession

TRIAL_DEG = 6.0
LEAST_DEG = 1.0
# Official pages: the eye's height, and the vertical field of view of a window of 16:9.
EYE_HEIGHT_M = 1.7
FOV_DEG = 72.0
ASPECT = 16.0 / 9.0
EYE_NEAR_M = 0.05
EYE_MOST_M = 3.0


@dataclass(frozen=True)
class Angle:
    """One of the page's angles. Ours is `sign` times it plus `offset_deg`; an action of `action` times our
    degrees changes ours by as much."""

    sign: float
    offset_deg: float
    action: float

    def ours(self, degrees: float) -> float:
        """The page's angle as ours."""
        return self.sign * degrees + self.offset_deg


@dataclass(frozen=True)
class EnvAxes:
    """How a page's places become poses. `pos_is_eye`: its `pos` is the eye and not the feet; `seen`: this was
    seen from its camera, otherwise taken from the interface's description."""

    yaw: Angle
    pitch: Angle
    eye_height_m: float
    pos_is_eye: bool
    fov_deg: float
    seen: bool

    def pose(self, place: Place) -> Pose:
        """Our pose of `place`."""
        x, y, z = to_ours(place.pos)
        z -= self.eye_height_m if self.pos_is_eye else 0.0
        # Rounded to a micrometre, and -0 to 0, for clean numbers in texts and files.
        x, y, z, pitch = (round(value, 6) + 0.0 for value in (x, y, z, self.pitch.ours(place.pitch_deg)))
        return Pose(x, y, z, wrapped(round(self.yaw.ours(place.yaw_deg), 6)), pitch)


@dataclass(frozen=True)
class _Sight:
    """What the page's camera shows: our yaw and pitch, its height and horizontal field of view."""

    angles_deg: tuple[float, float]
    height_m: float
    fov_deg: float


def calibrate(session: PageSession, calls: EnvCalls, place: Place) -> EnvAxes:
    """Turn and look up or down a little and back, from `place`. Raises `PageFailed` ("not_controllable") for a page
    that does not turn."""
    sight = _sight(session)
    # What the interface says where no camera tells: right and down are positive, and Three.js looks along -z.
    yaw = _angle(session, calls, "turn", place, sight, assumed_offset_deg=90.0)
    pitch = _angle(session, calls, "look", place, sight, assumed_offset_deg=0.0)
    if sight is None:
        fov_deg = horizontal_fov_deg(FOV_DEG, ASPECT)
        return EnvAxes(yaw, pitch, EYE_HEIGHT_M, False, fov_deg, False)
    above = sight.height_m - place.pos[1]
    if abs(above) < EYE_NEAR_M:
        return EnvAxes(yaw, pitch, EYE_HEIGHT_M, True, sight.fov_deg, True)
    eye_height_m = round(above, 6) if 0.0 < above < EYE_MOST_M else EYE_HEIGHT_M
    return EnvAxes(yaw, pitch, eye_height_m, False, sight.fov_deg, True)


def _angle(
    session: PageSession,
    calls: EnvCalls,
    action: str,
    place: Place,
    sight: _Sight | None,
    assumed_offset_deg: float,
) -> Angle:
    which = 0 if action == "turn" else 1
    after = calls.call("act", {"action": action, "deg": TRIAL_DEG}).place
    sight_after = _sight(session)
    calls.call("act", {"action": action, "deg": -TRIAL_DEG})
    told = wrapped(_told(after, which) - _told(place, which))
    if abs(told) < LEAST_DEG:
        raise PageFailed(
            f"A {action} of {TRIAL_DEG:g} degrees changed the page's angle by {told:g}.",
            outcome="not_controllable",
            endpoint=ENDPOINT,
            command=action,
            hint="`act` must turn the agent, and `state` tell its yaw and pitch in degrees.",
        )
    if sight is not None and sight_after is not None:
        seen = wrapped(sight_after.angles_deg[which] - sight.angles_deg[which])
        if abs(seen) >= LEAST_DEG:
            sign = math.copysign(1.0, seen * told)
            offset = wrapped(sight.angles_deg[which] - sign * _told(place, which))
            return Angle(sign, round(offset, 6) + 0.0, math.copysign(1.0, seen))
    return Angle(-math.copysign(1.0, told), assumed_offset_deg, -1.0)


def _told(place: Place, which: int) -> float:
    return place.yaw_deg if which == 0 else place.pitch_deg


def _sight(session: PageSession) -> _Sight | None:
    camera = session.camera()
    if camera is None or camera.fov_deg <= 0.0:
        return None
    fov_deg = horizontal_fov_deg(camera.fov_deg, camera.aspect)
    return _Sight(angles_of(camera.forward), camera.position[1], fov_deg)
