"""Waiting until a freshly loaded page draws, in its own time wherever that can be had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from embodied_eval.drivers.browser.messages import Messages
from embodied_eval.drivers.browser.outcome import Loaded, outcome_of, status_of
from embodied_eval.drivers.browser.script import call
from embodied_eval.drivers.browser.site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Page

FRAME_MS = 1000 / 60
# Once the virtual frames are used up: real waits of two screen frames each, for code that is being compiled
# or workers, which nobody can ask whether they are done.
LAST_WAITS = 8
RELOADS = 3
_MAY_CHANGE = ("never_ready", "no_canvas", "blank", "no_webgl")


def until_ready(page: Page, token: str, site: Site, messages: Messages, ready: str, frames: int) -> Loaded:
    """How the load of `page` ended, after at most `frames` virtual frames; for use under a deadline. `ready`
    is a JavaScript expression, "" waits for a picture of more than one colour."""
    waits, reloads, asked = 0, 0, -1
    while True:
        try:
            # As long as the page asks for more files, virtual time stands still.
            while asked != len(site.requests):
                asked = len(site.requests)
                page.evaluate(call("settle"), [token, None])
            found = _assess(page, token, site, messages, ready)
            if found.outcome in ("ready", "init_error"):
                return found
            if frames <= 0:
                if waits == LAST_WAITS or found.outcome not in _MAY_CHANGE:
                    return found
                waits += 1
                page.evaluate(call("settle"), [token, None])
            page.evaluate(call("step"), [token, None, FRAME_MS, 1, "all"])
            frames -= 1
        except Exception as error:
            if not page_left(error) or reloads == RELOADS:
                raise
            # Some pages load themselves again at once, with a setting in their address.
            reloads, asked = reloads + 1, -1
            page.wait_for_load_state("load")


def _assess(page: Page, token: str, site: Site, messages: Messages, ready: str) -> Loaded:
    row = page.evaluate(call("assess"), [token, None, not ready])
    is_ready: bool | None = None
    if ready:
        is_ready = bool(
            page.evaluate(
                f"async () => {{ try {{ return Boolean(await ({ready})); }} catch {{ return false; }} }}"
            )
        )
    return outcome_of(
        status_of(row["status"]), messages.errors, site.requests, ready=is_ready, varied=row["varied"]
    )


def page_left(error: Exception) -> bool:
    """Whether a call failed because the page went to another document meanwhile."""
    text = str(error)
    return any(
        part in text
        for part in (
            "context was destroyed",
            "because of a navigation",
            "is not for pages",
            "Cannot find context",
            "Frame was detached",
        )
    )
