"""One game that runs: a port, a folder of its own, a process, and the connection that proved it ready."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from embodied_eval.drivers.unrealcv import ini
from embodied_eval.drivers.unrealcv.client import Client
from embodied_eval.drivers.unrealcv.guard import Guard
from embodied_eval.drivers.unrealcv.install import checked, linked_copy
from embodied_eval.drivers.unrealcv.ports import PortLease, is_free, lease, remove_dead_socket_files
from embodied_eval.drivers.unrealcv.process import GameProcess, Health, ending
from embodied_eval.drivers.unrealcv.readiness import PortTaken, Ready, Start, wait_ready
from embodied_eval.drivers.unrealcv.spec import GameSpec
from embodied_eval.errors import SimulatorCrashed, SimulatorError

PORT_TRIES = 3
ENDING_S = 1.0
RECONNECT_S, RETRY_S = 10.0, 0.1
log = logging.getLogger("embodied_eval")


class Game:
    """One place for a game: a port, a folder with its own copy of the installation, and the process that runs there.

    `client` is the connection that proved it ready; whoever drives the game uses that one. `starts` counts processes.
    """

    def __init__(self, spec: GameSpec, folder: Path, guard: Guard, ports: Sequence[int]) -> None:
        self.spec, self.folder = spec, folder
        self._guard, self._ports = guard, ports
        self._stopping = threading.Event()
        self._process: GameProcess | None = None
        self._ready: Ready | None = None
        self._binary: Path | None = None
        self._lease: PortLease | None = None
        self.starts, self.port = 0, 0

    @property
    def ready(self) -> Ready:
        """What is known of the running game. Raises `SimulatorError` if none was started."""
        if self._ready is None:
            raise SimulatorError("The game is not running.", command="launch")
        return self._ready

    @property
    def client(self) -> Client:
        """The kept connection."""
        return self.ready.client

    @property
    def address(self) -> str:
        """HOST:PORT."""
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The id of the process, which is its group's; 0 if there is none."""
        return self._process.group if self._process is not None else 0

    @property
    def alive(self) -> bool:
        """Whether the process runs and the connection holds."""
        running = self._process is not None and self._process.exit_code is None
        return running and self._ready is not None and not self._ready.client.broken

    def reconnect(self) -> bool:
        """Connect anew to a process that still runs; whether it has greeted again."""
        if self._ready is None or self._process is None or self._process.exit_code is not None:
            return False
        client = self._ready.client
        usual, client.deadlines = client.deadlines, replace(client.deadlines, connect_s=1.0, greeting_s=1.0)
        deadline = time.monotonic() + RECONNECT_S
        try:
            while True:
                try:
                    # The game takes a moment to see that its client left, and to offer its socket file then.
                    client.reconnect()
                except SimulatorError as error:
                    if time.monotonic() < deadline and self._process.exit_code is None:
                        self._stopping.wait(RETRY_S)
                        continue
                    log.warning("Port %d cannot be connected to again: %s", self.port, error.message)
                    return False
                return True
        finally:
            client.deadlines = usual

    def health(self) -> Health:
        """The process as it stands."""
        if self._process is None:
            raise SimulatorError("The game is not running.", command="health")
        return self._process.health()

    def log_tail(self) -> str:
        """The end of the log of the last process."""
        return self._process.log_tail() if self._process is not None else ""

    def explained(self, error: SimulatorError) -> SimulatorError:
        """`error` of a call over `client`, with what became of the process and the log's end where it has ended."""
        process = self._process
        # A connection ends a moment before its process has.
        if process is None or not process.ended_within(ENDING_S):
            return error
        made = process.crashed(f"The game ended with {ending(process.exit_code or 0)}: {error.message}")
        made.endpoint, made.command, made.waited_s = self.address, error.command, error.waited_s
        return made

    def start(self) -> None:
        """Start it and wait until it is ready; on another port if it cannot get the one it was given. Raises what
        `wait_ready` does, and leaves nothing running then."""
        taken: list[int] = []
        while True:
            try:
                self._start_on_port(taken)
                return
            except PortTaken as error:
                taken.append(self.port)
                if len(taken) == PORT_TRIES:
                    raise SimulatorCrashed(
                        f"The game could listen on none of the ports {', '.join(map(str, taken))}.",
                        command="launch",
                        hint=error.hint,
                    ) from error
                log.warning("%s Another port is tried.", error.message)

    def stop(self) -> None:
        """End it, also while it starts. Safe to call twice."""
        ready, self._ready = self._ready, None
        if ready is not None:
            ready.client.interrupt()
            ready.client.close()
        if self._process is not None:
            self._process.stop()
        held, self._lease = self._lease, None
        if held is not None:
            remove_dead_socket_files(held.port)
            if self._process is not None and not is_free(held.port):
                log.warning("Port %d is still taken after the game on it was ended.", held.port)
            held.release()

    def abandon(self) -> None:
        """Have a start that is under way in another thread end at once."""
        self._stopping.set()
        if self._process is not None:
            self._process.kill("Its launch was given up.")

    def watch(self) -> None:
        """End a process that has more memory than it may."""
        process, most = self._process, self.spec.memory_mb * 1024**2
        if (
            most
            and process is not None
            and process.exit_code is None
            and process.health().memory_bytes > most
        ):
            process.kill(f"It was ended for having more than {self.spec.memory_mb} MB of memory.")

    def _start_on_port(self, taken: Sequence[int]) -> None:
        self._lease = lease(self._ports, but_not=taken)
        self.port = self._lease.port
        try:
            binary = self._own_binary()
            original = ini.read(checked(self.spec.binary).parent / ini.FILE)
            ini.write(binary.parent / ini.FILE, ini.with_values(original, self.spec.settings(self.port)))
            self.starts += 1
            cache = self.folder / "cache"
            cache.mkdir(exist_ok=True)
            began = time.monotonic()
            self._process = GameProcess(
                self.spec.command(binary, self.port),
                self.folder / f"game-{self.starts}.log",
                self._guard,
                {"XDG_CACHE_HOME": str(cache), **self.spec.environment},
                binary.parent,
            )
            start = Start(self._process, self.spec, self.port, began + self.spec.ready_s, self._stopping)
            self._ready = wait_ready(start)
        except BaseException:
            self.stop()
            raise
        log.info("A game is ready on port %d after %.1f s.", self.port, time.monotonic() - began)

    def _own_binary(self) -> Path:
        if self._binary is None:
            self._binary = linked_copy(self.spec.binary, self.folder / "install")
        return self._binary
