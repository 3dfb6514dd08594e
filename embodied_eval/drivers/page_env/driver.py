"""The `page-env` driver: official pages, which offer `window.__env` to be played through."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import (
    TICK_S,
    Command,
    Motion,
    ObjectState,
    OnTick,
    RayHit,
    TickState,
    Vec3,
)
from embodied_eval.drivers.page.driver import SIZE, PageDriver
from embodied_eval.drivers.whole.actions import check_fresh, fell_short, played, waited, walked_m
from embodied_eval.errors import CapabilityMissing, DataFileError, SimulatorError, UnknownName
from embodied_eval.records import Json, Pose

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embodied_eval.drivers.browser.browser import Browser
    from embodied_eval.drivers.page_env.calls import Answer
    from embodied_eval.worlds.model import World

FRAME_MS = 1000.0 / 60.0
FIRST_FRAMES = 4
PX_PER_RAD = 600.0
MOUSE_MOST_PX = 150.0
"""A tick of the official explorer: the mouse turns by a radian in 600 pixels, and moves by 150 at most."""
STILL_M_S = 0.1
log = logging.getLogger("embodied_eval")


class EnvPageDriver(PageDriver):
    """A page that is moved by its own `window.__env`, in whole actions: how far, how fast and what is in the way is
    the page's say, and simulated time is what its actions say they took.

    A `respawned` or `teleported` agent counts as blocked, and touches a thing of that name. Pictures are those that
    the page takes of itself; they must change when the view does. What it knows of the truth is never asked for.
    """

    name = "page-env"
    capabilities = frozenset({"interact", "strafe", "jump", "official-page"})

    def __init__(
        self,
        size: tuple[int, int] = SIZE,
        *,
        expected_sha256: str = "",
        ready_s: float = 240.0,
        ready_virtual_s: float = 30.0,
    ) -> None:
        """`size` is that of the page's window; `expected_sha256` the hash that its file must have ("" = any, a
        `#sha256=...` at the end of its address wins); `ready_s` and `ready_virtual_s` how long it may take to get
        ready, in our seconds and in its own."""
        super().__init__(size)
        self._expected_sha256 = expected_sha256
        self._ready_s, self._ready_virtual_s = ready_s, ready_virtual_s
        self.warnings: tuple[str, ...] = ()
        """What is not as it should be with the loaded page, one clause each."""

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        """See `Driver.load`. A page's own seed decides what is left to chance in it; `seed` does where its address
        asks for none that is a number."""
        if self._closed:
            raise SimulatorError("This driver is closed.", command="load", hint="Create a new one.")
        if world.page is None:
            raise DataFileError(f"World {world.name!r} is no page.", hint="Load it with another driver.")
        try:
            world.spawn(spawn)
        except KeyError:
            raise UnknownName("spawn", spawn, [item.name for item in world.spawns]) from None
        self._interrupted.clear()
        self._close_browser()
        try:
            self._start(world, seed)
        except BaseException:
            self._close_browser()
            raise
        for warning in self.warnings:
            log.warning("%s: %s.", world.page.entry, warning)
        return self._state

    def _start(self, world: World, seed: int) -> None:
        from embodied_eval.drivers.browser.session import PageSession
        from embodied_eval.drivers.page_env.axes import calibrate
        from embodied_eval.drivers.page_env.calls import EnvCalls
        from embodied_eval.drivers.page_env.open import asked_of, open_env

        assert world.page is not None
        asked = asked_of(world.page, self._size, self._expected_sha256)
        self._browser = self._new_browser()
        chance = int(asked.seed) if asked.seed.isdecimal() else seed
        self._session = PageSession(self._browser, seed=chance, size=self._size)
        opened = open_env(
            self._session, world.page, asked, wait_s=self._ready_s, virtual_s=self._ready_virtual_s
        )
        self._loaded, self._page_renderer, self.warnings = opened.loaded, opened.renderer, opened.warnings
        self._calls = EnvCalls(self._session)
        place = self._calls.call("enable").place
        # The page's first picture is there a few frames after it begins.
        self._session.step(FRAME_MS, FIRST_FRAMES)
        self._axes = calibrate(self._session, self._calls, place)
        if not self._axes.seen:
            self.warnings += ("its camera is not to be seen: where its angles begin is assumed",)
        self.eye_height_m, self.fov_deg = self._axes.eye_height_m, self._axes.fov_deg
        self._session.step(FRAME_MS, FIRST_FRAMES)
        self._mouse_px = (0.0, 0.0)
        self._jpeg = self._encoded = b""
        self._picture: NDArray[np.uint8] | None = None
        self._t_s = 0.0
        self._state = TickState(0.0, self._axes.pose(self._calls.call("state").place), 0.0, False)
        self._walks = True

    def _new_browser(self) -> Browser:
        from embodied_eval.drivers.browser.browser import Browser
        from embodied_eval.drivers.browser.settings import BrowserSettings, Deadlines

        deadlines = Deadlines(load_s=self._ready_s, step_s=60.0, frame_s=60.0, call_s=30.0)
        return Browser(BrowserSettings(size=self._size, deadlines=deadlines))

    def teleport(self, pose: Pose) -> TickState:
        raise CapabilityMissing(
            "An official page puts its agent where it wants; one cannot be put elsewhere.", command="teleport"
        )

    def move(self, distance_m: float, *, on_tick: OnTick | None = None) -> Motion:
        """See `Driver.move`; one action of the page, at its own speed."""
        wanted = abs(distance_m)
        action = {"action": "forward" if distance_m >= 0.0 else "back", "dist": wanted}
        return self._act(action, on_tick, wanted_m=wanted)

    def turn(self, degrees: float, *, on_tick: OnTick | None = None) -> Motion:
        """See `Driver.turn`; one action of the page."""
        return self._act({"action": "turn", "deg": self._axis("yaw") * degrees}, on_tick)

    def look(self, degrees: float, *, on_tick: OnTick | None = None) -> Motion:
        """See `Driver.look`; one action of the page, which limits the pitch itself."""
        return self._act({"action": "look", "deg": self._axis("pitch") * degrees}, on_tick)

    def advance(self, seconds: float, *, on_tick: OnTick | None = None) -> Motion:
        """See `Driver.advance`; one action of the page."""
        return self._act({"action": "wait", "ms": seconds * 1000.0}, on_tick, waits_s=seconds)

    def interact(self, *, on_tick: OnTick | None = None) -> Motion:
        """See `Driver.interact`; one action of the page, with the reach that it has."""
        return self._act({"action": "interact"}, on_tick)

    def _axis(self, which: str) -> float:
        self._ready(which)
        return self._axes.yaw.action if which == "yaw" else self._axes.pitch.action

    def _act(
        self,
        action: dict[str, Json],
        on_tick: OnTick | None,
        *,
        wanted_m: float = 0.0,
        waits_s: float | None = None,
    ) -> Motion:
        from embodied_eval.drivers.page_env.calls import ENDPOINT, pixels

        self._ready("act")
        start = self._state
        answer = self._calls.call("act", action)
        elapsed = self._elapsed(answer, waits_s)
        pose = self._axes.pose(answer.place)
        moved = walked_m(start.pose, pose) if answer.moved_m is None else answer.moved_m
        contacts = tuple(("agent", word) for word in answer.thrown)
        blocked = fell_short(wanted_m, moved) or bool(contacts)
        t_s = round(start.t_s + elapsed, 9)
        end = TickState(t_s, pose, moved, blocked, contacts, answer.interacted or None)
        check_fresh(start.pose, pose, (self._jpeg, answer.last), pixels, ENDPOINT, "act")
        self._jpeg = answer.last
        return played(
            start, end, answer.film, answer.last, lambda tick, data: self._tell(tick, data, on_tick)
        )

    def _elapsed(self, answer: Answer, waits_s: float | None) -> float:
        """The seconds that an action took. Raises `PageFailed` where they cannot be right."""
        from embodied_eval.drivers.page_env.calls import wrong_clock

        if answer.elapsed_s is None:
            raise wrong_clock("an action does not say how long it took", "act")
        if waits_s is not None and not waited(waits_s, answer.elapsed_s):
            raise wrong_clock(f"to wait {waits_s:g} s took {answer.elapsed_s:g} s", "act")
        return answer.elapsed_s

    def _tell(self, state: TickState, data: bytes, on_tick: OnTick | None) -> None:
        """Be at `state`, whose picture is `data` (b"" = what the canvas shows), and let it be known."""
        self._t_s, self._state = state.t_s, state
        self._encoded, self._picture = data, None
        for listener in self._listeners:
            listener.on_tick(state)
        if on_tick is not None:
            on_tick(state)

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        """See `Driver.tick`; keys and mouse as the official explorer has them. A fraction of the walking speed
        holds its key for that share of the tick."""
        self._ready("tick")
        if not dt_s > 0.0:
            raise SimulatorError(f"A tick of {dt_s} s; it must be above 0.", command="tick")
        before = self._state.pose
        keys = _keys(command)
        held = min(1.0, max(abs(command.forward), abs(command.strafe))) if keys - {"Space"} else 1.0
        mouse = self._moved_mouse(command)
        first: dict[str, Json] = {
            "keys": sorted(keys),
            "mouseDx": mouse[0],
            "mouseDy": mouse[1],
            "click": command.interact,
        }
        answer = self._calls.call("tick", first, dt_s * held * 1000.0)
        interacted = answer.interacted
        if held < 1.0:
            idle: dict[str, Json] = {"keys": [], "mouseDx": 0, "mouseDy": 0, "click": False}
            answer = self._calls.call("tick", idle, dt_s * (1.0 - held) * 1000.0)
        pose = self._axes.pose(answer.place)
        moved = walked_m(before, pose)
        wanted = bool(command.forward or command.strafe)
        contacts = tuple(("agent", word) for word in answer.thrown)
        blocked = bool(contacts) or (wanted and moved < STILL_M_S * dt_s * held)
        self._t_s = round(self._t_s + dt_s, 9)
        self._encoded, self._picture, self._jpeg = b"", None, b""
        self._state = TickState(self._t_s, pose, moved, blocked, contacts, interacted or None)
        return self._state

    def _moved_mouse(self, command: Command) -> tuple[int, int]:
        """Whole pixels to the right and down, with what is left kept for the next tick."""
        wanted = [
            kept + math.radians(degrees) * sign * PX_PER_RAD
            for kept, degrees, sign in zip(
                self._mouse_px, (command.yaw_deg, command.pitch_deg), (-1.0, -1.0), strict=True
            )
        ]
        moved = [round(max(-MOUSE_MOST_PX, min(MOUSE_MOST_PX, value))) for value in wanted]
        self._mouse_px = (wanted[0] - moved[0], wanted[1] - moved[1])
        return moved[0], moved[1]

    def _shot(self) -> NDArray[np.uint8]:
        """The picture that the page took at this moment, or else what its canvas shows."""
        if self._picture is None:
            from embodied_eval.drivers.page_env.calls import pixels

            self._picture = (
                pixels(self._encoded) if self._encoded else self._session.screenshot(interface=False)
            )
        return self._picture

    def renderer(self) -> str:
        self._ready("renderer")
        assert self._browser is not None
        info, three = self._browser.info, self._loaded.three
        parts = [
            info.renderer,
            f"Chromium {info.version}",
            f"three.js r{three}" if three else "no three.js seen",
        ]
        parts += [self._page_renderer] if self._page_renderer else []
        return "; ".join([*parts, "controls: window.__env on the virtual clock", *self.warnings])

    def objects(self) -> dict[str, ObjectState]:
        """Nothing: an official page's things are not told to whoever plays in it."""
        self._ready("objects")
        return {}

    def raycast(self, origin: Vec3, direction: Vec3, max_m: float) -> RayHit | None:
        raise CapabilityMissing("An official page casts no rays.", command="raycast")


def _keys(command: Command) -> set[str]:
    wanted = {
        "KeyW": command.forward > 0.0,
        "KeyS": command.forward < 0.0,
        "KeyD": command.strafe > 0.0,
        "KeyA": command.strafe < 0.0,
        "Space": command.jump,
    }
    return {key for key, held in wanted.items() if held}
