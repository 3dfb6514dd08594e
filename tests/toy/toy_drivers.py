"""Simulators that fail, each in its own way; all of them are the test driver otherwise."""

from __future__ import annotations

import os
import signal
import threading
from typing import ClassVar

from embodied_eval.drivers.base import TICK_S, Command, ObjectPatch, ObjectState, TickState
from embodied_eval.errors import LoadTimeout, UnknownObject
from embodied_eval.worlds.model import World
from tests.testing_driver import PlaneDriver


class Plane(PlaneDriver):
    """Sound. `made` and `live` count the instances made and those not closed."""

    name = "toy-plane"
    made: ClassVar[int] = 0
    live: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.number = Plane.made
        self.ticks = 0
        Plane.made += 1
        Plane.live += 1

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        self.ticks += 1
        return super().tick(command, dt_s)

    def close(self) -> None:
        if not self.closed:
            Plane.live -= 1
        super().close()


class Flaky(Plane):
    """The first instance crashes at its tenth tick."""

    name = "toy-flaky"

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        if self.number == 0 and self.ticks == 9:
            raise ConnectionResetError("the game went away")
        return super().tick(command, dt_s)


class Dead(Plane):
    """Crashes at every second tick, whichever instance."""

    name = "toy-dead"

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        if self.ticks == 1:
            raise RuntimeError("segmentation fault")
        return super().tick(command, dt_s)


class Stuck(Plane):
    """The first instance's fifth tick ends only when it is interrupted. TOY_STUCK=ctrl-c: the user presses
    Ctrl-C at that moment; TOY_STUCK=never: it is sound."""

    name = "toy-stuck"

    def __init__(self) -> None:
        super().__init__()
        self.released = threading.Event()

    def tick(self, command: Command, dt_s: float = TICK_S) -> TickState:
        how = os.environ.get("TOY_STUCK", "")
        if self.number == 0 and self.ticks == 4 and how != "never":
            if how == "ctrl-c":
                os.kill(os.getpid(), signal.SIGINT)
            self.released.wait()
        return super().tick(command, dt_s)

    def interrupt(self) -> None:
        super().interrupt()
        self.released.set()


class Stubborn(Stuck):
    """Stuck, and not even an interrupt helps; `let_go` releases all there are."""

    name = "toy-stubborn"
    held: ClassVar[list[Stubborn]] = []

    def __init__(self) -> None:
        super().__init__()
        self.held.append(self)

    def interrupt(self) -> None:
        """Nothing happens."""

    @classmethod
    def let_go(cls) -> None:
        while cls.held:
            cls.held.pop().released.set()


class Fatal(Plane):
    """Takes its whole process with it: always in TOY_FATAL=always, else in the first process to come by."""

    name = "toy-fatal"

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        if os.environ.get("TOY_FATAL") == "always":
            os.kill(os.getpid(), signal.SIGKILL)
        try:
            os.close(os.open(os.environ["TOY_FATAL"], os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return super().load(world, seed=seed, spawn=spawn)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("unreachable")


class Unloadable(Plane):
    """Never loads a world."""

    name = "toy-unloadable"

    def load(self, world: World, *, seed: int = 0, spawn: str = "") -> TickState:
        raise LoadTimeout("The world did not load.", command="load", waited_s=60.0)


class Forgetful(Plane):
    """Knows no object any more when one is to be changed, and says which."""

    name = "toy-forgetful"

    def set_object(self, name: str, patch: ObjectPatch) -> ObjectState:
        raise UnknownObject(f"There is no object {name!r}.", command="set_object")
