"""One process of a game: its group, its log, what became of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from embodied_eval.drivers.unrealcv import groups
from embodied_eval.drivers.unrealcv.guard import Guard
from embodied_eval.errors import SimulatorCrashed

STOP_S = 5.0
LOOK_S = 0.02
TAIL_BYTES = 2000
# The engine's own words, and the system's.
_FATAL = re.compile(
    r"fatal error|lowlevelfatalerror|assertion failed|unhandled exception|segmentation fault|sigsegv", re.I
)
# The plugin's wording differs between versions.
_NO_PORT = re.compile(
    r"address already in use|^(?=.*(port|socket|unrealcv)).*(fail|can ?not|could not|unable|error).{0,80}\b(listen|bind)",
    re.I | re.M,
)


@dataclass(frozen=True)
class Health:
    """A game's process as it stands: `exit_code` None while it runs (minus a signal's number if one ended it), the
    log's size, the group's memory."""

    alive: bool
    exit_code: int | None
    log_bytes: int
    memory_bytes: int


class GameProcess:
    """A program in a process group of its own, its output in `log`. The guard is told of it."""

    def __init__(
        self, command: Sequence[str], log: Path, guard: Guard, environment: Mapping[str, str], folder: Path
    ) -> None:
        self.log, self._guard = log, guard
        self.killed_because = ""
        self._lock = threading.Lock()
        self._exit_code: int | None = None
        self._ended = False
        self._read_bytes, self._rest = 0, b""
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, **environment},
                cwd=folder,
            )
        guard.watch(self.group)

    @property
    def group(self) -> int:
        """The group's id, which is its first process's."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """What the first process ended with, None while it runs."""
        with self._lock:
            if self._exit_code is None and not self._ended:
                # It is not waited for before `stop`: until then nobody else can get its id, nor its group.
                ended = os.waitid(os.P_PID, self.group, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                if ended is not None:
                    killed = ended.si_code != os.CLD_EXITED
                    self._exit_code = -ended.si_status if killed else ended.si_status
            return self._exit_code

    def ended_within(self, seconds: float) -> bool:
        """Whether the first process ends within so many seconds."""
        deadline = time.monotonic() + seconds
        while self.exit_code is None:
            if time.monotonic() >= deadline:
                return False
            time.sleep(LOOK_S)
        return True

    def health(self) -> Health:
        """How it is now."""
        code = self.exit_code
        memory = groups.memory_bytes(self.group) if code is None else 0
        return Health(code is None, code, self.log.stat().st_size, memory)

    def log_tail(self, size: int = TAIL_BYTES) -> str:
        """The log's end."""
        with suppress(OSError), self.log.open("rb") as file:
            length = file.seek(0, os.SEEK_END)
            file.seek(max(0, length - size))
            return file.read().decode(errors="replace").strip()
        return ""

    def check(self, doing: str) -> None:
        """Raise `SimulatorCrashed`, with the log's end, if it has ended or has written that it is about to."""
        code = self.exit_code
        if code is not None:
            raise self.crashed(f"The game ended with {ending(code)} {doing}.")
        line = self._new_line(_FATAL)
        if line:
            raise self.crashed(f"The game wrote {line!r} {doing}.")

    def crashed(self, what: str) -> SimulatorCrashed:
        """The error that says so, why it was killed if it was, and what the log ends with."""
        why = f" {self.killed_because}" if self.killed_because else ""
        return SimulatorCrashed(what + why, command="game", hint=self.says())

    def says(self) -> str:
        """The log's end, for an error's hint."""
        tail = self.log_tail()
        return f"Its log ends: {tail}" if tail else "Its log is empty."

    def cannot_listen(self) -> bool:
        """Whether the log says that its port cannot be had."""
        return _NO_PORT.search(self.log_tail(64 * 1024)) is not None

    def kill(self, because: str = "") -> None:
        """End the whole group at once. From any thread, and when it has ended."""
        with self._lock:
            if not self._ended:
                self.killed_because = self.killed_because or because
                groups.send(self.group, signal.SIGKILL)

    def stop(self) -> None:
        """End the whole group: asked first, after `STOP_S` by force. Safe to call twice."""
        if self._ended:
            return
        _ = self.exit_code
        groups.end(self.group, STOP_S)
        with self._lock:
            self._ended = True
            self._process.wait()
            if self._exit_code is None:
                self._exit_code = self._process.returncode
        self._guard.forget(self.group)

    def _new_line(self, pattern: re.Pattern[str]) -> str:
        """The first line that fits among those written since the last call."""
        with self.log.open("rb") as file:
            file.seek(self._read_bytes)
            new = file.read(1 << 20)
        self._read_bytes += len(new)
        *lines, self._rest = (self._rest + new).split(b"\n")
        for line in lines:
            text = line.decode(errors="replace").strip()
            if pattern.search(text):
                return text[:200]
        return ""


def ending(code: int) -> str:
    """An exit code in words."""
    if code >= 0:
        return f"status {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"
