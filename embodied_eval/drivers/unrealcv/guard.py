"""Ends games whose launcher died: a process that hears of each group, and acts when its standard input closes.

Run as a module it is that process. A game that is started in its own group outlives a launcher that is killed;
nothing else would be left to end it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Self

PATIENCE_S = 5.0


class Guard:
    """The launcher's end of it: `watch` a group, `forget` it once it has been ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "embodied_eval.drivers.unrealcv.guard"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The id of its process."""
        return self._process.pid

    def watch(self, group: int) -> None:
        """End that group if this process dies."""
        self._say(f"+{group}\n")

    def forget(self, group: int) -> None:
        """Leave that group alone: its id may come to mean another one."""
        self._say(f"-{group}\n")

    def close(self) -> None:
        """Have it end all groups that it still watches, and itself. Safe to call twice."""
        pipe = self._process.stdin
        assert pipe is not None
        with suppress(BrokenPipeError):
            pipe.close()
        self._process.wait()

    def _say(self, line: str) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        # If it was killed there is no guard; the launcher itself still ends its games.
        with self._lock, suppress(BrokenPipeError):
            pipe.write(line.encode())
            pipe.flush()


def _watch() -> None:
    from embodied_eval.drivers.unrealcv import groups

    # A terminal's Ctrl-C is the launcher's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    watched: set[int] = set()
    with os.fdopen(0, "rb") as lines:
        for line in lines:
            number = int(line[1:])
            watched.add(number) if line[:1] == b"+" else watched.discard(number)
    for group in watched:
        groups.send(group, signal.SIGTERM)
    for group in watched:
        if not groups.wait_empty(group, PATIENCE_S):
            groups.send(group, signal.SIGKILL)


if __name__ == "__main__":
    _watch()
