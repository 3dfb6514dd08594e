"""Does a file become a running world? Loaded in the sealed browser, run for a while, its errors collected."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchmarks.worldbench.source_check import MOST_BYTES, Fault, script_faults, structure_faults
from embodied_eval.errors import FrameTimeout, LoadTimeout, PageFailed, SimulatorCrashed, StepTimeout

if TYPE_CHECKING:
    from embodied_eval.benchmark import DriverHandle
    from embodied_eval.drivers.browser.outcome import Loaded, PageMessage
    from embodied_eval.drivers.browser.session import PageSession
    from embodied_eval.worlds.model import World

NAME = "world.html"
RUN_MS = 2000.0
"""So long a world runs before its errors are read: what fails in its frame callback shows at once (ours)."""
LATE_FRAMES = 120
"""More virtual frames for a page that draws nothing at first: some build their land piece by piece (ours)."""
DARK_MS = 20_000.0
"""A world that draws one colour may have begun at night: so much later it is looked at again (ours)."""
CRASH_TRIES = 2
MOST_FAULTS = 12
MAY_COME = ("never_ready", "blank", "no_canvas", "no_webgl")
NOTHING_SAID = {
    "no_canvas": "The page made no canvas.",
    "no_webgl": "The page obtained no WebGL context.",
    "blank": "The page drew nothing but a single colour.",
    "never_ready": "The page drew no frame.",
    "syntax_error": "A script of the page could not be parsed.",
    "page_error": "A script of the page failed before anything was drawn.",
}
_BLANK = "<!doctype html><html><head><title></title></head><body></body></html>"


@dataclass(frozen=True)
class Checked:
    """A file after its load: how that ended ("ready" = it draws; the browser's outcomes, "structure", "timeout",
    "crashed", "navigated"), what is to be mended, the three.js revision it ran and (asked, served) versions."""

    sha256: str
    outcome: str
    faults: tuple[Fault, ...] = ()
    three: str = ""
    substitutions: tuple[tuple[str, str], ...] = ()
    renderer: str = ""

    @property
    def loaded(self) -> bool:
        """Whether it is a world that runs, with or without errors."""
        return self.outcome == "ready"

    @property
    def clean(self) -> bool:
        """Whether there is nothing to mend."""
        return not self.faults

    @property
    def told(self) -> str:
        """The outcome and the first error, for people."""
        first = f": {self.faults[0].text}" if self.faults else ""
        return f"{self.outcome.replace('_', ' ')}{first}"


class Workshop:
    """Writes files to a folder of its own, in which nothing else lies, and loads them on an episode's driver, all
    in one browser as long as it lives. Use it as a context manager."""

    def __init__(self, driver: DriverHandle, *, seed: int, size: tuple[int, int]) -> None:
        self._driver, self._seed, self._size = driver, seed, size
        self._opened = False
        self._folder = tempfile.TemporaryDirectory(prefix="embodied-eval-world-")

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def world(self, html: str, name: str = NAME) -> World:
        """`html` as a world that the page driver can open; its file is there until the workshop closes.
        Raises `DataFileError` for a file that is too large."""
        from embodied_eval.worlds.pages import page_world

        path = Path(self._folder.name) / hashlib.sha256(encoded(html)).hexdigest()[:16] / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(encoded(html))
        return page_world(str(path))

    async def check(self, html: str) -> Checked:
        """Whether `html` runs, and what is wrong with it."""
        sha256 = hashlib.sha256(encoded(html)).hexdigest()
        shape = structure_faults(html)
        if len(encoded(html)) > MOST_BYTES or not html.strip():
            return Checked(sha256, "structure", shape)
        world, blank = self.world(html), self.world(_BLANK, "blank.html")

        def work(driver: Any) -> Checked:
            checked = self._load(driver, world, sha256)
            faults = (*shape, *checked.faults)
            if checked.outcome in ("timeout", "crashed", "syntax_error", "page_error"):
                self._show(driver, blank)
                faults += _unreported(script_faults(driver.session, html), faults)
            return replace(checked, faults=faults[:MOST_FAULTS])

        made = await self._driver.call(work)
        assert isinstance(made, Checked)
        return made

    def _load(self, driver: Any, world: World, sha256: str) -> Checked:
        crashes = 0
        while True:
            try:
                loaded = self._run(driver, world)
            except (LoadTimeout, StepTimeout, FrameTimeout) as error:
                waited = f" within {error.waited_s:.0f} s" if error.waited_s else ""
                told = f"The page did not answer{waited}: a script runs without end, or far too long."
                return Checked(sha256, "timeout", (Fault("load", told),))
            except PageFailed as error:
                if error.outcome != "navigated":
                    raise
                return Checked(
                    sha256, "navigated", (Fault("load", "The page left, or loaded itself again."),)
                )
            except SimulatorCrashed:
                # Once may be the machine's fault; a fresh browser that dies as well died of the page.
                crashes += 1
                if crashes < CRASH_TRIES:
                    continue
                told = "The page crashed the browser: it uses too much memory."
                return Checked(sha256, "crashed", (Fault("load", told),))
            return Checked(
                sha256,
                loaded.outcome,
                faults_of(loaded, driver.session),
                loaded.three,
                loaded.substitutions,
                driver.browser.info.renderer,
            )

    def _run(self, driver: Any, world: World) -> Loaded:
        """Load and run; the outcome is that of the latest look at it."""
        loaded = self._show(driver, world)
        session: PageSession = driver.session
        if loaded.outcome in MAY_COME:
            loaded = session.wait(frames=LATE_FRAMES)
        if loaded.outcome == "blank" and loaded.hooked:
            session.seek(DARK_MS)
            loaded = session.wait(frames=1)
        session.seek(RUN_MS)
        return loaded

    def _show(self, driver: Any, world: World) -> Loaded:
        # The browser of an earlier episode may be of another size.
        loaded: Loaded = driver.show(world, seed=self._seed, size=self._size, again=self._opened)
        self._opened = True
        return loaded


def encoded(html: str) -> bytes:
    """The bytes of a file; a lone surrogate, which a provider may send, becomes U+FFFD."""
    return html.encode("utf-8", "surrogatepass").decode("utf-8", "replace").encode()


def faults_of(loaded: Loaded, session: PageSession) -> tuple[Fault, ...]:
    """What there is to mend in a page that was loaded and ran: its own errors, and why nothing is drawn. What was
    refused without harm is not told."""
    messages = list(loaded.errors)
    messages += [one for one in session.errors if one not in messages]
    found = [_fault(one) for one in messages]
    if session.status().webgl_lost:
        found.append(Fault("load", "The WebGL context was lost."))
    if loaded.outcome != "ready" and not found:
        found.append(Fault("load", NOTHING_SAID.get(loaded.outcome, loaded.outcome)))
    return tuple(found[:MOST_FAULTS])


def _fault(message: PageMessage) -> Fault:
    # Places in three.js itself are none of the file's.
    mine = urlsplit(message.source).path.endswith(f"/{NAME}")
    place = (message.line, message.column) if mine else (0, 0)
    return Fault(message.kind, message.text, *place)


def _unreported(parsed: Sequence[Fault], known: Sequence[Fault]) -> tuple[Fault, ...]:
    """Syntax errors that the load did not report with a place of their own."""
    said = [fault.text for fault in known if fault.kind == "syntax_error"]
    return tuple(one for one in parsed if not any(one.text in text or text in one.text for text in said))
