"""Walking a page that cannot be walked by itself: we move its camera along its ground. Formulas ours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import Command, turned
from embodied_eval.drivers.page.axes import page_yaw, pose_of, to_ours, to_page
from embodied_eval.drivers.page.controls import Controls
from embodied_eval.drivers.page.script import PageScript
from embodied_eval.drivers.page.walkers import Walked, pass_time, wish
from embodied_eval.errors import PageFailed
from embodied_eval.records import Pose

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.session import PageSession


class CameraWalker:
    """Moves the page's camera itself: a body on the ground that rays find in the page's own scene."""

    glides = False

    def __init__(self, session: PageSession, script: PageScript, controls: Controls) -> None:
        self._session, self._script, self._controls = session, script, controls
        feet = script.call("free", controls.eye_height_m)
        if feet is None:
            raise PageFailed(
                "Nothing in the page's scene can be stood on near its camera.",
                outcome="no_ground",
                hint="Start the page's camera above the ground, looking at it.",
            )
        self._pose = self.pose()

    def tick(self, command: Command, dt_ms: float, passed_ms: float = 0.0) -> Walked:
        """See `Walker`."""
        before = self._pose
        aim = turned(before, command.yaw_deg, command.pitch_deg)
        wx, wy = wish(command, aim.yaw_deg, dt_ms / 1000.0)
        dx, _, dz = to_page((wx, wy, 0.0))
        feet = self._script.call(
            "go", [dx, dz, dt_ms / 1000.0, command.jump, page_yaw(aim.yaw_deg), math.radians(aim.pitch_deg)]
        )
        pass_time(self._session, dt_ms - passed_ms)
        x, y, z = (round(value, 9) + 0.0 for value in to_ours(feet))
        self._pose = Pose(x, y, z, aim.yaw_deg, aim.pitch_deg)
        gone = (x - before.x, y - before.y)
        wanted = math.hypot(wx, wy)
        along = (gone[0] * wx + gone[1] * wy) / wanted if wanted > 1e-9 else 0.0
        return Walked(dt_ms, self._pose, math.hypot(*gone), wanted - along > 0.005)

    def pose(self) -> Pose:
        """See `Walker`."""
        eye = self._script.eye()
        return pose_of(eye.position, eye.forward, self._controls.eye_height_m)

    def put(self, pose: Pose) -> Pose:
        """See `Walker`."""
        feet = list(to_page((pose.x, pose.y, pose.z)))
        self._script.call("put", [feet, page_yaw(pose.yaw_deg), math.radians(pose.pitch_deg)])
        self._pose = self.pose()
        return self._pose
