"""Worlds in a page of our own: Three.js draws, Rapier moves bodies, in a sealed Chromium."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from embodied_eval.drivers.browser.settings import BrowserSettings
from embodied_eval.drivers.things import Thing
from embodied_eval.drivers.threejs.scene import PageScene
from embodied_eval.drivers.threejs.site import runtime_site
from embodied_eval.drivers.view import Renderer, materials_of
from embodied_eval.drivers.world_driver import WorldDriver
from embodied_eval.errors import FrameTimeout, LoadTimeout, SimulatorError, StepTimeout
from embodied_eval.worlds.model import World

if TYPE_CHECKING:
    from embodied_eval.drivers.browser.browser import Browser


class ThreejsDriver(WorldDriver):
    """A world in the page runtime. One browser and one page serve all loads; nothing in the page runs between
    calls, and nothing of a world is left in it when another comes."""

    name = "threejs"

    def __init__(self, settings: BrowserSettings | None = None) -> None:
        super().__init__()
        self._settings = settings or BrowserSettings()
        self._browser: Browser | None = None
        self._shown: World | None = None
        self._drawn: set[str] = set()

    def _open(self, world: World, things: Sequence[Thing]) -> PageScene:
        if self._browser is not None and not self._browser.alive:
            self._close_browser()
        if self._browser is None:
            self._browser = self._start()
        fresh = self._shown is not world
        if fresh:
            self._shown = None
            self._close_view()
        scene = PageScene(things, self._call, fresh=fresh)
        self._shown = world
        return scene

    def _start(self) -> Browser:
        from embodied_eval.drivers.browser.browser import Browser

        browser = Browser(self._settings)
        try:
            browser.open(runtime_site())
            seconds = self._settings.deadlines.load_s
            browser.evaluate("() => window.ready", seconds=seconds, doing="starting", error=LoadTimeout)
        except BaseException:
            browser.close()
            raise
        return browser

    def _call(self, what: str, request: Any) -> Any:
        """Ask `Runtime.what` of `runtime/main.js`."""
        loading = what in ("load", "reset")
        deadlines = self._settings.deadlines
        told = self._page().evaluate(
            "(text) => window.call(text)",
            json.dumps([what, request], allow_nan=False, separators=(",", ":")),
            seconds=deadlines.load_s if loading else deadlines.step_s,
            doing=what,
            error=LoadTimeout if loading else StepTimeout,
        )
        return json.loads(told)

    def _draw(self, function: str, arg: Any = None) -> Any:
        # The first call of each kind compiles shaders.
        deadlines, first = self._settings.deadlines, function not in self._drawn
        seconds = deadlines.load_s if first else deadlines.frame_s
        drawn = self._page().evaluate(function, arg, seconds=seconds, doing="render", error=FrameTimeout)
        self._drawn.add(function)
        return drawn

    def _renderer(self, world: World) -> Renderer:
        from embodied_eval.drivers.threejs.renderer import PageRenderer

        self._drawn = set()
        return PageRenderer(
            self._draw,
            materials_of(world),
            world.sky,
            world.sun,
            world.lights,
            fov_deg=world.fov_deg,
            meshes=world.meshes,
        )

    def interrupt(self) -> None:
        super().interrupt()
        if (browser := self._browser) is not None:
            browser.interrupt()

    def close(self) -> None:
        super().close()
        self._close_browser()

    def _page(self) -> Browser:
        if self._browser is None:
            raise SimulatorError("No world is loaded.", command="load", hint="Call load first.")
        return self._browser

    def _close_browser(self) -> None:
        self._close_view()
        self._shown = None
        if (browser := self._browser) is not None:
            self._browser = None
            browser.close()
