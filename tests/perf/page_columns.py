"""One column of `page_step` or `page_still`, in a process of its own: `python -m tests.perf.page_columns COLUMN JOB`.

`ours`, `ours_controls`: a click, one frame of the page's own time, the picture; and the controls as lines besides.
`plain`: Playwright's click and screenshot, decoded. `browsergym`: a step of browsergym-core's environment with nothing
left that waits. All get the picture as an array, and click at the same point; the page counts the clicks. `paused`
takes a picture of a page that stands still, again and again, `paused_plain` the same by `page.screenshot`, `free` a
`page.screenshot` of the same page left to run.
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.perf.chromium import Job, job_of, timed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AT = (480, 140)
"""The middle of the button on either page."""
READY = "() => window.isReady === true"
RENDERER = """() => {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  return gl ? String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)) : "";
}"""
Told = dict[str, Any]


class Pictures:
    """Keeps every picture, and checks afterwards that each shows something new."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._shape, self._made = (size[1], size[0], 3), list[Any]()

    def keep(self, picture: NDArray[np.uint8]) -> None:
        """One more."""
        self._made.append(picture)

    def check(self) -> None:
        """SystemExit for a picture of another size, or one that shows the step before."""
        for before, after in zip([None, *self._made], self._made, strict=False):
            if after.shape != self._shape or (before is not None and (before == after).all()):
                raise SystemExit("A picture has the wrong size, or shows the step before.")


def ours(job: Job, *, controls: bool = False) -> Told:
    """Our step."""
    from embodied_eval.drivers.browser.browser import Browser
    from embodied_eval.drivers.browser.session import PageSession
    from embodied_eval.drivers.browser.settings import BrowserSettings
    from embodied_eval.drivers.browser.site import Site

    pictures = Pictures(job.size)
    began = time.perf_counter()
    with Browser(BrowserSettings(size=job.size)) as browser:
        session = PageSession(browser, size=job.size)
        site = Site.from_address(job.url)
        loaded = session.open(site, site.start_path, ready="window.isReady")
        session.screenshot()
        start_s = time.perf_counter() - began
        if loaded.outcome != "ready":
            raise SystemExit(f"The page did not load: {loaded.summary}.")

        def step(number: int) -> None:
            session.click(*AT)
            session.step()
            if controls:
                session.accessibility()
            pictures.keep(session.screenshot())

        made = timed(step, job)
        pictures.check()
        clicks = session.evaluate("() => window.clicks")
        began = time.perf_counter()
        session.open(site, site.start_path, ready="window.isReady")
        session.screenshot()
        times = {"start_s": start_s, "reset_s": time.perf_counter() - began}
        told = {"version": browser.info.version, "renderer": browser.info.renderer, "clicks": clicks}
        return {**told, **made, **times}


def plain(job: Job) -> Told:
    """Playwright alone."""
    pictures = Pictures(job.size)
    began = time.perf_counter()
    with plain_page(job) as (page, version):
        decoded(page.screenshot(timeout=0))
        start_s = time.perf_counter() - began

        def step(number: int) -> None:
            page.mouse.click(*AT)
            pictures.keep(decoded(page.screenshot(timeout=0)))

        made = timed(step, job)
        pictures.check()
        clicks = page.evaluate("() => window.clicks")
        began = time.perf_counter()
        page.goto(job.url)
        page.wait_for_function(READY, timeout=0)
        decoded(page.screenshot(timeout=0))
        times = {"start_s": start_s, "reset_s": time.perf_counter() - began}
        told = {"version": version, "renderer": page.evaluate(RENDERER), "clicks": clicks}
        return {**told, **made, **times}


