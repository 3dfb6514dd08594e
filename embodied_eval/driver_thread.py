"""One simulator in a thread of its own: calls in order, deadlines, and an end even when it is stuck."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from embodied_eval.drivers.base import Driver
from embodied_eval.errors import EmbodiedEvalError, SimulatorCrashed, SimulatorError, StepTimeout

T = TypeVar("T")
CLOSE_DEADLINE_S = 10.0
log = logging.getLogger("embodied_eval")


class DriverThread:
    """One driver, made, used and closed in one thread; calls run there in order.

    `broken` tells that the driver is of no further use: it crashed, or it was interrupted. The thread is a
    daemon: one that stays stuck although it was interrupted keeps nobody from ending.
    """

    def __init__(self, make: Callable[[], Driver], deadline_s: float = Driver.call_deadline_s) -> None:
        self._make, self._deadline_s = make, deadline_s
        self._driver: Driver | None = None
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="driver", daemon=True)
        self._thread.start()
        self.broken = False

    async def run(self, function: Callable[[Driver], T]) -> T:
        """Run `function(driver)` there. Whatever is not one of our errors becomes `SimulatorCrashed`;
        no answer within the deadline interrupts the driver and raises `StepTimeout`, and so does the
        caller's cancellation, without the error."""

        def work() -> T:
            if self._driver is None:
                self._driver = self._make()
            return function(self._driver)

        future = self._submit(work)
        try:
            answered = await _answered(future, self._deadline_s)
        except asyncio.CancelledError:
            self._interrupt()
            raise
        if not answered:
            self._interrupt()
            raise StepTimeout(
                "The simulator did not answer in time.",
                command=getattr(function, "__name__", "call"),
                waited_s=self._deadline_s,
            )
        try:
            return future.result()
        except EmbodiedEvalError as error:
            self.broken = self.broken or (isinstance(error, SimulatorError) and error.retriable)
            raise
        except Exception as error:
            self.broken = True
            raise SimulatorCrashed(f"The simulator failed: {type(error).__name__}: {error}.") from error

    async def close(self) -> None:
        """Close the driver in its thread, a broken one too, and end the thread. One that is still stuck
        after `CLOSE_DEADLINE_S` is left behind, with a warning."""

        def work() -> None:
            driver, self._driver = self._driver, None
            if driver is not None:
                driver.close()

        future = self._submit(work)
        self._jobs.put(None)
        if not await _answered(future, CLOSE_DEADLINE_S):
            log.warning("A simulator is still stuck after it was interrupted; it is left behind.")
            return
        self._thread.join()
        if (error := future.exception()) is not None:
            log.warning("Closing the simulator failed: %s: %s", type(error).__name__, error)

    def _interrupt(self) -> None:
        self.broken = True
        driver = self._driver
        if driver is not None:
            driver.interrupt()

    def _submit(self, function: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        # Not to be cancelled from here on: a driver that was given up is still closed once its thread is free.
        future.set_running_or_notify_cancel()

        def job() -> None:
            try:
                result = function()
            except BaseException as error:  # noqa: BLE001 - whoever awaits the future raises it
                future.set_exception(error)
            else:
                future.set_result(result)

        self._jobs.put(job)
        return future

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


async def _answered(future: Future[T], within_s: float) -> bool:
    """Whether `future` is done within that time; its result is left to the caller."""
    waiting = asyncio.wrap_future(future)
    try:
        done, _ = await asyncio.wait({waiting}, timeout=within_s)
    except asyncio.CancelledError:
        waiting.cancel()
        raise
    if not done:
        # Else a late answer would be told to an event loop that is closed by then.
        waiting.cancel()
        return False
    waiting.exception()  # it is raised from `future`; asked here, asyncio does not warn of it
    return True
