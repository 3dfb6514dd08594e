"""A page on the virtual clock: opened, stepped, looked at and operated, with nothing happening in between."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from embodied_eval.drivers.browser.accessibility import Line
from embodied_eval.drivers.browser.browser import Browser
from embodied_eval.drivers.browser.controls import Button, Controls
from embodied_eval.drivers.browser.coverage import Coverage, ScriptCoverage
from embodied_eval.drivers.browser.loading import FRAME_MS, page_left, until_ready
from embodied_eval.drivers.browser.messages import Messages
from embodied_eval.drivers.browser.outcome import Loaded, PageMessage, PageStatus, status_of
from embodied_eval.drivers.browser.picture import picture
from embodied_eval.drivers.browser.scene import CameraView, SceneGraph, camera_view, scene_graph
from embodied_eval.drivers.browser.script import begin, call, init_script
from embodied_eval.drivers.browser.settings import Deadlines
from embodied_eval.drivers.browser.site import Site
from embodied_eval.drivers.browser.sources import BytesSource
from embodied_eval.errors import (
    FrameTimeout,
    LoadTimeout,
    PageFailed,
    ProtocolError,
    SimulatorError,
    StepTimeout,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Many pages clamp the time between two frames to this.
LONGEST_FRAME_MS = 50.0
READY_FRAMES = 30
# One call steps about so much real time's worth of frames, so that a deadline is for few long frames; how
# many these are grows from one.
CHUNK_S = 0.5
GROWTH = 4
_BEFORE = "/.before-the-page/"


class PageSession:
    """One page at a time in a `Browser`, driven by one thread.

    The page stands still unless `step`, `seek` or `call` moves it; everything random in it starts from
    `seed`. Besides what each method says, all raise `SimulatorCrashed` when the page or browser died,
    `StepTimeout` (`FrameTimeout` for pictures) after a deadline, and `PageFailed` with the outcome
    "navigated" when the page left or reloaded itself.
    """

    t_s: float
    loaded: Loaded

    def __init__(
        self,
        browser: Browser,
        *,
        seed: int = 0,
        size: tuple[int, int] = (960, 540),
        deadlines: Deadlines | None = None,
    ) -> None:
        self._browser = browser
        self._seed, self._size = seed, size
        self._deadlines = deadlines or browser.settings.deadlines
        self._token = secrets.token_hex(16)
        self._document: str | None = None
        self._covering = False
        self._coverage: Coverage | None = None
        self._html = ""
        self._frames = 1
        self.t_s = 0.0

    def open(
        self,
        site: Site,
        path: str = "/",
        *,
        ready: str = "",
        ready_frames: int = READY_FRAMES,
        query: str = "",
    ) -> Loaded:
        """Load a page and give it at most `ready_frames` virtual frames to draw, or to make the JavaScript
        expression `ready` true. The session is usable after any outcome. Raises `LoadTimeout`, and
        `PageFailed` when there is no such page."""
        self._site, self._document, self._frames, self._coverage = site, None, 1, None
        self._controls = Controls(self._browser, self._call, self._size)
        target = path + (f"?{query.lstrip('?')}" if query else "")
        scripts = [init_script(self._seed, self._token)]
        if self._covering:
            self._open_covered(site, target, scripts)
        else:
            self._browser.open(site, target, init_scripts=scripts, size=self._size)
        with self._within("load", self._deadlines.load_s, LoadTimeout):
            self._messages = Messages(self._browser.cdp)
        return self.wait(ready, frames=ready_frames)

    def wait(self, ready: str = "", *, frames: int = READY_FRAMES) -> Loaded:
        """Give the open page more frames, as `open` does: after a click on a start screen, say."""
        self._document = None
        with self._within("load", self._deadlines.load_s, LoadTimeout):
            page = self._browser.page
            self.loaded = until_ready(page, self._token, self._site, self._messages, ready, frames)
            now_ms, self._document = page.evaluate(call("place"), [self._token, None])
        self.t_s = now_ms / 1000
        return self.loaded

    def _open_covered(self, site: Site, target: str, scripts: list[str]) -> None:
        """As `Browser.open`, with coverage begun before the page's first script."""
        before = {_BEFORE: BytesSource({"index.html": b"<!doctype html>"}), **site.mounts}
        self._browser.open(replace(site, mounts=before), _BEFORE, init_scripts=scripts, size=self._size)
        url = site.origin + target
        with self._within("load", self._deadlines.load_s, LoadTimeout):
            self._coverage = Coverage(self._browser.cdp)
            self._coverage.begin()
            answer = self._browser.page.goto(url, wait_until="load")
            if answer is None or not answer.ok:
                raise PageFailed(f"The page {target} cannot be opened.", outcome="not_served", endpoint=url)
            self._html = answer.text()

    def step(self, ms: float = FRAME_MS, count: int = 1) -> None:
        """Let `count` virtual frames of `ms` milliseconds (at most 50) pass, each of them drawn."""
        self._steps(ms, count, "all", "all")

    def seek(self, ms: float) -> None:
        """Let `ms` virtual milliseconds pass in frames of at most 50 ms, of which only the last is drawn."""
        if ms <= 0:
            return
        count = max(1, math.ceil(ms / LONGEST_FRAME_MS - 1e-9))
        self._steps(ms / count, count, "none", "last")

    def call(self, function: str, arg: Any = None, *, limit_ms: float = 60_000.0, draw: bool = True) -> Any:
        """The value of an asynchronous JavaScript `function` of `arg`, with frames stepped until it is there.
        Raises `StepTimeout` when it is not after `limit_ms` virtual milliseconds, `ProtocolError` when it
        fails."""
        self._evaluate(begin(function), [self._token, self._document, arg], "call")
        left = math.ceil(limit_ms / FRAME_MS)
        while True:
            count = min(left, self._frames)
            started = time.monotonic()
            row = self._call("until", FRAME_MS, count, "all" if draw else "none")
            self._advanced(row["nowMs"], count, started)
            left -= count
            if row["done"]:
                break
            if left <= 0:
                raise StepTimeout(
                    f"The page's function did not end within {limit_ms:g} ms of its own time.",
                    endpoint="page",
                    command="call",
                )
        ended = self._call("ended")
        if ended["error"] is not None:
            raise ProtocolError(
                f"The page's function failed: {ended['error']}", endpoint="page", command="call"
            )
        return ended["value"]

    def _steps(self, ms: float, count: int, earlier: str, last: str) -> None:
        if not 0 < ms <= LONGEST_FRAME_MS + 1e-9:
            raise ValueError(
                f"A virtual frame lasts more than 0 and at most {LONGEST_FRAME_MS:g} ms, not {ms:g}."
            )
        while count > 0:
            part = min(count, self._frames)
            started = time.monotonic()
            self._advanced(self._call("step", ms, part, last if part == count else earlier), part, started)
            count -= part

    def _advanced(self, now_ms: float, frames: int, started: float) -> None:
        self.t_s = now_ms / 1000
        fitting = int(frames * CHUNK_S / max(1e-3, time.monotonic() - started))
        self._frames = max(1, min(fitting, GROWTH * self._frames, 1000))

    def hold(self, codes: Collection[str]) -> None:
        """Exactly these keys (`KeyboardEvent.code`, e.g. "KeyW") are down from now on."""
        with self._within("hold"):
            self._controls.hold(codes)

    def look(self, dx_px: float, dy_px: float) -> None:
        """Move the mouse without a button, also where the page locked the pointer."""
        with self._within("look"):
            self._controls.look(dx_px, dy_px)

    def click(self, x: float | None = None, y: float | None = None, button: Button = "left") -> None:
        """Click at a point in CSS pixels, by default the middle of the view."""
        with self._within("click"):
            self._controls.click(x, y, button)

    def drag(
        self, x0: float, y0: float, x1: float, y1: float, steps: int = 10, button: Button = "left"
    ) -> None:
        """Drag from one point to another."""
        with self._within("drag"):
            self._controls.drag((x0, y0), (x1, y1), steps, button)

    def wheel(self, delta_px: float) -> None:
        """Turn the wheel; a notch is 100 px, positive scrolls down (which zooms out by custom)."""
        with self._within("wheel"):
            self._controls.wheel(delta_px)

    def accessibility(self) -> tuple[Line, ...]:
        """At most 50 visible, named controls; see `accessibility.controls`."""
        with self._within("accessibility"):
            return self._controls.accessibility()

    def click_ref(self, ref: str) -> None:
        """Click a control by its ref. Raises `UnknownObject` for one that is not there."""
        with self._within("click_ref"):
            self._controls.click_ref(ref)

    def screenshot(self, *, interface: bool = True) -> NDArray[np.uint8]:
        """The frame drawn last, uint8 (H, W, 3), lossless; `interface` False leaves only canvases."""
        with self._within("screenshot", self._deadlines.frame_s, FrameTimeout):
            return picture(
                self._browser,
                self._call,
                interface=interface,
                seconds=self._deadlines.frame_s,
                size=self._size,
            )

    def scene(self) -> SceneGraph | None:
        """The scene of the main picture; None for a page without Three.js, or that rendered nothing yet."""
        text = self._call("scene")
        return None if text is None else scene_graph(text)

    def camera(self) -> CameraView | None:
        """The camera of the main picture; None where `scene` is."""
        row = self._call("camera")
        return None if row is None else camera_view(row)

    def coverage(self, on: bool) -> tuple[ScriptCoverage, ...]:
        """Switch precise coverage on or off, and what ran since the last call. Switched on before `open`, it
        counts from the page's first script; while it is on, the page runs slower."""
        taken: tuple[ScriptCoverage, ...] = ()
        if self._coverage is not None:
            with self._within("coverage"):
                taken = self._coverage.take(self._browser.page.url, self._html)
                if not on:
                    self._coverage.end()
                    self._coverage = None
        self._covering = on
        return taken

    def evaluate(self, function: str, arg: Any = None) -> Any:
        """The value of a JavaScript function of `arg` in the page, promises awaited in real time. Raises
        `ProtocolError` when it throws."""
        return self._evaluate(function, arg, "script")

    def status(self) -> PageStatus:
        """What the page did so far: renders, contexts, workers ..."""
        return status_of(self._call("status"))

    @property
    def token(self) -> str:
        """Opens the page's side to a driver's own scripts: `window.__embodied_eval(token, null, "main")` is
        `{scene, camera, renderer}` of the main picture; see `entry.js`."""
        return self._token

    @property
    def errors(self) -> tuple[PageMessage, ...]:
        """Every error the page reported so far."""
        return self._messages.errors

    @property
    def tampered(self) -> tuple[str, ...]:
        """Overrides that the page tried to replace, e.g. "performance.now"; it had no effect."""
        return self.status().tampered

    def _call(
        self,
        method: str,
        *parts: Any,
        seconds: float | None = None,
        doing: str = "",
        error: type[SimulatorError] = StepTimeout,
    ) -> Any:
        return self._evaluate(
            call(method), [self._token, self._document, *parts], doing or method, seconds, error
        )

    def _evaluate(
        self,
        function: str,
        arg: Any,
        doing: str,
        seconds: float | None = None,
        error: type[SimulatorError] = StepTimeout,
    ) -> Any:
        """A call of the page's side; the document that answers is the one that was opened, or it raises."""
        with self._within(doing, self._deadlines.step_s if seconds is None else seconds, error):
            value = self._browser.page.evaluate(function, arg)
        return value

    @contextmanager
    def _within(
        self, doing: str, seconds: float | None = None, error: type[SimulatorError] = StepTimeout
    ) -> Iterator[None]:
        limit_s = self._deadlines.call_s if seconds is None else seconds
        try:
            with self._browser.within(limit_s, doing, error):
                yield
        except ProtocolError as caught:
            if page_left(caught):
                raise self._gone(doing) from caught
            raise

    def _gone(self, doing: str) -> PageFailed:
        return PageFailed(
            "The page left, or loaded itself again, while it was driven.",
            outcome="navigated",
            endpoint="page",
            command=doing,
            hint="Such a page cannot be stepped; take the navigation out of it.",
        )
