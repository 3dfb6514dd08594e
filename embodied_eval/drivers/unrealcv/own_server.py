"""A server of our own as a subprocess: started, waited for, ended with whoever holds it.

Run as a module it is that subprocess: `embodied-eval sim serve` for as long as its standard input stays open, so
that it ends also when its parent was killed.
"""

from __future__ import annotations

import json
import os
import runpy
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from typing import IO

from embodied_eval.errors import LaunchTimeout, ProtocolError, SimulatorCrashed

READY_S = 110.0
STOP_S = 5.0
_TAIL_BYTES = 2000


class OwnServer:
    """`embodied-eval sim serve` on a free port of this machine, in a process group of its own; started when made."""

    def __init__(self, world: str, driver: str = "mujoco") -> None:
        # What it leaves when it is ended by force lies in here too.
        self._folder = tempfile.TemporaryDirectory(prefix="embodied-eval-server-")
        # The subprocess writes into a file: nobody has to read along for it to go on.
        self._log: IO[bytes] = tempfile.TemporaryFile(dir=self._folder.name)  # noqa: SIM115 - lives as long as this
        command = [sys.executable, "-m", "embodied_eval.drivers.unrealcv.own_server"]
        arguments = ["--world", world, "--driver", driver, "--port", "0", "--json"]
        self._process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
            env={**os.environ, "TMPDIR": self._folder.name},
        )
        self._ended = threading.Lock()

    @property
    def pid(self) -> int:
        """The id of the process, which is its group's."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        with self._ended:
            return self._process.poll() is None

    def log_tail(self) -> str:
        """The end of what it wrote to standard error."""
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - _TAIL_BYTES))
        return self._log.read().decode(errors="replace").strip()

    def kill(self) -> None:
        """End the whole group at once; callable from any thread and when it has ended."""
        self._signal(signal.SIGKILL)

    def close(self) -> None:
        """End the group: asked first, then by force. Safe to call twice."""
        if self._log.closed:
            return
        self._signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_S)
        with suppress(ProcessLookupError, PermissionError):
            # Also when the leader has ended: others of its group may not have.
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._log):
            if pipe is not None:
                pipe.close()
        self._folder.cleanup()

    def _signal(self, number: signal.Signals) -> None:
        # The lock and `poll` keep a process that got the same id meanwhile from being meant.
        with self._ended:
            if self._process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid, number)

    def ready(self, ready_s: float = READY_S) -> str:
        """Where it can be connected to, once it can.

        Raises `SimulatorCrashed` with the end of its messages if it ends before, `LaunchTimeout` if it is not
        ready within `ready_s`, `ProtocolError` if it says something else than where it is.
        """
        began = time.monotonic()
        pipe = self._process.stdout
        assert pipe is not None
        line = b""
        while b"\n" not in line:
            left_s = began + ready_s - time.monotonic()
            if left_s <= 0.0 or not select.select([pipe], [], [], left_s)[0]:
                raise LaunchTimeout(
                    f"The server was not ready within {ready_s:g} s.",
                    command="sim serve",
                    waited_s=ready_s,
                    hint=self._says(),
                )
            part = os.read(pipe.fileno(), 65536)
            if not part:
                code = self._process.wait()
                raise SimulatorCrashed(
                    f"The server ended with status {code} before it was ready.",
                    command="sim serve",
                    waited_s=time.monotonic() - began,
                    hint=self._says(),
                )
            line += part
        try:
            return str(json.loads(line.partition(b"\n")[0])["address"])
        except (ValueError, KeyError, TypeError):
            raise ProtocolError(
                f"The server says {line[:100]!r} instead of where it is.", command="sim serve"
            ) from None

    def _says(self) -> str:
        tail = self.log_tail()
        return f"It says: {tail}" if tail else "It says nothing."


def _serve_while_wanted() -> None:
    def watch() -> None:
        while os.read(0, 4096):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
    sys.argv[1:1] = ["sim", "serve"]
    runpy.run_module("embodied_eval", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _serve_while_wanted()