def browsergym(job: Job) -> Told:
    """browsergym-core, as it is but for its waits: `slow_mo` 1,000 ms and `pre_observation_delay` 0.5 s are
    both 0, and its action is the one that does least, a click at a point. Its `step` has no other sleep."""
    from browsergym.core.action.highlevel import HighLevelActionSet
    from browsergym.core.env import BrowserEnv
    from browsergym.core.task import OpenEndedTask
    from playwright.sync_api import BrowserType

    native: Callable[..., Any] = BrowserType.launch

    def launch(self: Any, **options: Any) -> Any:
        # Its second browser, for the chat, takes no arguments of ours.
        arguments = [*options.pop("args", []), *job.arguments]
        return native(self, executable_path=job.executable, args=arguments, **options)

    BrowserType.launch = launch
    pictures = Pictures(job.size)
    began = time.perf_counter()
    environment = BrowserEnv(
        OpenEndedTask,
        task_kwargs={"start_url": job.url, "goal": "Click."},
        viewport={"width": job.size[0], "height": job.size[1]},
        slow_mo=0,
        pre_observation_delay=0.0,
        action_mapping=HighLevelActionSet(subsets=["coord"]).to_python_code,
    )
    try:
        environment.reset(seed=0)
        start_s = time.perf_counter() - began
        environment.page.wait_for_function(READY)

        def step(number: int) -> None:
            seen, _, _, _, _ = environment.step(f"mouse_click({AT[0]}, {AT[1]})")
            if seen["last_action_error"]:
                raise SystemExit(seen["last_action_error"])
            pictures.keep(seen["screenshot"])

        made = timed(step, job)
        pictures.check()
        clicks = environment.page.evaluate("() => window.clicks")
        told = {"version": environment.browser.version, "renderer": environment.page.evaluate(RENDERER)}
        began = time.perf_counter()
        environment.reset(seed=0)
        times = {"start_s": start_s, "reset_s": time.perf_counter() - began}
        return {**told, **made, **times, "clicks": clicks}
    finally:
        environment.close()


def paused(job: Job, *, by_playwright: bool = False) -> Told:
    """Pictures of one moment of a page that stands still; they must be the same to the bit."""
    from embodied_eval.drivers.browser.browser import Browser
    from embodied_eval.drivers.browser.session import PageSession
    from embodied_eval.drivers.browser.settings import BrowserSettings
    from embodied_eval.drivers.browser.site import Site

    with Browser(BrowserSettings(size=job.size)) as browser:
        session = PageSession(browser, size=job.size)
        site = Site.from_address(job.url)
        session.open(site, site.start_path, ready="window.isReady")
        session.step()
        first = session.screenshot()
        made_by: Callable[[], Any] = session.screenshot
        if by_playwright:
            made_by = lambda: decoded(browser.page.screenshot(timeout=0))  # noqa: E731

        def shoot(number: int) -> None:
            if not (made_by() == first).all():
                raise SystemExit("The page does not stand still.")

        made = timed(shoot, job)
        return {"version": browser.info.version, "renderer": browser.info.renderer, **made}


def free(job: Job) -> Told:
    """`page.screenshot` of a page that nobody holds."""
    with plain_page(job) as (page, version):
        made = timed(lambda number: decoded(page.screenshot(timeout=0)), job)
        return {"version": version, "renderer": page.evaluate(RENDERER), **made}


@contextmanager
def plain_page(job: Job) -> Iterator[tuple[Any, str]]:
    """The page in a browser that Playwright started, and the browser's version."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=job.executable, args=list(job.arguments))
        page = browser.new_page(viewport={"width": job.size[0], "height": job.size[1]})
        page.goto(job.url)
        page.wait_for_function(READY, timeout=0)
        yield page, browser.version
        browser.close()


def decoded(png: bytes) -> NDArray[np.uint8]:
    """A picture as the array that all columns hand out, uint8 (H, W, 3)."""
    import numpy as np
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


COLUMNS: dict[str, Callable[[Job], Told]] = {
    "ours": ours,
    "ours_controls": lambda job: ours(job, controls=True),
    "plain": plain,
    "browsergym": browsergym,
    "paused": paused,
    "paused_plain": lambda job: paused(job, by_playwright=True),
    "free": free,
}


if __name__ == "__main__":
    print(json.dumps(COLUMNS[sys.argv[1]](job_of(sys.argv[2]))))
