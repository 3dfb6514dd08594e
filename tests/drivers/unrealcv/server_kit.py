"""Our server over a small world, in threads of this process, for the driver's tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.unrealcv.driver import UnrealcvDriver
from embodied_eval.drivers.unrealcv.faults import FaultPlan
from embodied_eval.drivers.unrealcv.server import Server
from embodied_eval.worlds.model import World


@contextmanager
def served(world: World, mode: Any = "compat", faults: str = "") -> Iterator[Server]:
    """A server over `world` on a free port, ended after use."""
    plan = FaultPlan.parse(faults)
    server = Server(MujocoDriver(), world, port=0, mode=mode, size=(64, 48), faults=plan)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def driven(world: World, mode: Any = "compat", faults: str = "", **options: Any) -> Iterator[UnrealcvDriver]:
    """The driver on such a server, nothing loaded yet."""
    with served(world, mode, faults) as server:
        driver = UnrealcvDriver(f"tcp://127.0.0.1:{server.port}", **options)
        try:
            yield driver
        finally:
            driver.close()
