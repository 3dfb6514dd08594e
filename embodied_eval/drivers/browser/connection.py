"""Playwright's own process, one a thread however many browsers that thread has."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from embodied_eval.drivers.browser.find import playwright_module

if TYPE_CHECKING:
    from playwright.sync_api import Playwright


@dataclass
class _Shared:
    playwright: Playwright
    users: int = 0
    broken: bool = False


class _Threads(threading.local):
    shared: _Shared | None = None


_threads = _Threads()


class Connection:
    """This thread's Playwright, started with the first user and stopped with the last: its synchronous
    interface allows only one a thread."""

    def __init__(self) -> None:
        """Raises `MissingPart` where Playwright is not installed."""
        shared = _threads.shared
        if shared is not None and shared.broken:
            # Its browsers are dead, so nobody can miss it, and it would be in the way of a new one.
            _stop(shared)
            shared = None
        if shared is None:
            shared = _threads.shared = _Shared(playwright_module().sync_playwright().start())
        shared.users += 1
        self._shared: _Shared | None = shared

    @property
    def chromium(self) -> Any:
        """Playwright's browser type."""
        if self._shared is None:
            raise RuntimeError("the connection is closed")
        return self._shared.playwright.chromium

    def close(self) -> None:
        """Give it back."""
        shared, self._shared = self._shared, None
        if shared is None:
            return
        shared.users -= 1
        if shared.users == 0 and _threads.shared is shared:
            _stop(shared)
            _threads.shared = None
        else:
            shared.broken = not _answers(shared)


def _answers(shared: _Shared) -> bool:
    """Whether Playwright's process still lives: it is asked for something that needs no browser."""
    try:
        shared.playwright.request.new_context().dispose()
    except Exception:  # noqa: BLE001 - a closed connection raises a bare one
        return False
    return True


def _stop(shared: _Shared) -> None:
    """A process that has died says so with a bare exception; it is gone, which is what was wanted."""
    with suppress(Exception):
        shared.playwright.stop()
