"""One sealed Chromium: started, given a page at a time, ended with everything it started."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embodied_eval.drivers.browser.connection import Connection
from embodied_eval.drivers.browser.find import find_chromium
from embodied_eval.drivers.browser.guard import Guard
from embodied_eval.drivers.browser.isolation import Isolation, isolation
from embodied_eval.drivers.browser.launch import Gl, Launched, launch, remove
from embodied_eval.drivers.browser.look import look
from embodied_eval.drivers.browser.processes import ProcessGroup
from embodied_eval.drivers.browser.seal import seal_context
from embodied_eval.drivers.browser.settings import BrowserInfo, BrowserSettings
from embodied_eval.drivers.browser.site import Site
from embodied_eval.drivers.browser.within import ENDPOINT, Within, playwright_error
from embodied_eval.errors import (
    LaunchTimeout,
    LoadTimeout,
    MissingPart,
    PageFailed,
    SimulatorCrashed,
    SimulatorError,
    StepTimeout,
)

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, CDPSession, Page

log = logging.getLogger("embodied_eval")
# Whether Chromium's own sandbox starts, by executable and isolation, so that later browsers try less.
_SANDBOX: dict[tuple[str, Isolation], str] = {}


class Browser:
    """A browser of one thread: made, used and closed there; `interrupt` may come from any other.

    After a deadline, a broken limit or `interrupt` it is dead (`alive`), and every further call raises
    `SimulatorCrashed`; make a new one.
    """

    info: BrowserInfo

    def __init__(self, settings: BrowserSettings = BrowserSettings()) -> None:  # noqa: B008 - frozen
        """Start it. Raises `MissingPart` (no Playwright, no Chromium, no network namespace although
        required), `LaunchTimeout`, `SimulatorCrashed`."""
        self.settings = settings
        self._closed = False
        self._context: BrowserContext | None = None
        self._page: Page | None = None
        self._cdp: CDPSession | None = None
        self._crashed = threading.Event()
        self._faults: list[Exception] = []
        self._launched: Launched | None = None
        self._guard: Guard | None = None
        self._connection = Connection()
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def open(
        self,
        site: Site,
        path: str = "/",
        *,
        init_scripts: Sequence[str] = (),
        size: tuple[int, int] | None = None,
    ) -> Page:
        """Close the page before and load `path` of `site` in a new, empty, sealed context; `init_scripts`
        run before any script of the page, in order. Raises `LoadTimeout`, `SimulatorCrashed`, and
        `PageFailed` when the site does not hand out such a page."""
        width, height = size or self.settings.size
        url = site.origin + path
        with self.within(self.settings.deadlines.load_s, f"loading {url}", LoadTimeout):
            self._forget_page()
            context = self._living().browser.new_context(
                viewport={"width": width, "height": height},
                screen={"width": width, "height": height},
                device_scale_factor=1,
                locale="en-US",
                timezone_id="UTC",
                accept_downloads=False,
                service_workers="block",
                ignore_https_errors=False,
            )
            self._context = context
            # Deadlines are the guard's: it also ends what Playwright could only stop waiting for.
            context.set_default_timeout(0)
            seal_context(context, site, self._faults.append, init_scripts)
            page = context.new_page()
            page.on("crash", lambda _: self._crashed.set())
            self._page, self._cdp = page, context.new_cdp_session(page)
            answer = page.goto(url, wait_until="load")
            if answer is None or not answer.ok:
                why = next((one.detail for one in reversed(site.requests) if one.url == url), "")
                raise PageFailed(
                    f"The page {path} cannot be opened: {why or 'it is not served'}.",
                    outcome="not_served",
                    endpoint=url,
                )
        return page

    @property
    def page(self) -> Page:
        """The open page. Raises `SimulatorCrashed` when there is none."""
        if self._page is None:
            raise SimulatorCrashed("No page is open in this browser.", endpoint=ENDPOINT)
        return self._page

    @property
    def cdp(self) -> CDPSession:
        """A devtools session of the open page. Raises `SimulatorCrashed` when there is none."""
        if self._cdp is None:
            raise SimulatorCrashed("No page is open in this browser.", endpoint=ENDPOINT)
        return self._cdp

    def evaluate(
        self,
        function: str,
        arg: Any = None,
        *,
        seconds: float | None = None,
        doing: str = "script",
        error: type[SimulatorError] = StepTimeout,
    ) -> Any:
        """The value of a JavaScript `function` called with `arg` in the page, promises awaited. Raises
        `error` after `seconds` (default `Deadlines.call_s`), `ProtocolError` when the script throws,
        `SimulatorCrashed`."""
        with self.within(self.settings.deadlines.call_s if seconds is None else seconds, doing, error):
            return self.page.evaluate(function, arg)

    @property
    def folder(self) -> Path:
        """The browser's private folder, gone after `close`; every process of it names it."""
        return self._folder

    @property
    def group(self) -> ProcessGroup:
        """The browser's processes. Raises `SimulatorCrashed` after `close`."""
        return self._living().group

    @property
    def alive(self) -> bool:
        """Whether the browser can still be used, if only to open another page."""
        if self._guard is None or self._launched is None:
            return False
        return self._guard.fate is None and self._launched.browser.is_connected()

    def within(
        self, seconds: float, doing: str, error: type[SimulatorError] = StepTimeout
    ) -> AbstractContextManager[None]:
        """A context in which Playwright may be used directly: after `seconds` of wall time the browser is
        ended and `error` raised; Playwright's own errors become `SimulatorCrashed` (the page or browser
        died, or a limit was broken: the message says so) or `ProtocolError` (a script threw, no such
        element). Contexts may be nested; the one whose time is over first decides."""
        if self._guard is None:
            raise SimulatorCrashed("The browser is closed.", endpoint=ENDPOINT, command=doing)
        return Within(self._guard, self._died, self._faults, seconds, doing, error)

    def interrupt(self) -> None:
        """End the browser from any thread; the call that waits for it raises `SimulatorCrashed`."""
        if (guard := self._guard) is not None:
            guard.end(
                SimulatorCrashed("The browser was interrupted.", endpoint=ENDPOINT, command="interrupt")
            )

    def close(self) -> None:
        """End the browser and everything it started, and delete its folder. Safe twice, and when dead."""
        if self._closed:
            return
        self._closed = True
        self._page = self._cdp = self._context = None
        self._end()
        self._connection.close()

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> None:
        settings = self.settings
        executable = find_chromium(settings.executable, self._connection.chromium.executable_path)
        around = isolation(executable, netns=settings.netns or settings.require_netns)
        if settings.require_netns and not around.netns:
            raise MissingPart(
                f"A network namespace is required, and there is none: {around.why_no_netns}.",
                hint="Run as root or allow unprivileged user namespaces; or do not require it.",
            )
        notes = list(around.notes)
        choices: list[Gl] = ["egl", "swiftshader"] if settings.gl == "auto" else [settings.gl]
        for gl in choices:
            launched, sandboxed = self._launch(executable, around, gl)
            with self.within(settings.deadlines.launch_s, "looking at WebGL", LaunchTimeout):
                renderer, sandbox = look(launched.browser, sandboxed=sandboxed)
            if renderer or gl == choices[-1]:
                break
            notes.append("There is no WebGL 2 through EGL.")
            self._end()
        if sandbox == "off":
            notes.append(f"Chromium's own sandbox is off: {_SANDBOX[executable, around] or 'it says so'}.")
        self.info = BrowserInfo(
            version=launched.browser.version,
            executable=executable,
            renderer=renderer,
            gl=gl,
            isolation="netns" if around.netns else "route-only",
            sandbox=sandbox,
            uid=around.uid,
            limits=launched.group.usage() is not None,
            notes=tuple(notes),
        )

    def _launch(self, executable: str, around: Isolation, gl: Gl) -> tuple[Launched, bool]:
        """Start with Chromium's own sandbox where that works, else without; `_SANDBOX` keeps why."""
        key = (executable, around)
        why_not = "the browser runs as root" if around.root else _SANDBOX.get(key, "")
        sandboxed = not why_not
        try:
            launched = launch(
                self._connection.chromium, executable, around, self.settings, gl, sandbox=sandboxed
            )
        except SimulatorCrashed as error:
            if not sandboxed:
                raise
            why_not, sandboxed = error.message.rstrip("."), False
            launched = launch(self._connection.chromium, executable, around, self.settings, gl, sandbox=False)
        _SANDBOX[key] = why_not
        # Crash handlers leave the process group, would outlive it, and have nothing to report to.
        launched.group.kill_strays()
        self._launched, self._folder = launched, launched.folder
        self._guard = Guard(launched.group, self.settings, launched.profile)
        self._guard.start()
        return launched, sandboxed

    def _end(self) -> None:
        """End what `_launch` started."""
        launched, guard = self._launched, self._guard
        self._launched = self._guard = None
        if guard is not None:
            guard.stop()
        if launched is not None:
            if not launched.group.wait_gone():
                log.warning("Processes of a browser could not be ended: %s", launched.group.members())
            with suppress(playwright_error()):
                launched.browser.close()
            remove(launched.folder)
            launched.lock.close()

    def _living(self) -> Launched:
        if self._launched is None:
            raise SimulatorCrashed("The browser is closed.", endpoint=ENDPOINT)
        return self._launched

    def _died(self) -> str:
        """Why the page or the browser is gone, or ""."""
        if self._guard is None or self._launched is None:
            return "The browser is closed."
        if self._guard.fate is not None:
            return self._guard.fate.message
        if self._crashed.is_set():
            return "The page crashed; it may have used up its script heap."
        return "" if self._launched.browser.is_connected() else "The browser ended by itself."

    def _forget_page(self) -> None:
        context, self._context, self._page, self._cdp = self._context, None, None, None
        self._crashed.clear()
        self._faults.clear()
        if context is not None:
            context.close()


def check_browser(settings: BrowserSettings = BrowserSettings()) -> BrowserInfo:  # noqa: B008 - frozen
    """Start a browser once and say what it is; raises as `Browser` does."""
    with Browser(settings) as browser:
        return browser.info
