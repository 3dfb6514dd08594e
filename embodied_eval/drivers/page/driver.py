"""The `page` driver: any HTML page with a Three.js scene as a world, sealed and on a virtual clock."""

from __future__ import annotations

import math
import threading
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from embodied_eval.drivers.base import (
    REACH_M,
    TICK_S,
    Command,
    Driver,
    Frame,
    LightPatch,
    Motion,
    ObjectPatch,
    ObjectState,
    OnTick,
    RayHit,
    TickState,
    Vec3,
    eye,
    view_direction,
)
from embodied_eval.drivers.page.axes import horizontal_fov_deg, to_page
from embodied_eval.drivers.page.controls import Controls
from embodied_eval.errors import CapabilityMissing, DataFileError, SimulatorError, StepTimeout, UnknownName
from embodied_eval.records import Pose

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from embodied_eval.drivers.browser.browser import Browser
    from embodied_eval.drivers.browser.outcome import Loaded
    from embodied_eval.drivers.browser.session import PageSession
    from embodied_eval.drivers.page.script import PageScript
    from embodied_eval.drivers.page.walkers import Walker
    from embodied_eval.worlds.model import Page, World, WorldObject

SIZE = (960, 540)
DRAW_MS = 1.0
"""A picture takes the page this much of virtual time, which the next tick gives back."""
REACTION_MS = 10.0
OWED_SHARE = 0.8
GLIDE_TICKS = 12


