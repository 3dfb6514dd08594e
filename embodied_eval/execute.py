"""Play one planned episode: attempts, receipts, and which failure counts against whom."""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, get_args

from embodied_eval.benchmark import Benchmark
from embodied_eval.driver_thread import DriverThread
from embodied_eval.episode import LiveEpisode, PlantedEffects, Totals
from embodied_eval.errors import (
    BudgetReached,
    EmbodiedEvalError,
    InvalidReply,
    MissingPart,
    ModelAuthError,
    ModelError,
    ModelRefused,
    PluginError,
    SimulatorCrashed,
    SimulatorError,
    StoreError,
    UnknownModel,
    UsageError,
)
from embodied_eval.models.types import ScriptedModel
from embodied_eval.plan import Planned, is_privileged, models_by_role
from embodied_eval.recordings import Recording, recording_of
from embodied_eval.records import EpisodeStatus, ModelCall, Outcome
from embodied_eval.replayed import ReplayedEpisode

if TYPE_CHECKING:
    from embodied_eval.models.gateway import Gateway
    from embodied_eval.store import EpisodeWriter, Receipt, RunDir

SIMULATOR_TRIES = 3
ENDS_THE_RUN = (
    BudgetReached,
    StoreError,
    MissingPart,
    UsageError,
    ModelAuthError,
    UnknownModel,
    asyncio.CancelledError,
)
"""What would befall every further episode too: the run stops, the episode stays to be played."""
log = logging.getLogger("embodied_eval")


@dataclass(frozen=True)
class Player:
    """What playing an episode of one run needs beside the episode itself."""

    benchmark: Benchmark
    run: RunDir
    gateway: Gateway
    model: str
    other_models: Mapping[str, str]

    async def play(
        self, item: Planned, threads: Threads, on_step: Callable[[], None] = lambda: None
    ) -> Receipt:
        """Play `item` until an attempt ends with something that is not a retriable simulator failure.

        The receipt is on disk when this returns. `ENDS_THE_RUN` leaves no receipt, so that
        the episode is played again on resume.
        """
        for left in range(SIMULATOR_TRIES - 1, -1, -1):
            receipt, retriable = await self._attempt(item, threads, on_step)
            if not (retriable and left):
                return receipt
            log.warning("%s: %s Trying again.", item.task.id, receipt.error)
        raise AssertionError("unreachable")

    async def _attempt(
        self, item: Planned, threads: Threads, on_step: Callable[[], None]
    ) -> tuple[Receipt, bool]:
        attempt = self.run.next_attempt(item.hex)
        started = time.monotonic()
        privileged = any(is_privileged(self.benchmark, name) for name in self.models_of(item).values())
        recording = recording_of(self.benchmark, item, self.run.store)
        thread = _thread(item, threads, recording)
        episode: LiveEpisode | None = None
        error: BaseException | None = None
        retriable = False
        try:
            with self.run.writer(item.hex, attempt) as writer:
                writer.start(
                    {
                        "episode_key": item.hex,
                        "attempt": attempt,
                        "task_id": item.task.id,
                        "condition": item.condition.name,
                        "model": self.model,
                        "repeat": item.repeat,
                        "seed": item.seed,
                        "driver": item.key.driver,
                        "world_sha256": item.key.world_sha256,
                        "privileged": privileged,
                        "started_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
                    }
                )
                try:
                    episode = self._episode(item, thread, writer, on_step, recording)
                    outcome = _checked(await self.benchmark.play(episode))
                except ENDS_THE_RUN:
                    raise
                except EmbodiedEvalError as caught:
                    error, outcome = caught, Outcome(_status_of(caught), reason=caught.message)
                    retriable = isinstance(caught, SimulatorError) and caught.retriable
                except Exception as caught:
                    log.exception("%s: the benchmark failed", item.task.id)
                    error = caught
                    outcome = Outcome("harness_error", reason=f"{type(caught).__name__}: {caught}")
                receipt = self._receipt(item, attempt, outcome, episode, error, privileged, started)
                writer.receipt(receipt)
            if episode is not None:
                self._note_renderer(episode.renderer)
        finally:
            if thread is not None and recording is not None:
                await thread.close()
            elif thread is not None:
                await threads.give_back(thread)
        return receipt, retriable

    def _episode(
        self,
        item: Planned,
        thread: DriverThread | None,
        writer: EpisodeWriter,
        on_step: Callable[[], None],
        recording: Recording | None,
    ) -> LiveEpisode:
        benchmark = self.benchmark
        kind = LiveEpisode if recording is None else ReplayedEpisode
        episode = kind(
            task=item.task,
            condition=item.condition,
            options=item.options,
            world=benchmark.world(item.task, item.options),
            effects=PlantedEffects(benchmark.effects(item.task), benchmark.watch(item.task)),
            start=benchmark.start(item.task, item.options),
            thread=thread,
            writer=writer,
            frames=self.run.store.frames,
            seed=item.seed,
            key_hex=item.hex,
            on_step=on_step,
            image_size=benchmark.image_size(item.options),
            private_tables=[name for name, spec in benchmark.tables().items() if spec.private],
        )
        episode.model = self.gateway.bind(
            models=self.models_of(item),
            sampling=item.key.sampling,
            scripted=self._scripted(item),
            rng=random.Random(f"{item.hex}/gateway"),
            episode=item.hex,
            repeat=item.repeat,
            record=lambda call: _record_call(writer, episode.totals, call),
        )
        return episode

    def _note_renderer(self, name: str) -> None:
        """Record what drew the run's pictures; another one than before is worth a warning."""
        known = self.run.manifest.get("renderer")
        if name and not known:
            self.run.update_manifest(renderer=name)
        elif name and name != known:
            log.warning("The pictures are now drawn by %s; before by %s: pixels may differ.", name, known)

    def models_of(self, item: Planned) -> dict[str, str]:
        """The model of each role in `item`."""
        return models_by_role(self.benchmark, self.model, self.other_models)

    def _scripted(self, item: Planned) -> dict[str, ScriptedModel]:
        kinds = self.benchmark.scripted()
        made = {}
        for role, name in self.models_of(item).items():
            if not name.startswith("scripted/"):
                continue
            short = name.removeprefix("scripted/")
            kind = kinds[short]
            rng = random.Random(f"{item.hex}/{role}/{short}")
            made[short] = kind(rng, item.task.private if kind.privileged else None)
        return made

    def _receipt(
        self,
        item: Planned,
        attempt: int,
        outcome: Outcome,
        episode: LiveEpisode | None,
        error: BaseException | None,
        privileged: bool,
        started: float,
    ) -> Receipt:
        from embodied_eval.store import Receipt

        used = episode.totals if episode is not None else Totals()
        return Receipt(
            episode_key=item.hex,
            attempt=attempt,
            status=outcome.status,
            reason=outcome.reason,
            answer=outcome.answer,
            error_kind=type(error).__name__ if error is not None else "",
            error=str(error) if error is not None else "",
            steps=used.steps,
            calls=used.calls,
            tokens_in=used.tokens_in,
            tokens_out=used.tokens_out,
            cost_usd=used.cost_usd,
            wall_s=round(time.monotonic() - started, 3),
            sim_s=round(episode.sim_s if episode is not None else 0.0, 3),
            finished_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            privileged=privileged,
        )


