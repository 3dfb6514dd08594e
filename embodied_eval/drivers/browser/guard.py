"""The watch over one browser: deadlines, memory, threads and disk; whoever breaks one loses the browser."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path

from embodied_eval.drivers.browser.processes import ProcessGroup, folder_mb
from embodied_eval.drivers.browser.settings import BrowserSettings
from embodied_eval.errors import SimulatorCrashed, SimulatorError

POLL_S = 0.1
DISK_POLL_S = 1.0


@dataclass(frozen=True)
class Deadline:
    """One promise that something ends in time; `at` is on the monotonic clock."""

    at: float
    seconds: float
    doing: str
    error: type[SimulatorError]


class Guard(threading.Thread):
    """Ends `group` when a deadline passes or a limit is broken, and remembers why in `fate`.

    A thread of its own, so that it works while the driver's thread waits in a call that never returns.
    """

    def __init__(self, group: ProcessGroup, settings: BrowserSettings, profile: Path) -> None:
        super().__init__(name="browser-guard", daemon=True)
        self._group, self._settings, self._profile = group, settings, profile
        self._changed = threading.Condition()
        self._deadlines: list[Deadline] = []
        self._stopped = False
        self._disk_at = 0.0
        self.fate: SimulatorError | None = None

    def add(self, deadline: Deadline) -> None:
        """From now on, `deadline` must be removed in time."""
        with self._changed:
            self._deadlines.append(deadline)
            self._changed.notify()

    def remove(self, deadline: Deadline) -> None:
        """What `deadline` was for has ended."""
        with self._changed:
            self._deadlines.remove(deadline)

    def end(self, fate: SimulatorError) -> None:
        """Kill the group now; the first reason given is the one that stays."""
        with self._changed:
            self.fate = self.fate or fate
        self._group.kill()

    def stop(self) -> None:
        """End the watch, not the browser."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        if self.is_alive() and threading.current_thread() is not self:
            self.join()

    def run(self) -> None:
        """Until stopped, or until it had to end the browser."""
        while True:
            with self._changed:
                if self._stopped or self.fate is not None:
                    return
                first = min(self._deadlines, key=lambda one: one.at, default=None)
                now = time.monotonic()
                overdue = first is not None and first.at <= now
                if not overdue:
                    wait = POLL_S if first is None else min(POLL_S, first.at - now)
                    self._changed.wait(max(wait, 0.001))
            if overdue and first is not None:
                self.end(_late(first))
                return
            if broken := self._broken_limit():
                self.end(
                    SimulatorCrashed(
                        f"The page {broken}; its browser was ended.",
                        endpoint="browser",
                        hint="Raise the limit in the browser's settings if the page is trusted.",
                    )
                )
                return

    def _broken_limit(self) -> str:
        used = self._group.usage()
        if used is None:
            return ""
        if used.memory_mb > self._settings.memory_mb:
            return f"used more than {self._settings.memory_mb} MB of memory"
        if used.threads > self._settings.max_threads:
            return f"used more than {self._settings.max_threads} threads"
        if time.monotonic() - self._disk_at > DISK_POLL_S:
            self._disk_at = time.monotonic()
            if folder_mb(self._profile) > self._settings.disk_mb:
                return f"wrote more than {self._settings.disk_mb} MB to the disk"
        return ""


def _late(deadline: Deadline) -> SimulatorError:
    return deadline.error(
        f"The browser did not finish within {deadline.seconds:g} s: {deadline.doing}.",
        endpoint="browser",
        command=deadline.doing,
        waited_s=deadline.seconds,
        hint="The page may run an endless script; its browser was ended.",
    )