class PageDriver(Driver):
    """A page of somebody else's, of which nothing is known but what its Three.js scene tells.

    Where its keys and mouse move its camera, they are what walks it; the page decides what stops one.
    Otherwise we move its camera along its ground. `renderer` tells which. A page that walks slower than
    `WALK_M_S` has longer ticks. Nothing in a page can be changed; `objects` is what its scene names.
    """

    name = "page"
    capabilities = frozenset({"interact", "raycast", "strafe", "jump"})
    call_deadline_s = 300.0

    def __init__(self, size: tuple[int, int] = SIZE) -> None:
        """`size` is that of the page's window, (width, height) in pixels; other sizes are scaled from it."""
        super().__init__()
        self._size = size
        self._browser: Browser | None = None
        self._session: PageSession
        self._known: dict[tuple[str, str], Controls] = {}
        self._interrupted = threading.Event()
        self._closed = False
        self._walks = False

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        if self._closed:
            raise SimulatorError("This driver is closed.", command="load", hint="Create a new one.")
        page = world.page
        if page is None:
            raise DataFileError(f"World {world.name!r} is no page.", hint="Load it with another driver.")
        try:
            world.spawn(spawn)
        except KeyError:
            raise UnknownName("spawn", spawn, [item.name for item in world.spawns]) from None
        self._start_browser(self._size)
        try:
            self._begin(page, self._controls_of(page, seed, world.eye_height_m), seed)
        except BaseException:
            self._close_browser()
            raise
        return self._state

    def show(
        self,
        world: World,
        *,
        seed: int = 0,
        size: tuple[int, int] | None = None,
        again: bool = False,
        covering: bool = False,
    ) -> Loaded:
        """Open the page of `world` in a fresh sealed browser only to look at it: nobody walks in it, and
        `session` drives it. Returns how its load ended, whatever that is.

        `size` is that of its window, by default the driver's. `again` keeps the living browser: for the same
        page once more. `covering` counts which code runs, see `PageSession.coverage`. Raises `DataFileError`
        for a world that is no page, and what `PageSession.open` raises.
        """
        if self._closed:
            raise SimulatorError("This driver is closed.", command="show", hint="Create a new one.")
        if world.page is None:
            raise DataFileError(f"World {world.name!r} is no page.", hint="Load it with another driver.")
        from embodied_eval.drivers.browser.session import PageSession
        from embodied_eval.drivers.page.open import READY_FRAMES, site_of

        size, self._walks = size or self._size, False
        if not (again and self._browser is not None and self._browser.alive):
            self._start_browser(size)
        assert self._browser is not None
        self._session = PageSession(self._browser, seed=seed, size=size)
        try:
            if covering:
                self._session.coverage(True)
            site, path = site_of(world.page)
            return self._session.open(site, path, ready_frames=READY_FRAMES)
        except BaseException:
            self._close_browser()
            raise

    @property
    def session(self) -> PageSession:
        """The session of the page that is open. Raises `SimulatorError` when there is none."""
        self._ready("session", walks=False)
        return self._session

    @property
    def browser(self) -> Browser:
        """The browser it is open in. Raises `SimulatorError` when there is none."""
        self._ready("browser", walks=False)
        assert self._browser is not None
        return self._browser

    def _start_browser(self, size: tuple[int, int]) -> None:
        self._interrupted.clear()
        # What a page did to its browser must not reach the next one.
        self._close_browser()
        from embodied_eval.drivers.browser.browser import Browser
        from embodied_eval.drivers.browser.settings import BrowserSettings, Deadlines

        # Worlds of millions of triangles take a processor ten seconds a frame.
        deadlines = Deadlines(step_s=30.0, frame_s=60.0, call_s=30.0)
        self._browser = Browser(BrowserSettings(size=size, deadlines=deadlines))

    def _controls_of(self, page: Page, seed: int, eye_height_m: float) -> Controls:
        """How `page` is walked: found by trial at its first load, known afterwards."""
        controls = self._known.get((page.sha256, page.query))
        if controls is None:
            from embodied_eval.drivers.page.trial import find_controls

            self._open(page, seed)
            controls = find_controls(self._session, self._script, self._mouse, eye_height_m)
            self._known[page.sha256, page.query] = controls
        return controls

    def _open(self, page: Page, seed: int) -> Loaded:
        from embodied_eval.drivers.browser.session import PageSession
        from embodied_eval.drivers.page.mouse import Mouse
        from embodied_eval.drivers.page.open import open_page
        from embodied_eval.drivers.page.script import PageScript

        assert self._browser is not None
        self._session = PageSession(self._browser, seed=seed, size=self._size)
        loaded = open_page(self._session, page)
        self._script: PageScript = PageScript(self._session)
        self._mouse = Mouse(self._session, self._script, self._size)
        return loaded

    def _begin(self, page: Page, controls: Controls, seed: int) -> None:
        from embodied_eval.drivers.page.camera import CameraWalker
        from embodied_eval.drivers.page.keys import KeyWalker

        # A trial leaves the page somewhere else than it began.
        self._loaded = self._open(page, seed)
        for action in controls.start:
            self._mouse.begin(action)
        self._walker: Walker
        if controls.kind == "keys":
            self._walker = KeyWalker(self._session, self._script, self._mouse, controls)
        else:
            self._walker = CameraWalker(self._session, self._script, controls)
        self.controls = controls
        self.eye_height_m = controls.eye_height_m
        seen = self._script.eye()
        self.fov_deg = horizontal_fov_deg(seen.fov_deg, seen.aspect)
        self._picture: NDArray[np.uint8] | None = None
        self._owed_ms = 0.0
        self._t_s = 0.0
        self._state = TickState(0.0, self._walker.pose(), 0.0, False)
        self._walks = True

    def state(self) -> TickState:
        self._ready("state")
        return self._state

    def teleport(self, pose: Pose) -> TickState:
        self._ready("teleport")
        self._picture = None
        self._state = TickState(self._t_s, self._walker.put(pose), 0.0, False)
        return self._state

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        self._ready("tick")
        if not dt_s > 0.0:
            raise SimulatorError(f"A tick of {dt_s} s; it must be above 0.", command="tick")
        self._picture = None
        target = self._operate() if command.interact else None
        owed = min(self._owed_ms, OWED_SHARE * dt_s * 1000.0)
        self._owed_ms -= owed
        walked = self._walker.tick(command, dt_s * 1000.0, owed)
        self._t_s = round(self._t_s + walked.spent_ms / 1000.0, 9)
        self._state = TickState(self._t_s, walked.pose, walked.moved_m, walked.blocked, (), target)
        return self._state

    def move(self, distance_m: float, *, on_tick: OnTick | None = None) -> Motion:
        """See `Driver.move`; where the page's walker glides on, with the ticks until it stands."""
        done = super().move(distance_m, on_tick=on_tick)
        for _ in range(GLIDE_TICKS):
            if not self._walker.glides:
                break
            state = self.step(Command())
            if on_tick is not None:
                on_tick(state)
            done = replace(
                done,
                pose=state.pose,
                t_s=state.t_s,
                elapsed_s=done.elapsed_s + state.t_s - done.t_s,
                moved_m=done.moved_m + state.moved_m,
            )
        return done

    def _operate(self) -> str | None:
        """Press E and click in the middle; the thing in reach there if the page's scene changed by it."""
        pose = self._state.pose
        hit = self.raycast(eye(pose, self.eye_height_m), view_direction(pose), REACH_M)
        self._script.changes()
        self._session.step(REACTION_MS)
        moving = self._script.changes()
        self._session.hold({"KeyE"})
        self._session.step(REACTION_MS)
        self._session.hold(())
        self._session.click()
        self._session.step(REACTION_MS)
        changed = self._script.changes() - moving
        self._owed_ms += 3 * REACTION_MS
        return (hit.object if hit else min(changed)) if changed else None

    def render(self, modalities: Collection[str], size: tuple[int, int]) -> Frame:
        self._ready("render")
        if set(modalities) - {"rgb"}:
            raise CapabilityMissing(
                f"A page gives pictures only, not {sorted(set(modalities) - {'rgb'})}.", command="capture"
            )
        rgb = fitted(self._shot(), size) if "rgb" in modalities else None
        return Frame(self._t_s, self._state.pose, rgb=rgb)

    def _shot(self) -> NDArray[np.uint8]:
        """The view now; the same picture until the next tick."""
        if self._picture is None:
            self._script.draw(True)
            self._session.step(DRAW_MS)
            self._script.settle()
            self._script.draw(False)
            self._owed_ms += DRAW_MS
            self._picture = self._session.screenshot(interface=False)
            self._state = replace(self._state, pose=self._walker.pose())
        return self._picture

    def renderer(self) -> str:
        self._ready("renderer")
        assert self._browser is not None
        info, three = self._browser.info, self._loaded.three
        return f"{info.renderer}; Chromium {info.version}; three.js r{three}; {self.controls.text()}"

    def objects(self) -> dict[str, ObjectState]:
        self._ready("objects")
        from embodied_eval.drivers.page.objects import named_objects

        return named_objects(self._session.scene(), self.controls.scale)

    def raycast(self, origin: Vec3, direction: Vec3, max_m: float) -> RayHit | None:
        self._ready("raycast")
        length = math.hypot(*direction)
        if length < 1e-9:
            raise SimulatorError("A ray needs a direction.", command="raycast")
        along = (direction[0] / length, direction[1] / length, direction[2] / length)
        scale = self.controls.scale
        hit = self._script.cast(to_page(origin, scale), to_page(along), max_m / scale)
        if hit is None:
            return None
        distance = hit[0] * scale
        point = tuple(a + distance * b for a, b in zip(origin, along, strict=True))
        return RayHit(hit[1], distance, (point[0], point[1], point[2]))

    def set_object(self, name: str, patch: ObjectPatch) -> ObjectState:
        raise _foreign("set_object")

    def set_light(self, name: str, patch: LightPatch) -> None:
        raise _foreign("set_light")

    def spawn(self, item: WorldObject) -> ObjectState:
        raise _foreign("spawn")

    def destroy(self, name: str) -> None:
        raise _foreign("destroy")

    def interrupt(self) -> None:
        self._interrupted.set()
        browser = self._browser
        if browser is not None:
            browser.interrupt()

    def close(self) -> None:
        self._closed = True
        self._close_browser()

    def _close_browser(self) -> None:
        browser, self._browser = self._browser, None
        if browser is not None:
            browser.close()

    def _ready(self, command: str, *, walks: bool = True) -> None:
        if self._interrupted.is_set():
            raise StepTimeout("The driver was interrupted.", command=command, hint="Load a world again.")
        if self._browser is None:
            what = "This driver is closed." if self._closed else "No world is loaded."
            raise SimulatorError(what, command=command, hint="Call load first.")
        if walks and not self._walks:
            raise SimulatorError(
                "The page is only shown; nobody walks in it.", command=command, hint="Call load first."
            )


def _foreign(command: str) -> CapabilityMissing:
    return CapabilityMissing("Nothing can be changed in somebody else's page.", command=command)


def fitted(picture: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """`picture` at `size` (width, height): what is too much on two sides is cut off, and the rest scaled."""
    import numpy as np

    height, width = picture.shape[:2]
    if (width, height) == size:
        return picture.copy()
    from PIL import Image

    scale = min(width / size[0], height / size[1])
    wide, high = size[0] * scale, size[1] * scale
    left, top = (width - wide) / 2, (height - high) / 2
    box = (left, top, left + wide, top + high)
    resized = Image.fromarray(picture).resize(size, Image.Resampling.BOX, box=box)
    return np.asarray(resized, dtype=np.uint8)
