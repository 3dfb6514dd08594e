"""Finding out how a page is walked: press its keys, move its mouse, and see what its camera does. Ours."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import Vec3
from embodied_eval.drivers.page.axes import angles_of, wrapped
from embodied_eval.drivers.page.controls import AHEAD, BACK, FRAME_MS, LEFT, RIGHT, Controls, Look
from embodied_eval.drivers.page.mouse import SETTLE_FRAMES, Mouse
from embodied_eval.drivers.page.script import Eye, PageScript

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.session import PageSession

LAYOUTS = (
    {AHEAD: "KeyW", BACK: "KeyS", LEFT: "KeyA", RIGHT: "KeyD"},
    {AHEAD: "ArrowUp", BACK: "ArrowDown"},
)
BUTTON = re.compile(r"\b(start|play|begin|enter|explore|continue|resume|go|ok|launch|walk)\b", re.IGNORECASE)
BUTTONS = 3
HOLD_FRAMES = 30
LOOK_PX = 60.0
DOWN_DEG = 25.0
LEAST_M = 0.02
LEAST_DEG = 0.5
DRIFT_M = 0.05
"""A camera that goes farther than this in a fifth of a second with no hand on it is not ours to walk."""
CLIMB = 0.2
"""One who looks down and goes down by this share of the way flies."""
PERSON_M = (0.8, 2.6)
"""Eyes at such a height are a person's; at any other, the page's unit is no metre."""


@dataclass(frozen=True)
class Step:
    """Where the camera went: along its own horizontal direction, to its right, and up, in units."""

    ahead: float
    right: float
    up: float

    @property
    def flat(self) -> float:
        """How far along the ground."""
        return math.hypot(self.ahead, self.right)


def find_controls(session: PageSession, script: PageScript, mouse: Mouse, eye_height_m: float) -> Controls:
    """How the open page is walked. It is left somewhere else than it began: open it anew before walking it.

    `eye_height_m` is a person's, for pages whose camera we move or whose ground cannot be found.
    """
    trial = _Trial(session, script, mouse, eye_height_m)
    drifts = trial.drift() > LEAST_M
    if trial.drift() > DRIFT_M:
        return _camera(eye_height_m, "the page moves its camera by itself", drifts=True)
    why = "no keys of the page move its camera"
    done: list[str] = []
    for action in ("", *_starts(session)):
        if action:
            mouse.begin(action)
            done.append(action)
        for keys in LAYOUTS:
            if not trial.walks(keys):
                continue
            look = trial.looks()
            if look is None:
                why = "keys move its camera, and nothing turns it on the spot"
            elif trial.flies(keys, look):
                why = "its keys fly"
            else:
                return replace(trial.measured(keys, look), start=tuple(done), drifts=drifts)
    return _camera(eye_height_m, why, drifts=drifts)


def _camera(eye_height_m: float, why: str, *, drifts: bool) -> Controls:
    return Controls("camera", eye_height_m=eye_height_m, why=why, drifts=drifts)


def _starts(session: PageSession) -> Iterator[str]:
    """What may begin a game, each tried on top of those before: a click, then buttons that say so, each with a
    click after it."""
    yield "click"
    names = [line.name for line in session.accessibility() if line.role in ("button", "link")]
    for name in [name for name in dict.fromkeys(names) if BUTTON.search(name)][:BUTTONS]:
        yield name
        yield "click"


class _Trial:
    def __init__(self, session: PageSession, script: PageScript, mouse: Mouse, eye_height_m: float) -> None:
        self._session, self._script, self._mouse = session, script, mouse
        session.step(FRAME_MS, SETTLE_FRAMES)
        position = script.eye().position
        ground = script.ground(position)
        self._person_m = eye_height_m
        self._height = None if ground is None else position[1] - ground
        low, high = PERSON_M
        is_person = self._height is None or low <= self._height <= high or self._height <= 0.0
        self._scale = 1.0 if is_person or not self._height else eye_height_m / self._height
        self._drift: float | None = None

    def drift(self) -> float:
        """How far the camera goes in a fifth of a second by itself, in metres."""
        if self._drift is None:
            before = self._script.eye()
            self._session.step(FRAME_MS, SETTLE_FRAMES)
            self._drift = self._scale * math.dist(before.position, self._script.eye().position)
        return self._drift

    def walks(self, keys: dict[str, str]) -> bool:
        """Whether the keys for ahead and back, or one of them, move the camera that way."""
        for way, sign in ((AHEAD, 1.0), (BACK, -1.0)):
            step = self._held(keys[way], SETTLE_FRAMES)
            along = sign * step.ahead * self._scale
            if along > LEAST_M + self.drift() and along > 0.7 * step.flat * self._scale:
                return True
        return False

    def looks(self) -> tuple[Look, float, float] | None:
        """How the view is turned on the spot: by what, and degrees (ours) per pixel to the right and down."""
        ways: tuple[Look, ...] = ("mouse", "drag")
        for by in ways:
            before = self._script.eye()
            turn = self._turned(by, LOOK_PX, 0.0)
            moved = self._scale * math.dist(before.position, self._script.eye().position)
            if abs(turn[0]) < LEAST_DEG or moved > LEAST_M + self.drift():
                continue
            if abs(self._turned(by, 0.0, 0.0)[0]) > LEAST_DEG:
                # It turns for as long as the mouse is away from the middle.
                continue
            nod = self._turned(by, 0.0, LOOK_PX)
            if abs(nod[1]) < LEAST_DEG:
                continue
            self._turned(by, -LOOK_PX, -LOOK_PX)
            return by, turn[0] / LOOK_PX, nod[1] / LOOK_PX
        return None

    def flies(self, keys: dict[str, str], look: tuple[Look, float, float]) -> bool:
        """Whether one who looks down also goes down."""
        by, _, per_px = look
        self._turned(by, 0.0, -DOWN_DEG / per_px)
        step = self._held(keys[AHEAD], SETTLE_FRAMES)
        if step.flat * self._scale < LEAST_M:
            step = self._held(keys[BACK], SETTLE_FRAMES)
        self._turned(by, 0.0, DOWN_DEG / per_px)
        return abs(step.up) > CLIMB * max(step.flat, LEAST_M / self._scale)

    def measured(self, keys: dict[str, str], look: tuple[Look, float, float]) -> Controls:
        """The controls, with how far one gets in how many frames on the freest of four ways."""
        by, yaw_per_px, pitch_per_px = look
        best: tuple[float, ...] = ()
        glide_s = 0.0
        for _ in range(4):
            walked, glided = self._curve(keys[AHEAD])
            if not best or walked[-1] > best[-1]:
                best, glide_s = walked, glided
            if _free(walked):
                break
            self._turned(by, 90.0 / yaw_per_px, 0.0)
        sides = {}
        for way, sign in ((LEFT, -1.0), (RIGHT, 1.0)):
            if way in keys and self._sideways(keys, way, sign):
                sides[way] = keys[way]
        height = self._height
        return Controls(
            "keys",
            keys={AHEAD: keys[AHEAD], BACK: keys[BACK], **sides},
            look=by,
            yaw_per_px=yaw_per_px,
            pitch_per_px=pitch_per_px,
            walked_m=best,
            glide_s=glide_s,
            eye_height_m=self._person_m if not height or height <= 0.0 else height * self._scale,
            scale=self._scale,
        )

    def _sideways(self, keys: dict[str, str], way: str, sign: float) -> bool:
        step = self._held(keys[way], SETTLE_FRAMES)
        if step.flat * self._scale < LEAST_M:
            # Something may stand there: from a little farther on it need not.
            self._held(keys[BACK], SETTLE_FRAMES)
            step = self._held(keys[way], SETTLE_FRAMES)
        return sign * step.right > 0.7 * step.flat and step.flat * self._scale > LEAST_M

    def _held(self, code: str, frames: int) -> Step:
        """Hold a key for so many frames, then let go until the camera stands."""
        before = self._script.eye()
        self._session.hold({code})
        self._session.step(FRAME_MS, frames)
        after = self._script.eye()
        self._release()
        return _step(before, after.position)

    def _release(self) -> None:
        self._session.hold(())
        for _ in range(5):
            before = self._script.eye().position
            self._session.step(FRAME_MS, SETTLE_FRAMES)
            if self._scale * math.dist(before, self._script.eye().position) <= LEAST_M / 4 + self.drift():
                return

    def _curve(self, code: str) -> tuple[tuple[float, ...], float]:
        """Metres made after each frame of holding a key, and the seconds for which the last speed would have
        to last to make what one glides after letting go."""
        before = self._script.eye()
        walked = [0.0]
        self._session.hold({code})
        for _ in range(HOLD_FRAMES):
            self._session.step(FRAME_MS, 1)
            step = _step(before, self._script.eye().position)
            walked.append(max(walked[-1], step.flat * self._scale))
        self._release()
        glided = _step(before, self._script.eye().position).flat * self._scale - walked[-1]
        speed = (walked[-1] - walked[-2]) / FRAME_MS * 1000.0
        return tuple(walked), glided / speed if speed > 0.1 and glided > LEAST_M else 0.0

    def _turned(self, by: Look, right_px: float, down_px: float) -> tuple[float, float]:
        """Move the mouse; by how many degrees yaw and pitch changed."""
        before = angles_of(self._script.eye().forward)
        self._mouse.move(by, right_px, down_px)
        self._session.step(FRAME_MS, 3)
        after = angles_of(self._script.eye().forward)
        return wrapped(after[0] - before[0]), after[1] - before[1]


def _free(walked: tuple[float, ...]) -> bool:
    """Whether nothing slowed a walk down to its end."""
    speeds = [b - a for a, b in itertools.pairwise(walked)]
    return min(speeds[-5:]) > 0.8 * max(speeds)


def _step(before: Eye, after: Vec3) -> Step:
    length = math.hypot(before.forward[0], before.forward[2]) or 1.0
    ahead = (before.forward[0] / length, before.forward[2] / length)
    dx, dy, dz = (b - a for a, b in zip(before.position, after, strict=True))
    return Step(dx * ahead[0] + dz * ahead[1], -dx * ahead[1] + dz * ahead[0], dy)
