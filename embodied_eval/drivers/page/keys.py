"""Walking a page by its own keys and mouse: held and moved for as long as it takes, by what its camera does.

Formulas ours. A page's walker is taken to be moved by its speed, which a held key raises as measured and which
fades with one time constant once the key is let go.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import WALK_M_S, Command, turned
from embodied_eval.drivers.page.axes import pose_of, wrapped
from embodied_eval.drivers.page.controls import AHEAD, BACK, LEFT, RIGHT, Controls
from embodied_eval.drivers.page.mouse import Mouse
from embodied_eval.drivers.page.script import PageScript
from embodied_eval.drivers.page.walkers import FRAME_MOST_MS, Walked, pass_time, wish
from embodied_eval.errors import CapabilityMissing
from embodied_eval.records import Pose

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.session import PageSession

FRAME_LEAST_MS = 1.0
SLOW_MOST = 4.0
"""A tick of a page that walks slower than we do lasts up to so many times as long."""
BLOCKED_SHARE = 0.2
BLOCKED_LEAST_M = 0.005
NEAR_M = 0.002
NEAR_DEG = 0.02
ASTRAY_DEG = 1.0
CORRECTIONS = 3
GLIDE_M_S = 0.02


class KeyWalker:
    """Holds the page's keys and moves its mouse, and reads from its camera what came of it."""

    def __init__(self, session: PageSession, script: PageScript, mouse: Mouse, controls: Controls) -> None:
        self._session, self._script, self._mouse, self._controls = session, script, mouse, controls
        self._held: frozenset[str] = frozenset()
        self._held_ms = 0.0
        self._keys: frozenset[str] = frozenset()
        self._goal_m = 0.0
        self._speed = (0.0, 0.0)
        self._pose = self._origin = self._aim = self.pose()

    @property
    def glides(self) -> bool:
        """See `Walker`."""
        return not self._held and self._controls.glide_s > 0.0 and math.hypot(*self._speed) > GLIDE_M_S

    def pose(self) -> Pose:
        """See `Walker`."""
        eye = self._script.eye()
        return pose_of(eye.position, eye.forward, self._controls.eye_height_m, self._controls.scale)

    def put(self, pose: Pose) -> Pose:
        """See `Walker`."""
        raise CapabilityMissing(
            "This page moves its own camera; one cannot be put elsewhere in it.", command="teleport"
        )

    def tick(self, command: Command, dt_ms: float, passed_ms: float = 0.0) -> Walked:
        """See `Walker`. The keys are held for as long as the wanted distance needs at the page's own speed;
        what came out too far or too short is made good in the next tick of the same walk."""
        before = self._pose
        spent, blocked = passed_ms, False
        if command.yaw_deg or command.pitch_deg:
            spent += self._turn(command, dt_ms - spent)
        wx, wy = wish(command, self._pose.yaw_deg, dt_ms / 1000.0)
        wanted = math.hypot(wx, wy)
        keys = self._keys_for(command) if wanted > 1e-9 else frozenset()
        if keys != self._keys:
            self._keys, self._origin, self._goal_m = keys, self._pose, 0.0
        if keys:
            self._goal_m += wanted
            walking, blocked = self._walk((wx / wanted, wy / wanted), dt_ms - spent)
            spent += walking
        if spent < dt_ms - 1e-6:
            self._hold(frozenset({"Space"}) if command.jump else frozenset())
            self._pass(dt_ms - spent)
            spent = dt_ms
        moved = math.hypot(self._pose.x - before.x, self._pose.y - before.y)
        return Walked(spent, self._pose, moved, blocked)

    def _walk(self, along: tuple[float, float], dt_ms: float) -> tuple[float, bool]:
        """Hold the keys until the walk's goal is made; milliseconds spent, and whether stopped."""
        controls = self._controls
        most_ms = dt_ms * (SLOW_MOST if controls.speed_m_s < WALK_M_S else 1.0)
        spent = 0.0
        while most_ms - spent >= FRAME_LEAST_MS:
            made = _along(self._origin, self._pose, along)
            speed = max(0.0, self._speed[0] * along[0] + self._speed[1] * along[1])
            error = self._goal_m - made - speed * controls.glide_s
            if error < NEAR_M:
                break
            span = max(FRAME_LEAST_MS, min(controls.needed_ms(speed, error), most_ms - spent, FRAME_MOST_MS))
            self._hold(self._keys)
            due = controls.distance_m(self._held_ms + span) - controls.distance_m(self._held_ms)
            self._pass(span)
            spent, self._held_ms = spent + span, self._held_ms + span
            if due > BLOCKED_LEAST_M and _along(self._origin, self._pose, along) - made < BLOCKED_SHARE * due:
                self._origin, self._goal_m = self._pose, 0.0
                return spent, True
        return spent, False

    def _turn(self, command: Command, dt_ms: float) -> float:
        """Move the mouse until the camera looks where it should; errors do not add up over ticks. Many pages
        turn their camera in the next frame only, so each movement gets one; milliseconds spent on them."""
        controls = self._controls
        goal = turned(self._aim, command.yaw_deg, command.pitch_deg)
        span = dt_ms / (2.0 * CORRECTIONS)
        spent = 0.0
        for _ in range(CORRECTIONS):
            yaw = wrapped(goal.yaw_deg - self._pose.yaw_deg)
            pitch = goal.pitch_deg - self._pose.pitch_deg
            if abs(yaw) < NEAR_DEG and abs(pitch) < NEAR_DEG:
                break
            if not self._mouse.move(controls.look, yaw / controls.yaw_per_px, pitch / controls.pitch_per_px):
                break
            self._pass(span)
            spent += span
        off = abs(wrapped(goal.yaw_deg - self._pose.yaw_deg)) + abs(goal.pitch_deg - self._pose.pitch_deg)
        # A page that limits or turns the view by itself is right about where it looks.
        self._aim = self._pose if off > ASTRAY_DEG else goal
        return spent

    def _pass(self, ms: float) -> None:
        """Let time pass, and see where the camera is and how fast it went."""
        before = self._pose
        pass_time(self._session, ms)
        self._pose = self.pose()
        self._speed = ((self._pose.x - before.x) / ms * 1000.0, (self._pose.y - before.y) / ms * 1000.0)

    def _hold(self, codes: frozenset[str]) -> None:
        if codes != self._held:
            self._session.hold(codes)
            self._held, self._held_ms = codes, 0.0

    def _keys_for(self, command: Command) -> frozenset[str]:
        wanted = []
        if abs(command.forward) > 1e-9:
            wanted.append(AHEAD if command.forward > 0 else BACK)
        if abs(command.strafe) > 1e-9:
            wanted.append(RIGHT if command.strafe > 0 else LEFT)
        missing = [way for way in wanted if way not in self._controls.keys]
        if missing:
            raise CapabilityMissing(f"This page has no key for {' and '.join(missing)}.", command="tick")
        jump = ["Space"] if command.jump else []
        return frozenset([self._controls.keys[way] for way in wanted] + jump)


def _along(origin: Pose, pose: Pose, along: tuple[float, float]) -> float:
    return (pose.x - origin.x) * along[0] + (pose.y - origin.y) * along[1]
