"""Starts N UE5 games on ports of their own, restarts what dies, and leaves nothing running."""

from __future__ import annotations

import logging
import shutil
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Self

from embodied_eval.drivers.unrealcv.guard import Guard
from embodied_eval.drivers.unrealcv.install import checked
from embodied_eval.drivers.unrealcv.ports import PORTS
from embodied_eval.drivers.unrealcv.running import Game
from embodied_eval.drivers.unrealcv.spec import GameSpec
from embodied_eval.errors import SimulatorCrashed, SimulatorError

__all__ = ["Game", "GameLauncher"]
LOOK_S = 1.0
_CONTAINERS = (Path("/.dockerenv"), Path("/run/.containerenv"))
log = logging.getLogger("embodied_eval")


class GameLauncher:
    """`count` games of one kind, as a context manager.

    Entering starts them all and returns when all are ready; leaving ends them and whatever belongs to their process
    groups. If this process dies, a guard ends them. Each may be started again `restarts` times. What keeps one from
    starting is raised, with the end of its log, and nothing is left running.
    """

    def __init__(
        self, spec: GameSpec, count: int = 1, *, restarts: int = 2, ports: Sequence[int] = PORTS
    ) -> None:
        if count < 1 or restarts < 0:
            raise ValueError(f"{count} games with {restarts} restarts cannot be had.")
        checked(spec.binary)
        self.spec, self.count, self.restarts = spec, count, restarts
        self.games: tuple[Game, ...] = ()
        self._ports = ports
        self._guard: Guard | None = None
        self._folder: Path | None = None
        self._leaving = threading.Event()
        self._watcher: threading.Thread | None = None

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            for game in self.games:
                game.abandon()
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def game(self, number: int = 0) -> Game:
        """Game `number`, connected anew if its connection broke and started again if it has died. Raises
        `SimulatorCrashed` with the end of its log once it has been started again as often as it may."""
        if not self.games:
            raise SimulatorError("No games were started.", command="launch", hint="Use it in a `with`.")
        game = self.games[number]
        if game.alive or game.reconnect():
            return game
        tail = game.log_tail()
        if game.starts > self.restarts:
            raise SimulatorCrashed(
                f"Game {number} died and was started {game.starts} times already.",
                endpoint=game.address,
                command="launch",
                hint=f"Its log ends: {tail}" if tail else "Its log is empty.",
            )
        log.warning("Game %d on port %d died; it is started again. Its log ends: %s", number, game.port, tail)
        game.stop()
        game.start()
        return game

    def close(self) -> None:
        """End everything. Safe to call twice."""
        self._leaving.set()
        try:
            _each([game.stop for game in self.games])
        finally:
            # Also after a second Ctrl-C: the guard ends what is still there.
            if self._watcher is not None:
                self._watcher.join()
            guard, self._guard = self._guard, None
            if guard is not None:
                guard.close()
            folder, self._folder = self._folder, None
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)

    def _start(self) -> None:
        _warn_of_exposure()
        self._folder = Path(tempfile.mkdtemp(prefix="embodied-eval-games-"))
        self._guard = Guard()
        made = []
        for number in range(self.count):
            folder = self._folder / str(number)
            folder.mkdir()
            made.append(Game(self.spec, folder, self._guard, self._ports))
        self.games = tuple(made)
        if self.spec.memory_mb:
            self._watcher = threading.Thread(target=self._watch, name="unrealcv games", daemon=True)
            self._watcher.start()
        _each([game.start for game in self.games], on_failure=self._abandon)

    def _abandon(self) -> None:
        for game in self.games:
            game.abandon()

    def _watch(self) -> None:
        while not self._leaving.wait(LOOK_S):
            for game in self.games:
                game.watch()


def _each(calls: Sequence[Callable[[], None]], on_failure: Callable[[], None] = lambda: None) -> None:
    """Make all calls at the same time; the first failure, Ctrl-C while waiting included, is raised when all have
    ended, which `on_failure` hastens."""
    if not calls:
        return
    pool = ThreadPoolExecutor(len(calls))
    try:
        for made in as_completed([pool.submit(call) for call in calls]):
            made.result()
    except BaseException:
        on_failure()
        raise
    finally:
        pool.shutdown(wait=True)


def _warn_of_exposure() -> None:
    if not any(path.exists() for path in _CONTAINERS):
        log.warning(
            "UnrealCV's server listens on every network interface and asks for no password: whoever reaches this "
            "machine can use the games that are started now. Use a firewall, or a container."
        )