def write_off(run: RunDir, model: str, episode_key: str, why: str) -> None:
    """A receipt for an episode whose process died with it, however often it was tried: excluded."""
    from embodied_eval.store import Receipt

    attempt = run.next_attempt(episode_key)
    error = SimulatorCrashed(why)
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    with run.writer(episode_key, attempt) as writer:
        writer.start({"episode_key": episode_key, "attempt": attempt, "model": model, "started_at": now})
        writer.receipt(
            Receipt(
                episode_key=episode_key,
                attempt=attempt,
                status="simulator_error",
                reason=why,
                answer={},
                error_kind=error.kind,
                error=str(error),
                steps=0,
                calls=0,
                tokens_in=0,
                tokens_out=0,
                cost_usd=0.0,
                wall_s=0.0,
                sim_s=0.0,
                finished_at=now,
                privileged=bool(run.manifest["privileged"]),
            )
        )


class Threads:
    """Driver threads that can be used again: a warm simulator reloads faster than a new one starts."""

    def __init__(self, address: str = "") -> None:
        self.address = address
        self._free: dict[str, list[DriverThread]] = {}
        self._names: dict[int, str] = {}

    def lease(self, item: Planned) -> DriverThread:
        """A free driver thread for `item`, or a new one."""
        from embodied_eval.plugins import load, make_driver

        name = item.key.driver
        deadline_s = load("drivers", name).call_deadline_s
        free = self._free.setdefault(name, [])
        thread = free.pop() if free else DriverThread(lambda: make_driver(name, self.address), deadline_s)
        self._names[id(thread)] = name
        return thread

    async def give_back(self, thread: DriverThread) -> None:
        """Keep a sound thread for the next episode, close a broken one."""
        if thread.broken:
            await thread.close()
        else:
            self._free[self._names[id(thread)]].append(thread)

    async def close(self) -> None:
        """Close every thread that is not leased."""
        for free in self._free.values():
            while free:
                await free.pop().close()


def _thread(item: Planned, threads: Threads, recording: Recording | None) -> DriverThread | None:
    """The simulator's thread, or one in which a recording is played back; None for an episode without either."""
    if recording is not None:
        return DriverThread(recording.driver)
    return threads.lease(item) if item.key.driver else None


def _record_call(writer: EpisodeWriter, totals: Totals, call: ModelCall) -> None:
    writer.call(call)
    totals.calls += 1
    totals.tokens_in = _sum(totals.tokens_in, call.tokens_in)
    totals.tokens_out = _sum(totals.tokens_out, call.tokens_out)
    cost = None if totals.cost_usd is None or call.cost_usd is None else totals.cost_usd + call.cost_usd
    totals.cost_usd = cost


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _checked(outcome: object) -> Outcome:
    """What `play` returned, if it is an outcome that can be stored; PluginError otherwise."""
    from embodied_eval.store.encoding import encode

    if not isinstance(outcome, Outcome):
        raise PluginError(f"`play` returned {type(outcome).__name__}, not an Outcome.")
    if outcome.status not in get_args(EpisodeStatus):
        raise PluginError(f"`play` returned the unknown status {str(outcome.status)[:40]!r}.")
    try:
        encode(dict(outcome.answer))
    except (StoreError, TypeError, ValueError) as error:
        raise PluginError(f"The answer that `play` returned cannot be stored: {error}") from error
    return outcome


def _status_of(error: EmbodiedEvalError) -> EpisodeStatus:
    if isinstance(error, ModelRefused):
        return "refused"
    if isinstance(error, InvalidReply):
        return "invalid_reply"
    if isinstance(error, ModelError):
        return "model_error"
    if isinstance(error, SimulatorError):
        return "simulator_error"
    return "harness_error"
