"""Episodes that play another one back: which recording they need, where it lies, what is still to be recorded.

A recording is an ordinary finished episode. It is named by an episode key like any other, made of the task, the
driver, the seed and what the benchmark's `Source` says, and of nothing else of the episode that plays it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from embodied_eval.benchmark import Benchmark, Source
from embodied_eval.config import Resolved, merged_options
from embodied_eval.drivers.replay import ReplayDriver
from embodied_eval.errors import CommandFailed, ConfigError
from embodied_eval.plan import Planned, select_conditions, select_tasks
from embodied_eval.records import COUNTED, EpisodeKey, Json

if TYPE_CHECKING:
    from embodied_eval.store import EpisodeData, RunDir, Store


@dataclass(frozen=True)
class Recording:
    """A finished episode of a task to be played back; None as `data` where it could not be recorded."""

    task_id: str
    data: EpisodeData | None
    store: Store

    def driver(self) -> ReplayDriver:
        """A driver that plays it back, at its beginning. Raises CommandFailed where there is nothing."""
        data = self.data
        if data is None:
            raise CommandFailed(
                f"There is no recording of task {self.task_id}: the run that was to make it says why.",
                command="load",
                hint="Run the command again with --resume: what is recorded is kept.",
            )
        return ReplayDriver(data.steps, data.events, data.visibility, self.store.frames.get)


@dataclass(frozen=True)
class Prior:
    """A run that has to be made first: its settings and its model."""

    resolved: Resolved
    model: str


def source_key(benchmark: Benchmark, item: Planned, source: Source) -> EpisodeKey:
    """The key of the episode that `item` plays back. Raises UnknownName or ConfigError for a source that the
    benchmark does not offer."""
    (condition,) = select_conditions(benchmark, (source.condition,))
    options = merged_options(benchmark, condition, source.options)
    settings: dict[str, Json] = {"name": condition.name}
    settings |= options.model_dump(mode="json") if options is not None else dict(condition.settings)
    return replace(item.key, condition=settings, model=source.model, sampling={}, other_models={}, repeat=0)


def recording_of(benchmark: Benchmark, item: Planned, store: Store) -> Recording | None:
    """What `item` plays back, None where it is played in the simulator."""
    source = benchmark.source(item.task, item.options)
    if source is None:
        return None
    found = _find(benchmark, item, source, store)
    data = None if found is None else found[0].episode(found[1])
    return Recording(item.task.id, data, store)


def missing_sources(
    benchmark: Benchmark, resolved: Resolved, planned: Sequence[Planned], store: Store
) -> list[Prior]:
    """The runs that have to be made before `planned` can be played, each with only what is missing in it.

    Raises ConfigError where a run that is named does not hold what is needed.
    """
    wanted: dict[str, tuple[Source, list[Planned]]] = {}
    sought: set[str] = set()
    for item in planned:
        source = benchmark.source(item.task, item.options)
        if source is None:
            continue
        key = source_key(benchmark, item, source)
        if not source.run and key.hex in sought:
            continue
        sought.add(key.hex)
        if _find(benchmark, item, source, store) is not None:
            continue
        if source.run:
            raise ConfigError(
                f"Run {source.run} holds no finished recording of task {item.task.id}.",
                hint="Leave tasks out with --tasks, or let it be recorded: do not name a run.",
            )
        settings = replace(key, task="", task_sha256="", world_sha256="").hex
        wanted.setdefault(settings, (source, []))[1].append(item)
    return [_prior(benchmark, resolved, source, items) for source, items in wanted.values()]


def _prior(benchmark: Benchmark, resolved: Resolved, source: Source, items: list[Planned]) -> Prior:
    ids = {item.task.id for item in items}
    # What is played for a task may be altered copies of it, under ids of their own.
    tasks = [
        task.id
        for task in select_tasks(benchmark, resolved.config)
        if ids & {variant.id for variant in benchmark.variants(task, items[0].options)}
    ]
    config = resolved.config.model_copy(
        update={
            "condition": (source.condition,),
            "tasks": tuple(tasks),
            "limit": None,
            "repeats": 1,
            "model_for": {},
            "temperature": None,
            "max_tokens": None,
            "record": "",
            "replay": "",
        }
    )
    made = Resolved(config=config, options=dict(source.options), sources={})
    return Prior(made, source.model)


def _find(benchmark: Benchmark, item: Planned, source: Source, store: Store) -> tuple[RunDir, str] | None:
    """The run and the key of the finished recording: the first one made, where there are several."""
    if source.run:
        return _in_run(benchmark, item, source, store.run(source.run))
    key = source_key(benchmark, item, source).hex
    found = []
    for run in store.folders():
        receipt = run.chosen(key)
        if receipt is not None and receipt.status in COUNTED:
            found.append((receipt.finished_at, run.id, run))
    if not found:
        return None
    return min(found, key=lambda one: one[:2])[2], key


def _in_run(benchmark: Benchmark, item: Planned, source: Source, run: RunDir) -> tuple[RunDir, str] | None:
    for row in run.manifest["plan"]:
        key = row["key_fields"]
        same = key["task"] == item.task.id and key["task_sha256"] == item.key.task_sha256
        if not same or row["condition"] != source.condition or run.manifest["benchmark"] != benchmark.name:
            continue
        receipt = run.chosen(row["episode_key"])
        if receipt is not None and receipt.status in COUNTED:
            return run, str(row["episode_key"])
    return None
