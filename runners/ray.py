"""Episodes on a Ray cluster: worker actors play and write the spools themselves, only keys come back."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embodied_eval.benchmark import Check
from embodied_eval.errors import ConfigError, EmbodiedEvalError, MissingPart
from embodied_eval.plugins import missing_extra
from embodied_eval.runner import OnReceipt, Runner, Work, split

if TYPE_CHECKING:
    from embodied_eval.models.gateway import Gateway

ENVIRONMENT = {
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "disabled",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
POLL_S = 1.0
OBJECT_STORE_BYTES = 256 * 1024 * 1024


class RayRunner(Runner):
    """`--runner ray [--address ...]`: `--concurrency` workers, each with one simulator of its own.

    The store must be a folder that every worker sees. Keys reach workers by their own environment.
    """

    name = "ray"

    def check(self) -> Check:
        """See `Runner.check`: a task run by a Ray instance of this machine."""
        try:
            ray = start("", 1)
        except MissingPart as error:
            return Check("ray", "missing", error.message, error.fix)
        try:
            answer = ray.get(ray.remote(lambda: os.getpid()).remote(), timeout=60.0)
        finally:
            ray.shutdown()
        state = "ok" if answer != os.getpid() else "broken"
        return Check("ray", state, f"Ray {ray.__version__} runs a task in a process of its own")  # type: ignore[arg-type]

    async def run(
        self,
        work: Work,
        *,
        gateway: Gateway,
        on_receipt: OnReceipt,
        on_step: Callable[[], None],
    ) -> None:
        """See `Runner.run`. Steps are reported when their episode ends."""
        config = work.resolved().config
        if config.budget_usd is not None or config.budget_tokens is not None:
            raise ConfigError(
                "A budget over several Ray workers is not supported.",
                hint="Use --runner inprocess with --concurrency, or run without a budget.",
            )
        ray = start(config.address, config.concurrency)
        _store, run = work.open()
        try:
            worker_class = ray.remote(num_cpus=1, max_concurrency=1)(Worker)
            parts = split(work.keys, config.concurrency)
            workers = [worker_class.remote(asdict(work)) for _ in parts]
            running = {
                workers[n].play.remote(part[0]): (n, part[0], part[1:]) for n, part in enumerate(parts)
            }
            while running:
                ready, _ = await asyncio.to_thread(ray.wait, list(running), num_returns=1, timeout=POLL_S)
                for future in ready:
                    number, key, rest = running.pop(future)
                    try:
                        ray.get(future, timeout=POLL_S)
                    except ray.exceptions.RayTaskError as error:
                        cause = error.cause
                        raise cause if isinstance(cause, EmbodiedEvalError) else error from error
                    receipt = run.chosen(key)
                    if receipt is not None:
                        for _ in range(receipt.steps):
                            on_step()
                        await on_receipt(key, receipt)
                    if rest:
                        running[workers[number].play.remote(rest[0])] = (number, rest[0], rest[1:])
            for worker in workers:
                ray.get(worker.close.remote(), timeout=60.0)
        finally:
            ray.shutdown()


class Worker:
    """A worker process: one event loop, one warm simulator."""

    def __init__(self, work: dict[str, Any]) -> None:
        from embodied_eval.execute import Threads
        from embodied_eval.runner import make_gateway

        made = Work(**{**work, "keys": tuple(work["keys"])})
        config = made.resolved().config
        _store, run = made.open()
        self._planned = {item.hex: item for item in made.planned()}
        self._gateway = make_gateway(config)
        self._player = made.player(run, self._gateway)
        self._threads = Threads(config.driver_address)
        self._loop = asyncio.new_event_loop()

    def play(self, key: str) -> str:
        """Play one episode; its receipt is in the store when this returns its key."""
        self._loop.run_until_complete(self._player.play(self._planned[key], self._threads))
        return key

    def close(self) -> None:
        """Close the simulator and the model connections."""
        self._loop.run_until_complete(self._threads.close())
        self._loop.run_until_complete(self._gateway.close())
        self._loop.close()


def start(address: str, concurrency: int) -> Any:
    """The ray module, connected to `address`, or to an instance of this machine with so many cores."""
    for key, value in ENVIRONMENT.items():
        os.environ.setdefault(key, value)
    try:
        import ray
    except ModuleNotFoundError as error:
        raise missing_extra("ray", "The runner 'ray'") from error
    if address:
        ray.init(address=address, log_to_driver=False)
    else:
        # The socket's path must stay under 107 bytes: a short folder, whatever TMPDIR says.
        folder = Path("/tmp") if Path("/tmp").is_dir() else Path(tempfile.gettempdir())
        ray.init(
            num_cpus=concurrency,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=OBJECT_STORE_BYTES,
            _temp_dir=str(folder / f"ee-ray-{os.getpid()}"),
        )
    return ray
