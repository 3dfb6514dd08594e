"""Episodes on a Ray cluster: worker actors play and write the spools themselves, only keys come back."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import shutil
import sys
import tempfile
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from embodied_eval.benchmark import Check
from embodied_eval.errors import ConfigError, EmbodiedEvalError, MissingPart, PluginError
from embodied_eval.execute import write_off
from embodied_eval.plugins import missing_extra
from embodied_eval.runner import OnReceipt, Runner, Work

if TYPE_CHECKING:
    from embodied_eval.config import RunConfig
    from embodied_eval.models.gateway import Gateway

ENVIRONMENT = {
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "disabled",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
POLL_S = 1.0
WORKER_TRIES = 3
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
            stop(ray)
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
        # Ray tells of dead workers on stdout, which is for our one JSON document.
        with contextlib.redirect_stdout(sys.stderr):
            await self._run(work, config, on_receipt, on_step)

    async def _run(
        self, work: Work, config: RunConfig, on_receipt: OnReceipt, on_step: Callable[[], None]
    ) -> None:
        ray = start(config.address, config.concurrency)
        _store, run = work.open()
        try:
            worker_class = ray.remote(num_cpus=1, max_concurrency=1)(Worker)

            def hire() -> Any:
                return worker_class.remote(asdict(work))

            queue, deaths = deque(work.keys), Counter[str]()
            workers = [hire() for _ in range(min(config.concurrency, len(queue)))]
            running = {
                worker.play.remote(key): (worker, key) for worker in workers if (key := queue.popleft())
            }
            while running:
                ready, _ = await asyncio.to_thread(ray.wait, list(running), num_returns=1, timeout=POLL_S)
                for future in ready:
                    worker, key = running.pop(future)
                    try:
                        ray.get(future, timeout=POLL_S)
                    except ray.exceptions.RayActorError as error:
                        if error.actor_init_failed:
                            last = str(error).strip().splitlines()[-1]
                            raise PluginError(f"A Ray worker cannot be made: {last}") from error
                        workers.remove(worker)
                        worker = hire()
                        workers.append(worker)
                        deaths[key] += 1
                        if deaths[key] < WORKER_TRIES:
                            queue.appendleft(key)
                        else:
                            write_off(run, work.model, key, f"Its worker died {WORKER_TRIES} times.")
                    except ray.exceptions.RayTaskError as error:
                        cause = error.cause
                        raise cause if isinstance(cause, EmbodiedEvalError) else error from error
                    if queue:
                        following = queue.popleft()
                        running[worker.play.remote(following)] = (worker, following)
                    receipt = run.chosen(key)
                    if receipt is not None and key not in queue:
                        for _ in range(receipt.steps):
                            on_step()
                        await on_receipt(key, receipt)
            for worker in workers:
                ray.get(worker.close.remote(), timeout=60.0)
        finally:
            stop(ray)


class Worker:
    """A worker process: one event loop, one warm simulator."""

    def __init__(self, work: dict[str, Any]) -> None:
        from embodied_eval.execute import Threads
        from embodied_eval.runner import make_gateway

        made = Work(**{**work, "keys": tuple(work["keys"])})
        config = made.resolved().config
        store, run = made.open()
        self._planned = {item.hex: item for item in made.planned()}
        self._gateway = make_gateway(config, store_root=store.root)
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
        ray.init(address=address, log_to_driver=False, logging_level="warning")
    else:
        ray.init(
            num_cpus=concurrency,
            include_dashboard=False,
            log_to_driver=False,
            logging_level="warning",
            object_store_memory=OBJECT_STORE_BYTES,
            _temp_dir=str(own_folder()),
        )
    return ray


def own_folder() -> Path:
    """Where an instance of ours keeps its sockets and logs. The socket's path must stay under 107 bytes: a
    short folder, whatever TMPDIR says."""
    root = Path("/tmp") if Path("/tmp").is_dir() else Path(tempfile.gettempdir())
    return root / f"ee-ray-{os.getpid()}"


def stop(ray: Any) -> None:
    """Disconnect, end an instance of ours with all its processes, and remove its folder."""
    waits = "wait_for_processes" in inspect.signature(ray.shutdown).parameters
    ray.shutdown(**({"wait_for_processes": True} if waits else {}))
    shutil.rmtree(own_folder(), ignore_errors=True)
