"""Using Playwright under a deadline, with every way it can fail typed."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from types import TracebackType

from embodied_eval.drivers.browser.guard import Deadline, Guard
from embodied_eval.errors import EmbodiedEvalError, ProtocolError, SimulatorCrashed, SimulatorError

ENDPOINT = "browser"
MESSAGE_CHARS = 500
# How Playwright says that the page, the browser or its own process is gone.
DEATH_SIGNS = ("crashed", "has been closed", "connection closed", "Connection closed")


class Within:
    """See `Browser.within`. `died` gives the reason why the page or browser is gone, or ""; `faults` holds
    what went wrong in event handlers, which have nobody else to raise it to."""

    def __init__(
        self,
        guard: Guard,
        died: Callable[[], str],
        faults: list[Exception],
        seconds: float,
        doing: str,
        error: type[SimulatorError],
    ) -> None:
        self._guard, self._died, self._faults = guard, died, faults
        self._deadline = Deadline(time.monotonic() + seconds, seconds, doing, error)

    def __enter__(self) -> None:
        if self._guard.fate is not None:
            raise SimulatorCrashed(
                f"The browser is of no further use. {self._guard.fate.message}",
                endpoint=ENDPOINT,
                command=self._deadline.doing,
                hint="Start a new browser.",
            )
        self._guard.add(self._deadline)

    def __exit__(
        self, kind: type[BaseException] | None, caught: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._guard.remove(self._deadline)
        if isinstance(caught, EmbodiedEvalError) or (caught and not isinstance(caught, Exception)):
            return
        if self._guard.fate is not None:
            raise copy.copy(self._guard.fate) from caught
        if caught is not None and isinstance(caught, playwright_error()):
            raise self._typed(caught) from caught
        if caught is None and self._faults:
            raise self._faults.pop()

    def _typed(self, caught: Exception) -> SimulatorError:
        doing, text = self._deadline.doing, str(caught)
        first = text.strip().partition("\n")[0][:MESSAGE_CHARS]
        if type(caught).__name__ == "TimeoutError":
            return self._deadline.error(
                f"{first} ({doing})", endpoint=ENDPOINT, command=doing, waited_s=self._deadline.seconds
            )
        gone = self._died()
        if gone or any(sign in first for sign in DEATH_SIGNS):
            crashed = SimulatorCrashed(f"{gone or first} ({doing})", endpoint=ENDPOINT, command=doing)
            if not gone:
                # Playwright's own process is gone, or a page closed itself: not to be trusted any further.
                self._guard.end(crashed)
            return crashed
        return ProtocolError(f"{first} ({doing})", endpoint=ENDPOINT, command=doing)


def playwright_error() -> type[Exception]:
    """Playwright's base error class."""
    from playwright.sync_api import Error

    error: type[Exception] = Error
    return error
