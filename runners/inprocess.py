"""Episodes in this process: one event loop, `--concurrency` of them at a time, each simulator in its thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from embodied_eval.execute import Threads
from embodied_eval.plan import Planned
from embodied_eval.runner import OnReceipt, Runner, Work, make_gateway


class InProcessRunner(Runner):
    """The default runner: needs nothing but Python."""

    name = "inprocess"

    async def run(
        self,
        work: Work,
        *,
        on_receipt: OnReceipt,
        on_step: Callable[[], None],
        on_wait: Callable[[float, str], None],
    ) -> None:
        """See `Runner.run`."""
        config = work.resolved().config
        _store, run = work.open()
        gateway = make_gateway(config, on_wait)
        player = work.player(run, gateway)
        threads = Threads(config.driver_address)
        queue = list(reversed(work.planned()))

        async def worker() -> None:
            while queue:
                item: Planned = queue.pop()
                receipt = await player.play(item, threads, on_step)
                await on_receipt(item.hex, receipt)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(config.concurrency, len(queue))):
                    group.create_task(worker())
        except BaseExceptionGroup as errors:
            raise first_of(errors) from errors
        finally:
            await threads.close()
            await gateway.close()


def first_of(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first leaf of a group: what ended the run."""
    found: BaseException = errors
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found
