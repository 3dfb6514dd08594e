"""A policy in a process of its own, one JSON object a line: our torch worker, or any command that speaks so.

In: `{"img": <base64 JPEG of 192 x 192>, "text": ...}` or `{"cmd": "reset"}`, `{"cmd": "quit"}`. Out: `#READY` once,
then for each picture `#ACT {"keys": [...], "buttons": [...], "dx": .., "dy": ..}`; `#READY` and `#ACT` may be
followed by more or less blank. Every other line, and stderr, is the process's log.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import math
import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from embodied_eval.errors import LaunchTimeout, MissingPart, ProtocolError, SimulatorCrashed, StepTimeout
from embodied_eval.policies.base import Act, Policy, read_keys

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

READY, ACT = b"#READY", b"#ACT"
LONGEST_LINE = 1 << 20
LOG_LINES = 20
JPEG_QUALITY = 90
END = None
JOIN_S = 5.0
SECRET = ("KEY", "TOKEN", "SECRET")
"""Environment variables whose names end so are kept from the process."""


@dataclass(frozen=True)
class Deadlines:
    """Seconds that a worker may take: to be ready (weights are loaded), for one act, to quit when asked."""

    ready_s: float = 300.0
    act_s: float = 30.0
    quit_s: float = 2.0


class WorkerPolicy(Policy):
    """The process behind `command`, an argument list; started here, ended with its whole group by `close`.

    Raises MissingPart for a command that cannot be started, LaunchTimeout, StepTimeout, ProtocolError or
    SimulatorCrashed with the end of its log. After any of these it is `broken`, and the process is gone.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        deadlines: Deadlines | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.broken = False
        self._deadlines = deadlines or Deadlines()
        self._name = command[0]
        self._log: deque[str] = deque(maxlen=LOG_LINES)
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env=_without_secrets(os.environ if environment is None else environment),
            )
        except OSError as error:
            raise MissingPart(
                f"The policy's command {command[0]!r} cannot be started: {error.strerror or error}.",
                hint="Name a program and its arguments as a list.",
            ) from error
        assert self._process.stdout is not None and self._process.stderr is not None
        self._threads = [
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_log, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        self._expect(READY, self._deadlines.ready_s)

    def reset(self) -> None:
        """See `Policy.reset`."""
        self._send({"cmd": "reset"})

    def act(self, rgb: NDArray[np.uint8] | None, text: str) -> Act:
        """See `Policy.act`."""
        assert rgb is not None
        self._send({"img": base64.b64encode(_jpeg(rgb)).decode("ascii"), "text": text})
        said = self._expect(ACT, self._deadlines.act_s)
        try:
            return read_act(said)
        except ProtocolError as error:
            self._fail()
            raise ProtocolError(f"{error.message}{self._told()}", command="act") from error

    def close(self) -> None:
        """See `Policy.close`: asks it to quit, then ends its process group."""
        with self._closing:
            self.broken = True
            if self._process.poll() is None:
                with contextlib.suppress(OSError, ValueError):
                    self._write({"cmd": "quit"})
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(self._deadlines.quit_s)
            self._end()

    def _end(self) -> None:
        """End the whole group, what the process started too, and free the pipes."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for thread in self._threads:
            thread.join(JOIN_S)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _fail(self) -> None:
        with self._closing:
            self.broken = True
            self._end()

    def _send(self, message: Mapping[str, Any]) -> None:
        if self.broken:
            raise SimulatorCrashed(f"The policy {self._name!r} is of no further use.", command="act")
        try:
            self._write(message)
        except (OSError, ValueError) as error:
            self._fail()
            raise SimulatorCrashed(
                f"The policy {self._name!r} ended.{self._told()}", command="act"
            ) from error

    def _write(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def _expect(self, prefix: bytes, within_s: float) -> bytes:
        """What follows the next prefixed line's prefix, which must be `prefix`."""
        what = "launch" if prefix == READY else "act"
        try:
            line = self._lines.get(timeout=within_s)
        except queue.Empty:
            self._fail()
            kind = LaunchTimeout if prefix == READY else StepTimeout
            raise kind(
                f"The policy {self._name!r} did not answer in time.{self._told()}",
                command=what,
                waited_s=within_s,
            ) from None
        if line is END:
            self._fail()
            code = self._process.returncode
            raise SimulatorCrashed(
                f"The policy {self._name!r} ended with status {code}.{self._told()}", command=what
            )
        if not line.startswith(prefix) or len(line) >= LONGEST_LINE:
            self._fail()
            raise ProtocolError(
                f"The policy {self._name!r} said {line[:80]!r} where {prefix.decode()} was due.{self._told()}",
                command=what,
            )
        return line[len(prefix) :]

    def _read(self, pipe: IO[bytes]) -> None:
        while line := pipe.readline(LONGEST_LINE):
            if line.startswith((READY, ACT)):
                self._lines.put(line)
            else:
                self._log.append(line[:400].decode(errors="replace").rstrip())
        self._lines.put(END)

    def _read_log(self, pipe: IO[bytes]) -> None:
        while line := pipe.readline(LONGEST_LINE):
            self._log.append(line[:400].decode(errors="replace").rstrip())

    def _told(self) -> str:
        lines = [line for line in list(self._log) if line]
        return f" Its log ends: {' | '.join(lines[-5:])}" if lines else ""


def read_act(text: bytes) -> Act:
    """The act in what follows `#ACT`. Raises ProtocolError for anything but a JSON object with lists `keys` and
    `buttons` and finite numbers `dx` and `dy`; what is left out is nothing."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"An act is no JSON: {text[:80]!r}.", command="act") from error
    if not isinstance(value, dict):
        raise ProtocolError(f"An act is a JSON object, not {text[:80]!r}.", command="act")
    held = {name: value.get(name, []) for name in ("keys", "buttons")}
    for name, names in held.items():
        if not isinstance(names, list) or len(names) > 64:
            raise ProtocolError(f"An act's {name} are a list, not {str(names)[:60]!r}.", command="act")
    moved = {name: value.get(name, 0.0) for name in ("dx", "dy")}
    for name, number in moved.items():
        if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
            raise ProtocolError(f"An act's {name} is a number, not {str(number)[:60]!r}.", command="act")
    buttons = [str(name)[:32].lower() for name in held["buttons"]]
    return Act(
        read_keys(held["keys"], "An act's keys"), frozenset(buttons), float(moved["dx"]), float(moved["dy"])
    )


def _without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if not name.upper().endswith(SECRET)}


def _jpeg(rgb: NDArray[np.uint8]) -> bytes:
    from PIL import Image as Picture

    out = io.BytesIO()
    Picture.fromarray(rgb).save(out, "JPEG", quality=JPEG_QUALITY)
    return out.getvalue()
