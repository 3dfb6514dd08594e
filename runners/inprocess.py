"""Episodes in this process: one event loop, `--concurrency` of them at a time, each simulator in its thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from embodied_eval.execute import Threads
from embodied_eval.plan import Planned
from embodied_eval.runner import OnReceipt, Runner, Work

if TYPE_CHECKING:
    from embodied_eval.models.gateway import Gateway


class InProcessRunner(Runner):
    """The default runner: needs nothing but Python."""

    name = "inprocess"

    async def run(
        self,
        work: Work,
        *,
        gateway: Gateway,
        on_receipt: OnReceipt,
        on_step: Callable[[], None],
    ) -> None:
        """See `Runner.run`."""
        config = work.resolved().config
        _store, run = work.open()
        player = work.player(run, gateway)
        threads = Threads(config.driver_address)
        queue = list(reversed(work.planned()))

        async def worker() -> None:
            while queue:
                item: Planned = queue.pop()
                receipt = await player.play(item, threads, on_step)
                await on_receipt(item.hex, receipt)
                # An episode of scripted models may never have waited: here Ctrl-C gets its turn.
                await asyncio.sleep(0)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(config.concurrency, len(queue))):
                    group.create_task(worker())
        except BaseExceptionGroup as errors:
            raise first_of(errors) from errors
        finally:
            await threads.close()


def first_of(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first leaf of a group: what ended the run."""
    found: BaseException = errors
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found
